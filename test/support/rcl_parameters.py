# SPDX-License-Identifier: Apache-2.0
"""What real rcl makes of parameter files."""

from pathlib import Path

import rclpy

from mira_bringup.plan import ParameterValue


def as_rcl_reads(*files: Path) -> dict[str, ParameterValue]:
    """Return the parameters of a real node /mira/memory: what the files give, and rclpy's own."""
    arguments = [argument for file in files for argument in ("--params-file", str(file))]
    context = rclpy.Context()
    rclpy.init(args=["--ros-args", *arguments], context=context)
    try:
        node = rclpy.create_node(
            "memory",
            namespace="/mira",
            context=context,
            automatically_declare_parameters_from_overrides=True,
            start_parameter_services=False,
            enable_rosout=False,
        )
        try:
            given = node.get_parameters_by_prefix("")
            return {name: parameter.value for name, parameter in given.items()}
        finally:
            node.destroy_node()
    finally:
        context.shutdown()
