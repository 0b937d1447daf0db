# SPDX-License-Identifier: Apache-2.0
"""The audit log: one event for every change, chained by hash, in the change's own transaction.

Follows docs/lifecycle.md, "The audit log". An event holds identities, never what a memory says;
its digest covers that, keyed with a salt that forgetting deletes.
"""

import hashlib
import hmac
import json
import secrets
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from mira_memory.lifecycle import statements
from mira_memory.records import timestamp

OPERATOR_TURN = "operator turn"
CONSOLE = "console"
SERVICE = "service"
MIGRATION = "migration"
SALT_BYTES = 16
BEGINNING = bytes(32)


class Event(NamedTuple):
    """One change; `row_id` is the alias or proposal that it is about."""

    id: int
    at: str
    operation: str
    memory_id: int | None
    other_memory_id: int | None
    entity_id: int | None
    row_id: int | None
    actor: str
    reason: str
    digest: bytes | None
    hash: bytes


class Journal:
    """Append events on the connection of a transaction that the caller commits."""

    def __init__(
        self, connection: sqlite3.Connection, clock: Callable[[], datetime], actor: str
    ) -> None:
        self.connection = connection
        self.actor = actor
        self._clock = clock

    def now(self) -> str:
        """Return the present in the form that is stored."""
        return timestamp(self._clock())

    def append(
        self,
        operation: str,
        *,
        memory: int | None = None,
        other: int | None = None,
        entity: int | None = None,
        row: int | None = None,
        reason: str = "",
        digest: bytes | None = None,
    ) -> Event:
        """Append one event and return it."""
        last = self.connection.execute(statements.LAST_EVENT).fetchone()
        number, before = (last[0] + 1, last[1]) if last else (1, BEGINNING)
        fields = (
            number, self.now(), operation, memory, other, entity, row, self.actor, reason, digest,
        )  # fmt: skip
        event = Event(*fields, chained(before, fields))
        self.connection.execute(statements.INSERT_EVENT, event)
        return event

    def memory_created(self, memory_id: int, operation: str = "memory_created") -> None:
        """Append the creation of a memory that was just inserted, and give it its salt."""
        salt = secrets.token_bytes(SALT_BYTES)
        self.connection.execute(statements.INSERT_SALT, (memory_id, salt))
        digest = memory_digest(self.connection, memory_id, salt)
        self.append(operation, memory=memory_id, digest=digest)

    def entity_changed(self, operation: str, entity_id: int, reason: str = "") -> None:
        """Append that an entity was added or renamed."""
        digest = entity_digest(self.connection, entity_id)
        self.append(operation, entity=entity_id, reason=reason, digest=digest)

    def alias_added(self, entity_id: int, alias_key: str, operation: str = "alias_added") -> None:
        """Append that an alias was added."""
        row = self.connection.execute(statements.ALIAS_ROW, (entity_id, alias_key)).fetchone()
        self.append(operation, entity=entity_id, row=row[0], digest=row_digest(row))


def chained(before: bytes, fields: tuple[object, ...]) -> bytes:
    """Return the hash of an event's fields that follows on the hash `before`."""
    return hashlib.sha256(before + _canonical(fields)).digest()


def memory_digest(connection: sqlite3.Connection, memory_id: int, salt: bytes) -> bytes:
    """Return the digest of everything that a memory says, apart from its status."""
    content = (
        connection.execute(statements.CONTENT, (memory_id,)).fetchone(),
        connection.execute(statements.CONTENT_LINKS, (memory_id,)).fetchall(),
        connection.execute(statements.CONTENT_PAYLOADS, (memory_id,)).fetchall(),
    )
    return salted_digest(content, salt)


def salted_digest(content: object, salt: bytes) -> bytes:
    """Return a digest that nobody without the salt can guess the content of."""
    return hmac.digest(salt, _canonical(content), "sha256")


def entity_digest(connection: sqlite3.Connection, entity_id: int) -> bytes:
    """Return the digest of an entity's type, name and time."""
    return row_digest(connection.execute(statements.ENTITY_ROW, (entity_id,)).fetchone())


def row_digest(row: tuple[object, ...]) -> bytes:
    """Return the digest of a row that holds no memory's words."""
    return hashlib.sha256(_canonical(row)).digest()


def _canonical(content: object) -> bytes:
    return json.dumps(
        content, ensure_ascii=True, separators=(",", ":"), default=bytes.hex
    ).encode()
