# SPDX-License-Identifier: Apache-2.0
"""Read and write the state of a memory: a row for every change, the last one current.

Follows docs/lifecycle.md, "Status" and "Two times".
"""

import sqlite3

from mira_memory.lifecycle import statements
from mira_memory.lifecycle.journal import Event, Journal, keyed_digest
from mira_memory.records import State


def current_state(connection: sqlite3.Connection, memory_id: int) -> State | None:
    """Return the memory's state; None where it is still as at its creation."""
    row = connection.execute(statements.CURRENT_STATE, (memory_id,)).fetchone()
    return None if row is None else State(*row[2:])


def write_state(
    journal: Journal,
    operation: str,
    memory_id: int,
    state: State,
    *,
    other: int | None = None,
    reason: str = "",
    digest: bytes | None = None,
) -> Event:
    """Append the event of a change and the state after it; the state before ends with it.

    The digest is of the state, unless given.
    """
    connection = journal.connection
    if digest is None:
        digest = keyed_digest(state, journal.key)
    event = journal.append(operation, memory=memory_id, other=other, reason=reason, digest=digest)
    before = connection.execute(statements.CURRENT_STATE, (memory_id,)).fetchone()
    # The wall clock may have been set back; what became known later never has an earlier time.
    known_from = event.at if before is None else max(event.at, before[1])
    if before is not None:
        connection.execute(statements.END_STATE, (known_from, before[0]))
    connection.execute(statements.INSERT_STATE, (event.id, memory_id, known_from, *state))
    return event


def show_or_hide(
    connection: sqlite3.Connection, memory_id: int, before: State, after: State
) -> None:
    """Set a memory's status, and keep the count of what is seen of each of its entities exact."""
    counted = (after.status == "active") - (before.status == "active")
    seen = is_seen(after) - is_seen(before)
    # A trigger counts by status alone. What trust adds to that must never take a count below 0.
    if seen > counted:
        connection.execute(statements.COUNT_ENTITIES, (seen - counted, memory_id))
    if before.status != after.status:
        connection.execute(statements.SET_STATUS, (after.status, memory_id))
    if seen < counted:
        connection.execute(statements.COUNT_ENTITIES, (seen - counted, memory_id))


def is_seen(state: State) -> bool:
    """Return whether a memory in this state is recalled and listed."""
    return state.status == "active" and state.trust != "withheld"
