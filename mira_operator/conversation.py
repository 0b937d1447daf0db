# SPDX-License-Identifier: Apache-2.0
"""Say lines to the robot and wait, within bounds, for its replies."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from mira.msg import Reply
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from mira_operator.utterances import OperatorVoice, new_turn_id
from mira_ros.qos import REPLY_QOS

_REMEMBERED_TURNS = 256
_REPLIER_S = 2.0
_LOOK_S = 0.02
_AGAIN_S = 0.25
_REPEATS = 4


class NobodyReplies(Exception):
    """No cognition node is there to reply."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One line said to the robot: how long its reply is waited for, on the steady clock."""

    turn_id: str
    deadline: float
    reply: Future[Reply] = field(default_factory=Future)


@dataclass(slots=True)
class _Unanswered:
    text: str
    turn_id: str
    again_at: float
    pause_s: float = _AGAIN_S
    repeats: int = 0


class Conversation:
    """Talk as the operator; replies to its own turns and unprompted ones go to ``show``.

    ``show`` runs on the thread that spins the node. Replies to other speakers are not shown.

    A reader that is known here may not know this publisher yet, and what is sent then never
    reaches it: so it was with one first utterance in ten on a busy machine. Until one reply shows
    that both sides know each other, what is unanswered is said again after 0.25, 0.5, 1 and 2 s;
    the same turn heard twice is one turn.
    """

    def __init__(
        self, node: Node, speaker: str, patience_s: float, show: Callable[[Reply], None]
    ) -> None:
        self._speaker = speaker
        self._patience_s = patience_s
        self._show = show
        self._lock = threading.Lock()
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._met = False
        self._unanswered: list[_Unanswered] = []
        self._again = node.create_timer(
            _AGAIN_S / 2, self._say_again, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        self._voice = OperatorVoice(node)
        self._replies = node.create_subscription(Reply, "reply", self._reply_arrived, REPLY_QOS)

    def say(self, text: str) -> Turn:
        """Publish an utterance; the first one waits at most 2 s for those who must hear it.

        :raises NobodyReplies: nothing was published, since nobody would answer.
        """
        if not self._met:
            self._voice.wait()
            end = time.monotonic() + _REPLIER_S
            while not self._replies.get_publisher_count() and time.monotonic() < end:
                time.sleep(_LOOK_S)
            self._met = True
        if not self._replies.get_publisher_count():
            self._met = False
            raise NobodyReplies
        turn = Turn(new_turn_id(), time.monotonic() + self._patience_s)
        with self._lock:
            self._turns[turn.turn_id] = turn
            if len(self._turns) > _REMEMBERED_TURNS:
                self._turns.popitem(last=False)
        self._voice.say(text, self._speaker, turn.turn_id)
        if not self._again.is_canceled():
            with self._lock:
                again_at = time.monotonic() + _AGAIN_S
                self._unanswered.append(_Unanswered(text, turn.turn_id, again_at))
        return turn

    def _say_again(self) -> None:
        now = time.monotonic()
        with self._lock:
            due = [each for each in self._unanswered if each.again_at <= now]
            for each in due:
                each.repeats += 1
                each.pause_s *= 2.0
                each.again_at = now + each.pause_s
            self._unanswered = [each for each in self._unanswered if each.repeats < _REPEATS]
        for each in due:
            self._voice.say(each.text, self._speaker, each.turn_id)

    def _reply_arrived(self, reply: Reply) -> None:
        with self._lock:
            turn = self._turns.get(reply.turn_id)
        if turn is None and reply.turn_id:
            return
        if turn is not None:
            self._again.cancel()
        self._show(reply)
        if turn is not None and not turn.reply.done():
            turn.reply.set_result(reply)
