# SPDX-License-Identifier: Apache-2.0
"""Make the directory that a database goes into; the store itself never makes one."""

from pathlib import Path


class DirectoryRefused(OSError):
    """The database's directory cannot be made; the sentence names it and the remedy."""


def make_database_directory(database: Path | None) -> None:
    """Create the missing parent directory, open to its owner alone; None needs no directory.

    Raises `DirectoryRefused`.
    """
    if database is None:
        return
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DirectoryRefused(
            f"The directory {database.parent} of memory.database_path cannot be made ({reason}); "
            "name a place that you may write to."
        ) from error
