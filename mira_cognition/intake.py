# SPDX-License-Identifier: Apache-2.0
"""What becomes of an utterance or a sensor event the moment it comes in."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from mira_cognition.bounds import Cancellation, Cause
from mira_cognition.endings import (
    INTERRUPTED,
    NO_WORDS,
    QUEUE_FULL,
    STOP_HEARD,
    TOO_LONG,
    TURN_REUSED,
    Ending,
)
from mira_cognition.phrases import clause_words
from mira_cognition.reply import EpisodeReply, refusal
from mira_cognition.trigger import OperatorTurn, SensorEvent, Trigger
from mira_cognition.used_turns import UsedTurns
from mira_memory.heard_text import RAW_MAX


@dataclass(frozen=True, slots=True)
class Admitted:
    """A trigger whose episode is to be run now, and what can end it early."""

    trigger: Trigger
    cancellation: Cancellation


class Intake:
    """Queue utterances in order, at most `queue_size`; never let a sensor event delay one.

    Its methods never block and may be called from any thread, apart from `next`, where the
    worker waits. `publish` gets the replies of utterances for which no episode is run.
    """

    def __init__(
        self,
        publish: Callable[[EpisodeReply], None],
        *,
        stop_words: Collection[str],
        robot_name: str,
        queue_size: int = 8,
    ) -> None:
        self._publish = publish
        self._stop_words = frozenset(stop_words)
        self._robot_words = clause_words(robot_name)
        self._queue_size = queue_size
        self._changed = threading.Condition()
        self._used = UsedTurns()
        self._waiting: deque[OperatorTurn] = deque()
        self._event: SensorEvent | None = None
        self._running: Admitted | None = None
        self._closed = False

    def hear(self, turn: OperatorTurn) -> None:
        """Take an utterance: it is queued, refused with a reply, or a repetition to ignore."""
        with self._changed:
            seen = self._used.seen(turn)
            if seen == "repeated":
                return
            stop = self._is_stop(turn.text)
            refused = self._why_refused(turn, seen, stop=stop)
            if refused is None:
                self._used.keep(turn)
            if refused is None and not stop:
                self._waiting.append(turn)
                self._event = None
                self._cut_attention_short()
                self._changed.notify_all()
        if refused is not None:
            self._publish(refusal(turn.turn_id, refused, limit=RAW_MAX))
        elif stop:
            self.cancel()
            self._publish(refusal(turn.turn_id, STOP_HEARD))

    def notice(self, event: SensorEvent) -> bool:
        """Take a sensor event unless an operator is being served or one waits; tell which."""
        with self._changed:
            busy = self._waiting or (
                self._running is not None and isinstance(self._running.trigger, OperatorTurn)
            )
            if busy or self._event is not None or self._closed:
                return False
            self._event = event
            self._changed.notify_all()
            return True

    def cancel(self, cause: Cause = Cause.STOPPED) -> int:
        """End the running episode and empty the queue; return how many episodes that ended."""
        with self._changed:
            dropped = list(self._waiting)
            self._waiting.clear()
            self._event = None
            running = self._running
            if running is not None:
                running.cancellation.cancel(cause)
        for turn in dropped:
            self._publish(refusal(turn.turn_id, INTERRUPTED[cause]))
        return len(dropped) + (running is not None)

    def close(self) -> None:
        """Cancel everything, refuse whatever still comes, and let the worker end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.cancel(Cause.SHUTDOWN)

    def next(self) -> Admitted | None:
        """Wait for the next trigger, an operator's first; None once closed."""
        with self._changed:
            while not (self._waiting or self._event or self._closed):
                self._changed.wait()
            if self._waiting:
                self._running = Admitted(self._waiting.popleft(), Cancellation())
            elif self._event is not None:
                self._running = Admitted(self._event, Cancellation())
                self._event = None
            else:
                return None
            return self._running

    def finished(self) -> None:
        """Be told that the reply of the running episode is out."""
        with self._changed:
            self._running = None

    @property
    def depth(self) -> int:
        """How many utterances wait."""
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Tell whether nothing runs and nothing waits."""
        with self._changed:
            return self._running is None and not self._waiting and self._event is None

    def _why_refused(self, turn: OperatorTurn, seen: str, *, stop: bool) -> Ending | None:
        if self._closed:
            return INTERRUPTED[Cause.SHUTDOWN]
        if seen == "reused":
            return TURN_REUSED
        if not turn.text.strip():
            return NO_WORDS
        if len(turn.text) > RAW_MAX:
            return TOO_LONG
        if not stop and len(self._waiting) >= self._queue_size:
            return QUEUE_FULL
        return None

    def _is_stop(self, text: str) -> bool:
        words = clause_words(text[:RAW_MAX])
        if self._robot_words:
            words = words.removeprefix(f"{self._robot_words} ")
            words = words.removesuffix(f" {self._robot_words}")
        return words in self._stop_words

    def _cut_attention_short(self) -> None:
        if self._running is not None and isinstance(self._running.trigger, SensorEvent):
            self._running.cancellation.cancel(Cause.OPERATOR_SPOKE)
