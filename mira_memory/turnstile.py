# SPDX-License-Identifier: Apache-2.0
"""A lock that lets threads through in the order in which they came."""

import threading
from collections import deque


class Turnstile:
    """Serve waiting threads first come, first served, each for a bounded time.

    `threading.Lock` makes no such promise: under load a thread can starve behind it.
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, timeout_s: float) -> bool:
        """Return whether the caller is through; it gives up after `timeout_s`."""
        with self._mutex:
            if not self._held:
                self._held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=timeout_s):
            return True
        with self._mutex:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True  # handed over between the time-out and here

    def release(self) -> None:
        """Let the next one through."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False
