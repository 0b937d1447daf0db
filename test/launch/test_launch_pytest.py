# SPDX-License-Identifier: Apache-2.0
"""The launch file inside `launch_pytest`, as a user of the package would test a robot."""

from pathlib import Path
from typing import Any

import pytest
from ament_index_python.packages import get_package_share_directory
from mira.srv import RecallMemory
from probe import Probe

launch_pytest = pytest.importorskip(
    "launch_pytest", reason="launch_pytest is not installed; source ROS 2 Jazzy to run this test"
)
from launch import LaunchDescription  # noqa: E402
from launch.actions import IncludeLaunchDescription  # noqa: E402
from launch.launch_description_sources import PythonLaunchDescriptionSource  # noqa: E402


@launch_pytest.fixture
def robot(profile: Path, domain: int) -> Any:
    launch_file = Path(get_package_share_directory("mira"), "launch", "mira.launch.py")
    return LaunchDescription(
        [
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(str(launch_file)),
                launch_arguments={"profile": str(profile), "namespace": "rosa"}.items(),
            ),
            launch_pytest.actions.ReadyToTest(),
        ]
    )


@pytest.mark.launch(fixture=robot)
def test_an_included_robot_answers_under_its_namespace(domain: int) -> None:
    with Probe(domain, namespace="rosa") as probe:
        response = probe.call(RecallMemory, "recall_memory", query="Gordon", within_s=30.0)
    assert response.status == "miss"
