# SPDX-License-Identifier: Apache-2.0
"""How memories stand to each other, what people note beside them, and how far they are trusted.

Follows docs/lifecycle.md, "Trust" and "Relations and notes".
"""

import sqlite3
from typing import NamedTuple

from mira_memory.errors import AlreadyExists, NotFound, StatusRefused
from mira_memory.lifecycle import statements
from mira_memory.lifecycle.journal import Journal, keyed_digest, row_digest
from mira_memory.records import memory_identity
from mira_memory.text import SUMMARY_MAX, checked

RELATIONS = ("supports", "contradicts", "derived_from", "related_to", "supersedes")


class Relation(NamedTuple):
    """One memory's relation to another, with who stated it and when."""

    memory_id: int
    relation: str
    other_memory_id: int
    stated_by: str
    at: str


class Note(NamedTuple):
    """A note beside a memory, with its author and time."""

    note: str
    author: str
    at: str


def relate(journal: Journal, memory_id: int, relation: str, other_id: int) -> None:
    """State how a memory stands to another.

    Raises:
        StatusRefused: the relation is none of those known, or leads to the memory itself.
        AlreadyExists: it is stated already.
    """
    if relation not in RELATIONS:
        raise StatusRefused(f"That is no relation; use one of {', '.join(RELATIONS)}.")
    if memory_id == other_id:
        raise StatusRefused("A memory has no relation to itself; name another memory.")
    for number in (memory_id, other_id):
        _require_memory(journal.connection, number)
    key = (memory_id, relation, other_id)
    if journal.connection.execute(statements.RELATION, key).fetchone() is not None:
        identity = memory_identity(memory_id)
        raise AlreadyExists(f"{identity} has that relation already; nothing is to do.", identity)
    insert_relation(journal, memory_id, relation, other_id)


def insert_relation(journal: Journal, memory_id: int, relation: str, other_id: int) -> None:
    """Insert a relation that is not stated yet."""
    digest = row_digest((memory_id, relation, other_id))
    event = journal.append("memories_related", memory=memory_id, other=other_id, digest=digest)
    row = (event.id, memory_id, relation, other_id)
    journal.connection.execute(statements.INSERT_RELATION, row)


def annotate(journal: Journal, memory_id: int, note: str) -> None:
    """Write a note beside a memory, never into it.

    Raises:
        StatusRefused: the memory is forgotten.
    """
    shown = checked(note, "note", SUMMARY_MAX)
    _require_memory(journal.connection, memory_id)
    (status,) = journal.connection.execute(statements.STATUS, (memory_id,)).fetchone()
    if status == "forgotten":
        raise StatusRefused(
            f"{memory_identity(memory_id)} is forgotten, so nothing is noted beside it; write a "
            "new memory."
        )
    event = journal.append(
        "memory_annotated", memory=memory_id, digest=keyed_digest(shown, journal.key)
    )
    journal.connection.execute(statements.INSERT_NOTE, (event.id, memory_id, shown))


def relations(connection: sqlite3.Connection, memory_id: int) -> tuple[Relation, ...]:
    """Return the relations of a memory to others and of others to it."""
    rows = connection.execute(statements.RELATIONS_OF_MEMORY, {"memory": memory_id}).fetchall()
    found = []
    for event_id, one, relation, other in rows:
        at, actor, _ = connection.execute(statements.EVENT_TIMES, (event_id,)).fetchone()
        found.append(Relation(one, relation, other, actor, at))
    return tuple(found)


def notes(connection: sqlite3.Connection, memory_id: int) -> tuple[Note, ...]:
    """Return the notes beside a memory in the order of writing."""
    found = []
    for event_id, note in connection.execute(statements.NOTES_OF_MEMORY, (memory_id,)).fetchall():
        at, actor, _ = connection.execute(statements.EVENT_TIMES, (event_id,)).fetchone()
        found.append(Note(note, actor, at))
    return tuple(found)


def _require_memory(connection: sqlite3.Connection, memory_id: int) -> None:
    if connection.execute(statements.CONTENT, (memory_id,)).fetchone() is None:
        raise NotFound(
            f"There is no memory {memory_identity(memory_id)}; list an entity's memories to see "
            "which are."
        )
