# SPDX-License-Identifier: Apache-2.0
"""Tell the graph what changed: identities, codes and counts, never words."""

from collections.abc import Sequence

from mira.msg import MemoryEvent, MemoryStatus

from mira_memory.messages import status_message
from mira_memory.records import entity_identity, memory_identity
from mira_memory.store import Store
from mira_ros.faults import fault_place
from mira_ros.qos import EVENT_QOS, LATCHED_QOS
from mira_ros.serving import ServedNode


class Announcements:
    """The topics `memory_events` and `memory/status`."""

    def __init__(self, node: ServedNode, store: Store) -> None:
        self._node = node
        self._store = store
        self._events = node.create_publisher(MemoryEvent, "memory_events", EVENT_QOS)
        self._status = node.create_publisher(MemoryStatus, "memory/status", LATCHED_QOS)
        self._published: MemoryStatus | None = None
        self.publish_status()

    def event(
        self,
        operation: str,
        *,
        reason: str = "",
        entities: Sequence[int] = (),
        memories: Sequence[int] = (),
        source_kind: str = "",
    ) -> None:
        """Publish one event, and the status if it changed with it.

        Never raises: the change is committed, and a fault here must not make its caller believe
        that nothing was written.
        """
        try:
            self._events.publish(
                MemoryEvent(
                    stamp=self._node.get_clock().now().to_msg(),
                    operation=operation,
                    reason=reason,
                    entity_ids=[entity_identity(number) for number in entities],
                    memory_ids=[memory_identity(number) for number in memories],
                    source_kind=source_kind,
                )
            )
            self.publish_status()
        except Exception as fault:
            self._node.workload.fault("memory_events")
            self._node.get_logger().error(f"A change was not announced: {fault_place(fault)}.")

    def status(self) -> MemoryStatus:
        """Return the store's status as it is now."""
        return status_message(self._store.status(), self._node.get_clock().now().to_msg())

    def publish_status(self) -> None:
        """Publish the status if it differs from the one that was published last."""
        status = self.status()
        published = self._published
        if published is not None:
            published.stamp = status.stamp
        if status != published:
            self._status.publish(status)
        self._published = status
