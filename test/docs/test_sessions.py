# SPDX-License-Identifier: Apache-2.0
"""What README and the pages show of a session is what the program says, word for word."""

import doctest
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from ament_index_python.packages import get_package_prefix
from documents import PAGES, ROOT, blocks
from probe import Probe
from robot_graph import RobotGraph, wait_until

from mira_bringup.profile import Profile, load_profile

SESSIONS = [block for page in PAGES for block in blocks(page) if block.lines[0].startswith("> ")]
PYTHON = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
PROFILES = [
    block for page in PAGES for block in blocks(page) if block.lines[0].startswith("robot:")
]


@pytest.fixture
def robot(graph: RobotGraph, probe: Probe) -> RobotGraph:
    """Start what `./dev demo` starts, all with the defaults of its profile."""
    graph.start("memory_node", {"database_path": str(graph.directory / "memory.sqlite3")})
    graph.start("cognition_node")
    wait_until(lambda: "Listening" in graph.logs() and "Opened" in graph.logs(), "both nodes")
    return graph


def converse(graph: RobotGraph, typed: list[str]) -> str:
    console = str(Path(get_package_prefix("mira"), "lib", "mira", "console"))
    done = subprocess.run(
        [console, "--ros-args", "-r", "__ns:=/mira"],
        input="".join(f"{line}\n" for line in typed),
        text=True,
        capture_output=True,
        env=graph.environment,
        cwd=graph.directory,
        timeout=60.0,
        check=True,
    )
    return done.stdout


def test_the_sessions_of_the_readme_are_real(robot: RobotGraph) -> None:
    shown, refused = (block for block in SESSIONS if block.page == "README.md")
    typed = [line.removeprefix("> ") for line in shown.lines if line.startswith("> ")]
    assert converse(robot, typed).splitlines() == list(shown.lines)
    answers = converse(robot, [line.removeprefix("> ") for line in refused.lines])
    assert answers.count("> ") == len(refused.lines) == 3
    assert "[stored" not in answers
    told = converse(robot, ["Gordon's favourite drink is milk."])
    assert "[stored MEM3]" in told


TIME = re.compile(r"^2\d{3}-\d\d-\d\dT[\d:.]+Z")


def test_the_correction_that_is_shown_is_real(robot: RobotGraph) -> None:
    (shown,) = (block for block in SESSIONS if block.page == "lifecycle.md")
    typed = [line.removeprefix("> ") for line in shown.lines if line.startswith("> ")]
    answers = [TIME.sub("<time>", line) for line in converse(robot, typed).splitlines()]
    assert answers == [TIME.sub("<time>", line) for line in shown.lines]


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.name)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_profiles_that_are_shown_can_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert {block.page for block in PROFILES} == {"README.md", "operations.md"}
    for block in PROFILES:
        path = tmp_path / "robot.yaml"
        path.write_text("\n".join(block.lines), encoding="utf-8")
        profile = load_profile(path)
        assert profile.memory.on
        assert profile.memory.database_path == str(tmp_path / "mira" / "memory.sqlite3")
        assert profile.sensors[0].name == "battery"


def test_every_key_of_robot_and_memory_is_shown() -> None:
    (block,) = (each for each in PROFILES if each.page == "operations.md")
    profile = profile_of(block.lines)
    for section in ("robot", "memory"):
        model = getattr(profile, section)
        assert set(model.model_fields_set) == set(type(model).model_fields)


def profile_of(lines: tuple[str, ...]) -> Profile:
    return Profile.model_validate(yaml.safe_load("\n".join(lines)), context={"directory": ROOT})
