# SPDX-License-Identifier: Apache-2.0
"""A client that does as little beside the call as rclpy allows."""

import time
from types import TracebackType
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from mira_ros.qos import SERVICE_QOS

FOUND_S = 20.0
ANSWER_S = 1.0
ATTEMPTS = 10


class Caller:
    """Call services, one call at a time, in the thread of whoever asks.

    Every service has a node and an executor of its own, so that the executor looks at nothing but
    the answer. Use it in a `with` block.
    """

    def __init__(self, domain: int) -> None:
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.repeated = 0
        self._executors: dict[str, SingleThreadedExecutor] = {}
        self._clients: dict[str, Any] = {}
        self._nodes: list[Node] = []

    def __enter__(self) -> "Caller":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for executor in self._executors.values():
            executor.shutdown()
        for node in self._nodes:
            node.destroy_node()
        rclpy.shutdown(context=self.context)

    def node(self) -> Node:
        """Return a new node, which nobody spins."""
        node = rclpy.create_node(f"caller_{len(self._nodes)}", context=self.context)
        self._nodes.append(node)
        return node

    def expect(self, srv_type: Any, name: str) -> Any:
        """Make the client of a service, whether or not it is there yet."""
        node = self.node()
        self._executors[name] = SingleThreadedExecutor(context=self.context)
        self._executors[name].add_node(node)
        self._clients[name] = node.create_client(srv_type, name, qos_profile=SERVICE_QOS)
        return self._clients[name]

    def call(self, srv_type: Any, name: str, request: Any) -> Any:
        """Return the response of the service; a call that gets none is made again.

        `repeated` counts those: the middleware loses a message now and then where many processes
        share few cores.
        """
        if name not in self._clients:
            assert self.expect(srv_type, name).wait_for_service(FOUND_S), f"nobody offers {name}"
        executor, client = self._executors[name], self._clients[name]
        for _ in range(ATTEMPTS):
            future = client.call_async(request)
            end = time.monotonic() + ANSWER_S
            while not future.done() and time.monotonic() < end:
                executor.spin_once(timeout_sec=ANSWER_S)
            if future.done():
                return future.result()
            self.repeated += 1
        raise AssertionError(f"{name} did not answer {ATTEMPTS} calls, each in {ANSWER_S} s")
