# SPDX-License-Identifier: Apache-2.0
"""Bounded service calls from a thread that is not the executor's."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from rclpy.node import Node
from rclpy.serialization import serialize_message
from rclpy.task import Future

from mira_ros.qos import SERVICE_QOS

_LOOK_S = 0.02
_PATH_RESEND_S = 0.3


class CallOutcome(Enum):
    """How a call ended; only ANSWERED says anything about what the server did."""

    ANSWERED = "answered"
    TIMED_OUT = "timed out"
    UNAVAILABLE = "unavailable"
    UNREACHED = "unreached"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Call:
    """One call's outcome, its response (None unless answered), attempts and seconds taken."""

    outcome: CallOutcome
    response: Any
    attempts: int
    duration_s: float


class UnsendableText(ValueError):
    """A request holds text that would not reach the server as it is."""


class ServiceCaller:
    """Call one service again and again, each time within a budget.

    Create it before or while the node spins; `call` blocks, so it belongs in a thread of its own,
    never in a callback. It may be called from several threads.
    """

    def __init__(self, node: Node, srv_type: Any, name: str) -> None:
        self._context = node.context
        self._client = node.create_client(srv_type, name, qos_profile=SERVICE_QOS)

    def ready(self) -> bool:
        """Tell whether a server is known; one that was killed stays known for 20 s and more."""
        return bool(self._context.ok() and self._client.service_is_ready())

    def call(
        self,
        request: Any,
        budget_s: float,
        *,
        resend_s: float | None = 1.0,
        cancelled: threading.Event | None = None,
    ) -> Call:
        """Send `request` and wait for its answer, finding a server included, at most `budget_s`.

        An unanswered request is sent again every `resend_s` seconds, since a server that died
        looks alive and a restarted one never saw it; the first answer to any attempt counts.
        Only an idempotent service may be asked twice: `call_once` is for any other. None sends
        once all the same, for an answer that takes long.
        TIMED_OUT means that it was sent, UNAVAILABLE that there was nobody to send it to.
        Raises `UnsendableText` for a lone surrogate or U+0000 in a text of the request.
        """
        _check(request)
        began = time.monotonic()
        end = began + budget_s
        answered = threading.Event()
        answers: list[Any] = []
        pending: list[Future] = []
        next_send = began

        def arrived(future: Future) -> None:
            answers.append(future.result())
            answered.set()

        def ended(outcome: CallOutcome) -> Call:
            response = answers[0] if outcome is CallOutcome.ANSWERED else None
            return Call(outcome, response, len(pending), time.monotonic() - began)

        try:
            while True:
                if time.monotonic() >= next_send and self.ready():
                    pending.append(self._send(request, arrived))
                    next_send = end if resend_s is None else time.monotonic() + resend_s
                if answered.wait(min(_LOOK_S, max(0.0, end - time.monotonic()))):
                    return ended(CallOutcome.ANSWERED)
                if cancelled is not None and cancelled.is_set():
                    return ended(CallOutcome.CANCELLED)
                if time.monotonic() >= end or not self._context.ok():
                    return ended(CallOutcome.TIMED_OUT if pending else CallOutcome.UNAVAILABLE)
        finally:
            for future in pending:
                self._client.remove_pending_request(future)

    def call_once(self, request: Any, budget_s: float) -> Call:
        """Send `request` once, to a service that must not be asked twice; at most `budget_s`.

        A server that has not yet discovered where this client listens drops its answer. So an
        empty request goes first, again and again until it is answered: such a service refuses it
        and nothing comes of it. UNREACHED means that a server is known but did not answer that,
        so that `request` was not sent.
        Raises `UnsendableText` as `call` does.
        """
        _check(request)
        if not request.get_fields_and_field_types():
            return self.call(request, budget_s, resend_s=None)
        path = self.call(type(request)(), budget_s, resend_s=_PATH_RESEND_S)
        if path.outcome is CallOutcome.TIMED_OUT:
            return replace(path, outcome=CallOutcome.UNREACHED)
        if path.outcome is not CallOutcome.ANSWERED:
            return path
        return self.call(request, budget_s - path.duration_s, resend_s=None)

    def _send(self, request: Any, arrived: Callable[[Future], None]) -> Future:
        future = self._client.call_async(request)
        future.add_done_callback(arrived)
        return future


def _check(request: Any) -> None:
    try:
        serialize_message(request)
    except UnicodeEncodeError:
        raise UnsendableText(
            "The request holds a lone surrogate, which is no character; leave it out."
        ) from None
    for name in request.get_fields_and_field_types():
        if _holds_null(getattr(request, name)):
            raise UnsendableText(
                f"The field {name} holds U+0000, where the middleware would cut it; leave it out."
            )


def _holds_null(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, list):
        return any(map(_holds_null, value))
    if not hasattr(value, "get_fields_and_field_types"):
        return False
    return any(_holds_null(getattr(value, name)) for name in value.get_fields_and_field_types())
