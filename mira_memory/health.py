# SPDX-License-Identifier: Apache-2.0
"""Whether the store can do its work now, and what went wrong last."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from mira_memory.errors import StoreClosed, StoreDamaged, StoreError
from mira_memory.lock import OwnershipLock
from mira_memory.named_files import NamedFiles
from mira_memory.records import timestamp
from mira_memory.writer import Writer


class Health:
    """Remember the last failure until a write, or a probe of the disk, shows that it is over.

    Damage is not over until a restart has checked the file: until then nothing is written to it
    and nothing that is read from it is believed.
    """

    def __init__(
        self,
        path: Path,
        writer: Writer,
        files: NamedFiles,
        lock: OwnershipLock,
        clock: Callable[[], datetime],
    ) -> None:
        self._path = path
        self._writer = writer
        self._files = files
        self._lock = lock
        self._clock = clock
        self._failure: StoreError | None = None
        self._noting = threading.Lock()
        self.last_write_at: str | None = None
        self.is_closed = False

    def failed(self, error: StoreError) -> None:
        """Note that reading or writing failed."""
        self._note(error)

    def require_sound(self) -> None:
        """Check that the file is open, the one at its path, and not known to be damaged.

        Raises:
            StoreClosed: it was closed.
            StoreGone: it is another one, or none.
            StoreDamaged: damage was found since the opening.
        """
        if self.is_closed:
            raise StoreClosed(self._path)
        failure = self._failure
        if isinstance(failure, StoreDamaged):
            raise failure.with_traceback(None)
        self._files.require()

    @contextmanager
    def watch_write(self) -> Iterator[None]:
        """Note how a write ends; nothing is swallowed."""
        try:
            self.require_sound()
            yield
        except StoreError as error:
            self.failed(error)
            raise
        if self._writer.has_written:
            self.last_write_at = timestamp(self._clock())
            self._note(None)

    @property
    def is_damaged(self) -> bool:
        """Whether damage was found since the opening."""
        return isinstance(self._failure, StoreDamaged)

    def last_error(self) -> str:
        """Return the sentence of a failure that still stands, or an empty text."""
        if self.is_closed:
            return str(StoreClosed(self._path))
        try:
            self._files.require()
        except StoreError as error:
            self.failed(error)
        else:
            if self._failure and not self.is_damaged and self._can_write():
                self._note(None)
        failure = self._failure
        return "" if failure is None else str(failure)

    def _note(self, failure: StoreError | None) -> None:
        # Several threads tell; none may take back the damage that another has just seen.
        with self._noting:
            if not self.is_damaged:
                self._failure = failure

    def _can_write(self) -> bool:
        # A transaction can begin on a disk that takes no more bytes, so the disk is asked first.
        return self._lock.has_room() and self._writer.can_write()

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
