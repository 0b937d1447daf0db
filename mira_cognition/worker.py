# SPDX-License-Identifier: Apache-2.0
"""The one thread that runs episodes, each to exactly one reply."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from mira_cognition.bounds import Bounds
from mira_cognition.endings import FAULT, Outcome
from mira_cognition.episode import Episode, Equipment
from mira_cognition.intake import Admitted, Intake
from mira_cognition.reply import EpisodeReply, refusal
from mira_cognition.steps import Step, Steps
from mira_cognition.trigger import OperatorTurn, turn_of
from mira_cognition.working_memory import WorkingMemory


class Audience(Protocol):
    """Whoever is told what episodes do; called from the worker's thread, and must not block."""

    def replied(self, reply: EpisodeReply) -> None:
        """Give the one reply of a turn."""
        ...

    def stepped(self, step: Step) -> None:
        """Tell of a step."""
        ...

    def working_memory_changed(self) -> None:
        """Tell that the working memory has changed."""
        ...


class Worker:
    """Run what the intake admits, one episode at a time, in a daemon thread of its own."""

    def __init__(
        self,
        intake: Intake,
        equipment: Equipment,
        working_memory: WorkingMemory,
        audience: Audience,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._intake = intake
        self._equipment = equipment
        self._working_memory = working_memory
        self._audience = audience
        self._now = now
        self._session = uuid.uuid4().hex[:8]
        self._episodes = 0
        self._thread = threading.Thread(target=self._run, name="episodes", daemon=True)

    def start(self) -> None:
        """Begin to run episodes."""
        self._thread.start()

    def join(self, timeout_s: float) -> bool:
        """Wait for the end of the last episode, once the intake is closed; tell if it came."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        self._equipment.models.prepare()
        while (admitted := self._intake.next()) is not None:
            try:
                reply = self._episode(admitted)
                self._audience.replied(reply)
                self._keep(admitted, reply)
            except Exception as error:
                self._equipment.faulted(error)
            finally:
                self._intake.finished()

    def _episode(self, admitted: Admitted) -> EpisodeReply:
        equipment = self._equipment
        self._episodes += 1
        steps = Steps(
            f"{self._session}-{self._episodes}",
            admitted.trigger,
            equipment.clock,
            self._audience.stepped,
        )
        bounds = Bounds(equipment.settings.deadline_s, equipment.clock, admitted.cancellation)
        try:
            history = self._working_memory.items
            return Episode(admitted.trigger, equipment, bounds, history, steps).run()
        except Exception as error:
            equipment.faulted(error)
            return refusal(turn_of(admitted.trigger), FAULT)

    def _keep(self, admitted: Admitted, reply: EpisodeReply) -> None:
        trigger = admitted.trigger
        if isinstance(trigger, OperatorTurn) and reply.outcome is Outcome.COMPLETED:
            self._working_memory.add(self._now(), trigger.text, reply.text)
            self._audience.working_memory_changed()
