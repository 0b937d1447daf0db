# SPDX-License-Identifier: Apache-2.0
"""Start the package's executables as a user does, and watch them."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ament_index_python.packages import get_package_prefix

START_S = 20.0
END_S = 10.0


def wait_until(condition: Callable[[], object], what: str, within_s: float = START_S) -> None:
    """Wait until `condition()` is true; fail with `what` was awaited after `within_s`."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"waited {within_s} s in vain for {what}"
        time.sleep(0.01)


class NodeProcess:
    """One running executable with its output."""

    def __init__(self, command: list[str], environment: Mapping[str, str], log: Path) -> None:
        self._log = log
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=log.parent,
            )
        self.pid = self._process.pid

    def log(self) -> str:
        """Return what it has printed so far."""
        return self._log.read_text("utf-8", "replace")

    def running(self) -> bool:
        """Tell whether it runs."""
        return self._process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def wait(self, within_s: float = END_S) -> int:
        """Return its exit code, failing if it does not end in time."""
        try:
            return self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still runs after {within_s} s:\n{self.log()}") from None

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """End it by a signal and return its exit code."""
        self.send(number)
        return self.wait()

    def ask_to_end(self) -> None:
        """Ask it to end, whatever state it is in."""
        if self.running():
            self.send(signal.SIGCONT)
            self.send(signal.SIGINT)

    def wait_or_kill(self) -> None:
        """Wait for the end that was asked for, and no longer."""
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class RobotGraph:
    """The processes of one test in its own domain, under one namespace."""

    def __init__(self, directory: Path, environment: Mapping[str, str]) -> None:
        self.directory = directory
        self.environment = dict(environment)
        self.processes: list[NodeProcess] = []

    def start(
        self,
        executable: str,
        parameters: Mapping[str, object] | None = None,
        *,
        namespace: str = "/mira",
        arguments: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> NodeProcess:
        """Start an installed executable with parameters handed over in a file, as launch does."""
        program = str(Path(get_package_prefix("mira"), "lib", "mira", executable))
        return self.start_program(
            [program],
            parameters,
            namespace=namespace,
            arguments=arguments,
            environment=environment,
        )

    def start_program(
        self,
        program: list[str],
        parameters: Mapping[str, object] | None = None,
        *,
        namespace: str = "/mira",
        arguments: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> NodeProcess:
        """Start any program that is a node."""
        name = f"{Path(program[-1]).stem}-{len(self.processes)}"
        file = self.directory / f"{name}.yaml"
        file.write_text(as_yaml({"/**": {"ros__parameters": dict(parameters or {})}}))
        process = NodeProcess(
            [
                *program,
                *("--ros-args", "-r", f"__ns:={namespace}"),
                *(("--params-file", str(file)) if parameters else ()),
                *arguments,
            ],
            self.environment | dict(environment or {}),
            self.directory / f"{name}.log",
        )
        self.processes.append(process)
        return process

    def start_memory(self, *, namespace: str = "/mira", **parameters: object) -> NodeProcess:
        """Start a memory node on a file in the test's directory; return when it has opened it."""
        process = self._memory(namespace, parameters)
        _wait_for(process, "Opened")
        return process

    def start_cognition(self, *, namespace: str = "/mira", **parameters: object) -> NodeProcess:
        """Start a cognition node and wait until it listens."""
        process = self._cognition(namespace, parameters)
        _wait_for(process, "Listening")
        return process

    def start_robot(self) -> tuple[NodeProcess, NodeProcess]:
        """Start memory and cognition at once; return both when they serve."""
        memory, cognition = self._memory("/mira", {}), self._cognition("/mira", {})
        _wait_for(memory, "Opened")
        _wait_for(cognition, "Listening")
        return memory, cognition

    def _memory(self, namespace: str, parameters: Mapping[str, object]) -> NodeProcess:
        defaults = {"database_path": str(self.directory / "memory.sqlite3")}
        return self.start("memory_node", defaults | dict(parameters), namespace=namespace)

    def _cognition(self, namespace: str, parameters: Mapping[str, object]) -> NodeProcess:
        defaults = {"self_name": "Mira"}
        return self.start("cognition_node", defaults | dict(parameters), namespace=namespace)

    def logs(self) -> str:
        """Return what all processes have printed."""
        return "\n".join(process.log() for process in self.processes)

    def end(self) -> None:
        """End every process that still runs, all at once."""
        for process in self.processes:
            process.ask_to_end()
        for process in self.processes:
            process.wait_or_kill()


def _wait_for(process: NodeProcess, word: str) -> None:
    """Wait until a node has logged the word by which it says that it serves."""
    wait_until(lambda: word in process.log() or not process.running(), f"a node to say {word}")
    assert process.running(), process.log()


def as_yaml(parameters: Mapping[str, object]) -> str:
    """Return YAML in which every text is quoted: JSON, with YAML's word for NaN."""
    return json.dumps(parameters, ensure_ascii=False).replace(": NaN", ": .nan")


def ros_environment(domain: int) -> dict[str, str]:
    """Return what keeps a test's graph to itself.

    Its shared memory it has in common with the machine: under LOCALHOST the middleware always
    takes some, whatever FASTDDS_BUILTIN_TRANSPORTS says.
    """
    return {
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_DOMAIN_ID": str(domain),
    }


def child_environment(directory: Path, breaches: Path) -> dict[str, str]:
    """Return the environment of a test's processes: guards, and logs in `directory`."""
    support = Path(__file__).parent
    paths = [str(support / "child"), str(support), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "HOME": str(directory),
        "MIRA_TEST_BREACHES": str(breaches),
        "MIRA_TEST_DIRECTORY": str(directory),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONUNBUFFERED": "1",
        "ROS_LOG_DIR": str(directory / "ros_log"),
    }
