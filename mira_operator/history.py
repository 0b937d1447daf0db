# SPDX-License-Identifier: Apache-2.0
"""The lines typed in earlier sessions, in a file that only their owner can read."""

import contextlib
import os
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory


def open_history() -> History:
    """
    Return the history kept in ``$XDG_STATE_HOME/mira/console_history``, mode 0600.

    Where the file can't be used, the history lasts as long as the session.
    """
    path = history_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        path.chmod(0o600)
    except OSError:
        return InMemoryHistory()
    return _OwnedHistory(path)


def history_path() -> Path:
    """Return where the history is kept (XDG base directory specification, state)."""
    state = os.environ.get("XDG_STATE_HOME", "")
    home = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return home / "mira" / "console_history"


class _OwnedHistory(FileHistory):
    def store_string(self, string: str) -> None:
        # A full disk must not end the session.
        with contextlib.suppress(OSError):
            super().store_string(string)
