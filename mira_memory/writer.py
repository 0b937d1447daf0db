# SPDX-License-Identifier: Apache-2.0
"""The one connection that writes: whole transactions, one at a time, into a file with a name."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mira_memory import statements
from mira_memory.errors import StoreBusy, StoreError
from mira_memory.faults import store_error
from mira_memory.named_files import NamedFiles
from mira_memory.turnstile import Turnstile

_LAST_WRITE_S = 5.0
# What the largest memory may need, many times over.
_ROOM_BYTES = 1 << 20
_ROOM_PAGES = 64


class Writer:
    """Run write transactions; callers on several threads are served in order of arrival.

    A commit is durable when `transaction` is left: the log was synced once, and the path still
    named the open file after it. `has_written` says whether the latest one changed anything.
    Follows docs/memory.md, "The store".
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        files: NamedFiles,
        busy_timeout_s: float,
    ) -> None:
        self._connection = connection
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._turnstile = Turnstile()
        self._files = files
        self.has_written = False

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit when left in order, roll back when left by an exception.

        Raises:
            StoreError: the transaction could not begin or commit; nothing of it stays, except
                that after StoreGone it may be in the file that lost its name.
        """
        if not self._turnstile.acquire(self._busy_timeout_s):
            raise StoreBusy(self._path, "earlier writes are still waiting")
        try:
            self._connection.execute(statements.BEGIN_WRITE)
            changes = self._connection.total_changes
            yield self._connection
            self._files.require()
            self._connection.execute(statements.COMMIT)
            self._files.require()
            self.has_written = self._connection.total_changes != changes
        except sqlite3.Error as error:
            raise store_error(error, self._path) from None
        finally:
            self._roll_back_leftover()
            self._turnstile.release()

    def can_write(self) -> bool:
        """Return whether a write could begin now; nothing is written, and nothing waited for."""
        if not self._turnstile.acquire(0.0):
            return False
        try:
            self._files.require()
            disk = os.statvfs(self._path)
            (used,) = self._connection.execute("PRAGMA page_count").fetchone()
            (quota,) = self._connection.execute("PRAGMA max_page_count").fetchone()
            if disk.f_bavail * disk.f_frsize < _ROOM_BYTES or quota - used < _ROOM_PAGES:
                return False
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute(statements.BEGIN_WRITE)
            return True
        except (sqlite3.Error, StoreError, OSError):
            return False
        finally:
            self._roll_back_leftover()
            with suppress(sqlite3.Error):
                self._connection.execute(
                    f"PRAGMA busy_timeout = {self._busy_timeout_s * 1000:.0f}"
                )
            self._turnstile.release()

    @contextmanager
    def trial(self) -> Iterator[sqlite3.Connection]:
        """Give a transaction of which nothing stays."""
        if not self._turnstile.acquire(self._busy_timeout_s):
            raise StoreBusy(self._path, "earlier writes are still waiting")
        try:
            self._connection.execute(statements.BEGIN_WRITE)
            yield self._connection
        except sqlite3.Error as error:
            raise store_error(error, self._path) from None
        finally:
            self._roll_back_leftover()
            self._turnstile.release()

    def leave_nothing_deleted(self) -> bool:
        """Write the file anew and cut the log to nothing; return whether both were possible.

        SQLite moves rows between pages, and what it leaves behind there no deletion reaches.
        """
        if not self._turnstile.acquire(self._busy_timeout_s):
            return False
        try:
            self._connection.execute(statements.WRITE_ANEW)
            (busy, _, _) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy
        except sqlite3.Error:
            return False
        finally:
            self._turnstile.release()

    def close(self) -> None:
        """Move the log into the database file as far as readers allow, and close.

        A write under way is waited for; one that never ends keeps its connection.
        """
        if not self._turnstile.acquire(self._busy_timeout_s + _LAST_WRITE_S):
            return
        # Where a reader or a full disk prevents it, the log stays and the next opening reads it.
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._connection.close()
        self._turnstile.release()

    def _roll_back_leftover(self) -> None:
        # SQLite may have rolled back by itself, or the connection been closed.
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute(statements.ROLLBACK)
