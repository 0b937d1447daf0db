# SPDX-License-Identifier: Apache-2.0
"""Read entities and memories out of a snapshot as values, bounded and with exact counts.

Every function takes the connection of one snapshot or transaction. Follows docs/memory.md,
"Recall".
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mira_memory import statements
from mira_memory.records import (
    SUBJECT_ROLE,
    Entity,
    EntityMemories,
    Link,
    Memory,
    State,
    default_state,
    timestamp,
)

_NO_BOUND = 2**63 - 1

# In a version 2 store the columns of the state follow.
MemoryRow = tuple[Any, ...]
_MEMORY_FIELDS = 10


@dataclass(frozen=True, slots=True)
class View:
    """What is seen of a store of one schema version; `clock` decides what has expired."""

    version: int
    clock: Callable[[], datetime]

    @property
    def visible(self) -> statements.Visible:
        """The statements that decide which memories are seen."""
        return statements.VISIBLE[self.version]


def resolve(connection: sqlite3.Connection, name_key: str) -> tuple[int, ...]:
    """Return every entity with that exact key, as canonical name or alias, in ID order."""
    rows = connection.execute(statements.RESOLVE, {"key": name_key}).fetchall()
    return tuple(entity_id for (entity_id,) in rows)


def entity_memories(
    connection: sqlite3.Connection,
    view: View,
    entity_id: int,
    newest: int,
    aliases: int,
    links: int,
) -> EntityMemories:
    """Return an existing entity with its newest active memories in ascending ID order."""
    entity, active = _entity(connection, entity_id, aliases)
    memories = memories_before(connection, view, entity_id, None, newest, links)
    return EntityMemories(entity, memories[::-1], active - len(memories))


def entity(connection: sqlite3.Connection, entity_id: int, aliases: int) -> Entity | None:
    """Return the entity with at most `aliases` of its aliases, or None."""
    row = connection.execute(statements.ENTITY, (entity_id,)).fetchone()
    return None if row is None else _entity(connection, entity_id, aliases)[0]


def memory(
    connection: sqlite3.Connection, view: View, memory_id: int, links: int
) -> Memory | None:
    """Return the memory with at most `links` of its links, or None."""
    row = connection.execute(statements.MEMORY, (memory_id,)).fetchone()
    if row is None:
        return None
    state = None
    if view.visible.state:
        state = connection.execute(view.visible.state, (memory_id,)).fetchone()
    return _complete(connection, view, [(*row, *(state or ()))], links)[0]


def memories_before(
    connection: sqlite3.Connection,
    view: View,
    entity_id: int,
    before_id: int | None,
    limit: int,
    links: int,
) -> tuple[Memory, ...]:
    """Return active memories of the entity, newest first, older than `before_id`."""
    cursor = connection.execute(view.visible.of_entity, (entity_id, before_id or _NO_BOUND))
    # A memory that hangs on the entity under two roles comes twice.
    rows: dict[int, MemoryRow] = {}
    while batch := cursor.fetchmany(limit - len(rows)) if len(rows) < limit else []:
        rows.update({row[0]: row for row in batch})
    cursor.close()
    return _complete(connection, view, list(rows.values()), links)


def older_memories(
    connection: sqlite3.Connection,
    view: View,
    entity_id: int,
    page: Sequence[Memory],
    before_id: int | None,
) -> int:
    """Return how many active memories of the entity are older than a page of them."""
    active = _entity(connection, entity_id, 0)[1]
    if before_id is None:
        return active - len(page)
    oldest = page[-1].id if page else before_id
    (newest,) = connection.execute(statements.NEWEST_MEMORY_ID).fetchone()
    # Where a million hang on the entity, only the shorter side is counted.
    if newest is not None and oldest > newest // 2:
        newer = connection.execute(view.visible.from_count, (entity_id, oldest))
        return int(active - newer.fetchone()[0])
    older = connection.execute(view.visible.before_count, (entity_id, oldest))
    return int(older.fetchone()[0])


def _entity(connection: sqlite3.Connection, entity_id: int, aliases: int) -> tuple[Entity, int]:
    row = connection.execute(statements.ENTITY, (entity_id,)).fetchone()
    names = connection.execute(statements.ALIASES, (entity_id, aliases + 1)).fetchall()
    left_out = 0
    if len(names) > aliases:
        (count,) = connection.execute(statements.ALIAS_COUNT, (entity_id,)).fetchone()
        left_out = count - aliases
    shown = tuple([name for (name,) in names[:aliases]])
    return Entity(row[0], row[1], row[2], shown, left_out, row[3]), row[4]


def _complete(
    connection: sqlite3.Connection, view: View, rows: Sequence[MemoryRow], limit: int
) -> tuple[Memory, ...]:
    found: dict[int | None, list[Link]] = {row[0]: [] for row in rows}
    ids = list(found)
    ids += [None] * (-len(ids) % statements.LINKS_BATCH)
    for start in range(0, len(ids), statements.LINKS_BATCH):
        batch = ids[start : start + statements.LINKS_BATCH]
        for memory_id, entity_id, name, role in connection.execute(statements.LINKS, batch):
            found[memory_id].append(Link(entity_id, name, role))
    return tuple(
        [_memory(row, links, limit, view) for row, links in zip(rows, found.values(), strict=True)]
    )


def in_state(memory: Memory, state: State, view: View) -> Memory:
    """Return the memory in another state than its current one."""
    return memory._replace(state=state, is_expired=_is_expired(state, view))


def _memory(row: MemoryRow, links: list[Link], limit: int, view: View) -> Memory:
    if len(links) > 1:
        links.sort(key=_subject_first)
    shown, left_out = tuple(links[:limit]), max(0, len(links) - limit)
    if view.version == 1:
        return Memory._make((*row, shown, left_out, None, False))
    if len(row) == _MEMORY_FIELDS or row[_MEMORY_FIELDS] is None:
        state = default_state(row[1], row[5], row[8])
        return Memory._make((*row[:_MEMORY_FIELDS], shown, left_out, state, False))
    state = State._make(row[_MEMORY_FIELDS:])
    return Memory._make((*row[:_MEMORY_FIELDS], shown, left_out, state, _is_expired(state, view)))


def _is_expired(state: State, view: View) -> bool:
    return state.expires_at is not None and state.expires_at <= timestamp(view.clock())


def _subject_first(link: Link) -> tuple[bool, int, str]:
    return link.role != SUBJECT_ROLE, link.entity_id, link.role
