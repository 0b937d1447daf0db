# SPDX-License-Identifier: Apache-2.0
"""The outer bounds of an episode: a deadline on a steady clock, and being told to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum

SteadyClock = Callable[[], float]


class Bounds:
    """Say how long there is, and wait no longer (seconds on the steady clock)."""

    def __init__(self, seconds: float, clock: SteadyClock, cancellation: Cancellation) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._cancellation = cancellation

    def remaining(self, limit: float | None = None) -> float:
        """Return the seconds left, at most `limit`, never below zero."""
        left = max(0.0, self._end - self._clock())
        return left if limit is None else min(left, limit)

    def check(self) -> None:
        """Raise Interrupted where the episode has been stopped, or its time is over."""
        cause = self._cancellation.cause
        if cause is not None:
            raise Interrupted(cause)
        if self.remaining() <= 0.0:
            raise Interrupted(Cause.DEADLINE)

    def wait(self, done: threading.Event, limit: float | None = None) -> None:
        """Wait for `done`, a cancellation or the end of time; cancelling sets `done` too."""
        with self._cancellation.waking(done):
            done.wait(self.remaining(limit))

    @contextmanager
    def interruption(self) -> Iterator[threading.Event]:
        """Give an event that is set as soon as the episode is cancelled."""
        event = threading.Event()
        with self._cancellation.waking(event):
            yield event


class Cause(StrEnum):
    """Why an episode ends before its reply is found."""

    DEADLINE = "deadline"
    STOPPED = "stopped"
    SHUTDOWN = "shutdown"
    OPERATOR_SPOKE = "operator_spoke"


class Interrupted(Exception):
    """The episode must end now."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(f"the episode was ended: {cause}")
        self.cause = cause


class Cancellation:
    """Tell a running episode to end, from any thread; the first cause given stays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cause: Cause | None = None
        self._waiting: list[threading.Event] = []

    @property
    def cause(self) -> Cause | None:
        """The cause given, or None while the episode may go on."""
        return self._cause

    def cancel(self, cause: Cause) -> None:
        """End the episode; whoever waits inside it wakes at once."""
        with self._lock:
            self._cause = self._cause or cause
            for event in self._waiting:
                event.set()

    @contextmanager
    def waking(self, event: threading.Event) -> Iterator[None]:
        """Set `event` when cancelled, while this context lasts."""
        with self._lock:
            self._waiting.append(event)
            if self._cause is not None:
                event.set()
        try:
            yield
        finally:
            with self._lock:
                self._waiting.remove(event)
