# SPDX-License-Identifier: Apache-2.0
"""Tell the audit log as plain lines: when, what, by whom, and why (docs/lifecycle.md, "Audit")."""

import sqlite3

from mira_memory.errors import NotFound
from mira_memory.lifecycle import statements
from mira_memory.lifecycle.journal import Event
from mira_memory.records import entity_identity, memory_identity, proposal_identity

_BY = {
    "operator turn": "by the operator's words in a turn",
    "console": "at the console",
    "service": "through a service",
    "migration": "by the migration",
}
_DONE = {
    "memory_created": "{memory} was stored",
    "memory_migrated": "{memory} was taken over from a version 1 store",
    "memory_described": "{memory} got its times and its kind of knowledge",
    "memory_retracted": "{memory} was retracted",
    "memory_superseded": "{memory} was superseded by {other}",
    "memory_archived": "{memory} was archived",
    "memory_restored": "{memory} was restored",
    "memory_forgotten": "{memory} was forgotten: its words are erased",
    "memory_trust_set": "{memory} is {trust} from then on",
    "memory_annotated": "a note was written beside {memory}",
    "memories_related": "{memory} was related to {other}",
    "memory_recalled": "{memory} was recalled",
    "tombstone_laid": "{what} can't come back through import or review",
    "proposal_made": "{proposal} was proposed",
    "proposal_approved": "{proposal} was approved as {memory}",
    "proposal_refused": "{proposal} was refused",
    "entity_added": "{entity} was added",
    "entity_migrated": "{entity} was taken over from a version 1 store",
    "entity_renamed": "{entity} was renamed",
    "alias_added": "{entity} got an alias",
    "alias_migrated": "an alias of {entity} was taken over from a version 1 store",
    "alias_removed": "{entity} lost an alias",
    "store_migrated": "the store became a version 2 store",
    "store_imported": "an export was restored",
}


def history(connection: sqlite3.Connection, memory_id: int) -> tuple[str, ...]:
    """Return the life of one memory, a line for each event.

    Raises:
        NotFound: there is no such memory.
    """
    rows = connection.execute(statements.EVENTS_OF_MEMORY, {"memory": memory_id}).fetchall()
    if not rows:
        raise NotFound(
            f"There is no memory {memory_identity(memory_id)}; list an entity's memories to see "
            "which are."
        )
    return tuple(told(connection, Event(*row)) for row in rows)


def audit(
    connection: sqlite3.Connection, since: str, after_id: int, limit: int
) -> tuple[Event, ...]:
    """Return a page of the events at and after `since`, oldest first."""
    rows = connection.execute(statements.EVENTS_SINCE, (after_id, since, limit)).fetchall()
    return tuple(Event(*row) for row in rows)


def told(connection: sqlite3.Connection, event: Event) -> str:
    """Return one event as a line."""
    trust = ""
    if event.operation == "memory_trust_set":
        row = connection.execute(statements.STATE_OF_EVENT, (event.id,)).fetchone()
        trust = row[1] if row else "of another trust"
    memory = "" if event.memory_id is None else memory_identity(event.memory_id)
    done = _DONE.get(event.operation, event.operation).format(
        memory=memory,
        other="" if event.other_memory_id is None else memory_identity(event.other_memory_id),
        entity="" if event.entity_id is None else entity_identity(event.entity_id),
        proposal="" if event.row_id is None else proposal_identity(event.row_id),
        what=f"what {memory} said" if memory else "what was refused",
        trust=trust,
    )
    why = f": {event.reason}" if event.reason else ""
    return f"{event.at}  {done}, {_BY.get(event.actor, event.actor)}{why}"
