# SPDX-License-Identifier: Apache-2.0
"""The ROS 2 parameter file that a person gives beside the profile."""

import os.path
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from mira_bringup.plan import Plan, PlanRefused

_PARAMETERS = "ros__parameters"


def checked_params_file(given: str) -> Path | None:
    """Return the absolute path of the params file, None for an empty text.

    Raises `PlanRefused` where there is no such file, which launch would only warn about.
    """
    if not given:
        return None
    path = Path(os.path.expanduser(given)).absolute()
    if not path.is_file():
        raise PlanRefused(f"The params file {path} does not exist; name a file, or leave it out.")
    return path


def params_file_notices(plan: Plan) -> tuple[str, ...]:
    """Warn of a params file that is for none of the plan's nodes; ROS 2 itself says nothing.

    Raises `PlanRefused` for a file that cannot be read as YAML.
    """
    path = plan.params_file
    if path is None:
        return ()
    try:
        patterns = tuple(_patterns(yaml.safe_load(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise PlanRefused(
            f"The params file {path} cannot be read as YAML ({' '.join(str(error).split())}); "
            "correct it, or leave it out."
        ) from error
    names = [plan.full_name(node) for node in plan.nodes]
    if any(is_for(pattern, name) for pattern in patterns for name in names):
        return ()
    return (
        f"The params file {path} changes nothing: it names {', '.join(patterns) or 'no node'}, "
        f"and the nodes are {', '.join(names)}; write /** for all nodes, or /**/memory for one.",
    )


def is_for(pattern: str, full_name: str) -> bool:
    """Tell whether a node's parameters may stand under `pattern`, as rclpy decides it."""
    expression = pattern.replace("/**", r"(/\w+)<any>").replace("/*", r"(/\w+)")
    return re.fullmatch(expression.replace("<any>", "*"), full_name, re.ASCII) is not None


def _patterns(tree: object, above: str = "") -> Iterator[str]:
    """Yield the nodes that a file names; a namespace may be a level of its own."""
    if not isinstance(tree, dict):
        return
    for key, below in tree.items():
        if key == _PARAMETERS:
            yield above or "/"
        else:
            yield from _patterns(below, f"{above}/{str(key).strip('/')}")
