# SPDX-License-Identifier: Apache-2.0
"""What a person writes, inside the one transaction: entities, aliases, memories, and warnings.

Follows docs/memory.md, "Administration".
"""

import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime

from mira_memory import projection, statements
from mira_memory.admission_transaction import (
    SLOT_KINDS,
    AdmissionTransaction,
    comparison_key,
    subject_of,
)
from mira_memory.errors import AlreadyExists, NotFound
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
    """Write on the connection of a transaction that the caller commits."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock

    def add_entity(self, connection: sqlite3.Connection, entity_type: str, name: str) -> Added:
        """Insert an entity of a checked type and name.

        Raises:
            AlreadyExists: an entity has that type and canonical name; it is named.
        """
        row = connection.execute(
            statements.ENTITY_OF_NAME_AND_TYPE, (key(name), entity_type)
        ).fetchone()
        if row is not None:
            identity = entity_identity(row[0])
            raise AlreadyExists(
                f"An entity of that type and name exists: {identity}; use it, or choose another "
                "name.",
                identity,
            )
        values = (entity_type, name, key(name), timestamp(self._clock()))
        entity_id = connection.execute(statements.INSERT_ENTITY, values).lastrowid
        assert entity_id is not None
        return self._added(connection, entity_id, name)

    def add_alias(self, connection: sqlite3.Connection, entity_id: int, alias: str) -> Added:
        """Insert a checked alias.

        Raises:
            NotFound: there is no such entity.
            AlreadyExists: the entity has that name, as canonical name or alias.
        """
        name_key = require_entity(connection, entity_id)
        taken = connection.execute(statements.ALIAS_OF_ENTITY, (entity_id, key(alias)))
        if name_key == key(alias) or taken.fetchone() is not None:
            identity = entity_identity(entity_id)
            raise AlreadyExists(f"{identity} has that name already; nothing is to do.", identity)
        values = (entity_id, alias, key(alias), timestamp(self._clock()))
        connection.execute(statements.INSERT_ALIAS, values)
        return self._added(connection, entity_id, alias)

    def add_memory(self, connection: sqlite3.Connection, memory: NewMemory) -> AddedMemory:
        """Insert a checked memory, whatever else is stored, and say what it repeats or denies.

        Raises:
            NotFound: a link names no entity.
        """
        for entity_id, _ in sorted(memory.links):
            require_entity(connection, entity_id)
        transaction = AdmissionTransaction(connection, self._clock)
        warning = _memory_warning(transaction, memory)
        stored = projection.memory(connection, transaction.insert(memory), LINKS_MAX)
        assert stored is not None
        return AddedMemory(stored, warning)

    def _added(self, connection: sqlite3.Connection, entity_id: int, name: str) -> Added:
        entity = projection.entity(connection, entity_id, ALIASES_SHOWN)
        assert entity is not None
        same = set(projection.resolve(connection, key(name))) - {entity_id}
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
