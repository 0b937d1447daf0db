# SPDX-License-Identifier: Apache-2.0
"""One proposal decides a turn; asking again gives the same answer (docs/memory.md, "Turns")."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from household import SNACK, Household, fact, ownership

TOLD = f"Remember that {SNACK}, and the red toolbox belongs to Priya."
OWNED = ownership()
TYPED_AGAIN = fact(
    kind="Fact", subject="GORDON", predicate="Favourite_Snack", evidence=SNACK.upper()
)


@pytest.mark.parametrize("again", [fact(), TYPED_AGAIN])
def test_same_proposal_again_gets_the_same_answer(
    household: Household, again: dict[str, object]
) -> None:
    turn = household.hear(TOLD)
    first = household.memory.remember(turn, fact())
    assert first.admission == "created"
    assert household.memory.remember(turn, again) == first
    assert household.memories() == 1


@pytest.mark.parametrize(
    "first", [fact(), fact(value="rice"), fact(subject="Ada"), fact(kind="event"), None, [1, 2]]
)
def test_any_answer_decides_the_turn(household: Household, first: object) -> None:
    turn = household.hear(TOLD)
    answer = household.memory.remember(turn, first)
    assert household.memory.remember(turn, OWNED).reason == "invalid_proposal"
    assert household.memory.remember(turn, first) == answer
    assert household.tell(TOLD, OWNED).admission == "created", "a turn of its own may"


def test_second_proposal_that_is_malformed_is_told_so(household: Household) -> None:
    turn = household.hear(TOLD)
    first = household.memory.remember(turn, fact())
    assert household.memory.remember(turn, {}).reason == "invalid_tool_arguments"
    assert household.memory.remember(turn, fact()) == first


def test_duplicate_and_conflict_decide_the_turn_too(household: Household) -> None:
    household.tell(TOLD, fact())
    for told, reason in ((fact(), ""), (fact(value="herring, and"), "conflict")):
        turn = household.hear(TOLD)
        evidence = SNACK + ", and" if reason else SNACK
        answer = household.memory.remember(turn, told | {"evidence": evidence})
        assert answer.reason == reason
        assert household.memory.remember(turn, OWNED).reason == "invalid_proposal"
    assert household.memories() == 1


def test_failure_of_the_store_decides_nothing(household: Household) -> None:
    turn = household.hear(TOLD)
    hidden = household.path.with_suffix(".away")
    household.path.rename(hidden)
    assert household.memory.remember(turn, fact()).reason == "backend_failure"
    hidden.rename(household.path)
    assert household.memory.remember(turn, OWNED).admission == "created"


def test_answer_is_found_again_when_the_turn_is_over(household: Household) -> None:
    turn = household.hear(TOLD)
    first = household.memory.remember(turn, fact())
    household.memory.end_turn(turn)
    assert household.memory.remember(turn, TYPED_AGAIN) == first
    assert household.memory.remember(turn, OWNED).reason == "invalid_proposal"
    assert household.memories() == 1


def test_answer_is_found_again_after_a_restart(household: Household) -> None:
    fact_turn, relation_turn = household.hear(TOLD), household.hear(TOLD)
    stored = household.memory.remember(fact_turn, fact())
    related = household.memory.remember(relation_turn, OWNED)
    household.restart()
    assert household.memory.remember(fact_turn, TYPED_AGAIN) == stored
    assert household.memory.remember(relation_turn, OWNED) == related
    for other in (
        OWNED,
        fact(kind="preference"),
        fact(predicate="snack"),
        fact(value="snack"),
        fact(subject="Priya"),
        fact(evidence=f"that {SNACK}"),
    ):
        assert household.memory.remember(fact_turn, other).reason == "invalid_proposal"
    for other in (ownership(related_role="keeper"), ownership(related_entity="Gordon")):
        assert household.memory.remember(relation_turn, other).reason == "invalid_proposal"
    assert household.memories() == 2


def test_turn_identity_heard_again_after_a_restart_writes_no_second_memory(
    household: Household,
) -> None:
    turn = household.hear(TOLD)
    first = household.memory.remember(turn, fact())
    household.restart()
    household.hear(TOLD, turn)
    assert household.memory.remember(turn, OWNED).reason == "invalid_proposal"
    assert household.memory.remember(turn, fact()).reason == "invalid_proposal", "decided above"
    household.restart()
    household.hear(TOLD, turn)
    assert household.memory.remember(turn, fact()) == first
    assert household.memories() == 1


def test_rejected_turn_that_is_over_grounds_nothing(household: Household) -> None:
    turn = household.hear(TOLD)
    household.memory.remember(turn, fact(value="rice"))
    household.memory.end_turn(turn)
    for arguments in (fact(value="rice"), fact()):
        assert household.memory.remember(turn, arguments).reason == "evidence_not_in_utterance"
    assert household.memories() == 0


def test_turn_that_is_over_cannot_be_answered_by_a_broken_store(household: Household) -> None:
    turn = household.hear(TOLD)
    household.memory.remember(turn, fact())
    household.memory.end_turn(turn)
    household.memory.store.close()
    # "rejected" would say that nothing was written, and something was.
    assert household.memory.remember(turn, fact()).reason == "backend_failure"


def test_turn_made_void_under_way_writes_nothing(household: Household) -> None:
    turn = household.hear(TOLD)
    request = household.memory.ground(turn, fact())
    household.hear("Forget it.", turn)
    result = household.memory.commit(request)
    assert result.reason == "evidence_not_in_utterance"
    assert "Two different utterances" in result.error
    assert household.memories() == 0


def test_two_requests_under_way_when_the_turn_ends_are_decided_once(
    household: Household,
) -> None:
    turn = household.hear(TOLD)
    first = household.memory.ground(turn, fact(value="rice"))
    second = household.memory.ground(turn, fact())
    household.memory.end_turn(turn)
    assert household.memory.commit(first).reason == "value_not_supported"
    assert household.memory.commit(second).reason == "invalid_proposal"


def test_same_proposal_from_many_threads_is_written_once(
    households: Callable[..., Household],
) -> None:
    household = households()
    turn = household.hear(TOLD)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: household.memory.remember(turn, fact()), range(24)))
    assert len(set(answers)) == 1
    assert answers[0].admission == "created"
    assert household.memories() == 1


def test_different_proposals_from_many_threads_decide_the_turn_once(
    households: Callable[..., Household],
) -> None:
    household = households()
    turn = household.hear(TOLD)
    proposals = [fact(predicate=f"snack_{number}") for number in range(12)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda told: household.memory.remember(turn, told), proposals))
    assert sorted({answer.reason for answer in answers}) == ["", "invalid_proposal"]
    assert sum(answer.admission == "created" for answer in answers) == 1
    assert household.memories() == 1


@pytest.mark.parametrize("turn_id", ["", "never heard", "x" * 300, "\ud800", "a\x00", None, 7])
def test_no_turn_no_write(household: Household, turn_id: object) -> None:
    household.hear(TOLD)
    result = household.memory.remember(turn_id, fact())  # type: ignore[arg-type]
    assert result.reason == "evidence_not_in_utterance"
    assert "heard no utterance" in result.error
    assert household.memories() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        None,
        True,
        3,
        "text",
        [],
        {},
        json.loads('{"kind": "fact"}'),
        fact() | {"extra": None},
        fact(subject=None),
        fact(value=5),
        fact(evidence=["x"]),
        fact(related_entity=False),
        {1: 2},
    ],
)
def test_arguments_of_any_type_are_answered(household: Household, arguments: object) -> None:
    result = household.tell(TOLD, arguments)
    assert (result.status, result.reason) == ("rejected", "invalid_tool_arguments")
    assert result.error.endswith(".")
