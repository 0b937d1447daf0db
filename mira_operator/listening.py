# SPDX-License-Identifier: Apache-2.0
"""Hear every kind of publisher, and each of its messages once."""

from collections import deque
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from mira_ros.qos import LISTEN_QOS, UTTERANCE_QOS

_REMEMBERED = 256


class Listener:
    """
    Two subscriptions to one topic, for ``callback``.

    A reliable subscription hears no best-effort publisher. A best-effort one hears both kinds, but
    loses what a publisher sends at the moment of its discovery: the one message of
    ``ros2 topic pub --once`` was lost in every third run. Together they lose only what a
    best-effort publisher loses by itself. What both hear is told by the time of its sending.
    """

    def __init__(
        self, node: Node, msg_type: Any, topic: str, callback: Callable[[Any], None]
    ) -> None:
        self._callback = callback
        self._heard: deque[tuple[int, Any]] = deque(maxlen=_REMEMBERED)
        for qos in (UTTERANCE_QOS, LISTEN_QOS):
            node.create_subscription(msg_type, topic, self._arrived, qos)

    def _arrived(self, message: Any, info: dict[str, Any]) -> None:
        sent = (info["source_timestamp"], message)
        if sent not in self._heard:
            self._heard.append(sent)
            self._callback(message)
