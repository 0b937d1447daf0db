# SPDX-License-Identifier: Apache-2.0
"""Tell nodes by what they offer: no name of a node is fixed."""

from rclpy.node import Node


def offered_by(node: Node, name: str, namespace: str) -> set[str]:
    """Return the full names of the services of another node; none where it is not known."""
    try:
        services = node.get_service_names_and_types_by_node(name, namespace)
    except RuntimeError:  # it went away since its name was read, or is not fully discovered
        return set()
    return {service for service, _ in services}
