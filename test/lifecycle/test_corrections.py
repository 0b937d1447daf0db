# SPDX-License-Identifier: Apache-2.0
"""Retract, supersede, archive, restore: who is seen afterwards, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from household import SNACK, Household, fact

from mira_memory.errors import (
    BroughtBack,
    NeedsVersion2,
    NotFound,
    ReasonRefused,
    SlotTaken,
    StatusRefused,
    TextRefused,
)
from mira_memory.recall import recall
from mira_memory.records import MemoryDraft
from mira_memory.store import Store


def seen(store: Store, name: str = "Gordon") -> list[int]:
    (found,) = store.find_memories(name)[0]
    assert found.memories_left_out == 0
    return [memory.id for memory in found.memories]


def status(store: Store, memory_id: int) -> str:
    return store.show_memory(memory_id)[0].status


def test_a_retracted_memory_is_not_recalled_and_the_next_to_it_is(
    store: Store, add: Callable[..., int]
) -> None:
    wrong, right = add("Leeds"), add("herring", "eats")
    memory = store.lifecycle.retract(wrong, "a mistake")
    assert (memory.id, memory.status) == (wrong, "retracted")
    assert seen(store) == [right]
    assert "Leeds" not in recall(store, "Gordon").text
    assert store.list_memories(1)[0][0].id == right


def test_a_retracted_memory_frees_its_slot(household: Household) -> None:
    first = household.tell(f"{SNACK}.", fact())
    tuna = fact(value="tuna", evidence="Gordon's favourite snack is tuna")
    assert household.tell("Gordon's favourite snack is tuna.", tuna).reason == "conflict"
    assert first.memory_id is not None
    household.memory.store.lifecycle.retract(first.memory_id, "a mistake")
    assert household.tell("Gordon's favourite snack is tuna.", tuna).admission == "created"


def test_the_refusal_of_a_conflict_names_the_command_that_corrects_it(
    household: Household,
) -> None:
    stored = household.tell(f"{SNACK}.", fact()).memory_id
    tuna = fact(value="tuna", evidence="Gordon's favourite snack is tuna")
    refused = household.tell("Gordon's favourite snack is tuna.", tuna)
    assert refused.error == (
        f"Another value is stored for this subject and predicate (MEM{stored}); if it changed, "
        f'correct it in the console: memory supersede MEM{stored} "<what holds now>" '
        '--value "<the new value>".'
    )
    assert stored is not None
    new = household.memory.store.lifecycle.supersede(
        stored, "Gordon's favourite snack is tuna.", "tuna"
    )
    assert (new.memory.predicate, new.memory.value, new.warning) == ("favourite_snack", "tuna", "")
    again = household.tell("Gordon's favourite snack is tuna.", tuna)
    assert (again.admission, again.memory_id) == ("duplicate", new.memory.id)


def test_supersede_takes_kind_predicate_and_links_over_in_one_step(
    store: Store, add: Callable[..., int]
) -> None:
    old = add("Leeds")
    new = store.lifecycle.supersede(old, "Gordon lives in York", "York", "2026-10-01").memory
    before, _ = store.show_memory(old)
    assert (before.status, new.kind, new.predicate) == ("superseded", "fact", "lives_in")
    assert new.links == before.links
    assert before.state is not None
    assert new.state is not None
    assert before.state.valid_to == new.state.valid_from
    assert store.show_memory(new.id)[1] == ("Gordon lives in York",)
    assert seen(store) == [new.id]
    relations, _ = store.lifecycle.companions(old)
    assert [(r.memory_id, r.relation, r.other_memory_id) for r in relations] == [
        (new.id, "supersedes", old)
    ]


def test_an_archived_memory_comes_back_when_restored(
    store: Store, add: Callable[..., int]
) -> None:
    number = add("Leeds")
    store.lifecycle.archive(number, "old news")
    assert seen(store) == []
    assert store.lifecycle.restore(number, "it matters again").status == "active"
    assert seen(store) == [number]


def test_restore_is_refused_while_the_slot_is_taken(store: Store, add: Callable[..., int]) -> None:
    old = add("Leeds")
    store.lifecycle.archive(old, "old news")
    other = add("York")
    with pytest.raises(SlotTaken, match=rf"^MEM{other} says otherwise .*, then restore MEM{old}"):
        store.lifecycle.restore(old, "again")
    store.lifecycle.retract(other, "a mistake")
    store.lifecycle.restore(old, "again")
    assert seen(store) == [old]


def test_restoring_what_was_superseded_lets_it_hold_again(
    store: Store, add: Callable[..., int]
) -> None:
    old = add("Leeds")
    new = store.lifecycle.supersede(old, "Gordon lives in York", "York").memory
    store.lifecycle.retract(new.id, "a mistake")
    state = store.lifecycle.restore(old, "nothing changed").state
    assert state is not None
    assert state.valid_to is None


@pytest.mark.parametrize(
    ("before", "verb", "sentence"),
    [
        ("retract", "archive", "is retracted, so you can't archive it; restore it first."),
        ("retract", "retract", "is retracted, so you can't retract it; restore it first."),
        ("archive", "archive", "is archived, so you can't archive it; restore it first."),
        ("forget", "restore", "is forgotten, so you can't restore it; what it said is gone"),
        (None, "restore", "is active, so you can't restore it; it is active already."),
    ],
)
def test_what_the_status_does_not_allow_is_refused(
    store: Store, add: Callable[..., int], before: str | None, verb: str, sentence: str
) -> None:
    number = add("Leeds")
    if before:
        getattr(store.lifecycle, before)(number, "a reason")
    was = status(store, number)
    with pytest.raises(StatusRefused, match=rf"^MEM{number} {sentence}"):
        getattr(store.lifecycle, verb)(number, "a reason")
    assert status(store, number) == was


def test_a_memory_that_is_none_is_refused(store: Store) -> None:
    with pytest.raises(NotFound, match=r"^There is no memory MEM7; list"):
        store.lifecycle.retract(7, "a reason")


def test_a_reason_is_given_and_repeats_nothing(store: Store, add: Callable[..., int]) -> None:
    number = add("Leeds")
    with pytest.raises(TextRefused, match=r"^The reason is empty"):
        store.lifecycle.retract(number, " ")
    for reason in ("He left LEEDS long ago", "It said gordon: lives_in leeds"):
        with pytest.raises(ReasonRefused, match="give the reason without it"):
            store.lifecycle.retract(number, reason)
    assert seen(store) == [number]
    store.lifecycle.retract(number, "He left Leedsville")
    assert seen(store) == []


def test_what_was_retracted_comes_back_only_by_the_operator_or_restore(
    household: Household,
) -> None:
    store = household.memory.store
    number = household.tell(f"{SNACK}.", fact()).memory_id
    assert number is not None
    draft_fields = store.show_memory(number)[0]
    store.lifecycle.retract(number, "a mistake")
    draft = MemoryDraft(
        "fact",
        "Other words.",
        tuple((link.entity_id, link.role) for link in draft_fields.links),
        draft_fields.predicate,
        "HERRING",
    )
    with pytest.raises(BroughtBack, match=rf"memory restore MEM{number} "):
        store.add_memory(draft)
    with pytest.raises(BroughtBack):
        store.lifecycle.propose(draft, "a tool")
    household.restart()
    assert household.tell(f"{SNACK}.", fact()).admission == "created"


def test_rename_keeps_the_old_name_as_an_alias(store: Store) -> None:
    entity = store.lifecycle.rename_entity(1, "Gordon Smith")
    assert (entity.canonical_name, entity.aliases) == ("Gordon Smith", ("Gordon",))
    assert [e.id for e in store.find_entities("gordon")] == [1]
    back = store.lifecycle.rename_entity(1, "Gordon")
    assert (back.canonical_name, back.aliases) == ("Gordon", ("Gordon Smith",))


def test_an_alias_is_removed_and_the_canonical_name_is_not(store: Store) -> None:
    store.add_alias(1, "Gordy")
    assert store.lifecycle.remove_alias(1, "GORDY").aliases == ()
    assert store.find_entities("Gordy") == ()
    with pytest.raises(NotFound, match=r"^ENT1 has no such alias"):
        store.lifecycle.remove_alias(1, "Gordy")
    with pytest.raises(StatusRefused, match="memory entity rename ENT1"):
        store.lifecycle.remove_alias(1, "Gordon")


def test_a_version_1_store_says_how_to_upgrade(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "old.sqlite3", schema_version=1)
    with pytest.raises(NeedsVersion2, match=r"ros2 run mira migrate .*old\.sqlite3$"):
        _ = store.lifecycle
    store.close()
