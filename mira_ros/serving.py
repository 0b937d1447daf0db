# SPDX-License-Identifier: Apache-2.0
"""Run a node from its start to an orderly end (docs/architecture.md, "Start and end")."""

import gc
import sys
import time
from collections.abc import Callable, Sequence

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.service_introspection import ServiceIntrospectionState
from rclpy.signals import SignalHandlerOptions

from mira_ros.faults import fault_place
from mira_ros.parameters import ParameterRefused
from mira_ros.stop import StopSignals
from mira_ros.workload import Workload

QUIET_S = 0.5
DRAIN_S = 3.0


class ServedNode(Node):
    """A node that `serve` runs; a subclass says what to do at its end."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.workload = Workload()
        self.introspection = ServiceIntrospectionState.OFF

    def begin_stop(self) -> None:
        """Be told, once and on the executor's thread, that a signal asked for the end."""

    def settled(self) -> bool:
        """Tell whether everything received has been answered, so that the node may close."""
        return self.workload.quiet_for() >= QUIET_S

    def close(self) -> None:
        """Release what the node owns; called once, after the last callback."""


def serve(
    build: Callable[[], ServedNode],
    *,
    args: Sequence[str] | None = None,
    refusals: tuple[type[Exception], ...] = (),
) -> int:
    """Run the node that `build` makes until SIGINT or SIGTERM, and return the exit code.

    On a signal the node goes on serving until it is `settled`, at most 3 s, since the middleware
    may hold requests that nobody has taken yet; rclpy's own signal handlers would lose them.
    Returns 0 then. Returns 1, with one line on standard error, if the node could not start:
    `refusals` are the errors whose text is meant for the user. An exception in a callback is
    counted and logged by kind and place, and the node lives on.
    """
    for_the_user: tuple[type[Exception], ...] = (ParameterRefused, *refusals)
    with StopSignals() as stop:
        try:
            rclpy.init(
                args=None if args is None else list(args),
                signal_handler_options=SignalHandlerOptions.NO,
            )
            node = build()
        except for_the_user as refusal:
            return _not_started(str(refusal))
        except Exception as fault:
            # rclpy has a dozen exception types for arguments, names and files it cannot read.
            return _not_started(f"{type(fault).__name__}: {fault}")
        # What a node was built of, word lists above all, lives as long as the node. Looking for
        # garbage in it again and again would hold up a request by tens of milliseconds.
        gc.freeze()
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        stop.on_request(lambda: return_from_spin(executor))
        try:
            _spin(executor, node, stop)
        finally:
            stop.on_request(lambda: None)
            node.close()
            executor.shutdown()
            node.destroy_node()
            rclpy.try_shutdown()
    return 0


def _spin(executor: SingleThreadedExecutor, node: ServedNode, stop: StopSignals) -> None:
    while not stop.requested():
        if not _spin_once(executor, node, None):
            return
    node.workload.touch()
    node.begin_stop()
    end = time.monotonic() + DRAIN_S
    while time.monotonic() < end and not node.settled():
        if not _spin_once(executor, node, 0.05):
            return


def _spin_once(
    executor: SingleThreadedExecutor, node: ServedNode, timeout_s: float | None
) -> bool:
    """Run one callback; return whether there is still a context to run the next in."""
    try:
        executor.spin_once(timeout_sec=timeout_s)
    except ExternalShutdownException:
        return False
    except Exception as fault:
        node.workload.fault("callback")
        node.get_logger().error(f"A callback failed, the node goes on: {fault_place(fault)}.")
    return bool(executor.context.ok())


def return_from_spin(executor: SingleThreadedExecutor) -> None:
    """Have the `spin_once` that waits in another thread return.

    `Executor.wake` does not: it lets the wait look around and go on.
    """
    executor.create_task(lambda: None)


def _not_started(sentence: str) -> int:
    print(" ".join(sentence.split()), file=sys.stderr, flush=True)
    rclpy.try_shutdown()
    return 1
