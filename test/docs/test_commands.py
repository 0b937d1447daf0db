# SPDX-License-Identifier: Apache-2.0
"""Every command that README and the pages show is run, or checked in another way.

`ros2 ...` needs ros2cli, which is not everywhere: what such a command names is looked up, and what
it asks of the graph is asked with rclpy. What is neither run nor asked is listed with the reason.
"""

import ast
import re
import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from documents import PAGES, ROOT, blocks, code, inline_code, table

COMMANDS = sorted(
    {command for page in PAGES for block in blocks(page) for command in block.commands}
    | {
        command
        for page in PAGES
        for command in inline_code(page)
        if command.startswith("./dev ")
        or (command.startswith("ros2 ") and len(command.split()) > 3 and "…" not in command)
    }
)
# Programs that are not part of a test's environment, and set-up of a machine.
NOT_RUN = {
    "source ": "set-up of a terminal",
    "export ": "set-up of a terminal",
    "python3 -m venv ": "set-up of a workspace",
    "~/mira-venv/bin/pip ": "set-up of a workspace",
    "colcon ": "./dev build runs colcon with the interpreter of its environment",
    "sudo ": "set-up of a machine",
    "datasette ": "not among the requirements",
    "rqt ": "needs a screen",
    "ros2 security ": "needs SROS 2",
    "ros2 bag ": "needs rosbag2",
    "ros2 run rosbag2_transport ": "needs rosbag2",
    "ros2 run diagnostic_aggregator ": "needs diagnostic_aggregator",
    "ros2 run topic_tools ": "needs topic_tools",
}
# Run against a real file by test_keeping.py.
RUN = ("sqlite3 ", "sqlite-utils ", "mkdir ", "mv ", "cp ", "sed ")


def interface(name: str) -> Any:
    package, kind, interface_name = name.split("/")
    return getattr(import_module(f"{package}.{kind}"), interface_name)


def launches(arguments: list[str]) -> None:
    tree = ast.parse((ROOT / "launch" / "mira.launch.py").read_text())
    declared = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "DeclareLaunchArgument"
        and isinstance(node.args[0], ast.Constant)
    }
    assert arguments[:2] == ["mira", "mira.launch.py"]
    assert {argument.partition(":=")[0] for argument in arguments[2:]} <= declared


def runs(arguments: list[str]) -> None:
    package, executable, *_ = arguments
    assert Path(get_package_prefix(package), "lib", package, executable).exists()


def calls(arguments: list[str]) -> None:
    _, service, kind, *text = arguments
    rows = {
        f"/mira/{code(row[0])[0]}": code(row[1])[0] for row in table("interfaces.md", "Services")
    }
    assert rows[service] == kind
    request = interface(kind).Request(**yaml.safe_load(text[0])) if text else None
    assert request is None or isinstance(request, interface(kind).Request)


def publishes(arguments: list[str]) -> None:
    *_, topic, kind, text = arguments
    assert named("Topics")[topic] == kind
    interface(kind)(**yaml.safe_load(text))


def echoes(arguments: list[str]) -> None:
    assert arguments[1] in named("Topics")


def named(heading: str) -> dict[str, str]:
    """Return the types of the topics or services of docs/interfaces.md."""
    rows = table("interfaces.md", heading)
    return {f"/mira/{code(row[0])[0]}": code(row[1])[0] for row in rows}


def shows(arguments: list[str]) -> None:
    interface(arguments[1])


def describes(arguments: list[str]) -> None:
    _, node, parameter = arguments
    rows = table("interfaces.md", node.removeprefix("/mira/"))
    assert parameter in {code(row[0])[0] for row in rows}


CHECKS: dict[str, Callable[[list[str]], None]] = {
    "ros2 launch ": launches,
    "ros2 run mira ": runs,
    "ros2 service call ": calls,
    "ros2 topic pub ": publishes,
    "ros2 topic echo ": echoes,
    "ros2 interface show ": shows,
    "ros2 param describe ": describes,
}


def test_there_are_commands() -> None:
    assert len(COMMANDS) > 40


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_names_what_exists(command: str) -> None:
    for name in re.findall(r"\$\(ros2 pkg prefix --share mira\)/(\S+)", command):
        assert Path(get_package_share_directory("mira"), name).is_file()
        assert (ROOT / name).is_file()
    command = re.sub(r"^ROS_SECURITY_ENCLAVE_OVERRIDE=/mira/admin ", "", command)
    if command.startswith("./dev "):
        assert re.search(rf"^    {command.split()[1]}\)", (ROOT / "dev").read_text(), re.MULTILINE)
        return
    if command.startswith((*NOT_RUN, *RUN)):
        return
    checks = [check for start, check in CHECKS.items() if command.startswith(start)]
    assert len(checks) == 1, "a command of a new kind: run it, check it, or say why not"
    checks[0](shlex.split(command)[2:])


def test_nothing_is_excused_that_is_not_shown() -> None:
    for start in (*NOT_RUN, *RUN):
        assert any(command.startswith(start) for command in COMMANDS), start
