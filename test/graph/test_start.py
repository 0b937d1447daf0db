# SPDX-License-Identifier: Apache-2.0
"""The graph is up at once: nothing that is slow to import stands in its way."""

import os
import signal
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("executable", ["memory_node", "cognition_node", "speech_bridge"])
def test_a_signal_during_the_imports_ends_a_node_in_order(
    graph: RobotGraph, executable: str, number: signal.Signals
) -> None:
    path = graph.directory / "memory.sqlite3"
    process = graph.start(executable, {"database_path": str(path)}, environment=IMPORTS)
    wait_until(lambda: "import time:" in process.log() and holds(process, number), "the imports")
    assert process.stop(number) == 0, process.log()
    assert not path.with_name("memory.sqlite3-wal").exists()


def test_a_signal_during_the_imports_ends_the_console_without_a_traceback(
    graph: RobotGraph,
) -> None:
    process = graph.start("console", environment=IMPORTS)
    wait_until(lambda: "mira_memory" in process.log(), "the imports")
    assert process.stop(signal.SIGINT) == 128 + signal.SIGINT


def holds(process: NodeProcess, number: signal.Signals) -> bool:
    """Tell whether a signal would be kept from the process for the time being."""
    status = Path("/proc", str(process.pid), "status").read_text()
    (blocked,) = (line for line in status.splitlines() if line.startswith("SigBlk:"))
    return bool(int(blocked.split()[1], 16) >> (number - 1) & 1)


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
