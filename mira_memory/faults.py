# SPDX-License-Identifier: Apache-2.0
"""Translate what SQLite reports into the named errors of the store.

SQLite's own messages are left behind: they may quote what was being stored.
"""

import sqlite3
from pathlib import Path

from mira_memory.errors import (
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFault,
    StoreFull,
    StoreGone,
    StoreTooSlow,
    StoreUnwritable,
)

_BY_CODE: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreBusy,
    sqlite3.SQLITE_LOCKED: StoreBusy,
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFull,
    sqlite3.SQLITE_READONLY: StoreUnwritable,
    sqlite3.SQLITE_IOERR_WRITE: StoreUnwritable,
    sqlite3.SQLITE_IOERR_FSYNC: StoreUnwritable,
    sqlite3.SQLITE_IOERR_TRUNCATE: StoreUnwritable,
    sqlite3.SQLITE_INTERRUPT: StoreTooSlow,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_NOTADB: StoreDamaged,
    # The statements are fixed and the tables were checked at the opening, so these say that a
    # table is gone, or that a file was cut short.
    sqlite3.SQLITE_ERROR: StoreDamaged,
    sqlite3.SQLITE_IOERR_SHORT_READ: StoreDamaged,
    sqlite3.SQLITE_IOERR_CORRUPTFS: StoreDamaged,
}


def store_error(error: sqlite3.Error, path: Path, limit_s: float = 0.0) -> StoreError:
    """Return the named error for `error`; `limit_s` is the time that an interrupted one had."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        closed = isinstance(error, sqlite3.ProgrammingError)
        return StoreClosed(path) if closed else StoreFault(path, type(error).__name__)
    name: str = getattr(error, "sqlite_errorname", "")
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return StoreGone(path)
    kind = _BY_CODE.get(code) or _BY_CODE.get(code & 0xFF, StoreFault)
    return kind(path, f"{limit_s:g}" if kind is StoreTooSlow else name)
