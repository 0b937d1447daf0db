# SPDX-License-Identifier: Apache-2.0
"""How often the claim guard misses a claim, or takes something else for one.

The lists were written from `replies_tune.jsonl`, `replies_fresh.jsonl` and `replies_varied.jsonl`,
those of `replies_held_out.jsonl` and `replies_unseen.jsonl` never. The counts of the held-out
ones were looked at on the way; the unseen ones were worded last, and nothing was changed after.
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
        ("tune", False, 0, 1),
        ("tune", True, 0, 5),
        ("fresh", False, 0, 0),
        ("fresh", True, 0, 0),
        ("varied", False, 9, 1),
        ("varied", True, 0, 4),
        ("held_out", False, 2, 2),
        ("held_out", True, 1, 7),
        ("unseen", False, 6, 0),
        ("unseen", True, 2, 1),
    ],
)
def test_errors_stay_within_what_was_measured(half, asked, missed_at_most, false_at_most):
    missed, false = errors(half, asked=asked)
    # Counts alone: lists would soon be written from what is held out, once it is read.
    counts = (len(missed), len(false))
    assert counts[0] <= missed_at_most, counts
    assert counts[1] <= false_at_most, counts


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


@pytest.mark.parametrize(
    "denial",
    [
        "I have not stored that.",
        "Sorry, I couldn't save it.",
        "Das habe ich nicht gespeichert.",
        "No pude guardarlo.",
        "Je n'ai pas pu le noter.",
    ],
)
def test_a_denial_is_told_from_silence(denial):
    assert GUARD.denies(denial)


@pytest.mark.parametrize("said", ["That one is home.", "I have stored that.", "No. Hello.", ""])
def test_what_denies_nothing_is_no_denial(said):
    assert not GUARD.denies(said)


def test_after_a_request_any_wording_counts_and_a_denial_does_not():
    wording = "That will be with me for good."
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
    model = scripted(say.words("That will be with me for good. Anything else?"))
    reply = stage.run(model, "Remember that Gordon likes herring.")
    assert reply.text == "I have not stored anything. Anything else?"
    assert stage.capabilities.calls == []
    model = scripted(say.remember(), say.words("That will be with me for good."))
    reply = stage.run(model, "Remember that Gordon likes herring.")
    assert reply.text == "That will be with me for good."
