# SPDX-License-Identifier: Apache-2.0
"""The audit log: one event for every change, chained by hash, in the change's own transaction.

Follows docs/lifecycle.md, "Audit". An event holds identities, never what a memory says;
its digest covers that, keyed with the store's own key.
"""

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from mira_memory.lifecycle import statements
from mira_memory.records import timestamp

OPERATOR_TURN = "operator turn"
CONSOLE = "console"
SERVICE = "service"
MIGRATION = "migration"
BEGINNING = bytes(32)

Row = tuple[object, ...]
Content = tuple[Row, Sequence[Row], Sequence[Row]]


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
        self._key: bytes | None = None

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

    @property
    def key(self) -> bytes:
        """The key of this store's digests."""
        if self._key is None:
            self._key = digest_key(self.connection)
        return self._key

    def memory_created(self, memory_id: int, content: Content) -> None:
        """Append the creation of a memory that says `content`."""
        self.append("memory_created", memory=memory_id, digest=keyed_digest(content, self.key))

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


def digest_key(connection: sqlite3.Connection) -> bytes:
    """Return the key of this store's digests."""
    (key,) = connection.execute(statements.DIGEST_KEY).fetchone()
    return bytes(key)


def stored_content(connection: sqlite3.Connection, memory_id: int) -> Content:
    """Return everything that a memory says, apart from its status: its row, links, payloads."""
    return (
        connection.execute(statements.CONTENT, (memory_id,)).fetchone(),
        connection.execute(statements.CONTENT_LINKS, (memory_id,)).fetchall(),
        connection.execute(statements.CONTENT_PAYLOADS, (memory_id,)).fetchall(),
    )


def keyed_digest(content: object, key: bytes) -> bytes:
    """Return a digest of which nobody without the key can guess the content."""
    return hmac.digest(key, _canonical(content), "sha256")


def entity_digest(connection: sqlite3.Connection, entity_id: int) -> bytes:
    """Return the digest of an entity's type, name and time."""
    return row_digest(connection.execute(statements.ENTITY_ROW, (entity_id,)).fetchone())


def row_digest(row: tuple[object, ...]) -> bytes:
    """Return the digest of a row that holds no memory's words."""
    return hashlib.sha256(_canonical(row)).digest()


def _canonical(content: object) -> bytes:
    return _ENCODER.encode(content).encode()


_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=bytes.hex)
