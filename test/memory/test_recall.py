# SPDX-License-Identifier: Apache-2.0
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory.recall import recall
from mira_memory.records import MemoryDraft
from mira_memory.store import Store


def note(store: Store, text: str, *entities: int) -> None:
    links = tuple((entity_id, "subject") for entity_id in entities)
    store.add_memory(MemoryDraft("note", text, links))


def test_a_hit_shows_the_eight_newest_in_ascending_order(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for number in range(1, 21):
        note(store, f"Note number {number}.", 1)
    result = recall(store, "  GORDON ")
    assert (result.status, result.error, result.text_truncated) == ("hit", "", False)
    (found,) = result.entities
    assert [memory.id for memory in found.memories] == list(range(13, 21))
    assert found.memories_left_out == 12
    assert "\n  12 older memories left out\n" in result.text
    shown = [line for line in result.text.splitlines() if line.startswith("  MEM")]
    assert shown == [f'  MEM{n} "Note number {n}."' for n in range(13, 21)]


def test_a_miss_says_so(store: Store) -> None:
    store.add_entity("person", "Gordon")
    result = recall(store, "Gordo")
    assert (result.status, result.entities, result.error) == ("miss", (), "")
    assert result.text == (
        "No entity in persistent memory has exactly that name or alias. Similar names were not "
        "looked for."
    )
    assert recall(store, "Gordon").status == "hit"


def test_an_entity_without_memories_is_a_hit(store: Store) -> None:
    store.add_entity("person", "Gordon")
    result = recall(store, "gordon")
    assert result.status == "hit"
    assert result.text.endswith("\n  no memories")


def test_an_ambiguous_name_shows_the_first_five_in_order(store: Store) -> None:
    for number in range(1, 9):
        store.add_entity(f"type{number}", "Kim")
        note(store, f"Note {number}.", number)
    result = recall(store, "kim")
    assert result.status == "ambiguous"
    assert [found.entity.id for found in result.entities] == [1, 2, 3, 4, 5]
    assert result.entities_left_out == 3
    assert "8 entities have exactly that name. 3 more entities left out." in result.text


def test_a_name_and_an_alias_of_the_same_entity_are_one_match(store: Store) -> None:
    store.add_entity("person", "Kim")
    store.add_entity("person", "Dr. Kim")
    store.add_alias(2, "Kim")
    assert [found.entity.id for found in recall(store, "kim").entities] == [1, 2]
    assert [found.entity.id for found in recall(store, "dr. kim").entities] == [2]


def test_aliases_and_links_are_shown_to_sixteen_and_counted(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for number in range(1, 21):
        store.add_alias(1, f"Alias {number}")
    links = ((1, "subject"), *((1, f"role{number:02}") for number in range(20)))
    store.add_memory(MemoryDraft("note", "Linked.", links))
    (found,) = recall(store, "gordon").entities
    assert found.entity.aliases == tuple(f"Alias {number}" for number in range(1, 17))
    assert found.entity.aliases_left_out == 4
    (memory,) = found.memories
    assert len(memory.links) == 16
    assert memory.links[0].role == "subject"
    assert memory.links_left_out == 5
    text = recall(store, "gordon").text
    assert "  4 more aliases left out\n" in text
    assert "5 more links left out" in text


def test_linked_entities_are_named_and_not_followed(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.add_entity("person", "Anna")
    store.add_memory(MemoryDraft("note", "Both.", ((1, "subject"), (2, "friend"))))
    note(store, "Anna alone.", 2)
    result = recall(store, "gordon")
    assert 'role "friend" ENT2 "Anna"' in result.text
    assert "Anna alone." not in result.text


@pytest.mark.parametrize("query", ["", "   ", "a\tb", "An\u200bna", "\ud800", "x" * 257, "a\0b"])
def test_an_invalid_query_has_its_own_status(store: Store, query: str) -> None:
    store.add_entity("person", "Gordon")
    result = recall(store, query)
    assert (result.status, result.entities) == ("invalid", ())
    assert result.error.startswith("The query ")
    assert result.text == f"Nothing was looked up. {result.error}"
    assert recall(store, "gordon").status == "hit"


def test_a_failure_never_looks_like_a_miss(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.close()
    result = recall(store, "nobody")
    assert (result.status, result.entities) == ("failure", ())
    assert result.error == f"{store.path} is closed; restart the memory node."
    assert result.text == (
        f"Persistent memory could not answer; what it holds stays unknown. {result.error}"
    )


def test_a_recall_out_of_time_is_a_failure(store: Store) -> None:
    store.add_entity("person", "Gordon")
    store.add_entity("person", "Anna")
    with closing(sqlite3.connect(store.path)) as other, other:
        other.executemany(
            "INSERT INTO entity_aliases (entity_id, alias, alias_key, created_at) "
            "VALUES (1, ?, ?, '2026-11-30T12:00:00.000000Z')",
            [(f"Alias {number}", f"alias {number}") for number in range(20_000)],
        )
    assert recall(store, "gordon").status == "hit"
    store.close()
    with closing(Store.open(store.path, read_limit_s=0.0)) as hurried:
        result = recall(hurried, "gordon")
        assert (result.status, result.entities) == ("failure", ())
        assert result.error == (
            f"{store.path} gave no answer within 0 s; try again when the machine is less busy."
        )
        assert recall(hurried, "anna").status == "hit"


def test_an_unexpected_fault_is_a_failure() -> None:
    result = recall(None, "gordon")  # type: ignore[arg-type]
    assert result.status == "failure"
    assert result.error == "The recall ended in an unexpected AttributeError; try again."


def test_the_same_store_and_query_give_the_same_bytes(store: Store, tmp_path: Path) -> None:
    store.add_entity("person", "Gordon")
    store.add_entity("robot", "Gordon")
    for number in range(30):
        note(store, f"Note {number}.", 1 + number % 2)
    first = recall(store, "gordon").text
    assert recall(store, "GORDON").text == first
    store.close()
    with closing(Store.open(store.path)) as again:
        assert recall(again, "gordon").text == first


def test_nothing_stale_is_shown_whoever_wrote(store: Store) -> None:
    store.add_entity("person", "Gordon")
    note(store, "First.", 1)
    assert "First." in recall(store, "gordon").text
    note(store, "Second.", 1)
    assert "Second." in recall(store, "gordon").text
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("UPDATE memories SET summary = 'Changed.' WHERE id = 1")
    text = recall(store, "gordon").text
    assert "Changed." in text
    assert "First." not in text


def test_a_recall_can_not_write(store: Store) -> None:
    with (
        store._reader.snapshot() as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM entities")
    connection.execute("PRAGMA query_only = OFF")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("CREATE TABLE mine (x)")
