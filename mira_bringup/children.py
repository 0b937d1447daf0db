# SPDX-License-Identifier: Apache-2.0
"""A node as a child process: its log in a file, its end asked for, then enforced."""

import asyncio
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# A node may serve for 3 s after SIGINT (docs/architecture.md, "Start and end").
GRACE_S = {signal.SIGINT: 8.0, signal.SIGTERM: 3.0, signal.SIGKILL: 3.0}


@dataclass(frozen=True, slots=True)
class Child:
    """A running node; everything it prints goes to `log`."""

    name: str
    log: Path
    process: Process

    async def settle(self, patience_s: float, stop: asyncio.Event) -> None:
        """Wait until the node has ended or logged that it serves, `stop`, or `patience_s`."""
        end = asyncio.get_running_loop().time() + patience_s
        while self.process.returncode is None and not self._logged("[INFO]", "[DEBUG]"):
            if stop.is_set() or asyncio.get_running_loop().time() > end:
                return
            await asyncio.sleep(0.02)

    async def stop(self) -> bool:
        """End the node, gently first; return whether SIGINT was enough and it ended well."""
        for number, patience_s in GRACE_S.items():
            if self.process.returncode is None:
                self.process.send_signal(number)
            try:
                await asyncio.wait_for(self.process.wait(), patience_s)
            except TimeoutError:
                continue
            return self.process.returncode == 0
        return False

    def complaints(self) -> list[str]:
        """Return the warnings and errors that the node has logged."""
        return self._logged("[WARN]", "[ERROR]", "[FATAL]")

    def last_words(self) -> str:
        """Return the last line that the node printed, or nothing."""
        return next((line for line in reversed(self._lines()) if line.strip()), "")

    def _logged(self, *levels: str) -> list[str]:
        return [line for line in self._lines() if any(level in line for level in levels)]

    def _lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines()


async def start(
    name: str, command: Sequence[str], log: Path, environment: Mapping[str, str]
) -> Child:
    """Start a node out of reach of the terminal's Ctrl-C, so that nodes end in order."""
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,
        )
    return Child(name, log, process)
