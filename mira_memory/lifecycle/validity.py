# SPDX-License-Identifier: Apache-2.0
"""What held in the world at one time, as the store knew it at another.

Follows docs/lifecycle.md, "Two times".
"""

import sqlite3

from mira_memory import projection
from mira_memory.lifecycle import statements
from mira_memory.records import EntityMemories, State

NEWEST_MAX = 100
_ALIASES_MAX = 16
_LINKS_MAX = 16


def held_at(
    connection: sqlite3.Connection, view: projection.View, entity_id: int, at: str, known: str
) -> EntityMemories:
    """Return the newest memories of an entity that held at `at`, as known at `known`.

    A memory whose times are unknown held always. What was retracted or withheld by the time
    `known` did not; what was superseded held until then.
    """
    moments = {"entity": entity_id, "at": at, "known": known}
    states = dict(connection.execute(statements.MEMORIES_AT, moments).fetchall())
    entity = projection.entity(connection, entity_id, _ALIASES_MAX)
    assert entity is not None
    memories = []
    for memory_id in sorted(states)[-NEWEST_MAX:]:
        memory = projection.memory(connection, view, memory_id, _LINKS_MAX)
        assert memory is not None
        if states[memory_id] is not None:
            row = connection.execute(statements.STATE_OF_EVENT, (states[memory_id],)).fetchone()
            memory = projection.in_state(memory, State(*row), view)
        memories.append(memory)
    return EntityMemories(entity, tuple(memories), len(states) - len(memories))
