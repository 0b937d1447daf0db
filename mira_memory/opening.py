# SPDX-License-Identifier: Apache-2.0
"""Open a memory file: prove that it is a sound store, or say what it is and leave it alone.

Follows docs/memory.md, "The store".
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from mira_memory import schema
from mira_memory.errors import (
    Corrupt,
    NewerSchema,
    NoSharedMemory,
    NotADatabase,
    NotReadable,
    NotWritable,
    PinnedSchema,
    SchemaMismatch,
    StoreBusy,
    StoreError,
    StoreFault,
    StoreFull,
    UnversionedTables,
)
from mira_memory.lock import OwnershipLock

# One commit in some 400 pays for moving the log into the file; in all others the log is synced
# once and nothing else. The log then stays at 16 MB.
_PAGES_BETWEEN_CHECKPOINTS = 4000
_CACHE_KIB = 16_000
_FINDING_MAX = 120

_NEEDS_WRITING = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
_SHARED_MEMORY_CODES = {
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMLOCK,
    sqlite3.SQLITE_IOERR_SHMMAP,
}
_BY_CODE: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_NOTADB: NotADatabase,
    sqlite3.SQLITE_CORRUPT: Corrupt,
    sqlite3.SQLITE_READONLY: NotWritable,
    sqlite3.SQLITE_PERM: NotReadable,
    sqlite3.SQLITE_CANTOPEN: NotReadable,
    sqlite3.SQLITE_BUSY: StoreBusy,
    sqlite3.SQLITE_FULL: StoreFull,
    # The shared memory is a file beside the database, and could not grow.
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFull,
}


def open_writer(
    path: Path, lock: OwnershipLock, busy_timeout_s: float, version: int
) -> sqlite3.Connection:
    """Return the writing connection to a sound store; a missing or empty file becomes one.

    A new one gets `version`, and an older one is served as it is.

    Raises:
        OpeningError: anything else is found; it is left as it was.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            _make_private(path)
        untouched = lock.take_seal()
        # The connection that inspects is closed last: closing the writing one then moves no log
        # into a file that we refuse.
        with closing(open_inspection(path, busy_timeout_s)) as inspection:
            is_blank = _is_blank(inspection)
            if not is_blank:
                require_known(inspection, path, version)
            connection = _connect(path, "rw", busy_timeout_s)
            try:
                if is_blank:
                    schema.create(connection, version)
                    _sync_directory(path.parent)
                elif not untouched:
                    _require_intact(connection, path)
                enter_wal(connection, path)
                keep_nothing_deleted(connection)
            except BaseException:
                connection.close()
                raise
        return connection
    except sqlite3.Error as error:
        raise _opening_error(error, path) from None
    except OSError as error:
        raise NotWritable(path, error.strerror or "permission denied") from None


def open_reader(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """Return a connection that can't write, whatever is executed on it."""
    try:
        connection = _connect(path, "ro", busy_timeout_s)
        connection.execute("PRAGMA query_only = ON")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute("SELECT 1 FROM entities WHERE id = 0").fetchone()
        return connection
    except sqlite3.Error as error:
        raise _opening_error(error, path) from None


def enter_wal(connection: sqlite3.Connection, path: Path) -> None:
    """Switch to write-ahead logging, synced at every commit.

    Raises:
        NoSharedMemory: the file system can't share memory between processes.
    """
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise NoSharedMemory(path, f"journal mode stayed {mode}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_BETWEEN_CHECKPOINTS}")
    connection.execute("SELECT 1 FROM entities WHERE id = 0").fetchone()


def keep_nothing_deleted(connection: sqlite3.Connection) -> None:
    """Make what is deleted unreadable at once, and keep no copy of it in a temporary file."""
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")


def open_inspection(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """Return a connection for looking at a file before anything is done to it."""
    connection = _connect(path, "ro", busy_timeout_s)
    try:
        _is_blank(connection)
        return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in _NEEDS_WRITING:
            raise
        # A creation that was cut short has to be rolled back first, by SQLite and as it should.
        return _connect(path, "rw", busy_timeout_s)
    except sqlite3.Error:
        connection.close()
        raise


def _is_blank(connection: sqlite3.Connection) -> bool:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    return bool(pages == 0)


def require_known(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    """Return the version of a store whose tables are those of a known version up to `newest`.

    Raises:
        OpeningError: it is another one, or none.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        (tables,) = connection.execute(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
        ).fetchone()
        raise UnversionedTables(path, "1 table" if tables == 1 else f"{tables} tables")
    if version not in schema.KNOWN_VERSIONS:
        raise NewerSchema(path, str(version))
    if version > newest:
        raise PinnedSchema(path, str(version))
    difference = schema.difference(connection, version)
    if difference is not None:
        raise SchemaMismatch(path, f"a version {version} store, but {difference}")
    return int(version)


def _require_intact(connection: sqlite3.Connection, path: Path) -> None:
    # Takes 2 s for a million memories, so it is spared where the seal shows that nothing touched
    # the file since. A read-only connection would not look at the CHECK constraints.
    (finding,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if finding != "ok":
        raise Corrupt(path, finding.splitlines()[0][:_FINDING_MAX])


def _opening_error(error: sqlite3.Error, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    if code in _SHARED_MEMORY_CODES:
        return NoSharedMemory(path, name)
    kind = _BY_CODE.get(code) or _BY_CODE.get(code & 0xFF, StoreFault)
    return kind(path, name)


def _connect(path: Path, mode: str, busy_timeout_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _make_private(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    path.chmod(0o600)


def _sync_directory(directory: Path) -> None:
    # Without it a power cut can lose the new file's name, and every memory in it.
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
