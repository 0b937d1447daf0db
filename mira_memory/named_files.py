# SPDX-License-Identifier: Apache-2.0
"""Whether the memory file and its log are still those that were opened.

Follows docs/memory.md, "The store".
"""

import os
from pathlib import Path

from mira_memory.errors import StoreGone


class NamedFiles:
    """Know the files at a path, and at that of its write-ahead log, as they are now."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file, self._log = str(path), f"{path}-wal"
        self._opened = self._identities()

    def require(self) -> None:
        """Check that both paths still name the open files.

        Raises:
            StoreGone: one of them was deleted, moved or replaced.
        """
        if self._opened is None or self._identities() != self._opened:
            raise StoreGone(self._path)

    def _identities(self) -> tuple[int, int, int, int] | None:
        try:
            file, log = os.stat(self._file), os.stat(self._log)
        except OSError:
            return None
        return file.st_dev, file.st_ino, log.st_dev, log.st_ino
