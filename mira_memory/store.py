# SPDX-License-Identifier: Apache-2.0
"""The store: one SQLite file that holds what a robot was told, and all that may be done with it.

Follows docs/memory.md, "The store" and "Administration".
"""

import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from mira_memory import draft, opening, statements
from mira_memory.administration import Administration, listed
from mira_memory.admission_transaction import AdmissionTransaction
from mira_memory.errors import (
    NeedsVersion2,
    SelfTestFailed,
    SelfTestFailure,
    StoreError,
    shown_path,
)
from mira_memory.health import Health
from mira_memory.lifecycle.journal import OPERATOR_TURN, SERVICE, Journal
from mira_memory.lifecycle.lifecycle import Lifecycle
from mira_memory.lifecycle.self_test import self_test
from mira_memory.lock import OwnershipLock
from mira_memory.look_alikes import LookAlikes
from mira_memory.lookups import Lookups
from mira_memory.memory_file import memory_file
from mira_memory.named_files import NamedFiles
from mira_memory.projection import View
from mira_memory.reader import Reader
from mira_memory.records import (
    Added,
    AddedMemory,
    MemoryDraft,
    StoreStatus,
    entity_identity,
    timestamp,
)
from mira_memory.schema import SCHEMA_VERSION
from mira_memory.schema_v1 import TOTALS
from mira_memory.text import token
from mira_memory.writer import Writer


def utc_now() -> datetime:
    """Return the wall clock's time."""
    return datetime.now(UTC)


class Store(Lookups):
    """Read and write one memory file; safe to use from several threads.

    Writes run one at a time on the one connection that writes, reads on one that can't. Every
    method raises StoreError when the file can't do its part within bounded time, and Refused when
    its caller asked for what can't be; nothing is written then.
    """

    def __init__(
        self,
        path: Path,
        lock: OwnershipLock,
        writing: sqlite3.Connection,
        reading: sqlite3.Connection,
        clock: Callable[[], datetime],
        busy_timeout_s: float,
        read_limit_s: float,
    ) -> None:
        self.path = path
        (self.schema_version,) = writing.execute("PRAGMA user_version").fetchone()
        self._lock = lock
        self._clock = clock
        files = NamedFiles(path)
        self._writer = Writer(writing, path, files, busy_timeout_s)
        self._health = Health(path, self._writer, files, lock, clock)
        view = View(self.schema_version, clock)
        super().__init__(Reader(reading, path, read_limit_s, self._health), view)
        self._lifecycle = Lifecycle(
            path, view, self._reader, self._journaled, self._writer.leave_nothing_deleted
        )
        self._look_alikes = LookAlikes(self._reader.snapshot)
        self._totals = dict.fromkeys(TOTALS.values(), 0)

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        busy_timeout_s: float = 2.0,
        read_limit_s: float = 1.0,
        schema_version: int = SCHEMA_VERSION,
    ) -> Self:
        """Open the store at `path`; a missing or empty file becomes a new one.

        A new one gets `schema_version`; an older store is served as what it is.

        A write gives up `busy_timeout_s` after another program locked the file, a read after
        `read_limit_s`.

        Raises:
            OpeningError: anything else is there; it is left as it was.
        """
        file = memory_file(path)
        lock = OwnershipLock(file)
        with ExitStack() as opened:
            opened.callback(lock.release)
            writing = opening.open_writer(file, lock, busy_timeout_s, schema_version)
            opened.callback(writing.close)
            reading = opening.open_reader(file, read_limit_s)
            opened.callback(reading.close)
            store = cls(file, lock, writing, reading, clock, busy_timeout_s, read_limit_s)
            opened.pop_all()
        return store

    def close(self) -> None:
        """Move the log into the file and give the file up; a second call does nothing."""
        if self._health.is_closed:
            return
        self._health.is_closed = True
        self._reader.close()
        self._writer.close()
        if not self._health.is_damaged:
            self._lock.seal()
        self._lock.release()

    @property
    def lifecycle(self) -> Lifecycle:
        """What a person may do to stored memories.

        Raises:
            NeedsVersion2: the store is a version 1 store.
        """
        if self.schema_version < 2:
            raise NeedsVersion2(
                "This memory file has schema version 1, which can only add and recall. To "
                "upgrade it, stop the memory node and run: "
                f"ros2 run mira migrate {shlex.quote(shown_path(self.path))}"
            )
        return self._lifecycle

    def self_test(self) -> None:
        """Prove that what is not to be seen is not seen; a version 1 store has nothing such.

        Raises:
            SelfTestFailure: a check failed; it is named.
        """
        if self.schema_version < 2:
            return
        try:
            with self._reader.snapshot() as reading, self._writer.trial() as writing:
                self_test(writing, reading, self._clock)
        except SelfTestFailed as failure:
            raise SelfTestFailure(self.path, str(failure)) from None

    @contextmanager
    def admission_transaction(self) -> Iterator[AdmissionTransaction]:
        """Resolve, compare and insert in one transaction; an exception leaves no trace of it."""
        with self._write() as connection:
            yield AdmissionTransaction(
                connection, self._clock, self._journal(connection, OPERATOR_TURN)
            )

    def add_entity(self, entity_type: str, canonical_name: str, actor: str = SERVICE) -> Added:
        """Create an entity; the warning says which others its name names or looks like.

        Raises:
            TextRefused: the type is no token, or the name no name.
            AlreadyExists: an entity has that type and name.
        """
        entity_type = token(entity_type, "entity type")
        name = draft.checked_name(canonical_name, "name")
        with self._write() as connection:
            added = self._administration(connection, actor).add_entity(entity_type, name)
        return self._with_look_alikes(added, name)

    def add_alias(self, entity_id: int, alias: str, actor: str = SERVICE) -> Added:
        """Give an entity one more name; the warning is as for `add_entity`.

        Raises:
            TextRefused: the alias is no name.
            NotFound: there is no such entity.
            AlreadyExists: the entity has that name.
        """
        name = draft.checked_name(alias, "alias")
        with self._write() as connection:
            added = self._administration(connection, actor).add_alias(entity_id, name)
        return self._with_look_alikes(added, name)

    def add_memory(self, memory: MemoryDraft, actor: str = SERVICE) -> AddedMemory:
        """Write a memory by hand; the warning says which it repeats or conflicts with.

        Raises:
            TextRefused: a field is no text of its kind.
            DraftRefused: the fields don't fit together.
            NotFound: a link names no entity.
            NeedsVersion2: it has times or another state, which a version 1 store can't keep.
            BroughtBack: a person retracted or forgot the same.
        """
        checked_memory = draft.checked_draft(memory)
        if checked_memory.state is not None:
            _ = self.lifecycle
        with self._write() as connection:
            return self._administration(connection, actor).add_memory(checked_memory)

    def now(self) -> str:
        """Return the store's clock in the form in which times are stored."""
        return timestamp(self._clock())

    def status(self) -> StoreStatus:
        """Return health, exact totals and sizes; it raises nothing."""
        newest = None
        try:
            with self._reader.glimpse() as connection:
                self._totals = dict(connection.execute(statements.TOTALS).fetchall())
                newest = connection.execute(statements.NEWEST_MEMORY).fetchone()
        except StoreError:
            pass  # told below: the reading was watched
        last_error = self._health.last_error()
        size, free = self._health.sizes()
        return StoreStatus(
            healthy=not last_error,
            database_path=shown_path(self.path),
            schema_version=self.schema_version,
            entities=self._totals[TOTALS["entities"]],
            aliases=self._totals[TOTALS["entity_aliases"]],
            memories=self._totals[TOTALS["memories"]],
            last_error=last_error,
            size_bytes=size,
            free_bytes=free,
            last_write_at=self._health.last_write_at,
            clock_behind=newest is not None and newest[0] > timestamp(self._clock()),
        )

    def _with_look_alikes(self, added: Added, name: str) -> Added:
        # Outside the transaction, which is committed: a warning must not hold up other writers.
        try:
            alike = self._look_alikes.of(name, added.entity.id)
        except StoreError:
            alike = None
        if alike is None:
            warning = "Whether other names look like it was not looked for."
        elif alike:
            named = listed(entity_identity, alike)
            warning = f"That name looks like a name of {named}, but is another name."
        else:
            return added
        return Added(added.entity, f"{added.warning} {warning}".lstrip())

    def _administration(self, connection: sqlite3.Connection, actor: str) -> Administration:
        return Administration(connection, self._view, self._journal(connection, actor))

    def _journal(self, connection: sqlite3.Connection, actor: str) -> Journal | None:
        return Journal(connection, self._clock, actor) if self.schema_version >= 2 else None

    @contextmanager
    def _journaled(self, actor: str) -> Iterator[Journal]:
        with self._write() as connection:
            yield Journal(connection, self._clock, actor)

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with self._health.watch_write(), self._writer.transaction() as connection:
            yield connection
