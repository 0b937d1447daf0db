# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field

import pytest

from mira_cognition.claims import ClaimGuard
from mira_cognition.endings import FAULT, Outcome
from mira_cognition.episode import Equipment
from mira_cognition.intake import Intake
from mira_cognition.model import ModelAnswer
from mira_cognition.model_thread import ModelThreads
from mira_cognition.reply import EpisodeReply
from mira_cognition.steps import Step
from mira_cognition.trigger import OperatorTurn, SensorEvent
from mira_cognition.worker import Worker
from mira_cognition.working_memory import WorkingMemory


@dataclass
class Heard:
    replies: queue.Queue[EpisodeReply] = field(default_factory=queue.Queue)
    steps: list[Step] = field(default_factory=list)
    changes: int = 0

    def replied(self, reply: EpisodeReply) -> None:
        self.replies.put(reply)

    def stepped(self, step: Step) -> None:
        self.steps.append(step)

    def working_memory_changed(self) -> None:
        self.changes += 1


class EchoModel:
    name = "echo"

    def prepare(self):
        pass

    def answer(self, request):
        return ModelAnswer(f"You said: {request.messages[-1].text}")


@pytest.fixture
def started(stage):
    """Start a worker over a model; give its intake, what it told, and its working memory."""
    workers = []

    def start(model, surroundings=None):
        heard = Heard()
        intake = Intake(heard.replied, stop_words=["stop"], robot_name="Mira", queue_size=30)
        equipment = Equipment(
            ModelThreads(model, request_timeout_s=20.0),
            stage.capabilities,
            surroundings or stage.surroundings,
            ClaimGuard(),
            stage.settings,
            stage.clock,
            stage.faults.append,
        )
        memory = WorkingMemory()
        worker = Worker(intake, equipment, memory, heard)
        worker.start()
        workers.append((worker, intake))
        return intake, heard, memory

    yield start
    for worker, intake in workers:
        intake.close()
        assert worker.join(5.0)


def test_every_turn_gets_its_one_reply_in_order(started):
    intake, heard, _ = started(EchoModel())
    for number in range(20):
        intake.hear(OperatorTurn(f"turn-{number}", f"number {number}"))
    replies = [heard.replies.get(timeout=5.0) for _ in range(20)]
    assert [(reply.turn_id, reply.text) for reply in replies] == [
        (f"turn-{number}", f"You said: number {number}") for number in range(20)
    ]
    intake.close()
    assert heard.replies.empty()
    assert len({step.episode_id for step in heard.steps}) == 20


def test_a_fault_in_one_turn_leaves_the_next_one_unharmed(started, stage):
    faults = [RuntimeError("bug")]

    def surroundings():
        if faults:
            raise faults.pop()
        return stage.surroundings()

    intake, heard, _ = started(EchoModel(), surroundings)
    intake.hear(OperatorTurn("turn-1", "one"))
    intake.hear(OperatorTurn("turn-2", "two"))
    first, second = (heard.replies.get(timeout=5.0) for _ in range(2))
    assert (first.outcome, first.text) == (Outcome.CANCELLED, FAULT.said)
    assert second.text == "You said: two"
    assert len(stage.faults) == 1


def test_only_completed_interactions_are_kept_in_working_memory(started, scripted, say):
    intake, heard, memory = started(
        scripted(say.words("Hello."), RuntimeError("unreachable"), say.words("Low battery."))
    )
    intake.hear(OperatorTurn("turn-1", "Hi."))
    assert heard.replies.get(timeout=5.0).outcome is Outcome.COMPLETED
    intake.hear(OperatorTurn("turn-2", "Hi again."))
    assert heard.replies.get(timeout=5.0).outcome is Outcome.MODEL_UNAVAILABLE
    intake.close()
    assert [(item.operator_text, item.reply_text) for item in memory.items] == [("Hi.", "Hello.")]
    assert heard.changes == 1


def test_an_attention_episode_replies_without_a_turn_and_is_no_interaction(started, scripted, say):
    intake, heard, memory = started(scripted(say.words("The battery is low.")))
    assert intake.notice(SensorEvent("battery", "percentage=0.1"))
    reply = heard.replies.get(timeout=5.0)
    assert (reply.turn_id, reply.text) == ("", "The battery is low.")
    intake.close()
    assert memory.items == ()


def test_an_operator_cuts_an_attention_episode_short(started):
    hanging = HangingModel()
    intake, heard, _ = started(hanging)
    assert intake.notice(SensorEvent("battery", "percentage=0.1"))
    assert hanging.asked.acquire(timeout=5.0)
    intake.hear(OperatorTurn("turn-1", "Hello."))
    cut = heard.replies.get(timeout=5.0)
    assert (cut.turn_id, cut.outcome, cut.spoken) == ("", Outcome.CANCELLED, False)
    hanging.released.set()
    assert heard.replies.get(timeout=5.0).turn_id == "turn-1"


class HangingModel:
    name = "hanging"

    def __init__(self):
        self.asked = threading.Semaphore(0)
        self.released = threading.Event()

    def prepare(self):
        pass

    def answer(self, request):
        self.asked.release()
        self.released.wait(10.0)
        return ModelAnswer("Here.")


def test_a_model_that_cannot_be_prepared_leaves_the_worker_running(started):
    class Unprepared(EchoModel):
        def prepare(self):
            raise RuntimeError("no such library")

    intake, heard, _ = started(Unprepared())
    intake.hear(OperatorTurn("turn-1", "Hello."))
    assert heard.replies.get(timeout=5.0).text == "You said: Hello."
