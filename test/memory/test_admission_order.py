# SPDX-License-Identifier: Apache-2.0
"""The first check that fails gives the reason (docs/memory.md, "Admission")."""

from collections.abc import Callable
from typing import Any

import pytest
from household import SNACK, Household, fact, ownership

TOLD = (
    "The red toolbox belongs to Priya, and Gordon's favourite snack is herring, "
    "while Alex and Boris know it."
)
OWNED = "The red toolbox belongs to Priya"

# Each proposal fails the named check, and the one after it in the list too.
PAIRS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "invalid_tool_arguments",
        "invalid_proposal",
        fact(kind="event") | {"extra": 1},
        fact(kind="event"),
    ),
    (
        "invalid_proposal",
        "evidence_not_in_utterance",
        fact(kind="event", evidence="Gordon likes tuna"),
        fact(evidence="Gordon likes tuna"),
    ),
    (
        "evidence_not_in_utterance",
        "value_not_supported",
        fact(evidence="Gordon likes tuna", value="rice"),
        fact(value="rice"),
    ),
    (
        "value_not_supported",
        "subject_not_supported",
        fact(value="rice", subject="Ada"),
        fact(subject="Ada"),
    ),
    (
        "subject_not_supported",
        "subject_not_found",
        fact(subject="Bert"),
        fact(subject="Gordon's favourite"),
    ),
    (
        "subject_not_supported",
        "subject_ambiguous",
        fact(subject="Alex"),
        fact(subject="Alex", evidence="Alex and Boris know it", value="know it"),
    ),
    (
        "subject_not_found",
        "related_fields_incomplete",
        ownership(subject="red", related_role=None),
        ownership(related_role=None),
    ),
    (
        "subject_ambiguous",
        "related_fields_incomplete",
        fact(
            subject="Alex",
            evidence="Alex and Boris know it",
            value="know it",
            related_entity="Boris",
        ),
        fact(related_entity="herring"),
    ),
    (
        "related_fields_incomplete",
        "related_entity_invalid_for_kind",
        ownership(kind="fact", related_role=None),
        ownership(kind="fact"),
    ),
    (
        "related_entity_invalid_for_kind",
        "related_entity_not_supported",
        ownership(kind="fact", related_entity="Gordon"),
        ownership(related_entity="Gordon"),
    ),
    (
        "related_entity_not_supported",
        "relationship_value_mismatch",
        ownership(related_entity="Gordon"),
        ownership(related_entity="belongs"),
    ),
    (
        "relationship_value_mismatch",
        "related_entity_not_found",
        ownership(related_entity="belongs"),
        ownership(related_entity="belongs", value="belongs"),
    ),
]


@pytest.mark.parametrize(
    ("first", "second", "both", "later"), PAIRS, ids=[f"{pair[0]}-{pair[1]}" for pair in PAIRS]
)
def test_earlier_check_gives_the_reason(
    household: Household, first: str, second: str, both: dict[str, Any], later: dict[str, Any]
) -> None:
    assert household.tell(TOLD, both).reason == first
    assert household.tell(TOLD, later).reason == second


def test_same_words_are_admitted_once_nothing_is_wrong(household: Household) -> None:
    assert household.tell(TOLD, fact()).admission == "created"
    assert household.tell(TOLD, ownership(evidence=OWNED)).admission == "created"


def test_ambiguous_relation_comes_before_a_duplicate(household: Household) -> None:
    assert household.tell(TOLD, ownership(evidence=OWNED)).admission == "created"
    household.memory.store.add_entity("cat", "Priya")
    assert household.tell(TOLD, ownership(evidence=OWNED)).reason == "related_entity_ambiguous"


def test_conflict_is_found_unless_the_store_cannot_answer(household: Household) -> None:
    assert household.tell(TOLD, fact()).admission == "created"
    tuna = fact(value="tuna", evidence="Gordon's favourite snack is tuna")
    assert household.tell("Gordon's favourite snack is tuna.", tuna).reason == "conflict"
    turn = household.hear("Gordon's favourite snack is tuna.")
    household.memory.store.close()
    assert household.memory.remember(turn, tuna).reason == "backend_failure"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "invalid_tool_arguments"),
        (fact(kind="event"), "invalid_proposal"),
        (fact(evidence="Gordon likes tuna"), "evidence_not_in_utterance"),
        (fact(value="rice"), "value_not_supported"),
        (fact(subject="Ada"), "subject_not_supported"),
        (fact(related_role="owner"), "related_fields_incomplete"),
        (fact(), "backend_failure"),
    ],
)
def test_what_needs_no_store_is_found_without_one(
    household: Household, arguments: object, reason: str
) -> None:
    turn = household.hear(f"Remember that {SNACK}.")
    household.memory.store.close()
    assert household.memory.remember(turn, arguments).reason == reason


def test_guard_refuses_before_the_value_is_looked_at(
    households: Callable[..., Household],
) -> None:
    guarded = households(guard_languages=("en",))
    asked = f"Do you know whether {SNACK}?"
    assert guarded.tell(asked, fact(value="rice")).reason == "evidence_not_in_utterance"
    assert guarded.tell(f"Remember that {SNACK}.", fact(value="rice")).reason == (
        "value_not_supported"
    )


def test_sentence_in_no_listed_language_is_admitted_on_words_and_counted(
    households: Callable[..., Household],
) -> None:
    guarded = households(
        entities=[("person", "田中", ("田中さん",)), ("person", "Gordon", ())],
        guard_languages=("en",),
    )
    coffee = fact(subject="田中さん", value="コーヒー", evidence="田中さんはコーヒーが好きです")
    assert (
        guarded.tell("田中さんはコーヒーが好きです。覚えておいて。", coffee).admission == "created"
    )
    assert guarded.memory.unguarded_sentences == 1
    assert guarded.tell(f"Remember that {SNACK}.", fact()).admission == "created"
    assert guarded.memory.unguarded_sentences == 1


def test_guard_can_be_switched_off(households: Callable[..., Household]) -> None:
    asked = f"{SNACK}?"
    guarded, unguarded = households(guard_languages=("en",)), households(guard_languages=())
    refused = guarded.tell(asked, fact())
    assert (refused.reason, refused.rule) == ("evidence_not_in_utterance", "question")
    assert "question" in refused.error
    assert unguarded.tell(asked, fact()).admission == "created"
    assert unguarded.memory.unguarded_sentences == 0
