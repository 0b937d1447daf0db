# SPDX-License-Identifier: Apache-2.0
"""Proposals wait, apart from all memories, until a person approves or refuses them.

Follows docs/lifecycle.md, "Review". What a proposal says is kept only while it is open.
"""

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from mira_memory import statements as core
from mira_memory.administration import require_entity
from mira_memory.admission_transaction import AdmissionTransaction
from mira_memory.errors import NotFound, StatusRefused
from mira_memory.lifecycle import statements, tombstones
from mira_memory.lifecycle.journal import Journal, digest_key, keyed_digest
from mira_memory.lifecycle.reasons import checked_reason
from mira_memory.lifecycle.slots import require_room
from mira_memory.records import (
    Link,
    NewMemory,
    State,
    proposal_identity,
)

REVIEWED = "reviewed_proposal"


class Proposed(NamedTuple):
    """A proposal; what it says is None once it is decided."""

    id: int
    state: str
    origin: str
    created_at: str
    memory: NewMemory | None
    links: tuple[Link, ...]


def propose(journal: Journal, memory: NewMemory, origin: str) -> int:
    """Put a checked memory aside for review and return the proposal's number.

    Raises:
        BroughtBack: a person took back what it says.
        NotFound: a link names no entity.
    """
    connection = journal.connection
    for entity_id, _ in sorted(memory.links):
        require_entity(connection, entity_id)
    tombstones.refuse_tombstoned(connection, memory)
    content = json.dumps(
        [
            memory.kind,
            memory.summary,
            memory.predicate,
            memory.value,
            sorted(memory.links),
            memory.confidence,
            memory.state,
        ],
        ensure_ascii=False,
    )
    statement = _digests(connection, memory)[0]
    row = (content, statement, origin, journal.now())
    number = connection.execute(statements.INSERT_PROPOSAL, row).lastrowid
    assert number is not None
    digest = content_digest(connection, (number, *row))
    journal.append("proposal_made", row=number, digest=digest)
    return number


def content_digest(connection: sqlite3.Connection, row: tuple[object, ...]) -> bytes:
    """Return the digest of an open proposal's number, content, statement, origin and time."""
    return keyed_digest(row, digest_key(connection))


def open_proposals(
    connection: sqlite3.Connection, after_id: int, limit: int
) -> tuple[Proposed, ...]:
    """Return a page of the proposals that wait, oldest first."""
    rows = connection.execute(statements.OPEN_PROPOSALS, (after_id, limit)).fetchall()
    return tuple(_proposed(connection, row) for row in rows)


def proposal(connection: sqlite3.Connection, number: int) -> Proposed:
    """Return one proposal.

    Raises:
        NotFound: there is none of this number.
    """
    row = connection.execute(statements.PROPOSAL, (number,)).fetchone()
    if row is None:
        raise NotFound(
            f"There is no proposal {proposal_identity(number)}; see those that wait with: "
            "memory review."
        )
    return _proposed(connection, row)


def approve(journal: Journal, clock: Callable[[], datetime], number: int, reason: str) -> int:
    """Write what a proposal says as a memory and return its number.

    Raises:
        StatusRefused: it is decided already.
        BroughtBack: a person took back what it says.
        SlotTaken: a memory contradicts or repeats it.
    """
    found, said = _open(journal.connection, number)
    reason = checked_reason(reason, said.summary, said.value) if reason else ""
    memory = _as_memory(said, found.origin)
    tombstones.refuse_tombstoned(journal.connection, memory)
    transaction = AdmissionTransaction(journal.connection, clock, journal)
    then = f"then approve {proposal_identity(number)}"
    require_room(transaction, memory.kind, memory.predicate, memory.value, memory.links, then)
    memory_id = transaction.insert(memory)
    journal.connection.execute(statements.CLOSE_PROPOSAL, ("approved", memory_id, number))
    journal.append("proposal_approved", memory=memory_id, row=number, reason=reason)
    return memory_id


def refuse(journal: Journal, number: int, reason: str) -> None:
    """Close a proposal for good; what it says leaves a tombstone.

    Raises:
        StatusRefused: it is decided already.
    """
    _, said = _open(journal.connection, number)
    reason = checked_reason(reason, said.summary, said.value)
    journal.connection.execute(statements.CLOSE_PROPOSAL, ("refused", None, number))
    journal.append("proposal_refused", row=number, reason=reason)
    tombstones.lay(journal, _digests(journal.connection, said), None)


def _open(connection: sqlite3.Connection, number: int) -> tuple[Proposed, NewMemory]:
    found = proposal(connection, number)
    if found.memory is None:
        raise StatusRefused(
            f"{proposal_identity(number)} was {found.state} already; see those that wait with: "
            "memory review."
        )
    return found, found.memory


def _digests(connection: sqlite3.Connection, memory: NewMemory) -> tuple[bytes, ...]:
    return tombstones.statements_of(
        connection, memory.summary, memory.predicate, memory.value, memory.links
    )


def _as_memory(said: NewMemory, origin: str) -> NewMemory:
    return NewMemory(
        said.kind,
        said.summary,
        said.predicate,
        said.value,
        said.links,
        REVIEWED,
        source_label=origin,
        confidence=said.confidence,
        state=said.state,
    )


def _proposed(connection: sqlite3.Connection, row: tuple[object, ...]) -> Proposed:
    number, state, content, _, origin, created_at = row
    if content is None:
        return Proposed(number, state, origin, created_at, None, ())  # type: ignore[arg-type]
    kind, summary, predicate, value, pairs, confidence, said_state = json.loads(str(content))
    memory = NewMemory(
        kind,
        summary,
        predicate,
        value,
        frozenset((entity_id, role) for entity_id, role in pairs),
        REVIEWED,
        confidence=confidence,
        state=None if said_state is None else State(*said_state),
    )
    links = tuple(
        Link(entity_id, connection.execute(core.ENTITY, (entity_id,)).fetchone()[2], role)
        for entity_id, role in pairs
    )
    return Proposed(number, state, origin, created_at, memory, links)  # type: ignore[arg-type]
