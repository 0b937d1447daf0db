# SPDX-License-Identifier: Apache-2.0
"""Run `ros2 launch mira mira.launch.py` as a user does."""

from pathlib import Path

from robot_graph import NodeProcess, child_environment

ON = "memory: {enabled: true, database_path: data/memory.sqlite3}\n"


class Launches:
    """Runs of `ros2 launch mira mira.launch.py`, each ended with the test."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._environment = child_environment(directory, directory / "breaches")
        self._runs: list[NodeProcess] = []

    def start(self, *arguments: str) -> NodeProcess:
        log = self._directory / f"launch-{len(self._runs)}.txt"
        command = ["ros2", "launch", "mira", "mira.launch.py", *arguments]
        self._runs.append(NodeProcess(command, self._environment, log))
        return self._runs[-1]

    def end(self) -> None:
        for run in self._runs:
            run.ask_to_end()
            run.wait_or_kill()
