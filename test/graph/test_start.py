# SPDX-License-Identifier: Apache-2.0
"""The graph is up at once: nothing that is slow to import stands in its way."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from robot_graph import NodeProcess, RobotGraph, wait_until

UP_WITHIN_S = 2.0
# Each imported module is told on standard error, where the log goes too.
IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}


def processor_seconds(process: NodeProcess) -> float:
    """Return the time that a process took of the processors, whoever else was busy."""
    fields = Path("/proc", str(process.pid), "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_both_nodes_serve_after_two_seconds_of_work(graph: RobotGraph) -> None:
    for start in (graph.start_memory, graph.start_cognition):
        assert processor_seconds(start()) < UP_WITHIN_S


def packages_imported(log: str) -> set[str]:
    """Return the packages of which at least one module was imported."""
    return {
        line.rpartition("|")[2].strip().partition(".")[0]
        for line in log.splitlines()
        if line.startswith("import time:")
    }


def test_litellm_is_not_imported_without_a_model(graph: RobotGraph) -> None:
    path = graph.directory / "memory.sqlite3"
    memory = graph.start("memory_node", {"database_path": str(path)}, environment=IMPORTS)
    cognition = graph.start("cognition_node", environment=IMPORTS)
    for process, ready in ((memory, "Opened"), (cognition, "Listening")):
        wait_until(lambda process=process, ready=ready: ready in process.log(), ready)
        assert process.stop() == 0
        packages = packages_imported(process.log())
        assert "rclpy" in packages
        assert not packages & {"litellm", "openai", "httpx"}


@pytest.mark.skipif(find_spec("litellm") is None, reason="LiteLLM is not installed")
def test_with_a_model_litellm_is_imported_after_the_node_listens(graph: RobotGraph) -> None:
    cognition = graph.start("cognition_node", {"model": "openai/local"}, environment=IMPORTS)
    wait_until(lambda: "litellm" in packages_imported(cognition.log()), "the import", 60.0)
    before, _, after = cognition.log().partition("Listening")
    assert "litellm" not in packages_imported(before)
    assert "litellm" in packages_imported(after)
