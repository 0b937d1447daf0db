# SPDX-License-Identifier: Apache-2.0
"""Everything that can be asked of a store, and nothing that writes.

Follows docs/memory.md, "Administration" and "Recall".
"""

import sqlite3
from collections.abc import Iterable

from mira_memory import projection, statements
from mira_memory.administration import ALIASES_SHOWN, require_entity
from mira_memory.errors import NotFound
from mira_memory.reader import Reader
from mira_memory.records import (
    LINKS_MAX,
    Entity,
    EntityMemories,
    Memory,
    memory_identity,
)
from mira_memory.text import NAME_MAX, checked, key, token

PAGE_DEFAULT = 100
PAGE_MAX = 1000
FOUND_MEMORIES_MAX = 100


class Lookups:
    """Answer questions through the connection that can't write, each from one snapshot."""

    def __init__(self, reader: Reader, view: projection.View) -> None:
        self._reader = reader
        self._view = view

    def version(self) -> int:
        """Return a number that changes with every commit to the file, whoever makes it."""
        return self._reader.version()

    def find_entities(self, name: str) -> tuple[Entity, ...]:
        """Return every entity of exactly that name, in ID order.

        Raises:
            TextRefused: the text is no name.
        """
        name_key = key(checked(name, "name", NAME_MAX))
        with self._reader.snapshot() as connection:
            return _entities(connection, projection.resolve(connection, name_key))

    def list_entities(
        self, entity_type: str = "", limit: int = 0, after_id: int = 0
    ) -> tuple[tuple[Entity, ...], int]:
        """Return a page of entities in ID order, and how many come after it.

        An empty type means all; a limit of 0 means 100, and 1000 is the most.
        """
        page = min(limit or PAGE_DEFAULT, PAGE_MAX)
        of_type = (token(entity_type, "entity type"),) if entity_type else ()
        ask, count = (
            (statements.ENTITIES_OF_TYPE_AFTER, statements.ENTITIES_OF_TYPE_AFTER_COUNT)
            if of_type
            else (statements.ENTITIES_AFTER, statements.ENTITIES_AFTER_COUNT)
        )
        with self._reader.snapshot() as connection:
            rows = connection.execute(ask, (*of_type, after_id, page)).fetchall()
            last = rows[-1][0] if rows else after_id
            (left_out,) = connection.execute(count, (*of_type, last)).fetchone()
            return _entities(connection, [number for (number,) in rows]), left_out

    def find_memories(
        self,
        name: str,
        *,
        newest: int = FOUND_MEMORIES_MAX,
        aliases: int = ALIASES_SHOWN,
        links: int = LINKS_MAX,
        entities: int | None = None,
        what: str = "name",
    ) -> tuple[tuple[EntityMemories, ...], int]:
        """Return the entities of exactly that name with their newest memories.

        In ID order, at most `entities`; the number is how many more there are. `what` is how the
        sentence of a refusal calls the name.

        Raises:
            TextRefused: the text is no name.
        """
        name_key = key(checked(name, what, NAME_MAX))
        with self._reader.snapshot() as connection:
            found = projection.resolve(connection, name_key)
            shown = found[:entities]
            return (
                tuple(
                    projection.entity_memories(
                        connection, self._view, entity_id, newest, aliases, links
                    )
                    for entity_id in shown
                ),
                len(found) - len(shown),
            )

    def show_memory(self, memory_id: int) -> tuple[Memory, tuple[str, ...]]:
        """Return a memory with all its links, and its text payloads.

        Raises:
            NotFound: there is no such memory.
        """
        with self._reader.snapshot() as connection:
            memory = projection.memory(connection, self._view, memory_id, LINKS_MAX)
            if memory is None:
                raise NotFound(
                    f"There is no memory {memory_identity(memory_id)}; "
                    "list an entity's memories to see which are."
                )
            rows = connection.execute(statements.PAYLOAD_TEXTS, (memory_id,))
            return memory, tuple(text for (text,) in rows)

    def list_memories(
        self, entity_id: int, limit: int = 0, before_id: int | None = None
    ) -> tuple[tuple[Memory, ...], int]:
        """Return a page of the entity's active memories, newest first, and how many are older.

        Raises:
            NotFound: there is no such entity.
        """
        page = min(limit or PAGE_DEFAULT, PAGE_MAX)
        with self._reader.snapshot() as connection:
            require_entity(connection, entity_id)
            memories = projection.memories_before(
                connection, self._view, entity_id, before_id, page, LINKS_MAX
            )
            left_out = projection.older_memories(
                connection, self._view, entity_id, memories, before_id
            )
            return memories, left_out


def _entities(connection: sqlite3.Connection, entity_ids: Iterable[int]) -> tuple[Entity, ...]:
    found = (projection.entity(connection, number, ALIASES_SHOWN) for number in entity_ids)
    return tuple(entity for entity in found if entity is not None)
