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
        self._names = (str(path), f"{path}-wal")
        self._opened = self._identities()

    def require(self) -> None:
        """Check that both paths still name the open files.

        Raises:
            StoreGone: one of them was deleted, moved or replaced.
        """
        if self._opened is None or self._identities() != self._opened:
            raise StoreGone(self._path)

    def _identities(self) -> list[tuple[int, int]] | None:
        try:
            return [(state.st_dev, state.st_ino) for state in map(os.stat, self._names)]
        except OSError:
            return None
