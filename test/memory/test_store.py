# SPDX-License-Identifier: Apache-2.0
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from mira_memory import look_alikes
from mira_memory.errors import (
    AlreadyExists,
    DraftRefused,
    IdentityRefused,
    MemoryFault,
    NotFound,
    Refused,
    StoreClosed,
    TextRefused,
)
from mira_memory.records import (
    MemoryDraft,
    NewMemory,
    entity_identity,
    memory_identity,
    parse_entity_identity,
    parse_memory_identity,
    timestamp,
)
from mira_memory.store import Store


def rows(store: Store, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{store.path.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(statement).fetchall()


def test_an_entity_keeps_its_name_and_its_number_over_a_restart(store: Store) -> None:
    added = store.add_entity("Person", "  Zoë   Müller ")
    assert added.warning == ""
    assert (added.entity.id, added.entity.entity_type) == (1, "person")
    assert added.entity.canonical_name == "Zoë Müller"
    store.add_alias(1, "Zoe")
    store.close()
    with closing(Store.open(store.path)) as again:
        (entity,) = again.find_entities("ZOE")
        assert (entity.id, entity.aliases, entity.created_at) == (1, ("Zoe",), _first(store))
        assert again.add_entity("person", "Anna").entity.id == 2


def _first(store: Store) -> str:
    with closing(sqlite3.connect(store.path)) as connection:
        return str(connection.execute("SELECT created_at FROM entities").fetchone()[0])


def test_keys_are_stored_beside_the_names(store: Store) -> None:
    store.add_entity("place", "Straße 5")
    store.add_alias(1, "ﬁnal Assembly")
    assert rows(store, "SELECT canonical_name, name_key FROM entities") == [
        ("Straße 5", "strasse 5")
    ]
    assert rows(store, "SELECT alias, alias_key FROM entity_aliases") == [
        ("final Assembly", "final assembly")
    ]


def test_the_same_type_and_name_is_refused_and_named(store: Store) -> None:
    store.add_entity("person", "Gordon")
    with pytest.raises(AlreadyExists) as refusal:
        store.add_entity("PERSON", "ＧＯＲＤＯＮ")
    assert refusal.value.identity == "ENT1"
    assert str(refusal.value) == (
        "An entity of that type and name exists: ENT1; use it, or choose another name."
    )
    assert store.status().entities == 1


def test_the_same_name_of_another_type_is_allowed_with_a_warning(store: Store) -> None:
    store.add_entity("person", "Gordon")
    added = store.add_entity("robot", "Gordon")
    assert added.entity.id == 2
    assert added.warning == "That name is ambiguous now: it also names ENT1."
    assert [entity.id for entity in store.find_entities("gordon")] == [1, 2]


def test_an_alias_that_names_another_entity_is_warned_about(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.add_entity("person", "Anna")
    assert (
        store.add_alias(2, "Gordon").warning == "That name is ambiguous now: it also names ENT1."
    )
    assert store.add_entity("cat", "ANNA").warning == (
        "That name is ambiguous now: it also names ENT2."
    )


@pytest.mark.parametrize("alias", ["Gordon", "ＧＯＲＤＯＮ", "Gordy", " GORDY "])
def test_an_alias_that_the_entity_has_is_refused(store: Store, alias: str) -> None:
    store.add_entity("person", "Gordon")
    store.add_alias(1, "Gordy")
    with pytest.raises(AlreadyExists) as refusal:
        store.add_alias(1, alias)
    assert str(refusal.value) == "ENT1 has that name already; nothing is to do."
    assert store.status().aliases == 1


def test_a_look_alike_is_another_name_and_warned_about(store: Store) -> None:
    store.add_entity("person", "Anna")
    added = store.add_entity("person", "Аnna")  # Cyrillic А
    assert added.warning == "That name looks like a name of ENT1, but is another name."
    assert store.add_entity("person", "Hanna").warning == ""
    assert store.add_alias(3, "аNNA").warning == (
        "That name is ambiguous now: it also names ENT2. "
        "That name looks like a name of ENT1, but is another name."
    )
    assert [entity.id for entity in store.find_entities("Anna")] == [1]


def test_look_alikes_written_by_another_program_are_seen(store: Store) -> None:
    store.add_entity("person", "Gordon")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute(
            "INSERT INTO entities (entity_type, canonical_name, name_key, created_at) "
            "VALUES ('person', 'Anna', 'anna', '2026-11-30T12:00:00.000000Z')"
        )
    assert "looks like a name of ENT2" in store.add_entity("person", "Аnna").warning


def test_a_look_alike_of_a_refused_write_is_not_remembered(store: Store) -> None:
    store.add_entity("person", "Gordon")
    with pytest.raises(NotFound):
        store.add_alias(9, "Anna")
    assert store.add_entity("person", "Аnna").warning == ""


@pytest.mark.parametrize(
    "word", ["you", "Your", "YOURS", "yourself", "I", "me", "My", "mine", "ｍｙｓｅｌｆ"]
)
def test_words_for_robot_and_operator_are_no_names(store: Store, word: str) -> None:
    store.add_entity("person", "Gordon")
    for attempt in (
        lambda: store.add_entity("person", word),
        lambda: store.add_alias(1, f" {word} "),
    ):
        with pytest.raises(TextRefused, match="stands for the robot or the operator"):
            attempt()
    status = store.status()
    assert (status.entities, status.aliases) == (1, 0)


def test_an_unknown_entity_is_refused(store: Store) -> None:
    with pytest.raises(NotFound) as refusal:
        store.add_alias(7, "Gordy")
    assert str(refusal.value) == ("There is no entity ENT7; list the entities to see which are.")
    with pytest.raises(NotFound):
        store.list_memories(7)


def test_a_manual_memory_has_one_text_payload(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.add_entity("place", "Hall")
    added = store.add_memory(
        MemoryDraft(
            "Observation",
            "  Gordon   sleeps in the hall ",
            links=((1, "Subject"), (2, "place")),
            predicate="Sleeps_In",
            value="the hall",
            source_label="Anna",
            confidence=0.5,
        )
    )
    memory = added.memory
    assert added.warning == ""
    assert (memory.id, memory.kind, memory.source_kind) == (1, "observation", "manual")
    assert memory.summary == "Gordon sleeps in the hall"
    assert (memory.predicate, memory.value, memory.confidence) == ("sleeps_in", "the hall", 0.5)
    assert [(link.entity_id, link.entity_name, link.role) for link in memory.links] == [
        (1, "Gordon", "subject"),
        (2, "Hall", "place"),
    ]
    assert store.show_memory(1) == (memory, ("Gordon sleeps in the hall",))
    assert rows(
        store, "SELECT memory_id, payload_kind, media_type, text_content FROM memory_payloads"
    ) == [(1, "text", "text/plain", "Gordon sleeps in the hall")]
    assert rows(store, "SELECT subject_entity_id, status, turn_id FROM memories") == [
        (1, "active", None)
    ]


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (MemoryDraft("a fact", "said"), "The kind is no token"),
        (MemoryDraft("fact", " "), "The summary is empty"),
        (
            MemoryDraft("fact", "x" * 1001),
            "The summary has 1001 characters; shorten it to at most",
        ),
        (MemoryDraft("fact", "a\u200bb"), "The summary contains U+200B"),
        (MemoryDraft("fact", "said", predicate="no token"), "The predicate is no token"),
        (MemoryDraft("fact", "said", value="x" * 501), "The value has 501 characters"),
        (MemoryDraft("fact", "said", source_kind="1"), "The source kind is no token"),
        (MemoryDraft("fact", "said", source_label="\x1b[2J"), "The source label contains U+001B"),
        (
            MemoryDraft("fact", "said", source_kind="Operator_Statement"),
            "is reserved for what the",
        ),
        (MemoryDraft("fact", "said", confidence=1.5), "The confidence is out of range; give a"),
        (MemoryDraft("fact", "said", confidence=float("nan")), "The confidence is out of range"),
        (MemoryDraft("fact", "said", ((1, "no role"),)), "The role is no token"),
        (MemoryDraft("fact", "said", ((9, "subject"),)), "There is no entity ENT9"),
        (
            MemoryDraft("fact", "said", tuple((1, f"role{n}") for n in range(65))),
            "The memory has 65 links; give at most 64.",
        ),
    ],
)
def test_a_manual_write_with_a_bad_field_writes_nothing(
    store: Store, draft: MemoryDraft, said: str
) -> None:
    store.add_entity("person", "Gordon")
    with pytest.raises(Refused) as refusal:
        store.add_memory(draft)
    assert said in str(refusal.value)
    assert store.status().memories == 0
    sixty_four = tuple((1, f"role{n}") for n in range(64))
    assert len(store.add_memory(MemoryDraft("fact", "said", sixty_four)).memory.links) == 64


def test_a_failure_in_the_middle_leaves_no_trace(store: Store) -> None:
    store.add_entity("person", "Gordon")

    class Interrupted(Exception):
        pass

    def write_half() -> None:
        links = frozenset({(1, "subject")})
        with store.admission_transaction() as transaction:
            transaction.insert(NewMemory("fact", "said", None, None, links, "manual"))
            raise Interrupted

    with pytest.raises(Interrupted):
        write_half()
    assert store.status().memories == 0
    assert rows(store, "SELECT count(*) FROM memory_entity_links") == [(0,)]
    assert rows(store, "SELECT active_memory_count FROM entities") == [(0,)]
    assert store.add_memory(MemoryDraft("fact", "said")).memory.id == 1


def test_a_turn_writes_once_and_is_found_after_a_restart(store: Store) -> None:
    store.add_entity("person", "Gordon")
    memory = NewMemory(
        "fact", "said", "likes", "tuna", frozenset({(1, "subject")}), "manual", turn_id="turn-1"
    )
    with store.admission_transaction() as transaction:
        assert transaction.memory_of_turn("turn-1") is None
        assert transaction.insert(memory) == 1
    with pytest.raises(MemoryFault), store.admission_transaction() as transaction:
        transaction.insert(memory)
    store.close()
    with closing(Store.open(store.path)) as again, again.admission_transaction() as transaction:
        stored = transaction.memory_of_turn("turn-1")
        assert stored is not None
        assert (stored.id, stored.value, stored.links[0].entity_name) == (1, "tuna", "Gordon")


def test_pages_of_entities(store: Store) -> None:
    for number in range(1, 8):
        store.add_entity("person" if number % 2 else "place", f"Name {number}")
    page, left_out = store.list_entities(limit=3)
    assert ([entity.id for entity in page], left_out) == ([1, 2, 3], 4)
    page, left_out = store.list_entities(limit=3, after_id=3)
    assert ([entity.id for entity in page], left_out) == ([4, 5, 6], 1)
    page, left_out = store.list_entities("Person", limit=2, after_id=1)
    assert ([entity.id for entity in page], left_out) == ([3, 5], 1)
    assert store.list_entities("robot") == ((), 0)
    assert store.list_entities(after_id=7) == ((), 0)
    assert len(store.list_entities(limit=5000)[0]) == 7
    with pytest.raises(TextRefused):
        store.list_entities("no token")


def test_pages_of_memories_newest_first(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for number in range(1, 8):
        store.add_memory(MemoryDraft("note", f"Note {number}.", ((1, "subject"), (1, "witness"))))
    page, left_out = store.list_memories(1, limit=3)
    assert ([memory.id for memory in page], left_out) == ([7, 6, 5], 4)
    page, left_out = store.list_memories(1, limit=3, before_id=5)
    assert ([memory.id for memory in page], left_out) == ([4, 3, 2], 1)
    assert store.list_memories(1, before_id=1) == ((), 0)
    assert len(store.list_memories(1)[0]) == 7


def test_pages_of_memories_add_up_whatever_was_retracted(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for number in range(1, 31):
        store.add_memory(MemoryDraft("note", f"Note {number}.", ((1, "subject"),)))
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("UPDATE memories SET status = 'archived' WHERE id % 3 = 0")
    seen: list[int] = []
    before = None
    while True:
        page, left_out = store.list_memories(1, limit=3, before_id=before)
        seen += [memory.id for memory in page]
        assert len(seen) + left_out == 20
        if not left_out:
            break
        before = page[-1].id
    assert seen == [number for number in range(30, 0, -1) if number % 3]


def test_every_match_of_find_with_its_newest_hundred(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.add_entity("robot", "Gordon")
    for number in range(1, 104):
        store.add_memory(MemoryDraft("note", f"Note {number}.", ((1, "subject"),)))
    (first, second), left_out = store.find_memories("gordon")
    assert left_out == 0
    assert [memory.id for memory in first.memories] == list(range(4, 104))
    assert first.memories_left_out == 3
    assert (second.entity.id, second.memories, second.memories_left_out) == (2, (), 0)


def test_what_is_not_active_is_nowhere_listed(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for number in range(1, 4):
        store.add_memory(
            MemoryDraft("fact", f"Said {number}.", ((1, "subject"),), "likes", f"value {number}")
        )
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("UPDATE memories SET status = 'retracted' WHERE id = 2")
    page, left_out = store.list_memories(1)
    assert ([memory.id for memory in page], left_out) == ([3, 1], 0)
    ((found,), _) = store.find_memories("gordon")
    assert ([m.id for m in found.memories], found.memories_left_out) == ([1, 3], 0)
    with store.admission_transaction() as transaction:
        assert transaction.slot_conflicts(1, "likes", "value 9") == (1, 3)
        links = frozenset({(1, "subject")})
        assert transaction.duplicate("fact", "likes", "value 2", links) is None
        assert transaction.duplicate("fact", "likes", "value 1", links) == 1
    assert store.show_memory(2)[0].status == "retracted"


def test_status_counts_and_health(store: Store, tmp_path: Path, new_version: int) -> None:
    assert store.status().last_write_at is None
    store.add_entity("person", "Gordon")
    store.add_alias(1, "Gordy")
    store.add_memory(MemoryDraft("note", "Note."))
    status = store.status()
    assert (status.entities, status.aliases, status.memories) == (1, 1, 1)
    assert (status.healthy, status.last_error, status.schema_version) == (True, "", new_version)
    assert status.database_path == str(tmp_path / "robot.sqlite3")
    assert status.size_bytes > 0
    assert status.free_bytes > 0
    assert status.last_write_at is not None
    assert not status.clock_behind


def test_only_what_changes_something_is_a_write(store: Store) -> None:
    store.add_entity("person", "Gordon")
    written = store.status().last_write_at
    with store.admission_transaction() as transaction:
        assert transaction.slot_conflicts(1, "likes", "tuna") == ()
    assert store.status().last_write_at == written
    store.add_alias(1, "Gordy")
    assert store.status().last_write_at != written


def test_a_clock_behind_the_newest_memory_is_told(tmp_path: Path) -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    with closing(Store.open(tmp_path / "robot.sqlite3", clock=lambda: now)) as store:
        store.add_memory(MemoryDraft("note", "Note."))
        assert not store.status().clock_behind
        now -= timedelta(days=1)
        assert store.status().clock_behind
        assert store.add_memory(MemoryDraft("note", "Later.")).memory.id == 2


def test_timestamps_are_utc_and_of_fixed_width() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))
    assert timestamp(moment) == "2026-01-02T02:04:05.000000Z"
    assert timestamp(datetime(99, 1, 1, tzinfo=UTC)) == "0099-01-01T00:00:00.000000Z"


def test_a_closed_store_answers_with_its_own_error(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.close()
    store.close()
    for attempt in (
        lambda: store.add_entity("person", "Anna"),
        lambda: store.find_entities("Gordon"),
        lambda: store.list_memories(1),
    ):
        with pytest.raises(StoreClosed, match=r"is closed; restart the memory node\.$"):
            attempt()
    status = store.status()
    assert not status.healthy
    assert status.last_error.endswith("is closed; restart the memory node.")


def test_closing_leaves_one_file_and_the_lock(store: Store, tmp_path: Path) -> None:
    store.add_entity("person", "Gordon")
    assert (tmp_path / "robot.sqlite3-wal").exists()
    store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "robot.sqlite3",
        "robot.sqlite3.lock",
    ]


def test_identities() -> None:
    assert entity_identity(3) == "ENT3"
    assert memory_identity(7) == "MEM7"
    assert parse_entity_identity("ENT3") == 3
    assert parse_memory_identity("MEM9223372036854775807") == 2**63 - 1
    for text in ("ENT", "ENT0", "ENT03", "ent3", "ENT-1", " ENT3", "ENT3\n", "ENT٣", "MEM3", ""):
        with pytest.raises(IdentityRefused) as refusal:
            parse_entity_identity(text)
        assert str(refusal.value) == "Expected the identity of an entity, such as ENT3."
    with pytest.raises(IdentityRefused, match="a memory, such as MEM3"):
        parse_memory_identity("MEM9223372036854775808")


def test_a_reserved_source_kind_is_named(store: Store) -> None:
    with pytest.raises(DraftRefused) as refusal:
        store.add_memory(MemoryDraft("fact", "said", source_kind="operator_statement"))
    assert str(refusal.value) == (
        "The source kind operator_statement is reserved for what the operator said in a turn; "
        "give another or leave it out."
    )
    given = store.add_memory(MemoryDraft("fact", "said", source_kind="Sensor"))
    assert given.memory.source_kind == "sensor"


def test_more_names_than_are_looked_at_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_alikes, "NAMES_MAX", 2)
    assert store.add_entity("person", "Anna").warning == ""
    assert "looks like a name of ENT1" in store.add_entity("person", "Аnna").warning
    for _ in range(2):
        added = store.add_alias(1, f"Nick {store.status().aliases}")
        assert added.warning == "Whether other names look like it was not looked for."
    assert store.status().aliases == 2


def test_a_look_alike_is_found_beyond_a_page(store: Store) -> None:
    with closing(sqlite3.connect(store.path)) as other, other:
        other.executemany(
            "INSERT INTO entities (entity_type, canonical_name, name_key, created_at) "
            "VALUES ('thing', ?, ?, '2026-11-30T12:00:00.000000Z')",
            [(f"Anna {n}", f"anna {n}") for n in range(2500)],
        )
    assert store.add_entity("thing", "Аnna 2321").warning == (
        "That name looks like a name of ENT2322, but is another name."
    )
