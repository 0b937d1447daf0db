# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from mira_cognition.bounds import Cause
from mira_cognition.endings import (
    INTERRUPTED,
    NO_WORDS,
    QUEUE_FULL,
    STOP_HEARD,
    TURN_REUSED,
    Outcome,
)
from mira_cognition.intake import Intake
from mira_cognition.trigger import OperatorTurn, SensorEvent
from mira_cognition.used_turns import UsedTurns
from mira_memory.heard_text import RAW_MAX

LOW = SensorEvent("battery", "percentage=0.1")


@pytest.fixture
def replies():
    return []


@pytest.fixture
def intake(replies):
    return Intake(replies.append, stop_words=["stop", "stop it"], robot_name="Mira", queue_size=3)


def turn(number, text=None):
    return OperatorTurn(f"turn-{number}", text or f"Utterance {number}.")


def test_utterances_are_served_in_order(intake, replies):
    for number in range(3):
        intake.hear(turn(number))
    assert [intake.next().trigger for _ in range(3)] == [turn(number) for number in range(3)]
    assert replies == []


def test_an_utterance_beyond_the_queue_is_refused_with_a_reply(intake, replies):
    for number in range(5):
        intake.hear(turn(number))
    assert [(reply.turn_id, reply.outcome, reply.text) for reply in replies] == [
        (f"turn-{number}", Outcome.REFUSED, QUEUE_FULL.said) for number in (3, 4)
    ]
    assert intake.depth == 3


def test_the_running_episode_takes_no_place_in_the_queue(intake, replies):
    intake.hear(turn(0))
    intake.next()
    for number in range(1, 4):
        intake.hear(turn(number))
    assert replies == []


def test_an_utterance_over_the_limit_is_refused(intake, replies):
    intake.hear(turn(0, "x" * RAW_MAX))
    intake.hear(turn(1, "x" * (RAW_MAX + 1)))
    assert [reply.turn_id for reply in replies] == ["turn-1"]
    assert replies[0].outcome is Outcome.REFUSED
    assert replies[0].text == "That was too long for me. Please say it in at most 4000 characters."


@pytest.mark.parametrize("text", [" ", "\n\t"])
def test_an_utterance_without_words_is_refused(intake, replies, text):
    intake.hear(turn(0, text))
    assert [reply.text for reply in replies] == [NO_WORDS.said]


def test_a_turn_id_used_before_with_another_text_is_refused(intake, replies):
    intake.hear(turn(0, "Hello."))
    intake.hear(turn(0, "Remember that Gordon likes tea."))
    assert [(reply.turn_id, reply.text) for reply in replies] == [("turn-0", TURN_REUSED.said)]
    assert intake.next().trigger.text == "Hello."


def test_an_utterance_heard_twice_is_served_once(intake, replies):
    intake.hear(turn(0))
    intake.hear(turn(0))
    assert (intake.depth, replies) == (1, [])


def test_utterances_without_a_turn_id_are_all_served(intake, replies):
    intake.hear(OperatorTurn("", "Hello."))
    intake.hear(OperatorTurn("", "Hello."))
    intake.hear(OperatorTurn("", "Good morning."))
    assert (intake.depth, replies) == (3, [])


@pytest.mark.parametrize("words", ["stop", "Stop!", "STOP IT.", "Mira, stop.", "Stop, Mira!"])
def test_a_spoken_stop_ends_the_running_episode_and_empties_the_queue(intake, replies, words):
    for number in range(3):
        intake.hear(turn(number))
    running = intake.next()
    intake.hear(turn(9, words))
    assert running.cancellation.cause is Cause.STOPPED
    assert [(reply.turn_id, reply.outcome, reply.text) for reply in replies] == [
        ("turn-1", Outcome.CANCELLED, INTERRUPTED[Cause.STOPPED].said),
        ("turn-2", Outcome.CANCELLED, INTERRUPTED[Cause.STOPPED].said),
        ("turn-9", Outcome.COMPLETED, STOP_HEARD.said),
    ]
    assert intake.depth == 0


def test_a_stop_is_heard_even_when_the_queue_is_full(intake, replies):
    for number in range(4):
        intake.hear(turn(number))
    intake.hear(turn(9, "Stop."))
    assert replies[-1].text == STOP_HEARD.said


@pytest.mark.parametrize("words", ["Where is the bus stop?", "Stop the music.", "Don't stop."])
def test_other_sentences_with_stop_are_ordinary(intake, replies, words):
    intake.hear(turn(0, words))
    assert (intake.depth, replies) == (1, [])


def test_cancelling_tells_how_many_episodes_it_ended(intake):
    assert intake.cancel() == 0
    for number in range(3):
        intake.hear(turn(number))
    intake.next()
    assert intake.cancel() == 3


def test_a_sensor_event_is_served_when_nobody_speaks(intake):
    assert intake.notice(LOW)
    assert intake.next().trigger == LOW


def test_at_most_one_sensor_event_waits(intake):
    assert intake.notice(LOW)
    assert not intake.notice(LOW)


def test_a_waiting_sensor_event_is_dropped_when_an_operator_speaks(intake):
    intake.notice(LOW)
    intake.hear(turn(0))
    assert intake.next().trigger == turn(0)
    intake.finished()
    assert intake.idle


def test_a_sensor_event_is_dropped_while_an_operator_is_served(intake):
    intake.hear(turn(0))
    assert not intake.notice(LOW)
    intake.next()
    assert not intake.notice(LOW)
    intake.finished()
    assert intake.notice(LOW)


def test_a_running_attention_episode_is_cut_short_when_an_operator_speaks(intake):
    intake.notice(LOW)
    running = intake.next()
    assert running.cancellation.cause is None
    intake.hear(turn(0))
    assert running.cancellation.cause is Cause.OPERATOR_SPOKE


def test_closing_answers_everything_and_refuses_what_still_comes(intake, replies):
    intake.hear(turn(0))
    intake.hear(turn(1))
    running = intake.next()
    intake.close()
    intake.hear(turn(2))
    assert running.cancellation.cause is Cause.SHUTDOWN
    assert [(reply.turn_id, reply.outcome) for reply in replies] == [
        ("turn-1", Outcome.CANCELLED),
        ("turn-2", Outcome.CANCELLED),
    ]
    intake.finished()
    assert intake.next() is None
    assert intake.idle


def test_the_oldest_used_turn_makes_room():
    used = UsedTurns(capacity=2)
    for number in range(3):
        used.keep(turn(number))
    assert [used.seen(turn(number)) for number in range(3)] == ["new", "repeated", "repeated"]
    assert used.seen(turn(2, "Something else.")) == "reused"
