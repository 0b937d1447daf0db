# SPDX-License-Identifier: Apache-2.0
"""The schema's versions in order, how a new store gets them, and what a sound store has.

Follows docs/memory.md, "The store".
"""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from mira_memory import schema_v1, schema_v2

if TYPE_CHECKING:
    from sqlite_utils import Database

SCHEMA_VERSION = 2
KNOWN_VERSIONS = (1, 2)
_STATEMENTS = {1: schema_v1.STATEMENTS, 2: (*schema_v1.STATEMENTS, *schema_v2.STATEMENTS)}
_TABLES = {1: schema_v1.TABLES, 2: (*schema_v1.TABLES, *schema_v2.TABLES)}
_KEY = "INSERT INTO store_keys (id, digest_key) VALUES (1, randomblob(32))"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the version before to `version`, run inside a transaction of the caller."""

    version: int
    apply: "Callable[[Database], None]"


def _create_version_1(database: "Database") -> None:
    for statement in schema_v1.STATEMENTS:
        database.execute(statement)


def _add_version_2(database: "Database") -> None:
    add_tables_of_version_2(database.conn)


MIGRATIONS = (Migration(1, _create_version_1), Migration(2, _add_version_2))


def create(connection: sqlite3.Connection, version: int = SCHEMA_VERSION) -> None:
    """Make an empty database a store of a known version, in one transaction.

    The connection is in autocommit mode. Opening an existing file never comes here.
    """
    # Imported here: a start on an existing file needs none of it, and it takes 0.2 s.
    from sqlite_utils import Database

    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for migration in MIGRATIONS[:version]:
            migration.apply(database)
            connection.execute(f"PRAGMA user_version = {migration.version}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def add_tables_of_version_2(connection: sqlite3.Connection) -> None:
    """Add what version 2 has beside version 1, inside a transaction of the caller."""
    _run(connection, (*schema_v2.STATEMENTS, _KEY))


def difference(connection: sqlite3.Connection, version: int) -> str | None:
    """Return how the tables differ from those of a known version, as part of a sentence, or None.

    Tables, indexes and triggers beside them are no difference.
    """
    found = _objects(connection)
    for name, (kind, sql) in _expected(version).items():
        if name not in found:
            return f"the {kind} {name} is missing"
        if found[name] != (kind, sql):
            return (
                _column_difference(connection, name, version) or f"the {kind} {name} is different"
            )
    totals = {name for (name,) in connection.execute("SELECT name FROM sqlite_sequence")}
    missing = sorted(set(schema_v1.TOTALS.values()) - totals)
    return f"the {missing[0]} is missing" if missing else None


def _objects(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    rows = connection.execute("SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: (kind, _plain(sql)) for name, kind, sql in rows}


def _plain(sql: str) -> str:
    return " ".join(sql.split())


@cache
def _expected(version: int) -> dict[str, tuple[str, str]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _run(connection, _STATEMENTS[version])
        return {
            name: rest
            for name, rest in _objects(connection).items()
            if not name.startswith("sqlite_")
        }
    finally:
        connection.close()


def _run(connection: sqlite3.Connection, script: Iterable[str]) -> None:
    for statement in script:
        connection.execute(statement)


def _column_difference(connection: sqlite3.Connection, table: str, version: int) -> str | None:
    pristine = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _run(pristine, _TABLES[version])
        expected, found = _columns(pristine, table), _columns(connection, table)
    finally:
        pristine.close()
    for column, declaration in expected.items():
        if column not in found:
            return f"the table {table} has no column {column}"
        if found[column] != declaration:
            return f"the column {column} of the table {table} is different"
    return None


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[object, ...]]:
    rows = connection.execute("SELECT * FROM pragma_table_info(?)", (table,))
    return {row[1]: row[2:] for row in rows}
