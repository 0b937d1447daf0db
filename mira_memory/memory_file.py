# SPDX-License-Identifier: Apache-2.0
"""Check that a path can name a memory file, before anything touches it.

Follows docs/memory.md, "The store".
"""

import os
import stat
from pathlib import Path

from mira_memory.errors import IsADirectory, NoDirectory, NotAFile, NotReadable, NotWritable


def memory_file(path: str | Path) -> Path:
    """Return the absolute path, links followed, of a regular file that exists or can be made.

    Raises:
        OpeningError: it can't be one that we may read and write; the sentence says why.
    """
    named = Path(path)
    try:
        file = named.resolve()
        mode = file.stat().st_mode
    except FileNotFoundError:
        if not file.parent.is_dir():
            raise NoDirectory(file) from None
        _require_writable_directory(file)
        return file
    except (OSError, ValueError, RuntimeError) as error:
        raise NotReadable(named, getattr(error, "strerror", None) or "no valid path") from None
    if stat.S_ISDIR(mode):
        raise IsADirectory(file)
    if not stat.S_ISREG(mode):
        raise NotAFile(file, "a device, pipe or socket")
    if not _may(file, os.R_OK):
        raise NotReadable(file, "permission denied")
    if not _may(file, os.W_OK):
        raise NotWritable(file, "permission denied or read-only file system")
    _require_writable_directory(file)
    return file


def _require_writable_directory(file: Path) -> None:
    # SQLite keeps its log beside the file, and the lock is there too.
    if not _may(file.parent, os.W_OK | os.X_OK):
        raise NotWritable(file, "its directory is read-only")


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=True)
