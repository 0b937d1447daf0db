# SPDX-License-Identifier: Apache-2.0
"""Keep the operator's turns while they are open: what was heard, and what was decided on it.

Follows docs/memory.md, "Turns".
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

from mira_memory.proposal import Proposal
from mira_memory.refusals import Refusal, refusal
from mira_memory.result import AdmissionResult
from mira_memory.text import SOURCE_LABEL_MAX, TextRefused, checked, key, refused_character
from mira_memory.utterance import Ungroundable, Utterance, hear

TURN_ID_MAX = 256
_ENDED_MAX = 4096


class Heard(StrEnum):
    """Say what became of an utterance."""

    OPENED = "opened"
    REPEATED = "repeated"
    UNGROUNDABLE = "ungroundable"
    VOID = "void"
    OVER = "over"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Decision:
    """Hold the answer that decided a turn; `proposal` is None if it could not be read."""

    proposal: Proposal | None
    result: AdmissionResult


@dataclass(slots=True)
class Turn:
    """Hold one utterance. Exactly one of `utterance` and `refusal` is set.

    `decision` is set once, by whoever admits; it stays with the turn when the turn is over, so
    a request that was under way then cannot be decided twice.
    """

    text: str
    speaker: str
    opened_at: float
    utterance: Utterance | None = None
    refusal: Refusal | None = None
    decision: Decision | None = field(default=None, init=False)


class TurnBook:
    """Hold the open turns, each for `ttl_s` seconds of a steady clock or until it is ended.

    A full book refuses the newest utterance and never drops an open turn. An identity that was
    heard twice with different words is void. `speakers` limits whose words may ground a write;
    empty, everybody's may. Safe to use from several threads.
    """

    def __init__(
        self,
        capacity: int = 64,
        ttl_s: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
        speakers: Iterable[str] = (),
    ) -> None:
        self._capacity = capacity
        self._ttl_s = ttl_s
        self._clock = clock
        self._speakers = frozenset(key(speaker) for speaker in speakers)
        self._open: OrderedDict[str, Turn] = OrderedDict()
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def heard(self, turn_id: str, text: str, speaker: str = "") -> Heard:
        """Open a turn with what the operator said in it."""
        if not is_turn_id(turn_id):
            return Heard.UNGROUNDABLE
        with self._lock:
            self._expire()
            if turn_id in self._ended:
                return Heard.OVER
            turn = self._open.get(turn_id)
            if turn is not None:
                if (turn.text, turn.speaker) == (text, speaker):
                    return Heard.REPEATED
                turn.utterance, turn.refusal = None, refusal("void turn")
                return Heard.VOID
            if len(self._open) >= self._capacity:
                return Heard.FULL
            turn = self._heard(text, speaker)
            self._open[turn_id] = turn
            return Heard.OPENED if turn.refusal is None else Heard.UNGROUNDABLE

    def lookup(self, turn_id: str) -> Turn | None:
        """Return the turn if it is open."""
        with self._lock:
            self._expire()
            return self._open.get(turn_id)

    def end(self, turn_id: str) -> None:
        """End a turn, heard or not: an utterance that comes later opens nothing."""
        if not is_turn_id(turn_id):
            return
        with self._lock:
            self._expire()
            self._open.pop(turn_id, None)
            self._remember_ended(turn_id)

    def knows(self, turn_id: str) -> bool:
        """Tell whether waiting for the turn's utterance is pointless: it is open, over or no turn.

        A request may overtake its utterance; then it is worth a short wait.
        """
        if not is_turn_id(turn_id):
            return True
        with self._lock:
            self._expire()
            return turn_id in self._open or turn_id in self._ended

    def _heard(self, text: str, speaker: str) -> Turn:
        turn = Turn(text, speaker, self._clock())
        if self._speakers and key(speaker) not in self._speakers:
            turn.refusal = refusal("unlisted speaker")
            return turn
        try:
            if speaker.strip():
                checked(speaker, "speaker label", SOURCE_LABEL_MAX)
            turn.utterance = hear(text)
        except (Ungroundable, TextRefused) as error:
            turn.refusal = refusal("ungroundable", detail=str(error))
        return turn

    def _expire(self) -> None:
        # Turns are in order of their opening, and the clock is steady.
        horizon = self._clock() - self._ttl_s
        while self._open:
            turn_id, turn = next(iter(self._open.items()))
            if turn.opened_at > horizon:
                return
            del self._open[turn_id]
            self._remember_ended(turn_id)

    def _remember_ended(self, turn_id: str) -> None:
        self._ended[turn_id] = None
        self._ended.move_to_end(turn_id)
        if len(self._ended) > _ENDED_MAX:
            self._ended.popitem(last=False)


def is_turn_id(turn_id: object) -> bool:
    """Tell whether a write can be grounded under this identity: 1 to 256 visible characters."""
    return (
        isinstance(turn_id, str)
        and 0 < len(turn_id) <= TURN_ID_MAX
        and refused_character(turn_id) is None
    )
