# SPDX-License-Identifier: Apache-2.0
"""Spin a node in a thread of its own, for a program whose main thread waits for a person."""

import threading
from collections.abc import Callable
from types import TracebackType

from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node

from mira_ros.faults import fault_place
from mira_ros.serving import return_from_spin


class SpinningThread:
    """Run a node's callbacks in one thread while the block runs, and join it at the end.

    The thread is joined before the executor is shut down: an executor torn down under a thread
    that still waits in it ends the whole process. An exception in a callback goes to `on_fault`
    as its kind and place, by default into the node's log, and the thread goes on.
    """

    def __init__(self, node: Node, on_fault: Callable[[str], None] | None = None) -> None:
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)
        self._on_fault = on_fault or (
            lambda place: node.get_logger().error(f"A callback failed: {place}.")
        )
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._spin, name="ros", daemon=True)

    def __enter__(self) -> "SpinningThread":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ending.set()
        return_from_spin(self._executor)
        self._thread.join()
        self._executor.shutdown()

    def _spin(self) -> None:
        while not self._ending.is_set():
            try:
                self._executor.spin_once()
            except ExternalShutdownException:
                return
            except Exception as fault:
                self._on_fault(fault_place(fault))
