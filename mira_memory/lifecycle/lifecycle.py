# SPDX-License-Identifier: Apache-2.0
"""All that a person may do to what is stored, and ask about it (docs/lifecycle.md)."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from mira_memory import draft, opening, projection, statements
from mira_memory.errors import StoreFault
from mira_memory.lifecycle import (
    corrections,
    export,
    history,
    names,
    relations,
    review,
    trust,
    validity,
    verification,
)
from mira_memory.lifecycle.imports import Imported, import_lines
from mira_memory.lifecycle.journal import SERVICE, Journal
from mira_memory.lifecycle.times import moment
from mira_memory.reader import Reader
from mira_memory.records import (
    LINKS_MAX,
    AddedMemory,
    Entity,
    EntityMemories,
    Memory,
    MemoryDraft,
    memory_identity,
)
from mira_memory.text import NAME_MAX, SOURCE_LABEL_MAX, SUMMARY_MAX, VALUE_MAX, checked, key

PAGE_MAX = 1000
_ALIASES_SHOWN = 100

Writing = Callable[[str], AbstractContextManager[Journal]]


class Lifecycle:
    """Correct, doubt, review, audit and forget; every change is one transaction with its event.

    Methods raise Refused when the caller asked for what can't be, and StoreError when the file
    can't do its part; nothing is written then. `actor` is who asked.
    """

    def __init__(
        self,
        path: Path,
        view: projection.View,
        reader: Reader,
        writing: Writing,
        leave_nothing_deleted: Callable[[], bool],
    ) -> None:
        self._path = path
        self._view = view
        self._reader = reader
        self._writing = writing
        self._leave_nothing_deleted = leave_nothing_deleted

    def retract(self, memory_id: int, reason: str, actor: str = SERVICE) -> Memory:
        """Take back a memory that is wrong."""
        with self._writing(actor) as journal:
            corrections.retract(journal, memory_id, reason)
            return self._memory(journal.connection, memory_id)

    def archive(self, memory_id: int, reason: str, actor: str = SERVICE) -> Memory:
        """Put away a memory that is not worth recalling."""
        with self._writing(actor) as journal:
            corrections.archive(journal, memory_id, reason)
            return self._memory(journal.connection, memory_id)

    def restore(self, memory_id: int, reason: str, actor: str = SERVICE) -> Memory:
        """Make a memory active again."""
        with self._writing(actor) as journal:
            corrections.restore(journal, self._view.clock, memory_id, reason)
            return self._memory(journal.connection, memory_id)

    def supersede(
        self,
        memory_id: int,
        summary: str,
        value: str = "",
        since: str = "",
        actor: str = SERVICE,
    ) -> AddedMemory:
        """Replace a memory by what holds since a time, or since now."""
        shown = checked(summary, "summary", SUMMARY_MAX)
        new_value = checked(value, "value", VALUE_MAX) if value else None
        valid_from = moment(since, "time") if since else None
        with self._writing(actor) as journal:
            new_id, conflicts = corrections.supersede(
                journal, self._view.clock, memory_id, shown, new_value, valid_from
            )
            memory = self._memory(journal.connection, new_id)
        if conflicts:
            named = ", ".join(map(memory_identity, conflicts))
            return AddedMemory(memory, f"It conflicts with {named} besides.")
        if memory.predicate is not None and memory.value is None:
            return AddedMemory(
                memory, "It has no value, so nothing can contradict it; --value gives it one."
            )
        return AddedMemory(memory, "")

    def forget(self, memory_id: int, reason: str, actor: str = SERVICE) -> str:
        """Erase what a memory says from the file, and return a warning or an empty text."""
        with self._writing(actor) as journal:
            corrections.forget(journal, memory_id, reason)
        beyond = "Backups and exports made earlier still have it."
        if self._leave_nothing_deleted():
            return beyond
        return (
            f"{beyond} The file's free space and log could not be overwritten, since another "
            "program is reading or the disk is full; end that, and forget any memory to do it."
        )

    def set_trust(self, memory_id: int, state: str, reason: str, actor: str = SERVICE) -> Memory:
        """Set how far a memory is trusted."""
        with self._writing(actor) as journal:
            trust.set_trust(journal, memory_id, state, reason)
            return self._memory(journal.connection, memory_id)

    def relate(self, memory_id: int, relation: str, other_id: int, actor: str = SERVICE) -> None:
        """State how a memory stands to another."""
        with self._writing(actor) as journal:
            relations.relate(journal, memory_id, relation, other_id)

    def annotate(self, memory_id: int, note: str, actor: str = SERVICE) -> None:
        """Write a note beside a memory."""
        with self._writing(actor) as journal:
            relations.annotate(journal, memory_id, note)

    def rename_entity(self, entity_id: int, name: str, actor: str = SERVICE) -> Entity:
        """Give an entity another canonical name; the old one stays as an alias."""
        shown = draft.checked_name(name, "name")
        with self._writing(actor) as journal:
            names.rename_entity(journal, entity_id, shown)
            return self._entity(journal.connection, entity_id)

    def remove_alias(self, entity_id: int, alias: str, actor: str = SERVICE) -> Entity:
        """Take an alias from an entity."""
        shown = checked(alias, "alias", NAME_MAX)
        with self._writing(actor) as journal:
            names.remove_alias(journal, entity_id, shown)
            return self._entity(journal.connection, entity_id)

    def recall_at(self, name: str, at: str, known: str = "") -> tuple[EntityMemories, ...]:
        """Return what held at a time of what has exactly that name, as known at another."""
        name_key = key(checked(name, "name", NAME_MAX))
        held = moment(at, "valid time")
        known_at = moment(known, "record time") if known else "9999-12-31T23:59:59.999999Z"
        with self._reader.snapshot() as connection:
            return tuple(
                validity.held_at(connection, self._view, entity_id, held, known_at)
                for entity_id in projection.resolve(connection, name_key)
            )

    def history(self, memory_id: int) -> tuple[str, ...]:
        """Return the life of one memory as lines."""
        with self._reader.snapshot() as connection:
            return history.history(connection, memory_id)

    def companions(
        self, memory_id: int
    ) -> tuple[tuple[relations.Relation, ...], tuple[relations.Note, ...]]:
        """Return the relations of a memory and the notes beside it."""
        with self._reader.snapshot() as connection:
            return (
                relations.relations(connection, memory_id),
                relations.notes(connection, memory_id),
            )

    def audit(
        self, since: str = "", after_id: int = 0, limit: int = 100
    ) -> tuple[tuple[int, str], ...]:
        """Return a page of the audit log as numbers and lines, oldest first."""
        start = moment(since, "time") if since else ""
        with self._reader.snapshot() as connection:
            events = history.audit(connection, start, after_id, min(limit, PAGE_MAX))
            return tuple((event.id, history.told(connection, event)) for event in events)

    def verify_audit(self) -> verification.Finding:
        """Walk the whole log and every table; takes seconds for a large store."""
        with self._long_read() as connection:
            return verification.verify(connection)

    def propose(self, memory: MemoryDraft, origin: str, actor: str = SERVICE) -> int:
        """Put a memory aside for review."""
        shown = checked(origin, "origin", SOURCE_LABEL_MAX)
        checked_memory = draft.checked_draft(memory)
        with self._writing(actor) as journal:
            return review.propose(journal, checked_memory, shown)

    def proposals(self, after_id: int = 0, limit: int = 100) -> tuple[review.Proposed, ...]:
        """Return a page of the proposals that wait, oldest first."""
        with self._reader.snapshot() as connection:
            return review.open_proposals(connection, after_id, min(limit, PAGE_MAX))

    def proposal(self, number: int) -> review.Proposed:
        """Return one proposal."""
        with self._reader.snapshot() as connection:
            return review.proposal(connection, number)

    def approve(self, number: int, reason: str = "", actor: str = SERVICE) -> Memory:
        """Write what a proposal says as a memory."""
        with self._writing(actor) as journal:
            memory_id = review.approve(journal, self._view.clock, number, reason)
            return self._memory(journal.connection, memory_id)

    def refuse(self, number: int, reason: str, actor: str = SERVICE) -> None:
        """Close a proposal for good."""
        with self._writing(actor) as journal:
            review.refuse(journal, number, reason)

    def export(self, path: Path) -> int:
        """Write everything to a new file of JSON lines and return how many memories there are."""
        with self._long_read() as connection:
            return export.export(connection, path)

    def import_file(self, path: Path, *, trusted: bool, actor: str = SERVICE) -> Imported:
        """Read an export: as proposals, or trusted as memories; into an empty store, whole."""
        lines = export.read(path)
        with self._writing(actor) as journal:
            return import_lines(journal, self._view.clock, lines, path.name, trusted=trusted)

    def recalled(self, memory_ids: tuple[int, ...]) -> None:
        """Note in the audit log which memories a recall showed."""
        with self._writing(SERVICE) as journal:
            for memory_id in memory_ids:
                journal.append("memory_recalled", memory=memory_id)

    def _memory(self, connection: sqlite3.Connection, memory_id: int) -> Memory:
        memory = projection.memory(connection, self._view, memory_id, LINKS_MAX)
        assert memory is not None
        return memory

    def _entity(self, connection: sqlite3.Connection, entity_id: int) -> Entity:
        entity = projection.entity(connection, entity_id, _ALIASES_SHOWN)
        assert entity is not None
        return entity

    @contextmanager
    def _long_read(self) -> Iterator[sqlite3.Connection]:
        # A connection of its own: what reads everything must not delay a recall.
        try:
            with closing(opening.open_reader(self._path, 2.0)) as connection:
                connection.execute(statements.BEGIN_READ)
                yield connection
        except sqlite3.Error as error:
            raise StoreFault(self._path, type(error).__name__) from None
