# SPDX-License-Identifier: Apache-2.0
"""What a write sees and does inside its one transaction: resolve, compare, insert.

Follows docs/memory.md, "Admission" and "Administration".
"""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain

from mira_memory import projection, statements
from mira_memory.lifecycle.journal import Journal
from mira_memory.lifecycle.states import write_state
from mira_memory.records import LINKS_MAX, SUBJECT_ROLE, Memory, NewMemory, timestamp
from mira_memory.text import fold_typography, key

SLOT_KINDS = ("fact", "preference")
RELATIONSHIP = "relationship"
CONFLICTS_MAX = 8

Links = frozenset[tuple[int, str]]


class AdmissionTransaction:
    """Work inside one write transaction of the store; nothing is seen outside until it commits."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        clock: Callable[[], datetime],
        journal: Journal | None,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._journal = journal

    @property
    def is_correctable(self) -> bool:
        """Whether a person can correct what is stored: a version 2 store."""
        return self._journal is not None

    def resolve(self, name_key: str) -> tuple[int, ...]:
        """Return every entity with that exact key, as canonical name or alias, in ID order."""
        return projection.resolve(self._connection, name_key)

    def memory_of_turn(self, turn_id: str) -> Memory | None:
        """Return the memory that this turn created, before a restart perhaps."""
        row = self._connection.execute(statements.MEMORY_OF_TURN, (turn_id,)).fetchone()
        view = projection.View(1, self._clock)
        return (
            None if row is None else projection.memory(self._connection, view, row[0], LINKS_MAX)
        )

    def slot_conflicts(
        self, subject_id: int, predicate_key: str, value_key: str
    ) -> tuple[int, ...]:
        """Return at most eight active facts and preferences of the slot with another value."""
        slot = {"subject": subject_id, "predicate": predicate_key, "value": value_key}
        rows = self._connection.execute(statements.SLOT_CONFLICTS, slot).fetchall()
        return tuple(sorted(memory_id for (memory_id,) in rows)[:CONFLICTS_MAX])

    def duplicate(
        self, kind: str, predicate_key: str, value_key: str | None, links: Links
    ) -> int | None:
        """Return an active memory that says the same, or None.

        The same is: equal predicate, value and set of links, a fact and a preference alike; for
        a relationship, equal predicate and links.
        """
        kinds = SLOT_KINDS if kind in SLOT_KINDS else (kind,)
        for candidate in self._candidates(kinds, predicate_key, value_key, links):
            if self._links(candidate) == links and self._says(
                candidate, kinds, predicate_key, value_key
            ):
                return candidate
        return None

    def insert(self, memory: NewMemory) -> int:
        """Insert the memory, its links and its one text payload; return its number."""
        row = (
            memory.kind,
            memory.summary,
            memory.predicate,
            memory.predicate,
            memory.value,
            None if memory.value is None else comparison_key(memory.value),
            memory.source_kind,
            memory.source_label,
            memory.confidence,
            memory.turn_id,
            subject_of(memory.links),
            timestamp(self._clock()),
        )
        memory_id = self._connection.execute(statements.INSERT_MEMORY, row).lastrowid
        assert memory_id is not None
        links = sorted(memory.links)
        for entity_id, role in links:
            self._connection.execute(statements.INSERT_LINK, (memory_id, entity_id, role))
        self._connection.execute(statements.INSERT_TEXT_PAYLOAD, (memory_id, memory.summary))
        if self._journal is not None:
            payload = ("text", "text/plain", memory.summary, None, None)
            self._journal.memory_created(memory_id, ((memory_id, *row), links, [payload]))
            if memory.state is not None:
                write_state(self._journal, "memory_described", memory_id, memory.state)
        return memory_id

    def _candidates(
        self, kinds: tuple[str, ...], predicate_key: str, value_key: str | None, links: Links
    ) -> Iterator[int]:
        subject = subject_of(links)
        # Each walk alone meets every candidate. Side by side they end with the shortest, so that
        # an entity or a slot on which a million memories hang costs nothing when another link of
        # the memory has few.
        walks = [
            self._walk(statements.LINKED, link)
            for link in sorted(links)
            if link != (subject, SUBJECT_ROLE)
        ]
        if subject is not None and kinds == (RELATIONSHIP,):
            walks.append(self._walk(statements.SAME_PREDICATE, (subject, predicate_key, *kinds)))
        elif subject is not None:
            slots = ((subject, predicate_key, kind, value_key) for kind in kinds)
            walks.append(chain.from_iterable(self._walk(statements.SAME_VALUE, s) for s in slots))
        while walks:
            for walk in walks:
                candidate = next(walk, None)
                if candidate is None:
                    return
                yield candidate

    def _walk(self, statement: str, parameters: tuple[object, ...]) -> Iterator[int]:
        for (memory_id,) in self._connection.execute(statement, parameters):
            yield memory_id

    def _links(self, memory_id: int) -> Links:
        rows = self._connection.execute(statements.LINKS_OF_MEMORY, (memory_id,))
        return frozenset((entity_id, role) for entity_id, role in rows)

    def _says(
        self, memory_id: int, kinds: tuple[str, ...], predicate_key: str, value_key: str | None
    ) -> bool:
        kind, predicate, value, status = self._connection.execute(
            statements.SLOT_OF_MEMORY, (memory_id,)
        ).fetchone()
        return (
            status == "active"
            and kind in kinds
            and predicate == predicate_key
            and (kind == RELATIONSHIP or value == value_key)
        )


def comparison_key(value: str) -> str:
    """Return the key by which two values are equal: typographic variants are one."""
    return fold_typography(key(value))


def subject_of(links: Links) -> int | None:
    """Return the entity whose slot a memory with these links takes: the first of role subject."""
    return min((entity for entity, role in links if role == SUBJECT_ROLE), default=None)
