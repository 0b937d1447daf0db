# SPDX-License-Identifier: Apache-2.0
"""A program on a pseudo-terminal, typed at and read as a person does."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from robot_graph import END_S, wait_until

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9A-B]?|[\r\x07]")
_END_OF_LINE = "\x05"
_QUIET_S = 0.3
_ROWS, _COLUMNS = 40, 160


class Terminal:
    """The program's controlling terminal; use it in a `with` block."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], directory: Path
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            # The terminal of the test answers no questions about its cursor.
            env={**environment, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
            cwd=directory,
            start_new_session=True,
        )
        self._theirs = theirs
        self._received = bytearray()
        self._last_received = time.monotonic()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *raised: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._theirs)
        self._reading.join(END_S)
        os.close(self._ours)

    def type(self, keys: str) -> None:
        """Press keys; the Enter key is "\\r"."""
        self._last_received = time.monotonic()
        os.write(self._ours, keys.encode())

    def raw(self) -> bytes:
        """Return everything that the program has sent to the terminal."""
        return bytes(self._received)

    def shown(self) -> str:
        """Return what was printed, without the sequences that steer the terminal."""
        return _CONTROL.sub("", self.raw().decode("utf-8", "replace"))

    def expect(self, text: str) -> None:
        """Wait until a text has been printed."""
        self.await_that(lambda: text in self.shown(), repr(text))

    def await_that(self, condition: Callable[[], object], what: str) -> None:
        """Wait for a condition.

        Linux can hold back what is typed in the instant in which a program changes the mode of
        its terminal, until the next key; so a key that does nothing is pressed once a second.
        """
        due = time.monotonic() + 1.0

        def holds() -> bool:
            nonlocal due
            if time.monotonic() > due:
                due += 1.0
                self.type(_END_OF_LINE)
            return bool(condition())

        wait_until(holds, f"{what} in:\n{self.shown()}")

    def quiet(self) -> bool:
        """Tell whether nothing has been received for a while."""
        return time.monotonic() - self._last_received > _QUIET_S

    def echoes(self) -> bool:
        """Tell whether the terminal shows what is typed, as a shell's user expects."""
        return bool(termios.tcgetattr(self._theirs)[3] & termios.ECHO)

    def _read(self) -> None:
        while True:
            try:
                received = os.read(self._ours, 65536)
            except OSError:  # the program's side is closed
                return
            if not received:
                return
            self._received += received
            self._last_received = time.monotonic()
