# SPDX-License-Identifier: Apache-2.0
"""One run of a plan: its nodes in the background, a console in the foreground."""

import asyncio
import contextlib
import os
import signal
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import Iterator, Sequence
from pathlib import Path

from mira_bringup.children import Child, start
from mira_bringup.parameter_file import write_node_files
from mira_bringup.plan import Plan

# Nodes say when they are ready, at the levels that let them.
SETTLE_S = {"debug": 10.0, "info": 10.0}
SILENT_SETTLE_S = 2.0
CONSOLE_GRACE_S = 1.0
# Descriptors, since Python has no objects for streams that were closed before the start.
_INPUT, _OUTPUT = 0, 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Run:
    """Nodes start in the plan's order and end in the reverse one: cognition before memory.

    `executables` is where the package's executables are, `parameters` a directory for their
    parameter files, `logs` one for what they print.
    """

    def __init__(self, plan: Plan, executables: Path, parameters: Path, logs: Path) -> None:
        self._plan = plan
        self._executables = executables
        self._parameters = parameters
        self._logs = logs
        self._children: list[Child] = []

    async def until_ended(self, console: Sequence[str] | None) -> int:
        """Run until the console ends, a signal comes or a node fails; return the exit code.

        `console` holds the console's arguments; None starts none.
        """
        stop = asyncio.Event()
        for number in STOP_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        if console is not None and not console and os.isatty(_INPUT) and os.isatty(_OUTPUT):
            # The terminal sends Ctrl-C to the console as well, which knows what is meant.
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, lambda: None)
        say(f"Logs: {self._logs}")
        try:
            await self._start_nodes(stop)
            code = await self._attend(stop, console)
        finally:
            ended_well = await self._end_nodes()
        return code if ended_well else code or 1

    async def _start_nodes(self, stop: asyncio.Event) -> None:
        environment = {**os.environ, "ROS_LOG_DIR": str(self._logs)}
        for node in self._plan.nodes:
            arguments = ["--log-level", self._plan.log_level]
            for file in write_node_files(self._plan, node, self._parameters):
                arguments += ["--params-file", str(file)]
            command = self._command(node.executable, [], arguments)
            log = self._logs / f"{node.name}.log"
            self._children.append(await start(node.name, command, log, environment))
        patience_s = SETTLE_S.get(self._plan.log_level, SILENT_SETTLE_S)
        await asyncio.gather(*(child.settle(patience_s, stop) for child in self._children))
        for child in self._children:
            for line in child.complaints():
                say(line)

    async def _attend(self, stop: asyncio.Event, console: Sequence[str] | None) -> int:
        waiting: set[asyncio.Task[object]] = {asyncio.create_task(stop.wait())}
        waiting |= {asyncio.create_task(child.process.wait()) for child in self._children}
        with _terminal_kept():
            talk = None
            if console is not None and not stop.is_set() and not self._failed():
                # Inherited descriptors stay open: a script may be /dev/fd/63, as <(...) names it.
                talk = await asyncio.create_subprocess_exec(
                    *self._command("console", console, []), close_fds=False
                )
                waiting.add(asyncio.create_task(talk.wait()))
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if talk is not None and talk.returncode is not None:
                return talk.returncode
            if talk is not None:
                await _end_console(talk)
        for child in self._failed():
            say(child.last_words() or f"The {child.name} node ended without a word.")
            say(f"The {child.name} node ended, and the run with it. Its log: {child.log}")
        return 1 if self._failed() else 0

    async def _end_nodes(self) -> bool:
        well = True
        for child in reversed(self._children):
            running = child.process.returncode is None
            ended_well = await child.stop()
            if running and not ended_well:
                say(f"The {child.name} node did not end well. Its log: {child.log}")
            well = well and ended_well
        return well

    def _failed(self) -> list[Child]:
        return [child for child in self._children if child.process.returncode is not None]

    def _command(
        self, executable: str, arguments: Sequence[str], ros_arguments: Sequence[str]
    ) -> list[str]:
        # The interpreter is named: a script's first line cannot hold a path with spaces.
        path = str(self._executables / executable)
        namespace = f"__ns:={self._plan.namespace}"
        return [sys.executable, path, *arguments, "--ros-args", "-r", namespace, *ros_arguments]


async def _end_console(console: Process) -> None:
    """End the console; a signal from the terminal has reached it already."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(console.wait(), CONSOLE_GRACE_S)
    for end in (console.terminate, console.kill):
        if console.returncode is None:
            end()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(console.wait(), CONSOLE_GRACE_S)


@contextlib.contextmanager
def _terminal_kept() -> Iterator[None]:
    """Give the terminal back as it was, even where a line editor was killed in it."""
    try:
        settings = termios.tcgetattr(_INPUT)
    except termios.error:
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(_INPUT, termios.TCSADRAIN, settings)


def say(sentence: str) -> None:
    """Tell the person at the terminal; standard output is the console's."""
    print(sentence, file=sys.stderr, flush=True)
