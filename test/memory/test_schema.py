# SPDX-License-Identifier: Apache-2.0
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory import schema, schema_v1
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

AT = "2026-11-30T12:00:00.000000Z"
COLUMNS = {
    "entities": "id entity_type canonical_name name_key active_memory_count created_at",
    "entity_aliases": "id entity_id alias alias_key created_at",
    "memories": "id kind summary predicate predicate_key value_text value_key source_kind "
    "source_label confidence status turn_id subject_entity_id created_at",
    "memory_entity_links": "memory_id entity_id role",
    "memory_payloads": "id memory_id payload_kind media_type text_content object_ref sha256",
}


@pytest.fixture
def connection(store: Store) -> sqlite3.Connection:
    store.add_entity("person", "Gordon")
    store.add_entity("person", "Anna")
    connection = sqlite3.connect(store.path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def add_memory(connection: sqlite3.Connection, **fields: object) -> int:
    row = {"kind": "fact", "summary": "said", "source_kind": "manual", "created_at": AT, **fields}
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    statement = f"INSERT INTO memories ({names}) VALUES ({marks})"
    number = connection.execute(statement, tuple(row.values())).lastrowid
    assert number is not None
    return number


def count_of(connection: sqlite3.Connection, entity_id: int) -> int:
    row = connection.execute(
        "SELECT active_memory_count FROM entities WHERE id = ?", (entity_id,)
    ).fetchone()
    return int(row[0])


def test_five_strict_tables_with_their_columns(
    connection: sqlite3.Connection, new_version: int
) -> None:
    tables = connection.execute(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
        "AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    beside = {name for name, _ in tables} - COLUMNS.keys()
    assert all(strict for _, strict in tables)
    assert len(tables) == len(COLUMNS) + len(beside)
    assert len(beside) == (0 if new_version == 1 else 7)
    for table, columns in COLUMNS.items():
        found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
        assert [name for (name,) in found] == columns.split()
    assert connection.execute("PRAGMA user_version").fetchone() == (new_version,)


def test_migrations_are_in_order_and_end_at_the_version() -> None:
    versions = [migration.version for migration in schema.MIGRATIONS]
    assert versions == list(range(1, schema.SCHEMA_VERSION + 1))


def test_a_creation_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (*schema_v1.STATEMENTS, "CREATE TABLE entities (id)")
    monkeypatch.setattr(schema_v1, "STATEMENTS", broken)
    path = tmp_path / "new.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            schema.create(connection)
        assert not connection.in_transaction
    assert path.stat().st_size == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "lost"},
        {"summary": ""},
        {"summary": "x" * 1001},
        {"kind": ""},
        {"confidence": 1.01},
        {"confidence": -0.01},
        {"predicate": "likes"},
        {"value_text": "herring"},
        {"turn_id": ""},
        {"created_at": "2026-11-30 12:00:00"},
        {"subject_entity_id": 99},
        {"confidence": "much"},
    ],
)
def test_a_memory_outside_the_closed_sets_is_refused(
    connection: sqlite3.Connection, fields: dict[str, object]
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        add_memory(connection, **fields)
    assert add_memory(connection, confidence=1.0, status="archived") == 1


def test_one_memory_per_turn_is_a_fact_of_the_database(connection: sqlite3.Connection) -> None:
    add_memory(connection, turn_id="turn-1")
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        add_memory(connection, turn_id="turn-1")
    add_memory(connection, turn_id="turn-2")
    add_memory(connection)
    add_memory(connection)


@pytest.mark.parametrize(
    ("kind", "text", "reference", "digest"),
    [
        ("text", None, None, None),
        ("text", "words", "object/1", None),
        ("object", None, None, "0" * 64),
        ("object", None, "object/1", None),
        ("object", None, "object/1", "0" * 63),
        ("object", None, "object/1", "G" * 64),
        ("video", "words", None, None),
    ],
)
def test_a_payload_is_either_text_or_a_complete_object(
    connection: sqlite3.Connection,
    kind: str,
    text: str | None,
    reference: str | None,
    digest: str | None,
) -> None:
    memory_id = add_memory(connection)
    insert = (
        "INSERT INTO memory_payloads (memory_id, payload_kind, media_type, text_content, "
        "object_ref, sha256) VALUES (?, ?, 'a/b', ?, ?, ?)"
    )
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(insert, (memory_id, kind, text, reference, digest))
    connection.execute(insert, (memory_id, "text", "words", None, None))
    connection.execute(insert, (memory_id, "object", None, "object/1", "0123456789abcdef" * 4))


def test_numbers_are_never_used_again(connection: sqlite3.Connection) -> None:
    assert add_memory(connection) == 1
    assert add_memory(connection) == 2
    connection.execute("DELETE FROM memories WHERE id = 2")
    assert add_memory(connection) == 3


def test_the_count_of_active_memories_follows_links_and_status(
    connection: sqlite3.Connection,
) -> None:
    link = "INSERT INTO memory_entity_links VALUES (?, ?, ?)"
    first, second = add_memory(connection), add_memory(connection, status="retracted")
    connection.execute(link, (first, 1, "subject"))
    connection.execute(link, (first, 1, "owner"))
    connection.execute(link, (first, 2, "place"))
    connection.execute(link, (second, 1, "subject"))
    assert (count_of(connection, 1), count_of(connection, 2)) == (1, 1)
    connection.execute("UPDATE memories SET status = 'active' WHERE id = ?", (second,))
    connection.execute("UPDATE memories SET status = 'archived' WHERE id = ?", (first,))
    assert (count_of(connection, 1), count_of(connection, 2)) == (1, 0)
    connection.execute("UPDATE memories SET status = 'superseded' WHERE id = ?", (first,))
    connection.execute("UPDATE memories SET status = 'active' WHERE id = ?", (first,))
    assert (count_of(connection, 1), count_of(connection, 2)) == (2, 1)
    connection.execute("DELETE FROM memory_entity_links WHERE role = 'owner'")
    assert count_of(connection, 1) == 2
    connection.execute("DELETE FROM memory_entity_links WHERE memory_id = ?", (first,))
    assert (count_of(connection, 1), count_of(connection, 2)) == (1, 0)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        connection.execute("UPDATE memory_entity_links SET role = 'x'")


def test_totals_are_exact_whatever_writes(store: Store, connection: sqlite3.Connection) -> None:
    store.add_alias(1, "Gordy")
    for number in range(3):
        store.add_memory(MemoryDraft("note", f"Note {number}."))
    add_memory(connection, id=500)
    add_memory(connection)
    connection.execute("DELETE FROM memories WHERE id = 500")
    status = store.status()
    assert (status.entities, status.aliases, status.memories) == (2, 1, 4)


def test_totals_survive_vacuum_and_dump(
    store: Store, connection: sqlite3.Connection, new_version: int
) -> None:
    store.add_memory(MemoryDraft("note", "Note."))
    store.close()
    connection.execute("VACUUM")
    script = "\n".join(connection.iterdump())
    connection.close()
    with closing(sqlite3.connect(":memory:")) as copy:
        copy.executescript(re.sub(r"(?m)^PRAGMA writable_schema.*$", "", script))
        assert schema.difference(copy, new_version) is None
        totals = dict(copy.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    assert totals["total of entities"] == 2
    assert totals["total of memories"] == 1
    with closing(Store.open(store.path)) as again:
        assert again.status().memories == 1
