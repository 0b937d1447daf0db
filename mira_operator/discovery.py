# SPDX-License-Identifier: Apache-2.0
"""Find the namespaces of the robots that run on the graph."""

import time

from rclpy.node import Node

_RECALL = "mira/srv/RecallMemory"
_REPLY = "mira/msg/Reply"
_FIRST_S = 5.0
# A participant announces itself every 3 s, and to talk to the wrong robot is worse than to wait.
_FURTHER_S = 3.5
_LOOK_S = 0.05


def robots(node: Node) -> tuple[str, ...]:
    """
    Return the namespaces that offer recall, or, with memory off, that publish replies.

    Waits at most 5 s for the first robot, and 3.5 s more for others.
    """
    end = time.monotonic() + _FIRST_S
    found: set[str] = set()
    while time.monotonic() < end:
        if not found and (found := _seen(node)):
            end = time.monotonic() + _FURTHER_S
        time.sleep(_LOOK_S)
    return tuple(sorted(_seen(node)))


def choosing(namespaces: tuple[str, ...]) -> str:
    """Return, for none or several robots, the sentence with the command to choose one."""
    command = f"ros2 run mira console --ros-args -r __ns:={(*namespaces, '/mira')[0]}"
    if not namespaces:
        return f"No robot was found; start one, or name its namespace: {command}"
    return f"Several robots were found, {', '.join(namespaces)}; choose one: {command}"


def _seen(node: Node) -> set[str]:
    recalling = {
        _namespace(name) for name, types in node.get_service_names_and_types() if _RECALL in types
    }
    replying = {
        _namespace(name)
        for name, types in node.get_topic_names_and_types()
        if _REPLY in types and node.count_publishers(name)
    }
    return recalling | replying


def _namespace(name: str) -> str:
    return name.rpartition("/")[0] or "/"
