# SPDX-License-Identifier: Apache-2.0
"""Publish a node's diagnostics once a second (REP 107)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType

from mira_ros.faults import fault_place
from mira_ros.serving import ServedNode


class Level(Enum):
    """The levels of `diagnostic_msgs/DiagnosticStatus`."""

    OK = DiagnosticStatus.OK
    WARN = DiagnosticStatus.WARN
    ERROR = DiagnosticStatus.ERROR
    STALE = DiagnosticStatus.STALE


@dataclass(frozen=True, slots=True)
class Report:
    """One diagnostic status: its title within the node, level, sentence, and named values."""

    title: str
    level: Level
    message: str
    values: tuple[tuple[str, str], ...] = ()


class Diagnostics:
    """Publish what `reports` say on /diagnostics at 1 Hz, and the node's own faults with it.

    Status names are "<namespace>/<node>: <title>", and `hardware_id` is the robot's name. The
    timer is steady: a simulated clock that stands still does not silence it.
    """

    def __init__(
        self, node: ServedNode, hardware_id: str, reports: Sequence[Callable[[], Report]]
    ) -> None:
        self._node = node
        self._hardware_id = hardware_id
        self._reports = (*reports, self._faults)
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", 10)
        node.create_timer(1.0, self.publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def publish(self) -> None:
        """Publish one array now."""
        array = DiagnosticArray()
        array.header.stamp = self._node.get_clock().now().to_msg()
        array.status = [self._status(report) for report in self._reports]
        self._publisher.publish(array)

    def _status(self, report: Callable[[], Report]) -> DiagnosticStatus:
        try:
            said = report()
        except Exception as fault:
            self._node.workload.fault("diagnostics")
            title = report.__name__.strip("_").replace("_", " ")
            said = Report(title, Level.ERROR, f"No report: {fault_place(fault)}.")
        return DiagnosticStatus(
            level=said.level.value,
            name=f"{self._node.get_fully_qualified_name().lstrip('/')}: {said.title}",
            message=said.message,
            hardware_id=self._hardware_id,
            values=[KeyValue(key=key, value=value) for key, value in said.values],
        )

    def _faults(self) -> Report:
        workload = self._node.workload
        total = workload.faults.total()
        return Report(
            "services",
            Level.ERROR if total else Level.OK,
            f"{total} faults since the start; see the log." if total else "No fault.",
            (
                ("Requests answered", str(workload.answered)),
                ("Faults", str(total)),
                *((f"Faults in {place}", str(n)) for place, n in sorted(workload.faults.items())),
            ),
        )
