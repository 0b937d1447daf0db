# SPDX-License-Identifier: Apache-2.0
"""Make a version 1 file a version 2 file, after a backup (docs/lifecycle.md, "Upgrading").

    ros2 run mira migrate FILE

Everything happens in one transaction, and the result is verified before it is committed: a
failure, or the end of the program at any moment, leaves the file as it was.
"""

import argparse
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from mira_memory import opening, schema
from mira_memory.errors import MemoryFault, MigrationRefused, StoreFault
from mira_memory.lifecycle import statements, verification
from mira_memory.lifecycle.journal import MIGRATION, Journal, keyed_digest, stored_content
from mira_memory.lifecycle.states import write_state
from mira_memory.lock import OwnershipLock
from mira_memory.memory_file import memory_file
from mira_memory.records import default_state

_WAIT_S = 2.0


def main(argv: Sequence[str] | None = None) -> int:
    """Upgrade the named file and return the exit code."""
    parser = argparse.ArgumentParser(prog="migrate", description="Upgrade a memory file.")
    parser.add_argument("file", type=Path, help="the memory file; its memory node is stopped")
    path = parser.parse_args(argv).file
    try:
        backup = migrate(path)
    except MemoryFault as refusal:
        print(f"migrate: {refusal}", file=sys.stderr)
        return 1
    print(f"{path} has schema version 2 now. What it was is in {backup}; delete that when all is")
    print("well: it keeps what is forgotten later.")
    return 0


def migrate(path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Path:
    """Upgrade the file and return where its backup is.

    Raises:
        MigrationRefused: there is nothing to upgrade, or the upgrade failed.
        OpeningError: the file is no sound store, or a memory node has it open.
    """
    if not path.exists():
        raise MigrationRefused("There is no such file; name the memory file.")
    file = memory_file(path)
    lock = OwnershipLock(file)
    try:
        with closing(opening.open_inspection(file, _WAIT_S)) as connection:
            if opening.require_known(connection, file, schema.SCHEMA_VERSION) != 1:
                raise MigrationRefused("The file has schema version 2; nothing is to do.")
            backup = _backed_up(connection, file, clock())
        with closing(opening.open_writer(file, lock, _WAIT_S, schema.SCHEMA_VERSION)) as writing:
            _upgrade(writing, clock)
            # What was deleted under version 1 may still be readable in the file's free space.
            writing.execute("VACUUM")
            writing.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        lock.seal()
        return backup
    except sqlite3.Error as error:
        raise StoreFault(file, getattr(error, "sqlite_errorname", "error")) from None
    finally:
        lock.release()


def _backed_up(connection: sqlite3.Connection, path: Path, at: datetime) -> Path:
    backup = path.with_name(f"{path.name}.version-1.{at.astimezone(UTC):%Y%m%dT%H%M%SZ}")
    try:
        os.close(os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise MigrationRefused(
            f"The backup {backup} can't be made ({error.strerror}); make room for it."
        ) from None
    with closing(sqlite3.connect(backup)) as copy:
        connection.backup(copy)
        (finding,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if finding != "ok":
        raise MigrationRefused(f"The backup {backup} is not sound; try again on a sound disk.")
    with backup.open("rb") as copied:
        os.fsync(copied.fileno())
    return backup


def _upgrade(connection: sqlite3.Connection, clock: Callable[[], datetime]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        schema.add_tables_of_version_2(connection)
        journal = Journal(connection, clock, MIGRATION)
        _take_over(journal)
        journal.append("store_migrated")
        connection.execute("PRAGMA user_version = 2")
        finding = verification.verify(connection)
        if finding.sentence:
            raise MigrationRefused(
                f"The upgrade was undone, since it does not verify: {finding.sentence} The file "
                "is as it was; restore a sound backup of it first."
            )
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _take_over(journal: Journal) -> None:
    connection = journal.connection
    for (entity_id,) in connection.execute(statements.ALL_ENTITY_IDS).fetchall():
        journal.entity_changed("entity_migrated", entity_id)
    for _, entity_id, alias_key in connection.execute(statements.ALL_ALIAS_IDS).fetchall():
        journal.alias_added(entity_id, alias_key, "alias_migrated")
    for memory_id, status, _ in connection.execute(statements.ALL_MEMORY_IDS).fetchall():
        digest = keyed_digest(stored_content(connection, memory_id), journal.key)
        journal.append("memory_migrated", memory=memory_id, digest=digest)
        if status != "active":
            content = connection.execute(statements.CONTENT, (memory_id,)).fetchone()
            state = default_state(content[1], content[7], status)
            write_state(journal, "memory_described", memory_id, state)


if __name__ == "__main__":
    sys.exit(main())
