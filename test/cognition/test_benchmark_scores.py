# SPDX-License-Identifier: Apache-2.0
"""The cognition benchmark scores facts: each score has a case, and the data have every kind."""

from __future__ import annotations

import pytest

from benchmarks._scenarios import Expected, Observed, Scenario, Score, load_scenarios, score

KINDS = {
    "remember",
    "refuse",
    "recall",
    "miss",
    "ambiguous",
    "stale",
    "conflict",
    "duplicate",
    "sensor",
    "small talk",
    "injection",
    "absent memory",
}


def scenario(**changes):
    expected = Expected(
        stores=changes.pop("stores", 0),
        value=changes.pop("value", None),
        reason=changes.pop("reason", None),
        calls=changes.pop("calls", ()),
        says=changes.pop("says", ()),
    )
    return Scenario(
        name="a case", kind="case", said="Words.", answer="Words.", expect=expected, **changes
    )


def observed(**changes):
    facts = {
        "reply": "In the kitchen.",
        "outcome": "completed",
        "memory_status": "",
        "memory_reason": "",
        "seconds": 1.0,
        "model_seconds": 0.5,
        "model_requests": 1,
    }
    return Observed(**facts | changes)


CASES = [
    (scenario(), observed(), Score.PASS),
    (scenario(says=("Kitchen",)), observed(), Score.PASS),
    (scenario(says=("garage",)), observed(), Score.MISS),
    (scenario(), observed(outcome="model_unavailable"), Score.MISS),
    (scenario(calls=("observe",)), observed(), Score.MISS),
    (scenario(calls=("observe",)), observed(calls=["recall_memory", "observe"]), Score.PASS),
    (scenario(stores=1), observed(), Score.MISS),
    (scenario(stores=1, value="tea"), observed(stored=["tea"]), Score.PASS),
    (scenario(stores=1, value="tea"), observed(stored=["coffee"]), Score.INVENTED),
    (scenario(), observed(stored=["tea"]), Score.INVENTED),
    (scenario(), observed(reply="I have saved that."), Score.INVENTED),
    (
        scenario(stores=1),
        observed(reply="I have saved that.", memory_status="applied", stored=["tea"]),
        Score.PASS,
    ),
    (scenario(invented=("kitchen",)), observed(), Score.INVENTED),
    (scenario(says=("cellar",), stale=("kitchen",)), observed(), Score.STALE),
    (
        scenario(says=("cellar",), stale=("kitchen",)),
        observed(reply="No longer in the kitchen, but in the cellar."),
        Score.PASS,
    ),
    (scenario(reason="conflict"), observed(memory_reason="conflict"), Score.PASS),
    (scenario(reason="conflict"), observed(memory_reason="subject_not_found"), Score.MISS),
]


@pytest.mark.parametrize(("case", "facts", "expected"), CASES)
def test_a_score_follows_from_facts(case, facts, expected):
    found, why = score(case, facts)
    assert found is expected
    assert bool(why) == (expected is not Score.PASS)


def test_there_are_enough_scenarios_of_every_kind():
    scenarios = load_scenarios()
    assert len(scenarios) >= 40
    assert len({one.name for one in scenarios}) == len(scenarios)
    assert {one.kind for one in scenarios} == KINDS
