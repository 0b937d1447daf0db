# SPDX-License-Identifier: Apache-2.0
"""Let a person watch the calls of a node's services, if a parameter says so (REP 2012)."""

from rclpy.node import Node
from rclpy.service_introspection import ServiceIntrospectionState

from mira_ros import parameters

_STATES = {
    "off": ServiceIntrospectionState.OFF,
    "metadata": ServiceIntrospectionState.METADATA,
    "contents": ServiceIntrospectionState.CONTENTS,
}


def declared_introspection(node: Node) -> ServiceIntrospectionState:
    """Declare the parameter `service_introspection` and return the state that it names.

    It is off by default, since the contents of calls are what the operator said.
    Raises `ParameterRefused`.
    """
    name = parameters.choice(
        node,
        "service_introspection",
        "off",
        tuple(_STATES),
        "What the services publish of their calls: off, metadata, or contents (private words).",
    )
    return _STATES[name]
