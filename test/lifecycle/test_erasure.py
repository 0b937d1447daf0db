# SPDX-License-Identifier: Apache-2.0
"""After forgetting, nothing of the text is in the file, its log, its journal or its free pages."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from mira_memory.errors import BroughtBack
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

REASON = "a wish"


def bytes_beside(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*"))


def secret(number: int, length: int = 40) -> str:
    chance = random.Random(number)
    return "".join(chance.choices("bcdfghjklmnpqrstvwxz", k=length))


def test_the_bytes_of_a_forgotten_memory_are_gone(store: Store) -> None:
    summary, value, label = secret(1), secret(2), secret(3)
    memory = store.add_memory(
        MemoryDraft("fact", summary, ((1, "subject"),), "likes", value, source_label=label)
    ).memory
    store.lifecycle.annotate(memory.id, secret(4))
    store.lifecycle.set_trust(memory.id, "disputed", secret(5))
    texts = [secret(number).encode() for number in (1, 2, 3, 4)]
    assert all(text in bytes_beside(store.path) for text in texts)
    warning = store.lifecycle.forget(memory.id, REASON)
    assert warning == "Backups and exports made earlier still have it."
    assert not [text for text in texts if text in bytes_beside(store.path)]
    shown, payloads = store.show_memory(memory.id)
    assert (shown.status, shown.summary, shown.value, shown.links) == ("forgotten", "", None, ())
    assert (shown.created_at, payloads) == (memory.created_at, ())
    assert not store.lifecycle.verify_audit().sentence


@pytest.mark.parametrize("length", [20, 200, 999])
def test_nothing_stays_where_pages_were_split_and_overflown(store: Store, length: int) -> None:
    chance = random.Random(length)
    numbers = []
    for number in range(300):
        draft = MemoryDraft(
            "fact",
            secret(number, length),
            ((chance.choice((1, 2)), "subject"),),
            f"p{number % 7}x",
            secret(number + 10_000, min(length, 400)),
        )
        numbers.append(store.add_memory(draft).memory.id)
    gone = chance.sample(range(300), 40)
    for number in gone:
        store.lifecycle.forget(numbers[number], REASON)
    held = bytes_beside(store.path)
    kept = next(number for number in range(300) if number not in gone)
    assert secret(kept, length).encode() in held
    left = [number for number in gone if secret(number, length)[:20].encode() in held]
    left += [number for number in gone if secret(number + 10_000, length)[:20].encode() in held]
    assert left == []


def test_an_open_proposal_that_says_the_same_is_erased_too(
    store: Store, add: Callable[..., int]
) -> None:
    number = add("Leeds", summary="He lives in Leeds")
    store.lifecycle.propose(
        MemoryDraft("fact", secret(9), ((1, "subject"),), "lives_in", "Leeds"), "a tool"
    )
    store.lifecycle.forget(number, REASON)
    assert store.lifecycle.proposals() == ()
    assert secret(9).encode() not in bytes_beside(store.path)
    assert not store.lifecycle.verify_audit().sentence


def test_what_was_forgotten_is_known_again_when_it_comes(
    store: Store, add: Callable[..., int]
) -> None:
    number = add("Leeds")
    store.lifecycle.forget(number, REASON)
    with pytest.raises(BroughtBack, match=rf"^The same was taken back with MEM{number}"):
        add("Leeds", summary="In other words")
    assert add("York") == number + 1


def test_a_reader_that_holds_the_log_is_told_of(store: Store, add: Callable[..., int]) -> None:
    number = add("Leeds")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM memories").fetchall()
    store._writer._connection.execute("PRAGMA busy_timeout = 50")
    assert "could not be overwritten" in store.lifecycle.forget(number, REASON)
    other.close()


def test_nothing_stays_behind_where_rows_move_between_pages(store: Store) -> None:
    chance = random.Random(2)
    alive: list[tuple[int, str]] = []
    for number in range(300):
        words = secret(number, chance.choice((15, 60, 300, 900)))
        draft = MemoryDraft("fact", words, ((1, "subject"),), f"p{number % 5}", secret(-number))
        alive.append((store.add_memory(draft).memory.id, words))
        if chance.random() < 0.4:
            memory_id, words = alive.pop(chance.randrange(len(alive)))
            store.lifecycle.forget(memory_id, REASON)
            held = bytes_beside(store.path)
            assert words[:14].encode() not in held
            assert not alive or alive[-1][1][:14].encode() in held
