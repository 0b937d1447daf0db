# SPDX-License-Identifier: Apache-2.0
"""Write parameters so that text stays text on the way through ROS 2."""

from collections.abc import Iterable
from pathlib import Path

import yaml

from mira_bringup.plan import ParameterValue, Plan, PlannedNode

ANY_NODE = "/**"


class _QuotedText(yaml.SafeDumper):
    """Quotes every text: rcl reads a bare `yes`, `007` or `4.1` as something else."""


_QuotedText.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def write_node_files(plan: Plan, node: PlannedNode, directory: Path) -> tuple[Path, ...]:
    """Write the node's parameter files and return all that it is given; a later one wins.

    In rcl a node's full name wins over a pattern, in whichever file it stands. So the profile's
    values stand under a pattern, and the final ones under the full name.
    """
    own = directory / f"{node.name}.yaml"
    final = directory / f"{node.name}_final.yaml"
    write_parameter_file(own, ANY_NODE, node.parameters)
    write_parameter_file(final, plan.full_name(node), plan.final_parameters)
    return own, *((plan.params_file,) if plan.params_file else ()), final


def write_parameter_file(
    path: Path, pattern: str, parameters: Iterable[tuple[str, ParameterValue]]
) -> None:
    """Write a ROS 2 parameter file that applies to the nodes matching the pattern.

    An empty list has no type in ROS 2; it is written as a list of one empty text, which the
    nodes read as empty.
    """
    values = {
        name: list(value or ("",)) if isinstance(value, tuple) else value
        for name, value in parameters
    }
    content = {pattern: {"ros__parameters": values}}
    text = yaml.dump(content, Dumper=_QuotedText, allow_unicode=True, sort_keys=False, width=10**6)
    path.write_text(text, encoding="utf-8")
