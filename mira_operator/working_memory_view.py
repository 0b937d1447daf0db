# SPDX-License-Identifier: Apache-2.0
"""The robot's volatile conversation, seen and cleared from outside."""

import threading

from mira.msg import Reply, WorkingMemory
from rclpy.node import Node
from std_srvs.srv import Trigger

from mira_operator.memory_services import CommandFailed
from mira_operator.printable import printable
from mira_ros.calls import CallOutcome, ServiceCaller
from mira_ros.qos import LATCHED_QOS

_LATCH_S = 2.0
_CLEAR_S = 5.0
# The reply and the state after it come on two topics, in any order.
_BEHIND_S = 0.5


class WorkingMemoryView:
    """The latched topic of the working memory, and the service that empties it."""

    def __init__(self, node: Node) -> None:
        self._place = node.get_namespace()
        self._changed = threading.Condition()
        self._expected = 0
        self._latest: WorkingMemory | None = None
        self._clear = ServiceCaller(node, Trigger, "cognition/clear_working_memory")
        self._subscription = node.create_subscription(
            WorkingMemory, "working_memory", self._arrived, LATCHED_QOS
        )

    def expect(self, reply: Reply) -> None:
        """Have the next ``show`` wait for the interaction that this reply completes."""
        with self._changed:
            self._expected = _nanoseconds(reply)

    def show(self) -> WorkingMemory:
        """
        Return the newest state.

        :raises CommandFailed: no node has published one within 2 s, or the one that did is gone.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._latest is not None, _LATCH_S)
            self._changed.wait_for(self._is_current, _BEHIND_S)
            latest = self._latest
        if latest is None or not self._subscription.get_publisher_count():
            raise CommandFailed(f"No cognition node runs in {self._place}; start the robot.")
        return latest

    def clear(self) -> None:
        """
        Empty the working memory, and wait until its topic says so.

        :raises CommandFailed: the cognition node did not do it within 5 s.
        """
        call = self._clear.call(Trigger.Request(), _CLEAR_S)
        if call.outcome is CallOutcome.UNAVAILABLE:
            raise CommandFailed(f"No cognition node runs in {self._place}; start the robot.")
        if call.outcome is not CallOutcome.ANSWERED:
            raise CommandFailed(
                f"The cognition node did not answer within {_CLEAR_S:g} s; try again."
            )
        if not call.response.success:
            raise CommandFailed(printable(call.response.message))
        with self._changed:
            self._changed.wait_for(
                lambda: self._latest is None or not self._latest.items, _LATCH_S
            )

    def _is_current(self) -> bool:
        return self._latest is None or _nanoseconds(self._latest) >= self._expected

    def _arrived(self, working: WorkingMemory) -> None:
        with self._changed:
            self._latest = working
            self._changed.notify_all()


def _nanoseconds(message: Reply | WorkingMemory) -> int:
    return int(message.stamp.sec * 1_000_000_000 + message.stamp.nanosec)
