# SPDX-License-Identifier: Apache-2.0
"""Duplicates and conflicts, against a model that looks at every memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from three_entities import ENTITIES, three_entities

from mira_memory.admission_transaction import comparison_key
from mira_memory.records import MemoryDraft, NewMemory
from mira_memory.store import Store

KINDS = ("fact", "preference", "relationship", "note")
PREDICATES = ("likes", "owns")
VALUES = ("herring", "Tuna", "Gordon's", "Gordon’s", None)

LINKS = st.frozensets(
    st.tuples(st.sampled_from(ENTITIES), st.sampled_from(("subject", "object"))),
    min_size=1,
    max_size=3,
)
MEMORIES = st.builds(
    lambda kind, predicate, value, links: NewMemory(
        kind, "said", predicate, value, links, "manual"
    ),
    st.sampled_from(KINDS),
    st.sampled_from(PREDICATES),
    st.sampled_from(VALUES),
    LINKS,
)


def value_key(memory: NewMemory) -> str | None:
    return None if memory.value is None else comparison_key(memory.value)


def shares_slot(one: NewMemory, other: NewMemory) -> bool:
    slot = {"fact", "preference"}
    return one.kind == other.kind or {one.kind, other.kind} <= slot


def says_the_same(one: NewMemory, other: NewMemory) -> bool:
    return (
        shares_slot(one, other)
        and one.predicate == other.predicate
        and one.links == other.links
        and (one.kind == "relationship" or value_key(one) == value_key(other))
    )


def subject(memory: NewMemory) -> int | None:
    return min((entity for entity, role in memory.links if role == "subject"), default=None)


@settings(max_examples=60)
@given(st.lists(MEMORIES, max_size=8), MEMORIES)
def test_as_if_every_memory_were_looked_at(stored: list[NewMemory], new: NewMemory) -> None:
    with three_entities() as store, store.admission_transaction() as transaction:
        numbers = [transaction.insert(memory) for memory in stored]
        assert new.predicate is not None
        duplicate = transaction.duplicate(new.kind, new.predicate, value_key(new), new.links)
        same = [n for n, m in zip(numbers, stored, strict=True) if says_the_same(m, new)]
        assert (duplicate in same) if same else duplicate is None
        if subject(new) is not None and value_key(new) is not None:
            conflicts = transaction.slot_conflicts(
                subject(new) or 0, new.predicate, value_key(new) or ""
            )
            assert list(conflicts) == [
                number
                for number, memory in zip(numbers, stored, strict=True)
                if memory.kind in ("fact", "preference")
                and subject(memory) == subject(new)
                and memory.predicate == new.predicate
                and value_key(memory) not in (None, value_key(new))
            ]


def manual(store: Store, kind: str, value: str | None, predicate: str = "likes") -> str:
    links = ((1, "subject"),)
    return store.add_memory(MemoryDraft(kind, "said", links, predicate, value)).warning


def test_a_manual_conflict_is_written_with_a_warning(store: Store) -> None:
    store.add_entity("person", "Gordon")
    assert manual(store, "fact", "herring") == ""
    assert manual(store, "preference", "tuna") == "It conflicts with MEM1."
    assert manual(store, "fact", "TUNA") == "It conflicts with MEM1. It says the same as MEM2."
    assert manual(store, "note", "cod") == ""
    assert manual(store, "fact", "cod", "owns") == ""
    assert store.status().memories == 5


def test_typographic_variants_are_one_value(store: Store) -> None:
    store.add_entity("person", "Gordon")
    assert manual(store, "fact", "Anna's boat") == ""
    assert manual(store, "fact", "Anna’s boat") == "It says the same as MEM1."


def test_at_most_eight_conflicts_are_listed(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for number in range(12):
        manual(store, "fact", f"value {number}")
    with store.admission_transaction() as transaction:
        conflicts = transaction.slot_conflicts(1, "likes", "another")
        assert len(conflicts) == 8
        assert sorted(conflicts) == list(conflicts)


@pytest.mark.parametrize("value", ["herring", None])
def test_a_memory_without_predicate_or_links_is_never_a_repetition(
    store: Store, value: str | None
) -> None:
    store.add_entity("person", "Gordon")
    for links in ((), ((1, "subject"),)):
        for _ in range(2):
            draft = MemoryDraft("note", "Anything.", links, None, value)
            assert store.add_memory(draft).warning == ""


def steps_of_a_check(store: Store, links: frozenset[tuple[int, str]]) -> tuple[int, int | None]:
    """Return how many steps SQLite takes for a check, and the duplicate that it finds."""
    with store.admission_transaction() as transaction:
        steps = 0

        def step() -> None:
            nonlocal steps
            steps += 1

        transaction._connection.set_progress_handler(step, 1)
        try:
            found = transaction.duplicate("fact", "likes", "herring", links)
            return steps, found
        finally:
            transaction._connection.set_progress_handler(None, 0)


def test_a_crowded_slot_costs_nothing_where_another_link_is_rare(store: Store) -> None:
    for number in range(3):
        store.add_entity("person", f"Person {number}")
    rare = frozenset({(1, "subject"), (2, "witness")})

    def witnessed(count: int) -> None:
        with store.admission_transaction() as transaction:
            for number in range(count):
                links = frozenset({(1, "subject"), (3, f"witness{number}")})
                transaction.insert(NewMemory("fact", "said", "likes", "herring", links, "manual"))

    witnessed(10)
    few = steps_of_a_check(store, rare)
    witnessed(1000)
    assert few[1] is None
    assert steps_of_a_check(store, rare) == few
    with store.admission_transaction() as transaction:
        last = transaction.insert(
            NewMemory("preference", "said", "likes", "herring", rare, "manual")
        )
    assert steps_of_a_check(store, rare)[1] == last
