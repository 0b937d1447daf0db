# SPDX-License-Identifier: Apache-2.0
"""Subscriptions to configured sensors of any message type (docs/cognition.md, "Sensors")."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from rclpy.exceptions import InvalidTopicNameException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.type_support import NoTypeSupportImportedException

from mira_cognition.attention import Attention
from mira_cognition.bounds import SteadyClock
from mira_cognition.fields import NoSuchField, read_fields
from mira_cognition.intake import Intake
from mira_cognition.sensor_config import SensorConfig
from mira_cognition.sensors import Sensors

_TYPE = re.compile(r"(?P<package>[A-Za-z]\w*)/msg/(?P<name>[A-Za-z]\w*)", re.ASCII)


class SensorSubscriptions:
    """Hear every sensor that can be heard; `problems` says of the others why they cannot."""

    def __init__(
        self,
        node: Node,
        configured: Sequence[SensorConfig],
        sensors: Sensors,
        intake: Intake,
        clock: SteadyClock,
    ) -> None:
        self.problems: dict[str, str] = {}
        self._sensors = sensors
        self._intake = intake
        for config in configured:
            attention = (
                None
                if config.attention is None
                else Attention(config.name, config.attention, clock)
            )
            try:
                node.create_subscription(
                    _message_type(config),
                    config.topic,
                    self._heard(config, attention),
                    qos_profile_sensor_data,
                )
            except (NoSuchType, NoSuchField, InvalidTopicNameException) as problem:
                self.problems[config.name] = " ".join(str(problem).split())
                node.get_logger().warning(
                    f"Sensor {config.name} is not heard: {self.problems[config.name]}"
                )

    def _heard(self, config: SensorConfig, attention: Attention | None) -> Callable[[Any], None]:
        def heard(message: Any) -> None:
            values = read_fields(message, config.fields)
            self._sensors.sampled(config.name, values)
            event = attention.sampled(values) if attention else None
            if event is not None:
                self._intake.notice(event)

        return heard


class NoSuchType(LookupError):
    """A message type is not installed, or its name is none."""


def _message_type(config: SensorConfig) -> Any:
    """Import a message type by name, and check that it has the configured fields."""
    written = _TYPE.fullmatch(config.type)
    if written is None:
        raise NoSuchType(
            f"{config.type!r} is no message type; write it like sensor_msgs/msg/BatteryState."
        )
    try:
        message_type = getattr(import_module(f"{written['package']}.msg"), written["name"])
        read_fields(message_type(), config.fields)
    except (ImportError, AttributeError, NoTypeSupportImportedException):
        raise NoSuchType(
            f"the message type {config.type} is not installed; install the package "
            f"{written['package']} or correct the type."
        ) from None
    return message_type
