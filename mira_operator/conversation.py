# SPDX-License-Identifier: Apache-2.0
"""Say lines to the robot and wait, within bounds, for its replies."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from mira.msg import Reply
from rclpy.node import Node

from mira_operator.utterances import OperatorVoice, new_turn_id
from mira_ros.qos import REPLY_QOS

_REMEMBERED_TURNS = 256
_REPLIER_S = 2.0
_LOOK_S = 0.02


class NobodyReplies(Exception):
    """No cognition node is there to reply."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One line said to the robot: how long its reply is waited for, on the steady clock."""

    turn_id: str
    deadline: float
    reply: Future[Reply] = field(default_factory=Future)


class Conversation:
    """Talk as the operator; replies to its own turns and unprompted ones go to ``show``.

    ``show`` runs on the thread that spins the node. Replies to other speakers are not shown.
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
        return turn

    def _reply_arrived(self, reply: Reply) -> None:
        with self._lock:
            turn = self._turns.get(reply.turn_id)
        if turn is None and reply.turn_id:
            return
        self._show(reply)
        if turn is not None and not turn.reply.done():
            turn.reply.set_result(reply)
