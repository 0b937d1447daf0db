# SPDX-License-Identifier: Apache-2.0
"""A node of the test's own that calls services, publishes and listens."""

from collections.abc import Callable
from typing import Any

import rclpy
from builtin_interfaces.msg import Time
from mira.msg import OperatorUtterance, Reply
from rclpy.context import Context
from rclpy.qos import QoSProfile
from robot_graph import wait_until

from mira_ros.calls import CallOutcome, ServiceCaller
from mira_ros.qos import LATCHED_QOS, REPLY_QOS, SERVICE_QOS, UTTERANCE_QOS
from mira_ros.spinning import SpinningThread

CALL_S = 10.0
_SILENCE_S = 2.0


class Probe:
    """Use it in a `with` block: it spins in a thread of its own."""

    def __init__(self, domain: int, namespace: str = "mira") -> None:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = rclpy.create_node("probe", namespace=namespace, context=self._context)
        self._callers: dict[str, ServiceCaller] = {}
        self._utterances = self.node.create_publisher(
            OperatorUtterance, "operator_utterance", UTTERANCE_QOS
        )
        self._replies = self.node.create_publisher(Reply, "reply", REPLY_QOS)
        self._spinning = SpinningThread(self.node)

    def __enter__(self) -> "Probe":
        self._spinning.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._spinning.__exit__(*raised)
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def caller(self, srv_type: Any, name: str) -> ServiceCaller:
        """Return the one client of a service."""
        if name not in self._callers:
            self._callers[name] = ServiceCaller(self.node, srv_type, name)
        return self._callers[name]

    def call(
        self,
        srv_type: Any,
        name: str,
        /,
        *,
        within_s: float = CALL_S,
        resend_s: float | None = None,
        **fields: Any,
    ) -> Any:
        """Call a service and return its response.

        Administration is asked once unless `resend_s` is given; any other service is asked again
        when its first answer seems to be lost, as discovery can make it.
        """
        caller, request = self.caller(srv_type, name), srv_type.Request(**fields)
        if resend_s is None and name.startswith("memory/"):
            call = caller.call_once(request, within_s)
        else:
            call = caller.call(request, within_s, resend_s=resend_s or _SILENCE_S)
        assert call.outcome is CallOutcome.ANSWERED, f"{name}: {call.outcome.value}"
        return call.response

    def in_flight(self, srv_type: Any, name: str, requests: list[Any]) -> Callable[[], list[Any]]:
        """Send all requests at once; the result waits for all answers and returns them."""
        client = self.node.create_client(srv_type, name, qos_profile=SERVICE_QOS)
        wait_until(client.service_is_ready, name)
        futures = [client.call_async(request) for request in requests]

        def answers(within_s: float = CALL_S) -> list[Any]:
            wait_until(
                lambda: all(future.done() for future in futures),
                f"{len(futures)} answers of {name}",
                within_s,
            )
            return [future.result() for future in futures]

        return answers

    def say(self, turn_id: str, text: str, speaker: str = "console", *, readers: int = 1) -> None:
        """Publish an operator's utterance once `readers` nodes can hear it."""
        wait_until(
            lambda: self._utterances.get_subscription_count() >= readers,
            f"{readers} readers of operator_utterance",
        )
        self._utterances.publish(
            OperatorUtterance(stamp=Time(), turn_id=turn_id, text=text, speaker=speaker)
        )

    def reply(self, turn_id: str) -> None:
        """Publish a reply, which ends its turn."""
        wait_until(self._replies.get_subscription_count, "a reader of reply")
        self._replies.publish(Reply(turn_id=turn_id, outcome="completed"))

    def publish_raw(self, topic: str, msg_type: Any, wire: bytes) -> None:
        """Publish bytes as they are, such as no client library would send."""
        publisher = self.node.create_publisher(msg_type, topic, UTTERANCE_QOS)
        wait_until(publisher.get_subscription_count, f"a reader of {topic}")
        publisher.publish(wire)

    def listen(self, msg_type: Any, topic: str, qos: QoSProfile | int = 64) -> list[Any]:
        """Subscribe, and return the list that messages are added to."""
        heard: list[Any] = []
        self.node.create_subscription(msg_type, topic, heard.append, qos)
        return heard

    def latched(self, msg_type: Any, topic: str) -> list[Any]:
        """Subscribe to a latched topic."""
        return self.listen(msg_type, topic, LATCHED_QOS)
