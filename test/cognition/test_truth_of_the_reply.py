# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json

import pytest

from mira_cognition.acknowledgement import MEANINGS
from mira_cognition.capabilities import Remembered
from mira_cognition.endings import REPLY_MAX, Outcome

CREATED = Remembered("applied", "created", entity_id="ENT1", memory_id="MEM1")
DUPLICATE = Remembered("applied", "duplicate", entity_id="ENT1", memory_id="MEM1")
CONFLICT = Remembered(
    "rejected", reason="conflict", error="It conflicts with MEM1.", conflicts=("MEM1",)
)
UNKNOWN = Remembered("unknown")


@pytest.mark.parametrize(
    ("decision", "meaning"),
    [
        (CREATED, MEANINGS["created"]),
        (DUPLICATE, MEANINGS["duplicate"]),
        (CONFLICT, MEANINGS["rejected"]),
        (UNKNOWN, MEANINGS["unknown"]),
    ],
)
def test_the_decision_is_handed_to_the_model_with_its_meaning(
    stage, say, scripted, decision, meaning
):
    stage.capabilities.remembered = decision
    model = scripted(say.remember(), say.words("Well."))
    reply = stage.run(model)
    handed = json.loads(model.requests[1].messages[-1].text)
    assert handed["meaning"] == meaning
    assert handed["status"] == decision.status
    assert reply.remembered == decision


def test_the_structured_fields_come_from_the_decision_not_from_the_model(stage, say, scripted):
    stage.capabilities.remembered = CREATED
    reply = stage.run(scripted(say.remember(), say.words("I stored it as MEM999.")))
    assert reply.remembered.memory_id == "MEM1"


def test_an_applied_result_may_be_acknowledged(stage, say, scripted):
    reply = stage.run(scripted(say.remember(), say.words("I have stored that. Anything else?")))
    assert reply.text == "I have stored that. Anything else?"
    assert reply.claims_replaced == 0


def test_a_claim_without_a_proposal_is_replaced(stage, say, scripted):
    reply = stage.run(scripted(say.words("Sure! I've saved that for you. Anything else?")))
    assert reply.text == "Sure! I have not stored anything. Anything else?"
    assert (reply.claims_replaced, reply.remembered) == (1, None)
    assert reply.outcome is Outcome.COMPLETED


def test_a_claim_against_a_rejection_is_replaced_by_what_happened(stage, say, scripted):
    stage.capabilities.remembered = CONFLICT
    reply = stage.run(scripted(say.remember(), say.words("Done, saved.")))
    assert reply.text == "I did not store that: It conflicts with MEM1."


def test_a_rejection_names_the_conflicts_that_its_sentence_leaves_out(stage, say, scripted):
    stage.capabilities.remembered = Remembered(
        "rejected", reason="conflict", error="It conflicts.", conflicts=("MEM4", "MEM7")
    )
    reply = stage.run(scripted(say.remember(), say.words("Noted.")))
    assert reply.text == "I did not store that: It conflicts. See MEM4, MEM7."


def test_an_unknown_decision_is_said_whatever_the_model_says(stage, say, scripted):
    stage.capabilities.remembered = UNKNOWN
    statement = "I could not find out whether that was stored."
    for words, text in (
        ("I have stored that.", statement),
        ("All right.", f"All right. {statement}"),
        (statement, statement),
    ):
        reply = stage.run(scripted(say.remember(), say.words(words)))
        assert reply.text == text
        assert reply.remembered.status == "unknown"


def test_a_claim_in_unknown_words_does_not_stand_alone(stage, say, scripted):
    words = "Herring and Gordon belong together."
    reply = stage.run(scripted(say.words(words)), "Remember that Gordon likes herring.")
    assert reply.text == f"{words} I have not stored anything."
    stage.capabilities.remembered = CONFLICT
    reply = stage.run(scripted(say.remember(), say.words(words)))
    assert reply.text == f"{words} I did not store that: It conflicts with MEM1."
    reply = stage.run(scripted(say.words(words)), "What belongs together?")
    assert reply.text == words


def test_further_claims_are_left_out(stage, say, scripted):
    reply = stage.run(scripted(say.words("Saved. It's in my memory now.\nI won't forget it.")))
    assert reply.text == "I have not stored anything."
    assert reply.claims_replaced == 3


def test_a_denial_stays_as_the_model_put_it(stage, say, scripted):
    stage.capabilities.remembered = CONFLICT
    words = "I have not stored that, since it contradicts MEM1."
    assert stage.run(scripted(say.remember(), say.words(words))).text == words


def test_a_megabyte_of_words_is_cut(stage, say, scripted):
    reply = stage.run(scripted(say.words("word " * 200_000)))
    assert len(reply.text) == REPLY_MAX
    assert reply.text.endswith("…")


def test_words_that_no_message_can_carry_are_made_fit(stage, say, scripted):
    assert stage.run(scripted(say.words("a\ud800b\0c"))).text == "a?bc"
