# SPDX-License-Identifier: Apache-2.0
"""Declare a node's parameters, read-only, so that a wrong one stops it with one sentence."""

import difflib
from collections.abc import Sequence
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node


class ParameterRefused(ValueError):
    """A parameter has the wrong type or a value out of range; the text names it and the remedy."""


def text(node: Node, name: str, default: str, description: str) -> str:
    """Declare a text parameter and return its value; raises `ParameterRefused`."""
    value = _given(node, name, default)
    if not isinstance(value, str):
        raise _wrong_type(node, name, "a text; put its value in quotes", value)
    _declare(node, name, value, description)
    return value


def choice(node: Node, name: str, default: str, choices: Sequence[str], description: str) -> str:
    """Declare a text parameter with a closed set of values; raises `ParameterRefused`."""
    value = _given(node, name, default)
    expected = f"one of {', '.join(choices)}"
    if value not in choices:
        raise refused(node, name, f"is unknown, expected {expected}; put it in quotes.")
    _declare(node, name, value, description, additional_constraints=expected)
    return str(value)


def flag(node: Node, name: str, default: bool, description: str) -> bool:
    """Declare a boolean parameter and return its value; raises `ParameterRefused`."""
    value = _given(node, name, default)
    if not isinstance(value, bool):
        raise _wrong_type(node, name, "true or false, without quotes", value)
    _declare(node, name, value, description)
    return value


def number(
    node: Node, name: str, default: float, low: float, high: float, description: str
) -> float:
    """Declare a floating point parameter within [low, high] and return its value.

    An integer is taken for the number it is. Raises `ParameterRefused`.
    """
    value = _given(node, name, default)
    expected = f"a number from {low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong_type(node, name, expected, value)
    if not low <= value <= high:
        raise refused(node, name, f"is {value:g}, expected {expected}.")
    bounds = [FloatingPointRange(from_value=low, to_value=high)]
    _declare(node, name, float(value), description, floating_point_range=bounds)
    return float(value)


def whole(node: Node, name: str, default: int, low: int, high: int, description: str) -> int:
    """Declare an integer parameter within [low, high] and return its value.

    Raises `ParameterRefused`.
    """
    value = _given(node, name, default)
    expected = f"a whole number from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(node, name, expected, value)
    if not low <= value <= high:
        raise refused(node, name, f"is {value}, expected {expected}.")
    bounds = [IntegerRange(from_value=low, to_value=high)]
    _declare(node, name, value, description, integer_range=bounds)
    return value


def texts(node: Node, name: str, default: Sequence[str], description: str) -> tuple[str, ...]:
    """Declare a list of texts and return those that are not empty; raises `ParameterRefused`.

    An empty YAML list carries no type in ROS 2, so it arrives as "not set" and is declared as a
    list of one empty text.
    """
    value = _given(node, name, list(default) or [""])
    if value is None:
        value = [""]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _wrong_type(node, name, "a list of quoted texts", value)
    _declare(node, name, value, description)
    return tuple(item for item in value if item)


def warn_of_unknown(node: Node) -> None:
    """Log each parameter that was given to the node and that it has not declared.

    ROS 2 ignores it silently, and whoever misspelt a name would never learn of it. To be called
    once all parameters are declared.
    """
    known = [parameter.name for parameter in node.get_parameters_by_prefix("").values()]
    # rclpy tells nowhere else what was given.
    for name in node._parameter_overrides:
        if name in known:
            continue
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else "."
        node.get_logger().warning(
            f"{_title(node, name)} was given, but the node has none of that name, so it has no "
            f"effect here{hint}"
        )


def refused(node: Node, name: str, what: str) -> ParameterRefused:
    """Return the error for a parameter's value; `what` says what it is, and what was expected."""
    return ParameterRefused(f"{_title(node, name)} {what}")


def _given(node: Node, name: str, default: Any) -> Any:
    """Read what the user gave, of whatever type, or the default.

    A static declaration refuses an integer for a float, and its error cannot name a remedy; so
    the value is first read through a declaration without a type.
    """
    node.declare_parameter(name, default, ParameterDescriptor(dynamic_typing=True))
    value = node.get_parameter(name).value
    node.undeclare_parameter(name)
    return value


def _declare(node: Node, name: str, value: Any, description: str, **constraints: Any) -> None:
    """Declare a parameter that no change could reach any more: nodes read theirs at the start."""
    descriptor = ParameterDescriptor(description=description, read_only=True, **constraints)
    node.declare_parameter(name, value, descriptor, ignore_override=True)


def _title(node: Node, name: str) -> str:
    return f"Parameter '{name}' of {node.get_fully_qualified_name()}"


def _wrong_type(node: Node, name: str, expected: str, value: object) -> ParameterRefused:
    found = {
        str: "a text",
        bool: "a boolean",
        int: "a whole number",
        float: "a number",
        type(None): "empty",
    }.get(type(value), "a list")
    return refused(node, name, f"is {found}, expected {expected}.")
