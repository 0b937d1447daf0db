# SPDX-License-Identifier: Apache-2.0
"""How often the claim guard misses a claim, or takes something else for one.

The replies of `replies_tune.jsonl` were used to write the word lists, those of
`replies_held_out.jsonl` never were: what is measured there is what new wording meets.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mira_cognition.claims import LANGUAGES, ClaimGuard

GUARD = ClaimGuard()
KINDS = {"claim", "denial", "hedge", "quotation", "recall", "other"}


def replies(half):
    text = Path(__file__).with_name(f"replies_{half}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def errors(half, *, asked):
    """Return the claims missed and the sentences falsely taken for one."""
    missed, false = [], []
    for reply in replies(half):
        found = GUARD.without_claims(reply["text"], "", asked=asked).replaced > 0
        if found != (reply["kind"] == "claim"):
            (false if found else missed).append(reply["text"])
    return missed, false


def test_the_set_covers_every_language_and_kind():
    tune, held_out = replies("tune"), replies("held_out")
    texts = [reply["text"] for reply in tune + held_out]
    assert len(texts) == len(set(texts)) >= 300
    for half in (tune, held_out):
        assert {reply["language"] for reply in half} == set(LANGUAGES)
        assert {reply["kind"] for reply in half} == KINDS
        claims = sum(reply["kind"] == "claim" for reply in half)
        assert 0.4 < claims / len(half) < 0.6


# Measured; a change of the lists may lower these, and must say so where it raises one.
@pytest.mark.parametrize(
    ("half", "asked", "missed_at_most", "false_at_most"),
    [
        ("tune", False, 1, 1),
        ("tune", True, 1, 9),
        ("held_out", False, 14, 3),
        ("held_out", True, 4, 9),
    ],
)
def test_errors_stay_within_what_was_measured(half, asked, missed_at_most, false_at_most):
    missed, false = errors(half, asked=asked)
    assert len(missed) <= missed_at_most, missed
    assert len(false) <= false_at_most, false


@pytest.mark.parametrize(
    "utterance",
    [
        "Remember that Gordon likes herring.",
        "Please note that the dock is in the hallway.",
        "Could you save that for me?",
        "Mira, keep in mind that I am away on Friday.",
        "Bitte merk dir, dass Gordon Hering mag.",
        "Notiere das.",
        "Recuerda que a Gordon le gusta el arenque.",
        "Por favor, guarda eso.",
        "Retiens que Gordon aime le hareng.",
        "S'il te plaît, note que la base est dans le couloir.",
    ],
)
def test_a_request_to_remember_is_heard(utterance):
    assert GUARD.asked(utterance)


@pytest.mark.parametrize(
    "utterance",
    [
        "What do you remember about Gordon?",
        "Do you remember Gordon?",
        "Gordon's favourite snack is herring.",
        "Where is the dock?",
        "Was weißt du über Gordon?",
        "¿Qué sabes de Gordon?",
        "Que sais-tu de Gordon ?",
        "",
    ],
)
def test_other_words_ask_for_no_write(utterance):
    assert not GUARD.asked(utterance)


def test_after_a_request_any_wording_counts_and_a_denial_does_not():
    wording = "Sure thing, that one is tucked away for good."
    assert not GUARD.claims(wording)
    assert GUARD.claims(wording, asked=True)
    for said in (
        "I have not stored that.",
        "That could not be saved.",
        "Should I save that?",
        "If you say his name, I can note it.",
        "Hello, Ada.",
    ):
        assert not GUARD.claims(said, asked=True)


def test_a_model_that_never_called_remember_claims_nothing(stage, say, scripted):
    model = scripted(say.words("Sure thing, that one is tucked away for good. Anything else?"))
    reply = stage.run(model, "Remember that Gordon likes herring.")
    assert reply.text == "I have not stored anything. Anything else?"
    assert stage.capabilities.calls == []
    model = scripted(say.remember(), say.words("Sure thing, that one is tucked away for good."))
    reply = stage.run(model, "Remember that Gordon likes herring.")
    assert reply.text == "Sure thing, that one is tucked away for good."
