# SPDX-License-Identifier: Apache-2.0
"""A version 1 file becomes a version 2 file, or stays exactly as it was."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory.errors import MigrationRefused, PinnedSchema, StoreInUse
from mira_memory.lifecycle import migration
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

FIXTURE = Path(__file__).parent.parent / "fixtures" / "store_v1.sqlite3"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copy(FIXTURE, tmp_path / "robot.sqlite3"))


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())


def test_everything_is_taken_over_and_verifies(old: Path) -> None:
    with closing(Store.open(old)) as store:
        names = ("Gordon", "Zoë Müller")
        before = [
            (memory.id, memory.summary, memory.links, memory.created_at)
            for name in names
            for found in store.find_memories(name)[0]
            for memory in found.memories
        ]
        entities = store.list_entities()
    assert before
    as_it_was = dump(old)
    backup = migration.migrate(old)
    assert dump(backup) == as_it_was
    assert backup.stat().st_mode & 0o777 == 0o600
    with closing(Store.open(old)) as store:
        assert store.status().schema_version == 2
        store.self_test()
        assert not store.lifecycle.verify_audit().sentence
        assert store.list_entities() == entities
        assert before == [
            (memory.id, memory.summary, memory.links, memory.created_at)
            for name in names
            for found in store.find_memories(name)[0]
            for memory in found.memories
        ]
        assert store.show_memory(14)[0].status != "active"
        assert "version 1 store" in store.lifecycle.history(1)[0]
        store.lifecycle.retract(1, "a mistake")
        store.lifecycle.forget(2, "a wish")
        assert store.add_memory(MemoryDraft("note", "One more.")).memory.id == 16
        assert not store.lifecycle.verify_audit().sentence


def test_a_version_1_store_of_this_release_migrates(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    with closing(Store.open(path, schema_version=1)) as store:
        store.add_entity("person", "Gordon")
        store.add_alias(1, "Gordy")
        store.add_memory(MemoryDraft("note", "A note.", ((1, "subject"),)))
    migration.migrate(path)
    with closing(Store.open(path)) as store:
        (found,) = store.find_memories("gordy")[0]
        assert [memory.summary for memory in found.memories] == ["A note."]


def test_an_open_file_is_refused(old: Path) -> None:
    before = dump(old)
    with closing(Store.open(old)), pytest.raises(StoreInUse):
        migration.migrate(old)
    assert dump(old) == before
    assert migration.migrate(old).exists()


def test_a_version_2_file_has_nothing_to_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    Store.open(path).close()
    with pytest.raises(MigrationRefused, match="schema version 2; nothing is to do"):
        migration.migrate(path)
    with pytest.raises(MigrationRefused, match="no such file"):
        migration.migrate(tmp_path / "missing.sqlite3")
    assert not (tmp_path / "missing.sqlite3").exists()


def test_a_failure_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("no room")

    before = dump(old)
    monkeypatch.setattr(migration.verification, "verify", fail)
    with pytest.raises(Exception, match="failed"):
        migration.migrate(old)
    assert dump(old) == before
    with closing(Store.open(old)) as store:
        assert store.status().schema_version == 1


def test_the_command_says_where_the_backup_is(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert migration.main([str(old)]) == 0
    (backup,) = old.parent.glob("*.version-1.*")
    assert str(backup) in capsys.readouterr().out
    assert migration.main([str(old)]) == 1
    assert capsys.readouterr().err == (
        "migrate: The file has schema version 2; nothing is to do.\n"
    )


def test_a_pinned_version_1_refuses_a_version_2_file(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    Store.open(path).close()
    with pytest.raises(PinnedSchema, match="schema_version 1 is pinned"):
        Store.open(path, schema_version=1)


def test_nothing_deleted_under_version_1_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    with closing(Store.open(path, schema_version=1)) as store:
        store.add_entity("person", "Gordon")
        for number in range(50):
            store.add_memory(MemoryDraft("note", f"Secret {number} of many", ((1, "subject"),)))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("DELETE FROM memory_payloads WHERE memory_id = 8")
        connection.execute("UPDATE memories SET summary = 'x' WHERE id = 8")
    assert b"Secret 7 of many" in path.read_bytes()
    migration.migrate(path)
    assert b"Secret 7 of many" not in path.read_bytes()
    assert b"Secret 9 of many" in path.read_bytes()
