# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from dataclasses import replace

import pytest

from mira_cognition.capabilities import Acquired, Remembered
from mira_cognition.endings import BUDGET_USED, Outcome


def test_a_model_that_answers_in_words_ends_the_episode(stage, say, scripted):
    reply = stage.run(scripted(say.words("Good morning.")))
    assert (reply.text, reply.outcome, reply.turn_id) == (
        "Good morning.",
        Outcome.COMPLETED,
        "turn-1",
    )
    assert reply.acquisitions == 0
    assert stage.told == [("model", "text"), ("reply", "completed"), ("end", "answered")]


def test_two_acquisitions_run_and_the_third_is_not_executed(stage, say, scripted):
    model = scripted(say.recall("a"), say.recall("b"), say.recall("c"), say.words("Enough."))
    reply = stage.run(model)
    assert [call.query for call in stage.capabilities.calls] == ["a", "b"]
    assert (reply.text, reply.outcome, reply.acquisitions) == ("Enough.", Outcome.COMPLETED, 2)
    assert ("recall_memory", "over_budget") in stage.told
    assert "budget for recall_memory is used up" in model.requests[3].messages[-1].text


@pytest.mark.parametrize("status", ["hit", "miss", "ambiguous", "invalid", "failure"])
def test_every_acquisition_attempt_counts(stage, say, scripted, status):
    stage.capabilities.recalled = Acquired(status, "…")
    reply = stage.run(scripted(say.recall(), say.recall(), say.recall(), say.words("Well.")))
    assert len(stage.capabilities.calls) == 2
    assert reply.acquisitions == 2


def test_invalid_arguments_count_as_an_acquisition_attempt(stage, say, scripted):
    model = scripted(
        say.call("recall_memory", {"name": "Gordon"}), say.recall(), say.recall(), say.words("Hm.")
    )
    reply = stage.run(model)
    assert len(stage.capabilities.calls) == 1
    assert reply.acquisitions == 2
    assert [told for told in stage.told if told[0] == "recall_memory"] == [
        ("recall_memory", "invalid_arguments"),
        ("recall_memory", "miss"),
        ("recall_memory", "over_budget"),
    ]


def test_a_second_call_beyond_the_budget_makes_the_runtime_reply(stage, say, scripted):
    stage.settings = replace(stage.settings, model_requests=9)
    model = scripted(*(say.recall() for _ in range(9)))
    reply = stage.run(model)
    assert len(stage.capabilities.calls) == 2
    assert len(model.requests) == 4
    assert reply.outcome is Outcome.COMPLETED
    assert reply.text.startswith(BUDGET_USED.said)
    assert stage.told[-1] == ("end", "budget_used")


def test_any_call_after_the_one_notice_makes_the_runtime_reply(stage, say, scripted):
    stage.settings = replace(stage.settings, acquisitions=0)
    reply = stage.run(scripted(say.recall(), say.remember(), say.words("never asked for")))
    assert stage.capabilities.calls == []
    assert reply.text.startswith(BUDGET_USED.said)


def test_four_model_requests_and_no_more(stage, say, scripted):
    stage.settings = replace(stage.settings, acquisitions=9)
    model = scripted(*(say.recall() for _ in range(9)))
    reply = stage.run(model)
    assert len(model.requests) == 4
    assert len(stage.capabilities.calls) == 4
    assert reply.outcome is Outcome.COMPLETED
    assert reply.text.startswith(BUDGET_USED.said)


def test_one_proposal_and_no_more(stage, say, scripted):
    stage.capabilities.remembered = Remembered(
        "rejected", reason="conflict", error="It conflicts."
    )
    model = scripted(say.remember(), say.remember(value="tuna"), say.words("I could not."))
    reply = stage.run(model)
    assert len(stage.capabilities.calls) == 1
    assert ("remember", "over_budget") in stage.told
    assert reply.remembered.reason == "conflict"


def test_a_malformed_proposal_does_not_use_up_the_one(stage, say, scripted):
    model = scripted(say.remember(kind="event"), say.remember(), say.words("It is stored."))
    reply = stage.run(model)
    assert len(stage.capabilities.calls) == 1
    assert reply.remembered.memory_id == "MEM1"
    assert reply.text == "It is stored."


def test_the_repair_is_a_model_request(stage, say, scripted):
    stage.settings = replace(stage.settings, model_requests=2)
    model = scripted(say.remember(kind="event"), say.remember(), say.words("never asked for"))
    reply = stage.run(model)
    assert len(model.requests) == 2
    assert reply.outcome is Outcome.COMPLETED
    assert "MEM1" in reply.text


def test_acquisitions_and_a_proposal_fit_into_one_episode(stage, say, scripted):
    model = scripted(say.recall(), say.recall("Mira"), say.remember(), say.words("Done."))
    reply = stage.run(model)
    assert [told for told in stage.told if told[0] != "model"] == [
        ("recall_memory", "miss"),
        ("recall_memory", "miss"),
        ("remember", "created"),
        ("reply", "completed"),
        ("end", "answered"),
    ]
    assert reply.remembered.applied


RECALLED = """\
1 entity has exactly that name. What stands in quotes was stored earlier.
ENT1 "Gordon", type "person"
  MEM1 "Gordon's favourite snack is herring"
    kind "preference"; value "herring"; source "operator_statement"; stored 2026-11-30
    robot's labels: predicate "favourite_snack"; role "subject" ENT1 "Gordon\""""


def test_the_runtime_replies_from_what_is_known(stage, say, scripted):
    stage.capabilities.recalled = Acquired("hit", RECALLED)
    stage.settings = replace(stage.settings, sensors=("battery",))
    observe = say.call("observe", {"sensor": "battery"})
    reply = stage.run(scripted(say.recall(), observe, say.recall(), say.recall()))
    assert reply.text == (
        f"{BUDGET_USED.said} About Gordon I remember: “Gordon's favourite snack is herring” "
        "(MEM1). The sensor says: percentage=0.5."
    )
