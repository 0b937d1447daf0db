# SPDX-License-Identifier: Apache-2.0
"""What a person writes, inside the one transaction: entities, aliases, memories, and warnings.

Follows docs/memory.md, "Administration".
"""

import sqlite3
from collections.abc import Callable, Iterable

from mira_memory import projection, statements
from mira_memory.admission_transaction import (
    SLOT_KINDS,
    AdmissionTransaction,
    comparison_key,
    subject_of,
)
from mira_memory.errors import AlreadyExists, NotFound
from mira_memory.lifecycle.journal import Journal
from mira_memory.lifecycle.tombstones import refuse_tombstoned
from mira_memory.records import (
    LINKS_MAX,
    Added,
    AddedMemory,
    NewMemory,
    entity_identity,
    memory_identity,
    timestamp,
)
from mira_memory.text import key

ALIASES_SHOWN = 100
_IDENTITIES_IN_A_SENTENCE = 8


class Administration:
    """Write in a transaction that the caller commits; `journal` is None in a version 1 store."""

    def __init__(
        self, connection: sqlite3.Connection, view: projection.View, journal: Journal | None
    ) -> None:
        self._connection = connection
        self._view = view
        self._journal = journal

    def add_entity(self, entity_type: str, name: str) -> Added:
        """Insert an entity of a checked type and name.

        Raises:
            AlreadyExists: an entity has that type and canonical name; it is named.
        """
        row = self._connection.execute(
            statements.ENTITY_OF_NAME_AND_TYPE, (key(name), entity_type)
        ).fetchone()
        if row is not None:
            identity = entity_identity(row[0])
            raise AlreadyExists(
                f"An entity of that type and name exists: {identity}; use it, or choose another "
                "name.",
                identity,
            )
        values = (entity_type, name, key(name), timestamp(self._view.clock()))
        entity_id = self._connection.execute(statements.INSERT_ENTITY, values).lastrowid
        assert entity_id is not None
        if self._journal is not None:
            self._journal.entity_changed("entity_added", entity_id)
        return self._added(entity_id, name)

    def add_alias(self, entity_id: int, alias: str) -> Added:
        """Insert a checked alias.

        Raises:
            NotFound: there is no such entity.
            AlreadyExists: the entity has that name, as canonical name or alias.
        """
        name_key = require_entity(self._connection, entity_id)
        taken = self._connection.execute(statements.ALIAS_OF_ENTITY, (entity_id, key(alias)))
        if name_key == key(alias) or taken.fetchone() is not None:
            identity = entity_identity(entity_id)
            raise AlreadyExists(f"{identity} has that name already; nothing is to do.", identity)
        values = (entity_id, alias, key(alias), timestamp(self._view.clock()))
        self._connection.execute(statements.INSERT_ALIAS, values)
        if self._journal is not None:
            self._journal.alias_added(entity_id, key(alias))
        return self._added(entity_id, alias)

    def add_memory(self, memory: NewMemory) -> AddedMemory:
        """Insert a checked memory, whatever else is stored, and say what it repeats or denies.

        Raises:
            NotFound: a link names no entity.
            BroughtBack: a person retracted or forgot the same.
        """
        for entity_id, _ in sorted(memory.links):
            require_entity(self._connection, entity_id)
        if self._journal is not None:
            refuse_tombstoned(self._connection, memory)
        transaction = AdmissionTransaction(self._connection, self._view.clock, self._journal)
        warning = _memory_warning(transaction, memory)
        inserted = transaction.insert(memory)
        stored = projection.memory(self._connection, self._view, inserted, LINKS_MAX)
        assert stored is not None
        return AddedMemory(stored, warning)

    def _added(self, entity_id: int, name: str) -> Added:
        entity = projection.entity(self._connection, entity_id, ALIASES_SHOWN)
        assert entity is not None
        same = set(projection.resolve(self._connection, key(name))) - {entity_id}
        warning = (
            f"That name is ambiguous now: it also names {listed(entity_identity, same)}."
            if same
            else ""
        )
        return Added(entity, warning)


def require_entity(connection: sqlite3.Connection, entity_id: int) -> str:
    """Return the name key of an existing entity.

    Raises:
        NotFound: there is no such entity.
    """
    row = connection.execute(statements.ENTITY_NAME_KEY, (entity_id,)).fetchone()
    if row is None:
        raise NotFound(
            f"There is no entity {entity_identity(entity_id)}; list the entities to see which are."
        )
    return str(row[0])


def _memory_warning(transaction: AdmissionTransaction, memory: NewMemory) -> str:
    if memory.predicate is None or not memory.links:
        return ""
    value_key = None if memory.value is None else comparison_key(memory.value)
    sentences = []
    subject = subject_of(memory.links)
    if subject is not None and value_key is not None and memory.kind in SLOT_KINDS:
        conflicts = transaction.slot_conflicts(subject, memory.predicate, value_key)
        if conflicts:
            sentences.append(f"It conflicts with {listed(memory_identity, conflicts)}.")
    duplicate = transaction.duplicate(memory.kind, memory.predicate, value_key, memory.links)
    if duplicate is not None:
        sentences.append(f"It says the same as {memory_identity(duplicate)}.")
    return " ".join(sentences)


def listed(identity: Callable[[int], str], numbers: Iterable[int]) -> str:
    """Return the first identities as part of a sentence, and how many more there are."""
    ordered = sorted(numbers)
    text = ", ".join(identity(number) for number in ordered[:_IDENTITIES_IN_A_SENTENCE])
    more = len(ordered) - _IDENTITIES_IN_A_SENTENCE
    return f"{text} and {more} more" if more > 0 else text
