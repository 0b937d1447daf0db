# SPDX-License-Identifier: Apache-2.0
import os
import signal
import sqlite3
import stat
import sys
from pathlib import Path

import pytest
from mira.srv import GetMemoryStatus, RecallMemory
from probe import Probe
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from robot_graph import NodeProcess, RobotGraph, wait_until

from mira_bringup.plan import Arguments, plan
from mira_bringup.profile import load_profile

ON = "memory: {enabled: true, database_path: data/memory.sqlite3}\n"
FIRST_RUN = """\
memory entity add person "Gordon"
Remember that Gordon's favourite snack is herring.
"""


class Runs:
    """Runs of the runner in one test's graph, with one profile."""

    def __init__(self, graph: RobotGraph) -> None:
        self._graph = graph
        self.directory = graph.directory
        self.database = graph.directory / "data" / "memory.sqlite3"

    def start(
        self,
        *arguments: str,
        profile: str = ON,
        script: str | None = None,
        input_closed: bool = False,
    ) -> NodeProcess:
        path = self.directory / "profile.yaml"
        path.write_text(profile)
        command = [sys.executable, "-m", "mira_bringup.runner", "--profile", str(path)]
        if input_closed:
            command = ["sh", "-c", 'exec "$0" "$@" <&-', *command]
        if script is not None:
            (self.directory / "script.txt").write_text(script)
            command += ["--script", str(self.directory / "script.txt")]
        number = len(self._graph.processes)
        log = self.directory / f"runner-{number}.txt"
        process = NodeProcess([*command, *arguments], self._graph.environment, log)
        self._graph.processes.append(process)
        return process

    def node_logs(self) -> dict[str, str]:
        """Return what each node of the newest run has logged."""
        newest = max((self.directory / "ros_log").glob("mira-*"), key=os.path.getmtime)
        return {path.stem: path.read_text() for path in newest.glob("*.log")}


@pytest.fixture
def runs(graph: RobotGraph) -> Runs:
    return Runs(graph)


def serving(run: NodeProcess, probe: Probe) -> None:
    """Wait until the run's memory node answers."""
    client = probe.node.create_client(RecallMemory, "recall_memory")
    wait_until(lambda: client.service_is_ready() or not run.running(), "recall_memory")
    assert run.running(), run.log()


def test_what_one_run_was_told_the_next_one_knows(runs: Runs) -> None:
    first = runs.start("--strict", script=FIRST_RUN)
    assert first.wait(60.0) == 0, first.log()
    assert "stored MEM1" in first.log()
    second = runs.start("--strict", script="What do you know about Gordon?\n")
    assert second.wait(60.0) == 0, second.log()
    assert "herring" in second.log()


def test_a_failing_line_ends_a_strict_script_and_its_code_is_the_run_s(runs: Runs) -> None:
    script = 'memory entity add person "Gordon\nmemory entity add robot "Mira"\n'
    run = runs.start("--strict", script=script)
    assert run.wait(60.0) == 1
    assert 'robot "Mira"' not in run.log()
    relaxed = runs.start(script=script)
    assert relaxed.wait(60.0) == 0
    assert "ENT1" in relaxed.log()


def test_the_console_is_alone_on_the_terminal(runs: Runs) -> None:
    run = runs.start(script="memory persistent\n")
    assert run.wait(60.0) == 0
    assert "[INFO]" not in run.log()
    assert f"Logs: {runs.directory / 'ros_log'}" in run.log()
    logs = runs.node_logs()
    assert "[INFO]" in logs["memory"]
    assert "[INFO]" in logs["cognition"]


def test_the_database_gets_its_directory_and_is_closed_at_the_end(runs: Runs) -> None:
    assert runs.start(script=FIRST_RUN).wait(60.0) == 0
    assert stat.S_IMODE(runs.database.parent.stat().st_mode) == 0o700
    assert not runs.database.with_name("memory.sqlite3-wal").exists()
    with sqlite3.connect(f"file:{runs.database}?mode=ro", uri=True) as database:
        assert database.execute("SELECT count(*) FROM memories").fetchone() == (1,)


def test_a_refused_database_ends_the_run_with_the_node_s_own_error(runs: Runs) -> None:
    runs.database.parent.mkdir()
    runs.database.write_text("a shopping list")
    run = runs.start(script=FIRST_RUN)
    assert run.wait(60.0) == 1
    assert f"{runs.database} is not an SQLite database;" in run.log()
    assert "Traceback" not in run.log()
    assert "entity add" not in run.log(), "the console was opened all the same"
    assert runs.database.read_text() == "a shopping list"


def test_a_profile_error_starts_nothing(runs: Runs) -> None:
    run = runs.start(profile="memory:\n  databse_path: x\n")
    assert run.wait(60.0) == 1
    assert "profile.yaml:2: memory.databse_path is not a key" in run.log()
    assert not runs.database.parent.exists()


def test_without_memory_there_is_no_file_and_no_node(runs: Runs) -> None:
    run = runs.start(profile=ON.replace("true", "false"), script="memory persistent\n")
    assert run.wait(60.0) == 0
    assert "disabled" in run.log()
    assert not runs.database.parent.exists()
    assert set(runs.node_logs()) >= {"cognition"}
    assert "memory" not in runs.node_logs()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_cognition_first_then_memory(
    runs: Runs, probe: Probe, number: signal.Signals
) -> None:
    run = runs.start("--no-console")
    serving(run, probe)
    assert run.stop(number) == 0, run.log()
    assert "did not end well" not in run.log()
    assert not runs.database.with_name("memory.sqlite3-wal").exists()


def test_a_closed_standard_input_is_no_hindrance(runs: Runs, probe: Probe) -> None:
    run = runs.start("--no-console", input_closed=True)
    serving(run, probe)
    assert run.stop() == 0, run.log()
    assert "Traceback" not in run.log()


def test_a_signal_ends_a_console_that_waits_for_input(runs: Runs, probe: Probe) -> None:
    silent = runs.directory / "silent"
    os.mkfifo(silent)
    run = runs.start("--script", str(silent))
    serving(run, probe)
    wait_until(lambda: child_of(run.pid, "console"), "the console")
    assert run.stop(signal.SIGTERM) == 0, run.log()
    assert not runs.database.with_name("memory.sqlite3-wal").exists()


def test_a_node_that_is_killed_ends_the_run_with_an_error(runs: Runs, probe: Probe) -> None:
    run = runs.start("--no-console")
    serving(run, probe)
    memory = child_of(run.pid, "memory_node")
    assert memory is not None
    os.kill(memory, signal.SIGKILL)
    assert run.wait() == 1
    assert "The memory node ended, and the run with it." in run.log()


def test_namespace_and_params_file_reach_the_nodes(runs: Runs, domain: int) -> None:
    elsewhere = runs.directory / "elsewhere.sqlite3"
    params_file = runs.directory / "params.yaml"
    params_file.write_text(f'/**: {{ros__parameters: {{database_path: "{elsewhere}"}}}}')
    run = runs.start(
        "--no-console", "--namespace", "fleet/rosa", "--params-file", str(params_file)
    )
    with Probe(domain, namespace="fleet/rosa") as probe:
        serving(run, probe)
        status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert status.database_path == str(elsewhere)
    assert run.stop() == 0


def test_parameters_that_reach_nobody_are_said_to_the_person(runs: Runs) -> None:
    params_file = runs.directory / "params.yaml"
    given = ("--params-file", str(params_file), "--script", "/dev/null")
    params_file.write_text("/memory: {ros__parameters: {turn_ttl_s: 9.0}}")
    run = runs.start(*given)
    assert run.wait(60.0) == 0
    assert f"{params_file} changes nothing: it names /memory, and the nodes are" in run.log()
    params_file.write_text("/**/memory: {ros__parameters: {turn_tll_s: 9.0}}")
    run = runs.start(*given)
    assert run.wait(60.0) == 0
    assert "changes nothing" not in run.log()
    assert run.log().count("did you mean 'turn_ttl_s'?") == 1


EVERYTHING = """
robot: {name: "007"}
memory:
  enabled: true
  database_path: data/memory.sqlite3
  turn_ttl_s: 60
  assertion_guard: false
  assertion_guard_languages: [en]
  admin_services: false
  speakers: ["yes"]
cognition:
  model: offline
  api_base: http://localhost:11434
  temperature: 1
  max_tokens: 256
  request_timeout_s: 10
  fallback: offline
  deadline_s: 15
  acquisitions: 1
  model_requests: 3
  queue_size: 4
  working_memory_size: 2
  memory_timeout_s: 1.5
  claim_guard_languages: [en]
sensors:
  - {name: battery, topic: /b, type: sensor_msgs/msg/BatteryState, fields: [percentage]}
"""


def test_every_key_of_the_profile_is_a_parameter_of_its_node(runs: Runs, probe: Probe) -> None:
    run = runs.start("--no-console", profile=EVERYTHING)
    serving(run, probe)
    for node in plan(load_profile(runs.directory / "profile.yaml"), Arguments()).nodes:
        names = [name for name, _ in node.parameters]
        response = probe.call(
            GetParameters, f"{node.name}/get_parameters", names=names, resend_s=1.0
        )
        values = [parameter_value_to_python(value) for value in response.values]
        # `sensors` is one text, whose content the plan's own tests read.
        assert dict(zip(names, values, strict=True)) == {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in node.parameters
        }
    assert run.stop() == 0


def child_of(parent: int, executable: str) -> int | None:
    """Return the process id of the parent's child that runs the executable, if there is one."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            words = (path.parent / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it ended since it was listed
            continue
        runs_it = any(word.endswith(executable.encode()) for word in words)
        if runs_it and int(fields[1]) == parent:
            return int(path.parent.name)
    return None
