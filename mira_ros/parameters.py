# SPDX-License-Identifier: Apache-2.0
"""Declare a node's parameters so that a wrong one stops the node with one sentence."""

from collections.abc import Sequence
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node


class ParameterRefused(ValueError):
    """A parameter has the wrong type or a value out of range; the text names it and the remedy."""


def text(node: Node, name: str, default: str, description: str, **options: Any) -> str:
    """Declare a text parameter and return its value.

    Options are those of `ParameterDescriptor` (`read_only`, `additional_constraints`).
    Raises `ParameterRefused`.
    """
    value = _given(node, name, default)
    if not isinstance(value, str):
        raise _refused(node, name, "a text; put its value in quotes", value)
    _declare(node, name, value, description, **options)
    return value


def choice(
    node: Node, name: str, default: str, choices: Sequence[str], description: str, **options: Any
) -> str:
    """Declare a text parameter with a closed set of values; raises `ParameterRefused`."""
    value = _given(node, name, default)
    if value not in choices:
        raise ParameterRefused(
            f"{_title(node, name)} has a value that it cannot have, "
            f"expected one of {', '.join(choices)}; put it in quotes."
        )
    _declare(node, name, value, description, **options)
    return str(value)


def flag(node: Node, name: str, default: bool, description: str, **options: Any) -> bool:
    """Declare a boolean parameter and return its value; raises `ParameterRefused`."""
    value = _given(node, name, default)
    if not isinstance(value, bool):
        raise _refused(node, name, "true or false, without quotes", value)
    _declare(node, name, value, description, **options)
    return value


def number(
    node: Node,
    name: str,
    default: float,
    low: float,
    high: float,
    description: str,
    **options: Any,
) -> float:
    """Declare a floating point parameter within [low, high] and return its value.

    An integer is taken for the number it is. Raises `ParameterRefused`.
    """
    value = _given(node, name, default)
    expected = f"a number from {low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refused(node, name, expected, value)
    if not low <= value <= high:
        raise ParameterRefused(f"{_title(node, name)} is {value:g}, expected {expected}.")
    bounds = [FloatingPointRange(from_value=low, to_value=high)]
    _declare(node, name, float(value), description, floating_point_range=bounds, **options)
    return float(value)


def whole(
    node: Node, name: str, default: int, low: int, high: int, description: str, **options: Any
) -> int:
    """Declare an integer parameter within [low, high] and return its value.

    Raises `ParameterRefused`.
    """
    value = _given(node, name, default)
    expected = f"a whole number from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise _refused(node, name, expected, value)
    if not low <= value <= high:
        raise ParameterRefused(f"{_title(node, name)} is {value}, expected {expected}.")
    bounds = [IntegerRange(from_value=low, to_value=high)]
    _declare(node, name, value, description, integer_range=bounds, **options)
    return value


def texts(
    node: Node, name: str, default: Sequence[str], description: str, **options: Any
) -> tuple[str, ...]:
    """Declare a list of texts and return those that are not empty; raises `ParameterRefused`.

    An empty YAML list carries no type in ROS 2, so it arrives as "not set" and is declared as a
    list of one empty text.
    """
    value = _given(node, name, list(default) or [""])
    if value is None:
        value = [""]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _refused(node, name, "a list of quoted texts", value)
    _declare(node, name, value, description, **options)
    return tuple(item for item in value if item)


def _given(node: Node, name: str, default: Any) -> Any:
    """Read what the user gave, of whatever type, or the default.

    A static declaration refuses an integer for a float, and its error cannot name a remedy; so
    the value is first read through a declaration without a type.
    """
    node.declare_parameter(name, default, ParameterDescriptor(dynamic_typing=True))
    value = node.get_parameter(name).value
    node.undeclare_parameter(name)
    return value


def _declare(
    node: Node, name: str, value: Any, description: str, read_only: bool = True, **options: Any
) -> None:
    descriptor = ParameterDescriptor(description=description, read_only=read_only, **options)
    node.declare_parameter(name, value, descriptor, ignore_override=True)


def _title(node: Node, name: str) -> str:
    return f"Parameter '{name}' of {node.get_fully_qualified_name()}"


def _refused(node: Node, name: str, expected: str, value: object) -> ParameterRefused:
    found = {
        str: "a text",
        bool: "a boolean",
        int: "a whole number",
        float: "a number",
        type(None): "empty",
    }.get(type(value), "a list")
    return ParameterRefused(f"{_title(node, name)} is {found}, expected {expected}.")
