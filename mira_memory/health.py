# SPDX-License-Identifier: Apache-2.0
"""Whether the store can do its work now, and what went wrong last."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from mira_memory.errors import StoreDamaged, StoreError
from mira_memory.records import timestamp
from mira_memory.writer import Writer


class Health:
    """Remember the last failure until a write, or a probe of the writer, shows that it is over.

    Damage is not over until a restart has checked the file.
    """

    def __init__(self, path: Path, writer: Writer, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._writer = writer
        self._clock = clock
        self._failure: StoreError | None = None
        self.last_write_at: str | None = None

    def failed(self, error: StoreError) -> None:
        """Note that reading or writing failed."""
        if not self.is_damaged:
            self._failure = error

    @contextmanager
    def watch_write(self) -> Iterator[None]:
        """Note how a write ends; nothing is swallowed."""
        try:
            yield
        except StoreError as error:
            self.failed(error)
            raise
        if self._writer.has_written:
            self.last_write_at = timestamp(self._clock())
            self._failure = self._failure if self.is_damaged else None

    @property
    def is_damaged(self) -> bool:
        """Whether damage was found since the opening."""
        return isinstance(self._failure, StoreDamaged)

    def last_error(self) -> str:
        """Return the sentence of a failure that still stands, or an empty text."""
        try:
            self._writer.require_named()
        except StoreError as error:
            self.failed(error)
        else:
            if self._failure and not self.is_damaged and self._writer.can_write():
                self._failure = None
        return "" if self._failure is None else str(self._failure)

    def sizes(self) -> tuple[int, int]:
        """Return the bytes of file and log, and the bytes free on their file system."""
        size = 0
        for name in (str(self._path), f"{self._path}-wal"):
            try:
                size += os.stat(name).st_size
            except OSError:
                continue
        try:
            room = os.statvfs(self._path.parent)
        except OSError:
            return size, 0
        return size, room.f_bavail * room.f_frsize
