# SPDX-License-Identifier: Apache-2.0
"""No read path shows what it must not: every status, trust state and expiry, on every path."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from mira_memory.admission_transaction import AdmissionTransaction
from mira_memory.recall import recall
from mira_memory.records import MemoryDraft, Qualities
from mira_memory.store import Store

STATUSES = ("active", "retracted", "superseded", "archived", "forgotten", "proposed")
TRUST = ("accepted", "disputed", "withheld")
EXPIRIES = ("", "2020-01-01", "2100-01-01")
WORDS = "Gordon hides the key"


class Planted(NamedTuple):
    """A memory in one combination, beside an active one."""

    memory_id: int
    beside: int
    status: str
    trust: str


def plant(store: Store, status: str, trust: str, expires_at: str) -> Planted:
    links = ((1, "subject"),)
    beside = store.add_memory(MemoryDraft("fact", "Beside it", links, "eats", "tea")).memory.id
    qualities = Qualities(expires_at=expires_at) if expires_at else None
    draft = MemoryDraft("fact", WORDS, links, "hides", "the key", qualities=qualities)
    if status == "proposed":
        store.lifecycle.propose(draft, "a tool")
        return Planted(0, beside, status, trust)
    number = store.add_memory(draft).memory.id
    store.lifecycle.set_trust(number, trust, "a reason")
    match status:
        case "retracted":
            store.lifecycle.retract(number, "a reason")
        case "superseded":
            store.lifecycle.supersede(number, "It is elsewhere", "elsewhere")
        case "archived":
            store.lifecycle.archive(number, "a reason")
        case "forgotten":
            store.lifecycle.forget(number, "a reason")
    return Planted(number, beside, status, trust)


READS: dict[str, Callable[[Store], str]] = {
    "recall": lambda store: recall(store, "Gordon").text,
    "find": lambda store: str(store.find_memories("Gordon")),
    "list": lambda store: str(store.list_memories(1)),
    "pages": lambda store: str([store.list_memories(1, 1, before) for before in range(1, 6)]),
    "history": lambda store: str(store.lifecycle.history(1)),
    "audit": lambda store: str(store.lifecycle.audit()),
    "at now": lambda store: str(store.lifecycle.recall_at("Gordon", "2027-01-01")),
}


@pytest.mark.parametrize(("status", "trust", "expires_at"), product(STATUSES, TRUST, EXPIRIES))
def test_only_what_is_active_and_not_withheld_is_seen(
    store: Store, status: str, trust: str, expires_at: str
) -> None:
    planted = plant(store, status, trust, expires_at)
    is_seen = status == "active" and trust != "withheld"
    for name, read in READS.items():
        shown = read(store)
        if name not in ("history", "audit"):
            assert "Beside it" in shown, name
            assert (WORDS in shown) == is_seen, name
        else:
            assert WORDS not in shown
    (found,) = store.find_memories("Gordon")[0]
    expected = {planted.beside} | ({planted.memory_id} if is_seen else set())
    expected |= {3} if status == "superseded" else set()
    assert {memory.id for memory in found.memories} == expected
    assert found.memories_left_out == 0
    assert sum(store.list_memories(1, 1, before)[1] for before in (4,)) == len(expected) - 1
    text = recall(store, "Gordon").text
    assert ("disputed" in text) == (is_seen and trust == "disputed")
    assert ("expired" in text) == (is_seen and expires_at == "2020-01-01")
    assert not store.lifecycle.verify_audit().sentence


@pytest.mark.parametrize("status", STATUSES)
def test_only_active_counts_for_duplicates_and_conflicts(store: Store, status: str) -> None:
    planted = plant(store, status, "accepted", "")
    if status == "superseded":
        store.lifecycle.archive(3, "a reason")
    links = frozenset({(1, "subject")})
    with store.admission_transaction() as transaction:
        assert isinstance(transaction, AdmissionTransaction)
        duplicate = transaction.duplicate("fact", "hides", "the key", links)
        conflicts = transaction.slot_conflicts(1, "hides", "elsewhere")
        beside = transaction.duplicate("fact", "eats", "tea", links)
    counts = status == "active"
    assert duplicate == (planted.memory_id if counts else None)
    assert conflicts == ((planted.memory_id,) if counts else ())
    assert beside == planted.beside


@pytest.mark.parametrize("status", ["retracted", "superseded", "archived", "forgotten"])
def test_a_look_by_identity_says_the_status(store: Store, status: str) -> None:
    planted = plant(store, status, "accepted", "")
    shown, texts = store.show_memory(planted.memory_id)
    assert shown.status == status
    assert (WORDS in (shown.summary, *texts)) == (status != "forgotten")


def test_nothing_comes_back_by_restart_import_or_approval(store: Store, tmp_path: Path) -> None:
    links = ((1, "subject"),)
    retracted = MemoryDraft("fact", WORDS, links, "hides", "the key")
    forgotten = MemoryDraft("note", "Gordon keeps a diary", links)
    numbers = [store.add_memory(draft).memory.id for draft in (retracted, forgotten)]
    proposals = [store.lifecycle.propose(draft, "a tool") for draft in (retracted,)]
    export = tmp_path / "export.jsonl"
    store.lifecycle.export(export)
    store.lifecycle.retract(numbers[0], "a reason")
    store.lifecycle.forget(numbers[1], "a reason")
    for trusted in (False, True):
        assert store.lifecycle.import_file(export, trusted=trusted).left_out == 2
    for attempt in (
        lambda: store.lifecycle.approve(proposals[0]),
        lambda: store.add_memory(retracted),
        lambda: store.lifecycle.propose(forgotten, "a tool"),
    ):
        with pytest.raises(Exception, match="The same was taken back"):
            attempt()
    store.close()
    again = Store.open(store.path)
    (found,) = again.find_memories("Gordon")[0]
    assert found.memories == ()
    again.lifecycle.restore(numbers[0], "a person says so")
    assert WORDS in recall(again, "Gordon").text
    again.close()
