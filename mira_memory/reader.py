# SPDX-License-Identifier: Apache-2.0
"""The connection that reads: it cannot write, and no question runs for ever."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mira_memory import statements
from mira_memory.errors import StoreBusy, StoreError
from mira_memory.faults import store_error
from mira_memory.health import Health

_STEPS_BETWEEN_LOOKS_AT_THE_CLOCK = 10_000


class Reader:
    """Answer questions from consistent snapshots, each within `limit_s`.

    `health` hears of every error before it is raised, and is asked whether the file can be
    believed.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        limit_s: float,
        health: Health,
    ) -> None:
        self._connection = connection
        self._health = health
        self._path = path
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._deadline = 0.0
        connection.set_progress_handler(self._is_late, _STEPS_BETWEEN_LOOKS_AT_THE_CLOCK)

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Give a connection on which everything is of one moment.

        Raises:
            StoreTooSlow: the time is up.
            StoreGone, StoreDamaged: what the open file holds is not to be believed.
            StoreError: the file could not be read.
        """
        self._require_sound()
        with self.glimpse() as connection:
            yield connection

    @contextmanager
    def glimpse(self) -> Iterator[sqlite3.Connection]:
        """Give a connection as `snapshot` does, even if the file lost its name or is damaged.

        For counts, which say nothing about what is stored.

        Raises:
            StoreError: the file could not be read.
        """
        self._enter()
        try:
            self._connection.execute(statements.BEGIN_READ)
            yield self._connection
        except sqlite3.Error as error:
            raise self._told(store_error(error, self._path, self._limit_s)) from None
        finally:
            self._end()
            self._lock.release()

    def version(self) -> int:
        """Return a number that changes with every commit, of this program or another.

        Raises:
            StoreError: the file could not be read, or is not to be believed.
        """
        self._require_sound()
        self._enter()
        try:
            return int(self._connection.execute(statements.DATA_VERSION).fetchone()[0])
        except sqlite3.Error as error:
            raise self._told(store_error(error, self._path, self._limit_s)) from None
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close the connection, after the question under way; one without end keeps it."""
        if self._lock.acquire(timeout=2 * self._limit_s):
            self._connection.close()
            self._lock.release()

    def _enter(self) -> None:
        if not self._lock.acquire(timeout=self._limit_s):
            raise self._told(StoreBusy(self._path, "earlier questions are still waiting"))
        self._deadline = time.monotonic() + self._limit_s

    def _require_sound(self) -> None:
        try:
            self._health.require_sound()
        except StoreError as error:
            raise self._told(error) from None

    def _told(self, error: StoreError) -> StoreError:
        self._health.failed(error)
        return error

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _end(self) -> None:
        # A reader has nothing to lose: what can't be ended, SQLite ends with the connection.
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute(statements.ROLLBACK)
