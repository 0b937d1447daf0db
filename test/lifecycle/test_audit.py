# SPDX-License-Identifier: Apache-2.0
"""The audit log: one event for each change, told as a story, and twenty tamperings found."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from household import SNACK, Household, fact

from mira_memory.errors import AlreadyExists, NotFound, TextRefused
from mira_memory.records import MemoryDraft, Qualities
from mira_memory.store import Store


def events(store: Store) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute(
            "SELECT operation, actor FROM audit_events ORDER BY id"
        ).fetchall()


def test_every_change_has_its_event_in_the_same_commit(household: Household) -> None:
    store = household.memory.store
    before, version = len(events(store)), store.version()
    household.tell(f"{SNACK}.", fact())
    assert events(store)[before:] == [("memory_created", "operator turn")]
    assert store.version() == version + 1
    household.tell(f"{SNACK}.", fact())
    assert len(events(store)) == before + 1


def test_a_change_that_fails_leaves_no_event(store: Store, add: Callable[..., int]) -> None:
    number = add("Leeds")
    before = events(store)
    with pytest.raises(TextRefused):
        store.lifecycle.supersede(number, "Gordon lives in York", "\x00")
    with pytest.raises(AlreadyExists):
        store.lifecycle.rename_entity(1, "Anna")
    assert events(store) == before


def test_the_log_holds_no_word_of_a_memory(household: Household) -> None:
    household.tell(f"{SNACK}.", fact())
    household.memory.store.lifecycle.retract(1, "a mistake")
    with closing(sqlite3.connect(household.path)) as connection:
        rows = str(connection.execute("SELECT * FROM audit_events").fetchall()).casefold()
    assert "a mistake" in rows
    assert not [word for word in ("gordon", "herring", "snack") if word in rows]


def test_history_reads_like_a_story(store: Store, add: Callable[..., int]) -> None:
    first = add("Leeds")
    store.lifecycle.set_trust(first, "disputed", "Anna says otherwise", "console")
    store.lifecycle.supersede(first, "Gordon lives in York", "York", actor="console")
    story = [line[29:] for line in store.lifecycle.history(first)]
    assert story == [
        "MEM1 was stored, through a service",
        "MEM1 is disputed from then on, at the console: Anna says otherwise",
        "MEM1 was superseded by MEM2, at the console",
        "MEM2 was related to MEM1, at the console",
    ]
    assert store.lifecycle.history(first)[0].startswith("2026-11-30T12:00:")
    with pytest.raises(NotFound, match=r"^There is no memory MEM9"):
        store.lifecycle.history(9)


def test_the_log_is_read_in_pages_and_since_a_time(store: Store, add: Callable[..., int]) -> None:
    add("Leeds")
    since = store.now()
    add("herring", "eats")
    everything = store.lifecycle.audit()
    assert [number for number, _ in everything] == [1, 2, 3, 4]
    assert store.lifecycle.audit(limit=2) == everything[:2]
    assert store.lifecycle.audit(after_id=2, limit=9) == everything[2:]
    assert store.lifecycle.audit(since) == everything[3:]


def test_the_database_refuses_to_change_the_log(store: Store) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        for statement in ("UPDATE audit_events SET reason = 'x'", "DELETE FROM audit_events"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
                connection.execute(statement)


FREE = "DROP TRIGGER audit_events_before_update; DROP TRIGGER audit_events_before_delete;"
BOUND = """CREATE TRIGGER audit_events_before_update BEFORE UPDATE ON audit_events BEGIN
    SELECT RAISE(ABORT, 'the audit log is only ever added to');
END;
CREATE TRIGGER audit_events_before_delete BEFORE DELETE ON audit_events BEGIN
    SELECT RAISE(ABORT, 'the audit log is only ever added to');
END;"""
TAMPERINGS = {
    "a trigger dropped": "DROP TRIGGER audit_events_before_delete",
    "a reason changed": f"{FREE} UPDATE audit_events SET reason = 'x' WHERE id = 6; {BOUND}",
    "an actor changed": f"{FREE} UPDATE audit_events SET actor = 'x' WHERE id = 3; {BOUND}",
    "a time changed": f"{FREE} UPDATE audit_events SET at = '2020-01-01T00:00:00.000000Z'"
    f" WHERE id = 3; {BOUND}",
    "an event deleted": f"{FREE} DELETE FROM audit_events WHERE id = 4; {BOUND}",
    "the last event deleted": f"{FREE} DELETE FROM audit_events WHERE id ="
    f" (SELECT max(id) FROM audit_events); {BOUND}",
    "events swapped": f"{FREE} UPDATE audit_events SET id = -1 WHERE id = 1;"
    " UPDATE audit_events SET id = 1 WHERE id = 2; UPDATE audit_events SET id = 2"
    f" WHERE id = -1; {BOUND}",
    "an event added": "INSERT INTO audit_events (at, operation, actor, reason, hash)"
    " VALUES ('2026-11-30T12:00:00.000000Z', 'entity_added', 'x', '', zeroblob(32))",
    "a summary changed": "UPDATE memories SET summary = 'x' WHERE id = 1",
    "a value changed": "UPDATE memories SET value_text = 'x' WHERE id = 1",
    "a payload changed": "UPDATE memory_payloads SET text_content = 'x' WHERE memory_id = 1",
    "a payload added": "INSERT INTO memory_payloads (memory_id, payload_kind, media_type,"
    " text_content) VALUES (1, 'text', 'text/plain', 'x')",
    "a link added": "INSERT INTO memory_entity_links VALUES (1, 2, 'friend')",
    "a link deleted": "DELETE FROM memory_entity_links WHERE memory_id = 1",
    "a memory added": "INSERT INTO memories (kind, summary, source_kind, created_at)"
    " VALUES ('note', 'x', 'x', '2026-11-30T12:00:00.000000Z')",
    "a status changed": "UPDATE memories SET status = 'active' WHERE id = 2",
    "another status changed": "UPDATE memories SET status = 'archived' WHERE id = 1",
    "a state changed": "UPDATE memory_states SET trust = 'accepted' WHERE trust = 'disputed'",
    "a valid time changed": "UPDATE memory_states SET valid_from ="
    " '2020-01-01T00:00:00.000000Z' WHERE memory_id = 1",
    "a state deleted": "DELETE FROM memory_states WHERE memory_id = 2",
    "a state's time changed": "UPDATE memory_states SET known_to = known_from WHERE memory_id = 1",
    "an entity renamed": "UPDATE entities SET canonical_name = 'x' WHERE id = 1",
    "an alias added": "INSERT INTO entity_aliases (entity_id, alias, alias_key, created_at)"
    " VALUES (1, 'x', 'x', '2026-11-30T12:00:00.000000Z')",
    "an alias deleted": "DELETE FROM entity_aliases",
    "a note changed": "UPDATE memory_annotations SET note = 'x'",
    "a relation changed": "UPDATE memory_relations SET relation = 'contradicts'",
    "a tombstone deleted": "DELETE FROM tombstones",
    "a tombstone moved": "UPDATE tombstones SET statement = zeroblob(32) WHERE statement ="
    " (SELECT min(statement) FROM tombstones)",
    "a proposal changed": "UPDATE proposals SET content = 'x'",
    "a proposal reopened": "UPDATE proposals SET state = 'refused', content = NULL",
    "a count changed": "UPDATE entities SET active_memory_count = 9 WHERE id = 1",
    "a forgotten memory filled": "UPDATE memories SET value_text = 'x', value_key = 'x'"
    " WHERE status = 'forgotten'",
    "a forgotten memory moved": "UPDATE memories SET kind = 'x' WHERE status = 'forgotten'",
    "the key changed": "UPDATE store_keys SET digest_key = zeroblob(32)",
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "robot.sqlite3"
    with closing(Store.open(path)) as store:
        store.add_entity("person", "Gordon")
        store.add_entity("person", "Anna")
        store.add_alias(1, "Gordy")
        for value, qualities in (
            ("Leeds", Qualities(valid_from="2025-01-01")),
            ("York", None),
            ("Hull", None),
        ):
            store.add_memory(
                MemoryDraft(
                    "fact",
                    f"Gordon lives in {value}",
                    ((1, "subject"),),
                    "lives_in",
                    value,
                    qualities=qualities,
                )
            )
        store.lifecycle.retract(2, "a mistake")
        store.lifecycle.forget(3, "a wish")
        store.lifecycle.set_trust(1, "disputed", "unclear")
        store.lifecycle.annotate(1, "Anna told me.")
        store.lifecycle.relate(1, "supports", 2)
        store.lifecycle.propose(MemoryDraft("note", "Tea?", ((1, "subject"),)), "a tool")
    return path


def test_a_sound_store_verifies(sound: Path) -> None:
    with closing(Store.open(sound)) as store:
        finding = store.lifecycle.verify_audit()
    assert (finding.sentence, finding.event_id) == ("", None)
    assert finding.events > 12


@pytest.mark.parametrize("what", TAMPERINGS)
def test_tampering_is_found_and_named(sound: Path, tmp_path: Path, what: str) -> None:
    path = tmp_path / "robot.sqlite3"
    path.write_bytes(sound.read_bytes())
    store = Store.open(path)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.executescript(TAMPERINGS[what])
        sentence = store.lifecycle.verify_audit().sentence
        assert sentence.endswith(".")
    finally:
        store.close()
