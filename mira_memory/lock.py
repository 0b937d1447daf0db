# SPDX-License-Identifier: Apache-2.0
"""Own a memory file: one memory node at a time, whatever else reads it.

The lock is in a file of its own beside the database, since opening and closing the database file
itself would drop the locks that SQLite holds on it. The same file keeps the seal of an orderly
end: what the database file looked like when its owner had checked, checkpointed and closed it.
Follows docs/memory.md, "The store".
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from mira_memory.errors import NotWritable, StoreInUse

_SEAL_MAX = 256
# Many times what the largest memory may need.
_ROOM_BYTES = 1 << 18


class OwnershipLock:
    """Hold the ownership of one memory file until released.

    Raises:
        StoreInUse: another process, or this one, owns the file.
        NotWritable: the lock file can't be made or opened.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        path = database.with_name(database.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise NotWritable(database, f"its lock file: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise StoreInUse(database) from None

    def take_seal(self) -> bool:
        """Return whether the database is untouched since it was sealed; the seal is then gone.

        Taking it away means that an end without `seal`, a crash, leaves none.
        """
        sealed = os.pread(self._file, _SEAL_MAX, 0)
        os.ftruncate(self._file, 0)
        return sealed != b"" and sealed == _appearance(self._database)

    def has_room(self) -> bool:
        """Return whether the file system takes bytes; those written here are gone again after it.

        What is left if this is cut short is no seal.
        """
        try:
            return os.pwrite(self._file, bytes(_ROOM_BYTES), 0) == _ROOM_BYTES
        except OSError:
            return False
        finally:
            with suppress(OSError):
                os.ftruncate(self._file, 0)

    def seal(self) -> None:
        """Note what the closed database file looks like; not while a log is left beside it."""
        os.pwrite(self._file, _appearance(self._database), 0)

    def release(self) -> None:
        """Give the ownership up. The lock file stays: removing it would race with the next."""
        os.close(self._file)


def _appearance(database: Path) -> bytes:
    # The change time is the kernel's own: no program can set it back after writing to the file.
    try:
        state = database.stat()
        log = database.with_name(database.name + "-wal")
        if log.exists() and log.stat().st_size > 0:
            return b""
    except OSError:
        return b""
    return (
        f"{state.st_dev} {state.st_ino} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}"
    ).encode()
