# SPDX-License-Identifier: Apache-2.0
"""Why a memory command finds no service: tell a disabled memory from a node that is gone."""

from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import GetParameters
from rclpy.node import Node

from mira_operator.offers import offered_by
from mira_ros.calls import CallOutcome, ServiceCaller

DISABLED = (
    "Persistent memory is disabled in this robot's profile; to enable it, give the profile a"
    " section memory with enabled: true and a database_path, and start the robot again."
)
_ASK_S = 1.5


class MemoryPresence:
    """Look, in the namespace of a node, for what offers or switches off persistent memory."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._namespace = node.get_namespace()
        self._parameters: ServiceCaller | None = None

    def disabled(self) -> bool | None:
        """Ask the cognition node whether memory is off; None while nobody is there to say so."""
        name = self._cognition()
        if name is None:
            return None
        if self._parameters is None:
            self._parameters = ServiceCaller(self._node, GetParameters, f"{name}/get_parameters")
        call = self._parameters.call(GetParameters.Request(names=["memory_enabled"]), _ASK_S)
        if call.outcome is not CallOutcome.ANSWERED:
            return None
        return any(
            value.type == ParameterType.PARAMETER_BOOL and not value.bool_value
            for value in call.response.values
        )

    def why_absent(self) -> str:
        """Return a sentence about a memory service that nobody offers."""
        place = self._namespace
        if self._node.count_services("recall_memory"):
            return (
                f"The memory node in {place} offers no administration; it was started with"
                " admin_services: false."
            )
        if self._cognition() is None:
            return f"No robot runs in {place}; start it, or choose another namespace."
        return (
            f"No memory node runs in {place}, though the robot does; see why it ended, and start"
            " it again."
        )

    def _cognition(self) -> str | None:
        """Return the name of the node that offers the cognition services, whatever it is."""
        offered = self._node.resolve_service_name("cognition/cancel")
        for name, namespace in self._node.get_node_names_and_namespaces():
            if namespace == self._namespace and offered in offered_by(self._node, name, namespace):
                return f"{namespace.rstrip('/')}/{name}"
        return None
