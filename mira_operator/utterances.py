# SPDX-License-Identifier: Apache-2.0
"""Publish what the operator says, once those who must hear it are there."""

import time
import uuid

from mira.msg import OperatorUtterance
from rclpy.node import Node

from mira_operator.offers import offered_by
from mira_ros.qos import UTTERANCE_QOS

_TOPIC = "operator_utterance"
# By these services the two who must hear it are known: memory, which grounds, and cognition.
_OFFERED_BY_READERS = ("recall_memory", "cognition/cancel")
_WAIT_S = 2.0
_LOOK_S = 0.02


class OperatorVoice:
    """
    The publisher of ``operator_utterance``.

    The first utterance waits, at most 2 s, until memory and cognition are matched: a volatile
    topic keeps nothing for those who come later. Other readers, such as a recorder, don't count.
    The wait blocks the calling thread only; the middleware matches readers in its own.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._publisher = node.create_publisher(OperatorUtterance, _TOPIC, UTTERANCE_QOS)
        self._must_hear = {node.resolve_service_name(name) for name in _OFFERED_BY_READERS}
        self._waited = False

    def wait(self) -> None:
        """Wait for the readers, where that has not been done."""
        end = time.monotonic() + _WAIT_S
        while not self._waited and not self._heard() and time.monotonic() < end:
            time.sleep(_LOOK_S)
        self._waited = True

    def say(self, text: str, speaker: str, turn_id: str) -> None:
        """Publish an utterance under a turn id that no other has."""
        self.wait()
        self._publisher.publish(
            OperatorUtterance(
                stamp=self._node.get_clock().now().to_msg(),
                turn_id=turn_id,
                text=text,
                speaker=speaker,
            )
        )

    def _heard(self) -> bool:
        readers = self._node.get_subscriptions_info_by_topic(_TOPIC)
        if self._publisher.get_subscription_count() < len(readers):
            return False
        offered = {
            service
            for reader in readers
            for service in offered_by(self._node, reader.node_name, reader.node_namespace)
        }
        return self._must_hear <= offered


def new_turn_id() -> str:
    """Return an identity for a turn that no other turn has."""
    return uuid.uuid4().hex
