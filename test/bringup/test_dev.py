# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


def run(script: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "ROS_DISTRO"}
    return subprocess.run(
        [str(script), *arguments],
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=60.0,
        check=False,
    )


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """Return the script in a checkout where nothing has been set up, in a path with a space."""
    checkout = tmp_path / "a checkout"
    checkout.mkdir()
    for path in [CHECKOUT / "dev", *CHECKOUT.glob("requirements*.txt")]:
        shutil.copy(path, checkout)
    return checkout / "dev"


def python(directory: Path, version: str, *, able: bool) -> str:
    """Make a program that describes itself as a Python, with venv and headers or without."""
    path = directory / f"python{version}"
    (directory / "include").mkdir()
    path.write_text(
        "#!/bin/sh\n"
        f'case "$2" in *ensurepip*) exit {0 if able else 1};; esac\n'
        f"printf '{version}|made up\\n{path}\\n{directory}/include\\n'\n"
    )
    path.chmod(0o755)
    if able:
        (directory / "include" / "Python.h").touch()
    return str(path)


def test_help_names_every_verb(fresh: Path) -> None:
    done = run(fresh, "help")
    assert done.returncode == 0
    for verb in ("demo", "test", "build", "shell", "lint", "bench", "clean"):
        assert f"\n  {verb} " in done.stdout


def test_an_unknown_verb_is_refused(fresh: Path) -> None:
    done = run(fresh, "biuld")
    assert done.returncode == 1
    assert "dev: there is no verb 'biuld'." in done.stderr


@pytest.mark.parametrize("version", ["3.10", "3.14"])
def test_a_python_out_of_range_is_named_with_the_remedy(
    fresh: Path, tmp_path: Path, version: str
) -> None:
    done = run(fresh, "build", MIRA_PYTHON=python(tmp_path, version, able=True))
    assert done.returncode == 1
    assert f"is Python {version}; mira needs 3.11, 3.12 or 3.13. Install one" in done.stderr


def test_a_python_that_does_not_run_is_named(fresh: Path) -> None:
    done = run(fresh, "build", MIRA_PYTHON="/no/python3")
    assert done.returncode == 1
    assert "'/no/python3' does not run. Install python3 (3.11 to 3.13)" in done.stderr


def test_everything_that_the_machine_lacks_is_named_as_packages(
    fresh: Path, tmp_path: Path
) -> None:
    lacking = python(tmp_path, "3.12", able=False)
    done = run(fresh, "build", MIRA_PYTHON=lacking, CXX="/no/c++")
    assert done.returncode == 1
    packages = "python3.12-venv python3.12-dev g++"
    assert f"apt-get install {packages}" in done.stderr
    assert not (fresh.parent / ".venv").exists()


def test_a_failing_step_shows_the_end_of_its_log(fresh: Path, tmp_path: Path) -> None:
    done = run(fresh, "build", MIRA_PYTHON=python(tmp_path, "3.12", able=True))
    assert done.returncode == 1
    assert "creating .venv" in done.stderr
    assert "The whole log: " in done.stderr


def test_ros_that_is_named_but_not_sourced_is_refused(fresh: Path, tmp_path: Path) -> None:
    named = python(tmp_path, "3.12", able=True)
    done = run(fresh, "build", MIRA_PYTHON=named, ROS_DISTRO="jazzy", AMENT_PREFIX_PATH="")
    assert done.returncode == 1
    assert "Run 'source /opt/ros/jazzy/setup.bash', or 'unset ROS_DISTRO'" in done.stderr


@pytest.mark.skipif("ROS_DISTRO" in os.environ, reason="the checkout was set up for that ROS")
def test_a_command_in_the_shell_gives_its_own_exit_code(tmp_path: Path) -> None:
    done = run(CHECKOUT / "dev", "shell", "sh", "-c", 'echo "$1"; exit 7', "sh", "a  b")
    assert done.returncode == 7
    assert done.stdout == "a  b\n"
