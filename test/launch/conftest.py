# SPDX-License-Identifier: Apache-2.0
"""What launch tests share; they need the real `ros2 launch` and `launch_pytest`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from graph_fixtures import domain
from probe import Probe
from ros2_launch import ON, Launches

__all__ = ["domain"]


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """Return a profile with persistent memory on, its database in the test's directory."""
    path = tmp_path / "profile.yaml"
    path.write_text(ON)
    return path


@pytest.fixture
def launches(tmp_path: Path, domain: int) -> Iterator[Launches]:
    if shutil.which("ros2") is None:
        pytest.skip("ros2 launch is not installed; source ROS 2 Jazzy to run this test")
    launches = Launches(tmp_path)
    yield launches
    launches.end()


@pytest.fixture
def probe(domain: int) -> Iterator[Probe]:
    with Probe(domain) as probe:
        yield probe
