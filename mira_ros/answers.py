# SPDX-License-Identifier: Apache-2.0
"""Answer every service request with a filled response, whatever happens inside."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.serialization import serialize_message
from rclpy.service import Service
from rclpy.service_introspection import ServiceIntrospectionState

from mira_ros.faults import fault_place
from mira_ros.qos import EVENT_QOS, SERVICE_QOS
from mira_ros.serving import ServedNode


@dataclass(frozen=True, slots=True)
class Encodable:
    """A response that was encoded once, so that it can be given again without another try."""

    response: Any

    @classmethod
    def checked(cls, response: Any) -> "Encodable":
        """Return `response` as one; raises UnicodeEncodeError for a lone surrogate in a text."""
        serialize_message(response)
        return cls(response)


def fill_failure(response: Any, sentence: str) -> None:
    """Fill a response that has `success` and either `error` or `message`."""
    response.success = False
    if hasattr(response, "error"):
        response.error = sentence
    else:
        response.message = sentence


def answer_service(
    node: ServedNode,
    srv_type: Any,
    name: str,
    answer: Callable[[Any, Any], Any],
    *,
    group: CallbackGroup,
    refusals: tuple[type[Exception], ...] = (),
    fill: Callable[[Any, str], None] = fill_failure,
) -> Service:
    """Serve `name` with `answer(request, response)`, a function or a coroutine function.

    An exception among `refusals` has a sentence for the caller, and `fill` puts it into a fresh
    response. Any other one is a fault: counted under the service's name, logged by kind and
    place, and answered with a sentence that repeats nothing of the request. A response that
    cannot be encoded (a lone surrogate in a text) is such a fault too: raised later, while the
    executor sends it, it would leave the caller without an answer. An answer that is `Encodable`
    already is sent as it is.
    A coroutine needs a reentrant `group`, or no other callback runs while it waits.
    """

    def failed(error: Exception) -> Any:
        response = srv_type.Response()
        if isinstance(error, refusals):
            fill(response, str(error))
            if _encodable(response):
                return response
            response = srv_type.Response()
        place = fault_place(error)
        node.workload.fault(name)
        node.get_logger().error(f"Service {name} failed, its caller was told: {place}.")
        fill(
            response,
            f"The request could not be answered because of a fault inside {name} "
            f"({type(error).__name__}); see the log and the diagnostics of the node.",
        )
        return response

    def call(request: Any, response: Any) -> Any:
        with node.workload.request():
            try:
                return _checked(answer(request, response))
            except Exception as error:
                return failed(error)

    async def call_and_wait(request: Any, response: Any) -> Any:
        with node.workload.request():
            try:
                return _checked(await answer(request, response))
            except Exception as error:
                return failed(error)

    service = node.create_service(
        srv_type,
        name,
        call_and_wait if inspect.iscoroutinefunction(answer) else call,
        qos_profile=SERVICE_QOS,
        callback_group=group,
    )
    if node.introspection is not ServiceIntrospectionState.OFF:
        service.configure_introspection(node.get_clock(), EVENT_QOS, node.introspection)
    return service


def _checked(answer: Any) -> Any:
    encodable = answer if isinstance(answer, Encodable) else Encodable.checked(answer)
    return encodable.response


def _encodable(response: Any) -> bool:
    try:
        serialize_message(response)
    except UnicodeEncodeError:
        return False
    return True
