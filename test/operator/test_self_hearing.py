# SPDX-License-Identifier: Apache-2.0
"""The robot does not hear itself, and hears nobody twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira_operator.self_hearing import Drop, SelfHearing, SpeakingTime

SAY = "The dock is in the hallway. Ask me again at any time."
SECONDS = len(SAY) * 0.1


@pytest.fixture
def hearing() -> SelfHearing:
    return SelfHearing(SpeakingTime(per_character_s=0.1, after_s=1.0), told=False)


def test_a_person_is_heard(hearing: SelfHearing) -> None:
    assert hearing.judge("Gordon likes herring.", 10.0) is None


def test_it_is_deaf_while_it_speaks_and_shortly_after(hearing: SelfHearing) -> None:
    hearing.says(SAY, 10.0)
    assert hearing.judge("stop", 10.1) is Drop.SPEAKING
    assert hearing.judge("stop", 10.9 + SECONDS) is Drop.SPEAKING
    assert hearing.judge("stop", 11.1 + SECONDS) is None


def test_two_says_are_spoken_one_after_the_other(hearing: SelfHearing) -> None:
    hearing.says(SAY, 10.0)
    hearing.says(SAY, 10.2)
    assert hearing.judge("stop", 10.9 + 2 * SECONDS) is Drop.SPEAKING
    assert hearing.judge("stop", 11.1 + 2 * SECONDS) is None


@pytest.mark.parametrize(
    "echo",
    [
        SAY,
        "the dock is in the hallway ask me again at any time",
        "THE DOCK IS IN THE HALLWAY!",
        "  Ask me   again at any time ",
    ],
)
def test_its_own_words_are_dropped_however_they_are_written(
    hearing: SelfHearing, echo: str
) -> None:
    hearing.says(SAY, 10.0)
    silence = 12.0 + SECONDS
    assert hearing.judge(echo, silence) is Drop.ECHO
    assert hearing.judge("The dock is in the hall.", silence) is None


def test_its_words_are_anybodys_after_half_a_minute(hearing: SelfHearing) -> None:
    hearing.says(SAY, 10.0)
    assert hearing.judge(SAY, 40.0 + SECONDS) is Drop.ECHO
    assert hearing.judge(SAY, 42.0 + SECONDS) is None


def test_a_short_sentence_of_a_longer_say_may_be_an_answer(hearing: SelfHearing) -> None:
    hearing.says("Yes. I stored that in my memory.", 10.0)
    assert hearing.judge("yes", 20.0) is None
    assert hearing.judge("I stored that in my memory", 20.0) is Drop.ECHO


def test_a_short_say_is_no_answer(hearing: SelfHearing) -> None:
    hearing.says("Yes.", 10.0)
    assert hearing.judge("yes", 20.0) is Drop.ECHO


def test_a_final_repeated_within_a_second_is_heard_once(hearing: SelfHearing) -> None:
    assert hearing.judge("Gordon likes herring.", 10.0) is None
    assert hearing.judge("gordon likes herring", 10.5) is Drop.REPEATED
    assert hearing.judge("Gordon likes tuna.", 10.6) is None
    assert hearing.judge("Gordon likes herring.", 10.9) is Drop.REPEATED
    assert hearing.judge("Gordon likes herring.", 11.1) is None


def test_the_synthesiser_is_believed_over_an_estimate() -> None:
    hearing = SelfHearing(SpeakingTime(per_character_s=0.1, after_s=1.0), told=True)
    hearing.says(SAY, 10.0)
    assert hearing.judge("stop", 10.1) is None
    hearing.speaks(True, 10.2)
    assert hearing.judge("stop", 30.0) is Drop.SPEAKING
    hearing.speaks(False, 31.0)
    assert hearing.judge("stop", 31.9) is Drop.SPEAKING
    assert hearing.judge("stop", 32.1) is None


def test_a_synthesiser_that_repeats_its_silence_does_not_deafen() -> None:
    hearing = SelfHearing(SpeakingTime(per_character_s=0.1, after_s=1.0), told=True)
    hearing.speaks(False, 10.0)
    assert hearing.judge("stop", 10.1) is None
    hearing.speaks(True, 11.0)
    hearing.speaks(False, 12.0)
    hearing.speaks(False, 12.9)
    assert hearing.judge("go on", 13.1) is None


def test_a_synthesiser_that_dies_while_it_speaks_does_not_deafen_for_ever() -> None:
    hearing = SelfHearing(SpeakingTime(per_character_s=0.1, after_s=1.0), told=True)
    hearing.speaks(True, 10.0)
    assert hearing.judge("stop", 69.0) is Drop.SPEAKING
    assert hearing.judge("stop", 71.0) is None


@pytest.mark.parametrize("text", ["", "  ", "\n", "...", "?!"])
def test_silence_is_not_passed_on(hearing: SelfHearing, text: str) -> None:
    assert hearing.judge(text, 10.0) is Drop.EMPTY


@pytest.mark.parametrize("text", ["Где Гордон?", "ゴードンはどこ", "गॉर्डन कहाँ है", "أين جوردون"])
def test_words_of_every_script_are_heard_and_recognised(hearing: SelfHearing, text: str) -> None:
    assert hearing.judge(text, 10.0) is None
    hearing.says(text, 10.0)
    assert hearing.judge(text, 20.0) is Drop.ECHO


@given(st.text())
def test_whatever_it_says_it_never_hears_it_at_once(text: str) -> None:
    hearing = SelfHearing(SpeakingTime(per_character_s=0.0, after_s=0.0), told=False)
    hearing.says(text, 10.0)
    assert hearing.judge(text, 10.0) in (Drop.ECHO, Drop.EMPTY)
