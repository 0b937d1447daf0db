# SPDX-License-Identifier: Apache-2.0
"""Hear the operator's utterances, and the replies that end their turns.

Follows docs/memory.md, "Turns".
"""

from collections import Counter, defaultdict

from mira.msg import OperatorUtterance, Reply
from rclpy.task import Future

from mira_memory.persistent import PersistentMemory
from mira_memory.turns import Heard
from mira_ros.qos import REPLY_QOS, UTTERANCE_QOS
from mira_ros.serving import ServedNode
from mira_ros.waiting import wait_at_most

LATE_UTTERANCE_S = 0.5


class Hearing:
    """The subscriptions that open and end turns, and the wait for an utterance that is late.

    `heard` counts what became of the utterances.
    """

    def __init__(self, node: ServedNode, memory: PersistentMemory) -> None:
        self.heard: Counter[Heard] = Counter()
        self._node = node
        self._memory = memory
        self._waits: defaultdict[str, list[Future]] = defaultdict(list)
        self._utterances = node.create_subscription(
            OperatorUtterance, "operator_utterance", self._hear, UTTERANCE_QOS
        )
        node.create_subscription(Reply, "reply", self._end_turn, REPLY_QOS)

    async def turn(self, turn_id: str) -> None:
        """Wait until the turn is known, at most 500 ms; a request may overtake its utterance."""
        if self._memory.knows_turn(turn_id):
            return
        heard = Future()
        waits = self._waits[turn_id]
        waits.append(heard)
        try:
            await wait_at_most(self._node, heard, LATE_UTTERANCE_S)
        finally:
            waits.remove(heard)
            if not waits:
                self._waits.pop(turn_id, None)

    def _hear(self, utterance: OperatorUtterance) -> None:
        self._node.workload.touch()
        outcome = self._memory.hear(utterance.turn_id, utterance.text, utterance.speaker)
        self.heard[outcome] += 1
        self._tell(utterance.turn_id)

    def _end_turn(self, reply: Reply) -> None:
        self._node.workload.touch()
        try:
            # The reply may have overtaken its utterance, which must not open the turn again.
            while (taken := self._take_utterance()) is not None:
                self._hear(taken)
        finally:
            self._memory.end_turn(reply.turn_id)
            self._tell(reply.turn_id)

    def _take_utterance(self) -> OperatorUtterance | None:
        with self._utterances.handle:
            taken = self._utterances.handle.take_message(OperatorUtterance, False)
        return None if taken is None else taken[0]

    def _tell(self, turn_id: str) -> None:
        for heard in self._waits.get(turn_id, ()):
            if not heard.done():
                heard.set_result(True)
