# SPDX-License-Identifier: Apache-2.0
"""Publish a first message only when those who must hear it are there."""

import time
from typing import Any

from rclpy.node import Node
from rclpy.qos import QoSProfile

WAIT_S = 2.0
_LOOK_S = 0.01


class HeardPublisher:
    """A publisher that waits, at most 2 s and once, until enough readers are matched.

    A volatile topic keeps nothing for a reader that comes later, so what is published in the
    moments after the start of a process would be lost. The wait blocks the calling thread only:
    the middleware matches readers in threads of its own, so a callback may wait here too.
    """

    def __init__(
        self, node: Node, msg_type: Any, topic: str, qos: QoSProfile, readers: int
    ) -> None:
        self._publisher = node.create_publisher(msg_type, topic, qos)
        self._readers = readers
        self._waited = False

    def publish(self, message: Any) -> bool:
        """Publish, and return whether the expected readers are matched."""
        if not self._waited:
            self.wait()
        self._publisher.publish(message)
        return self.heard()

    def wait(self, budget_s: float = WAIT_S) -> bool:
        """Wait until the readers are matched, at most `budget_s`; return whether they are."""
        self._waited = True
        end = time.monotonic() + budget_s
        while not self.heard() and time.monotonic() < end:
            time.sleep(_LOOK_S)
        return self.heard()

    def heard(self) -> bool:
        """Tell whether the expected readers are matched now."""
        return bool(self._publisher.get_subscription_count() >= self._readers)
