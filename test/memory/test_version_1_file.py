# SPDX-License-Identifier: Apache-2.0
"""A file that version 1 wrote is served as it is, by this and every later version."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory.recall import recall
from mira_memory.records import Link, MemoryDraft
from mira_memory.store import Store

FIXTURE = Path(__file__).parent.parent / "fixtures" / "store_v1.sqlite3"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(FIXTURE, tmp_path / "robot.sqlite3"))


@pytest.fixture
def store(copy: Path) -> Iterator[Store]:
    store = Store.open(copy)
    yield store
    store.close()


def test_opening_changes_neither_version_nor_content(copy: Path) -> None:
    def dump() -> list[str]:
        with closing(sqlite3.connect(copy)) as connection:
            return list(connection.iterdump())

    before = dump()
    Store.open(copy).close()
    assert dump() == before
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_everything_in_it_is_found(store: Store) -> None:
    status = store.status()
    assert (status.entities, status.aliases, status.memories) == (5, 3, 15)
    assert [entity.id for entity in store.find_entities("GORDON")] == [1, 5]
    assert [entity.id for entity in store.find_entities("gordo")] == [1]
    assert [entity.id for entity in store.find_entities("STRASSE 5")] == [4]
    memory, payloads = store.show_memory(3)
    assert payloads == ("Gordon is a friend of Zoë Müller",)
    assert memory.links == (Link(1, "Gordon", "subject"), Link(3, "Zoë Müller", "friend"))
    assert memory.created_at == "2026-11-30T12:21:00.000000Z"
    assert store.show_memory(4)[0].confidence == 0.75


def test_recall_counts_what_is_not_active_out(store: Store) -> None:
    result = recall(store, "gordy")
    (found,) = result.entities
    assert [memory.id for memory in found.memories] == list(range(6, 14))
    assert found.memories_left_out == 4
    assert "MEM14" not in result.text


def test_it_goes_on_where_it_ended(store: Store) -> None:
    with store.admission_transaction() as transaction:
        stored = transaction.memory_of_turn("turn-1")
        assert stored is not None
        assert stored.id == 1
        assert transaction.slot_conflicts(1, "favourite_snack", "tuna") == (1,)
        links = frozenset({(1, "subject"), (3, "friend")})
        assert transaction.duplicate("relationship", "knows", "zoë müller", links) == 3
    assert store.add_memory(MemoryDraft("note", "One more.")).memory.id == 16
