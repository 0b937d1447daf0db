# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from mira_cognition.bounds import Bounds, Cancellation, Cause, Interrupted
from mira_cognition.capabilities import Remembered
from mira_cognition.endings import FAULT, INTERRUPTED, MODEL, Outcome
from mira_cognition.model import ModelAnswer, ModelRequest, ModelUnavailable
from mira_cognition.model_thread import ModelThreads


@pytest.mark.parametrize("reason", sorted(MODEL))
def test_an_unavailable_model_ends_with_its_own_sentence(stage, scripted, reason):
    reply = stage.run(scripted(ModelUnavailable(reason, "The server said no.")))
    assert (reply.outcome, reply.text) == (Outcome.MODEL_UNAVAILABLE, MODEL[reason].said)
    assert stage.told == [
        ("model", reason),
        ("reply", "model_unavailable"),
        ("end", f"model_{reason}"),
    ]


def test_a_model_that_raises_anything_is_unavailable(stage, scripted):
    reply = stage.run(scripted(ZeroDivisionError("secret words")))
    assert (reply.outcome, reply.text) == (Outcome.MODEL_UNAVAILABLE, MODEL["fault"].said)


def test_a_failure_inside_the_runtime_still_replies(stage, say, scripted):
    stage.capabilities.recalled = RuntimeError("bug")
    reply = stage.run(scripted(say.recall(), say.words("never asked for")))
    assert (reply.outcome, reply.text) == (Outcome.CANCELLED, FAULT.said)
    assert [str(fault) for fault in stage.faults] == ["bug"]


def test_a_proposal_whose_call_failed_is_unknown_not_refused(stage, say, scripted):
    stage.capabilities.remembered = RuntimeError("bug")
    reply = stage.run(scripted(say.remember(), say.words("never asked for")))
    assert reply.remembered == Remembered("unknown")
    assert reply.text == f"{FAULT.said} I could not find out whether that was stored."


def test_the_deadline_ends_the_episode(stage, say, scripted):
    def slow(request: ModelRequest) -> ModelAnswer:
        stage.clock.advance(31.0)
        return say.words("too late")

    reply = stage.run(scripted(slow))
    assert reply.outcome is Outcome.DEADLINE_EXCEEDED
    assert reply.text == INTERRUPTED[Cause.DEADLINE].said


def test_the_deadline_counts_all_steps_together(stage, say, scripted):
    def slow(request: ModelRequest) -> ModelAnswer:
        stage.clock.advance(16.0)
        return say.recall()

    model = scripted(slow, slow, say.words("never asked for"))
    assert stage.run(model).outcome is Outcome.DEADLINE_EXCEEDED
    assert len(model.requests) == 2


def test_what_was_stored_is_said_even_when_time_is_over(stage, say, scripted):
    def slow(request: ModelRequest) -> ModelAnswer:
        stage.clock.advance(31.0)
        return say.words("too late")

    reply = stage.run(scripted(say.remember(), slow))
    assert reply.outcome is Outcome.DEADLINE_EXCEEDED
    assert reply.remembered.memory_id == "MEM1"
    assert reply.text.endswith("I have stored that as MEM1.")


def test_a_request_gets_no_more_time_than_the_deadline_leaves(stage, say, scripted):
    def slow(request: ModelRequest) -> ModelAnswer:
        stage.clock.advance(25.0)
        return say.recall()

    model = scripted(slow, say.words("Well."))
    stage.run(model)
    assert [request.timeout_s for request in model.requests] == [20.0, 5.0]


@pytest.mark.parametrize("cause", [Cause.STOPPED, Cause.SHUTDOWN])
def test_a_cancelled_episode_ends_before_its_next_request(stage, say, scripted, cause):
    def cancelled(request: ModelRequest) -> ModelAnswer:
        stage.cancellation.cancel(cause)
        return say.recall()

    model = scripted(cancelled, say.words("never asked for"))
    reply = stage.run(model)
    assert (reply.outcome, reply.text) == (Outcome.CANCELLED, INTERRUPTED[cause].said)
    assert len(model.requests) == 1


class HangingModel:
    """Answer only when released, as a server that accepts and never answers."""

    name = "hanging"

    def __init__(self) -> None:
        self.released = threading.Event()
        self.asked = threading.Semaphore(0)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked.release()
        self.released.wait(20.0)
        return ModelAnswer("late")


@pytest.fixture
def hanging():
    model = HangingModel()
    yield model
    model.released.set()


def test_a_model_that_never_answers_ends_at_the_deadline(stage, hanging):
    stage.clock = time.monotonic
    stage.settings = replace(stage.settings, deadline_s=0.1)
    stage.surroundings = lambda: replace(type(stage)().surroundings(), uptime_s=0.0)
    began = time.monotonic()
    reply = stage.run(hanging)
    assert reply.outcome is Outcome.DEADLINE_EXCEEDED
    assert 0.1 <= time.monotonic() - began < 5.0


def test_a_hanging_model_is_left_as_soon_as_the_episode_is_cancelled(stage, hanging):
    replies = []
    episode = threading.Thread(target=lambda: replies.append(stage.run(hanging)))
    episode.start()
    assert hanging.asked.acquire(timeout=5.0)
    stage.cancellation.cancel(Cause.STOPPED)
    episode.join(5.0)
    assert [reply.outcome for reply in replies] == [Outcome.CANCELLED]


def test_a_bounded_number_of_hanging_requests_is_left_behind(hanging):
    threads = ModelThreads(hanging, request_timeout_s=0.01, limit=2)
    request = ModelRequest((), (), 1.0)

    def reason() -> str:
        bounds = Bounds(5.0, time.monotonic, Cancellation())
        with pytest.raises(ModelUnavailable) as unavailable:
            threads.answer(request, bounds)
        return unavailable.value.reason

    assert [reason() for _ in range(4)] == ["timed_out", "timed_out", "busy", "busy"]
    hanging.released.set()
    for thread in threading.enumerate():
        if thread.name == "model request":
            thread.join(5.0)
    bounds = Bounds(5.0, time.monotonic, Cancellation())
    threads = ModelThreads(hanging, request_timeout_s=5.0, limit=2)
    assert threads.answer(request, bounds).text == "late"


def test_the_first_cause_of_an_interruption_stays():
    cancellation = Cancellation()
    bounds = Bounds(5.0, time.monotonic, cancellation)
    bounds.check()
    cancellation.cancel(Cause.STOPPED)
    cancellation.cancel(Cause.SHUTDOWN)
    with pytest.raises(Interrupted) as interrupted:
        bounds.check()
    assert interrupted.value.cause is Cause.STOPPED


def test_waiting_inside_a_cancelled_episode_returns_at_once():
    cancellation = Cancellation()
    cancellation.cancel(Cause.STOPPED)
    done = threading.Event()
    Bounds(60.0, time.monotonic, cancellation).wait(done)
    assert done.is_set()
