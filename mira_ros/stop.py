# SPDX-License-Identifier: Apache-2.0
"""SIGINT and SIGTERM as a request that wakes whoever waits."""

import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """Take SIGINT and SIGTERM while the block runs; use it in the main thread.

    A wait inside the middleware is not ended by a signal, and Python runs its handlers only
    between two steps of the main thread. So the signal's number goes through
    `signal.set_wakeup_fd` to a thread that wakes the executor. A repeated signal changes nothing:
    a terminal's Ctrl-C and a launch system often both send one.
    """

    def __init__(self) -> None:
        self._requested = threading.Event()
        self._wake: Callable[[], object] = lambda: None
        self._wake_lock = threading.Lock()
        self._previous: dict[int, Any] = {}
        self._previous_fd = -1
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._thread = threading.Thread(target=self._relay, name="stop signals", daemon=True)

    def requested(self) -> bool:
        """Tell whether a signal has asked for the end."""
        return self._requested.is_set()

    def on_request(self, wake: Callable[[], object]) -> None:
        """Have `wake` called, from another thread, when a signal arrives.

        Once this has returned, the callable given before is not called any more.
        """
        with self._wake_lock:
            self._wake = wake

    def __enter__(self) -> "StopSignals":
        self._previous = {number: signal.signal(number, _taken) for number in STOP_SIGNALS}
        self._previous_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._thread.start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.set_wakeup_fd(self._previous_fd)
        for number, handler in self._previous.items():
            # The process is ending in good order: a late signal must not make it a death.
            signal.signal(number, signal.SIG_IGN if self.requested() else handler)
        self._writer.close()
        self._thread.join(timeout=1.0)
        self._reader.close()

    def _relay(self) -> None:
        while numbers := self._reader.recv(16):
            if any(number in STOP_SIGNALS for number in numbers):
                self._requested.set()
                with self._wake_lock:
                    self._wake()


def hold_stop_signals() -> None:
    """Keep SIGINT and SIGTERM from the process until a `StopSignals` takes them, pending ones too.

    Call it before any thread is started: threads inherit what is held.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def _taken(number: int, frame: FrameType | None) -> None:
    """Do nothing: what matters happens in the thread that reads the number."""
