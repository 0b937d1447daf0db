# SPDX-License-Identifier: Apache-2.0
"""Decide which nodes run with which parameters."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from mira_bringup.profile import Profile

ParameterValue = bool | int | float | str | tuple[str, ...]

DEFAULT_NAMESPACE = "mira"
LOG_LEVELS = ("debug", "info", "warn", "error", "fatal")

# Not parameters of a node as they are: whether there is one, and where its file is.
_NOT_PARAMETERS = {"enabled", "database_path"}


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the person who starts the robot chose; `params_file` is absolute or absent."""

    namespace: str = DEFAULT_NAMESPACE
    params_file: Path | None = None
    log_level: str = "info"
    use_sim_time: bool = False


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """A node to start: executable and name, and its parameters in the order they are written."""

    executable: str
    name: str
    parameters: tuple[tuple[str, ParameterValue], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The nodes in the order of their start, and what holds for all of them.

    `final_parameters` win over `params_file`, which wins over a node's own `parameters`, which
    win over the defaults that the node declares.
    """

    nodes: tuple[PlannedNode, ...]
    namespace: str
    log_level: str
    params_file: Path | None
    final_parameters: tuple[tuple[str, ParameterValue], ...]
    database: Path | None
    notices: tuple[str, ...] = ()

    def full_name(self, node: PlannedNode) -> str:
        """Return the node's name with its namespace."""
        return f"{self.namespace.rstrip('/')}/{node.name}"


class PlanRefused(ValueError):
    """Arguments that no robot can be started with; the sentence has the remedy."""


def plan(profile: Profile, arguments: Arguments, *, install_prefix: Path | None = None) -> Plan:
    """Plan a robot; pure: touches neither files nor environment. Raises `PlanRefused`.

    `install_prefix` is where the package is installed: no database may live there, since
    whoever removes the build would remove the robot's memory.
    """
    database = Path(profile.memory.database_path) if profile.memory.on else None
    if database and install_prefix and database.is_relative_to(install_prefix):
        raise PlanRefused(
            f"memory.database_path {database} lies in the install tree {install_prefix}, which a "
            "build may remove; copy the profile elsewhere or name an absolute path."
        )
    notices = []
    if profile.memory.enabled and database is None:
        notices.append(
            "Persistent memory is off: memory.enabled is true but database_path is empty."
        )
    nodes = [_cognition(profile, memory_enabled=database is not None)]
    if database:
        nodes.insert(0, _memory(profile))
    return Plan(
        nodes=tuple(nodes),
        namespace=_checked_namespace(arguments.namespace),
        log_level=_checked_log_level(arguments.log_level),
        params_file=arguments.params_file,
        final_parameters=(("use_sim_time", arguments.use_sim_time),),
        database=database,
        notices=tuple(notices),
    )


def _memory(profile: Profile) -> PlannedNode:
    parameters = {
        "database_path": profile.memory.database_path,
        "self_name": profile.robot.name,
        **profile.memory.model_dump(exclude_unset=True, exclude=_NOT_PARAMETERS),
    }
    return PlannedNode("memory_node", "memory", tuple(parameters.items()))


def _cognition(profile: Profile, *, memory_enabled: bool) -> PlannedNode:
    parameters = {
        "self_name": profile.robot.name,
        "memory_enabled": memory_enabled,
        **profile.cognition.model_dump(exclude_unset=True),
    }
    if profile.sensors:
        sensors = [sensor.model_dump(mode="json", exclude_none=True) for sensor in profile.sensors]
        # JSON is YAML too, and says the same on one line.
        parameters["sensors"] = json.dumps(sensors, ensure_ascii=False)
    return PlannedNode("cognition_node", "cognition", tuple(parameters.items()))


def _checked_namespace(namespace: str) -> str:
    """Return the absolute namespace; "" and "/" mean the root."""
    bare = namespace.strip("/")
    if bare and not re.fullmatch(r"[A-Za-z_]\w*(/[A-Za-z_]\w*)*", bare, re.ASCII):
        raise PlanRefused(
            f"namespace '{namespace}' is no ROS namespace; use letters, digits and _ in parts "
            "separated by single slashes, each starting with a letter."
        )
    return f"/{bare}"


def _checked_log_level(level: str) -> str:
    if level.lower() not in LOG_LEVELS:
        raise PlanRefused(f"log_level '{level}' is unknown; use one of {', '.join(LOG_LEVELS)}.")
    return level.lower()
