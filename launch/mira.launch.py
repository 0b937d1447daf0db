# SPDX-License-Identifier: Apache-2.0
"""Launch the robot that a profile describes: memory, unless it is off, and cognition."""

import os.path
import shutil
import tempfile
from pathlib import Path

from ament_index_python.packages import get_package_prefix
from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction, RegisterEventHandler
from launch.event_handlers import OnShutdown
from launch.events.process import ProcessExited
from launch_ros.actions import Node

from mira_bringup.database_directory import make_database_directory
from mira_bringup.parameter_file import write_node_files
from mira_bringup.params_file import checked_params_file, params_file_notices
from mira_bringup.plan import DEFAULT_NAMESPACE, LOG_LEVELS, Arguments, plan
from mira_bringup.profile import load_profile

# Longer than launch needs to act on a node that refused to start.
RESPAWN_DELAY_S = 2.0


def generate_launch_description() -> LaunchDescription:
    """Declare the arguments; the profile decides the rest."""
    sample = Path(get_package_prefix("mira"), "share", "mira", "config", "sample.yaml")
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "profile",
                default_value=str(sample),
                description="The robot's YAML profile; the sample has persistent memory off.",
            ),
            DeclareLaunchArgument(
                "namespace",
                default_value=DEFAULT_NAMESPACE,
                description="Namespace of all nodes, topics and services; one for each robot.",
            ),
            DeclareLaunchArgument(
                "params_file",
                default_value="",
                description="A ROS 2 parameter file that wins over the profile; empty: none.",
            ),
            DeclareLaunchArgument(
                "log_level",
                default_value="info",
                choices=LOG_LEVELS,
                description="The least severe messages that the nodes log.",
            ),
            DeclareLaunchArgument(
                "use_sim_time",
                default_value="false",
                choices=("true", "false"),
                description="Take ROS time from /clock; wins over profile and params_file.",
            ),
            DeclareLaunchArgument(
                "respawn",
                default_value="false",
                choices=("true", "false"),
                description="Start a node again when it dies.",
            ),
            OpaqueFunction(function=_nodes),
        ]
    )


def _nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    given = context.launch_configurations
    arguments = Arguments(
        namespace=given["namespace"],
        params_file=checked_params_file(given["params_file"]),
        log_level=given["log_level"],
        use_sim_time=given["use_sim_time"] == "true",
    )
    profile = load_profile(Path(os.path.expanduser(given["profile"])).absolute())
    planned = plan(profile, arguments, install_prefix=Path(get_package_prefix("mira")))
    notices = (*planned.notices, *params_file_notices(planned))
    make_database_directory(planned.database)
    directory = tempfile.mkdtemp(prefix="mira-")
    return [
        RegisterEventHandler(
            OnShutdown(on_shutdown=lambda *_: shutil.rmtree(directory, ignore_errors=True))
        ),
        *(LogInfo(msg=notice) for notice in notices),
        *(
            Node(
                package="mira",
                executable=node.executable,
                name=node.name,
                namespace=planned.namespace,
                parameters=[
                    str(file) for file in write_node_files(planned, node, Path(directory))
                ],
                # Its own enclave: each node may do only what config/sros2/policy.xml grants it.
                ros_arguments=[
                    *("--log-level", planned.log_level),
                    *("--enclave", planned.full_name(node)),
                ],
                output="screen",
                respawn=given["respawn"] == "true",
                respawn_delay=RESPAWN_DELAY_S,
                on_exit=_end_if_memory_was_refused if node.name == "memory" else None,
            )
            for node in planned.nodes
        ),
    ]


def _end_if_memory_was_refused(event: ProcessExited, context: LaunchContext) -> None:
    """End the launch with exit code 1, which an exception gives and a Shutdown event does not."""
    if event.returncode == 1:
        raise RuntimeError("the memory node refused to start; its own message above says why")
