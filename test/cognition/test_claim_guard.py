# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mira_cognition.acknowledgement import NotOffered, plain_statement
from mira_cognition.capabilities import Remembered
from mira_cognition.claims import LANGUAGES, ClaimGuard
from mira_cognition.endings import ENDINGS
from mira_cognition.phrases import UnknownLanguage, stop_words
from mira_memory.guard.rules import SENTENCES as REFUSALS

SENTENCES = yaml.safe_load(Path(__file__).with_name("claims.yaml").read_text(encoding="utf-8"))
CLAIMS = [s for kinds in SENTENCES.values() for s in kinds["claims"]]
OTHERS = [
    s for kinds in SENTENCES.values() for kind in kinds if kind != "claims" for s in kinds[kind]
]
GUARD = ClaimGuard()
STATEMENT = "I have not stored anything."


def test_the_set_is_large_enough_to_measure():
    assert len(CLAIMS) + len(OTHERS) >= 150
    assert len(CLAIMS) == len(set(CLAIMS))
    assert len(OTHERS) == len(set(OTHERS))


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_found(sentence):
    assert GUARD.claims(sentence)
    assert GUARD.without_claims(sentence, STATEMENT).text == STATEMENT


@pytest.mark.parametrize("sentence", OTHERS)
def test_what_claims_nothing_stays_as_it_is(sentence):
    assert GUARD.without_claims(sentence, STATEMENT) == GUARD.without_claims(sentence, "…")
    assert GUARD.without_claims(sentence, STATEMENT).text == sentence


@pytest.mark.parametrize("typed", ["I’ve saved that.", "I'VE SAVED THAT", "  i've   saved  that"])
def test_typography_case_and_space_make_no_difference(typed):
    assert GUARD.claims(typed)


def test_only_the_claiming_sentence_is_replaced():
    reply = "Herring is a fish. I've saved that, Ada. Do you like tuna?\nGoodbye."
    assert GUARD.without_claims(reply, STATEMENT).text == (
        "Herring is a fish. I have not stored anything. Do you like tuna?\nGoodbye."
    )


def test_no_statement_of_the_runtime_is_taken_for_a_claim():
    statements = [
        plain_statement(None),
        plain_statement(Remembered("unknown")),
        *(
            plain_statement(Remembered("rejected", error=error, conflicts=("MEM1",)))
            for error in ("Another value is stored.", *REFUSALS.values())
        ),
        *(why.value for why in NotOffered),
        *(ending.said for ending in ENDINGS),
    ]
    assert [said for said in statements if GUARD.claims(said, asked=True)] == []
    assert GUARD.claims("I have stored that.", asked=True)


def test_a_language_that_is_not_listed_is_not_guarded():
    assert not ClaimGuard(("en",)).claims("Ich habe das gespeichert.")
    assert ClaimGuard(("de",)).claims("Ich habe das gespeichert.")


@pytest.mark.parametrize("name", ["xx", "../en", ""])
def test_an_unknown_language_is_refused(name):
    with pytest.raises(UnknownLanguage, match="there are no word lists for the language"):
        ClaimGuard((name,))


def test_every_language_has_words_to_stop():
    assert {"stop", "halt", "para", "arrête"} <= stop_words()
    assert len(LANGUAGES) == 4


@given(st.text(max_size=200))
def test_the_guard_takes_any_text(text):
    guarded = GUARD.without_claims(text, STATEMENT)
    assert GUARD.without_claims(guarded.text, STATEMENT).replaced == 0
