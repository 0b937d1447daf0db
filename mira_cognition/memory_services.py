# SPDX-License-Identifier: Apache-2.0
"""The capabilities of an episode as services of the memory node, and sensors of this one."""

from __future__ import annotations

from typing import Literal

from mira.srv import RecallMemory as RecallMemoryService
from mira.srv import Remember as RememberService
from rclpy.node import Node

from mira_cognition.bounds import Bounds
from mira_cognition.capabilities import Acquired, Observe, RecallMemory, Remember, Remembered
from mira_cognition.sensors import Sensors
from mira_ros.calls import Call, ServiceCaller, UnsendableText

FAILED = Acquired(
    "failure", "The memory did not answer in time; that says nothing about what is remembered."
)


class NodeCapabilities:
    """Carry out what the model may call; every method blocks, and belongs in the worker."""

    def __init__(self, node: Node, sensors: Sensors, memory_timeout_s: float) -> None:
        self._sensors = sensors
        self._timeout_s = memory_timeout_s
        self._recall = ServiceCaller(node, RecallMemoryService, "recall_memory")
        self._remember = ServiceCaller(node, RememberService, "remember")

    @property
    def memory(self) -> Literal["available", "not reachable"]:
        """Tell whether a memory node is known now."""
        return "available" if self._recall.ready() else "not reachable"

    def recall_memory(self, call: RecallMemory, bounds: Bounds) -> Acquired:
        """Ask the memory node for a name."""
        try:
            answer = self._call(
                self._recall, RecallMemoryService.Request(query=call.query), bounds
            ).response
        except UnsendableText as refusal:
            return Acquired("invalid", str(refusal))
        if answer is None:
            return FAILED
        return Acquired(answer.status, answer.text or answer.error)

    def observe(self, call: Observe, bounds: Bounds) -> Acquired:
        """Read a sensor."""
        return self._sensors.observe(call.sensor, bounds)

    def remember(self, turn_id: str, call: Remember, bounds: Bounds) -> Remembered:
        """Propose a memory; the same proposal may be sent again, and is decided once."""
        request = RememberService.Request(
            turn_id=turn_id,
            kind=call.kind,
            subject=call.subject,
            predicate=call.predicate,
            value=call.value,
            evidence=call.evidence,
            related_entity=call.related_entity or "",
            related_role=call.related_role or "",
        )
        try:
            answer = self._call(self._remember, request, bounds).response
        except UnsendableText as refusal:
            return Remembered("rejected", reason="invalid_proposal", error=str(refusal))
        if answer is None or answer.status not in ("applied", "rejected"):
            return Remembered("unknown")
        return Remembered(
            answer.status,
            answer.admission,
            answer.reason,
            answer.error,
            answer.entity_id,
            answer.memory_id,
            tuple(answer.conflicts),
        )

    def _call(self, caller: ServiceCaller, request: object, bounds: Bounds) -> Call:
        with bounds.interruption() as interrupted:
            return caller.call(request, bounds.remaining(self._timeout_s), cancelled=interrupted)
