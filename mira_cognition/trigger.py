# SPDX-License-Identifier: Apache-2.0
"""What starts an episode: an operator's turn, or a sensor event worth attention."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperatorTurn:
    """One utterance as it was heard; without a turn id nothing can be stored from it."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class SensorEvent:
    """A configured condition that a sensor just met; `description` is data, not an order."""

    sensor: str
    description: str


Trigger = OperatorTurn | SensorEvent


def trigger_name(trigger: Trigger) -> str:
    """Return the name that episode events carry."""
    return "operator" if isinstance(trigger, OperatorTurn) else "attention"


def turn_of(trigger: Trigger) -> str:
    """Return the turn id, empty where there is none."""
    return trigger.turn_id if isinstance(trigger, OperatorTurn) else ""
