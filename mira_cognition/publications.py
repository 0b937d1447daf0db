# SPDX-License-Identifier: Apache-2.0
"""What the cognition node publishes, as messages."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

from builtin_interfaces.msg import Time
from mira.msg import EpisodeEvent, Reply, WorkingMemoryItem
from mira.msg import WorkingMemory as WorkingMemoryMessage
from rclpy.node import Node
from std_msgs.msg import String

from mira_cognition.capabilities import Remembered
from mira_cognition.reply import EpisodeReply
from mira_cognition.steps import Step
from mira_cognition.tally import Tally
from mira_cognition.working_memory import WorkingMemory
from mira_ros.qos import EVENT_QOS, LATCHED_QOS, REPLY_QOS

_NS = 1_000_000_000


class Publications:
    """The audience of the worker: publishes replies, steps and the working memory."""

    def __init__(self, node: Node, working_memory: WorkingMemory, tally: Tally) -> None:
        self._clock = node.get_clock()
        self._working_memory = working_memory
        self._tally = tally
        self._reply = node.create_publisher(Reply, "reply", REPLY_QOS)
        self._say = node.create_publisher(String, "say", REPLY_QOS)
        self._events = node.create_publisher(EpisodeEvent, "episode_events", EVENT_QOS)
        self._latching = threading.Lock()
        self._latched = node.create_publisher(WorkingMemoryMessage, "working_memory", LATCHED_QOS)

    def replied(self, reply: EpisodeReply) -> None:
        """Publish a reply, and its text alone to be spoken."""
        self._tally.replied(reply)
        self._reply.publish(_reply_message(reply, self._stamp()))
        if reply.spoken:
            self._say.publish(String(data=reply.text))

    def stepped(self, step: Step) -> None:
        """Publish a step."""
        self._tally.stepped(step)
        self._events.publish(
            EpisodeEvent(
                stamp=self._stamp(),
                episode_id=step.episode_id,
                turn_id=step.turn_id,
                trigger=step.trigger,
                step=step.number,
                action=step.action,
                outcome=step.outcome,
                duration_s=step.duration_s,
            )
        )

    def working_memory_changed(self) -> None:
        """Publish the working memory as it is now; called from any thread."""
        # What is latched last must be what was read last.
        with self._latching:
            items = [
                WorkingMemoryItem(
                    stamp=_time(item.at),
                    operator_text=item.operator_text,
                    reply_text=item.reply_text,
                )
                for item in self._working_memory.items
            ]
            self._latched.publish(
                WorkingMemoryMessage(
                    stamp=self._stamp(), capacity=self._working_memory.capacity, items=items
                )
            )

    def now(self) -> datetime:
        """Return the node's ROS time."""
        return datetime.fromtimestamp(self._clock.now().nanoseconds / _NS, UTC)

    def _stamp(self) -> Time:
        return self._clock.now().to_msg()


def _reply_message(reply: EpisodeReply, stamp: Time) -> Reply:
    decided = reply.remembered or Remembered("unknown")
    conflict = decided.conflicts[0] if decided.conflicts else ""
    return Reply(
        stamp=stamp,
        turn_id=reply.turn_id,
        text=reply.text,
        outcome=reply.outcome.value,
        memory_status=decided.status if reply.remembered else "",
        memory_admission=decided.admission,
        memory_reason=decided.reason,
        entity_id=decided.entity_id,
        memory_id=decided.memory_id or conflict,
        acquisitions=reply.acquisitions,
    )


def _time(moment: datetime) -> Time:
    seconds = moment.timestamp()
    return Time(sec=int(seconds), nanosec=int((seconds % 1) * _NS))
