# SPDX-License-Identifier: Apache-2.0
"""What a person does to a memory that is wrong, outdated, useless, or to be forgotten.

Every function works inside one transaction that the caller commits. Follows docs/lifecycle.md,
"Status".
"""

import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from mira_memory import statements as core
from mira_memory.admission_transaction import SLOT_KINDS, AdmissionTransaction, comparison_key
from mira_memory.errors import NotFound, StatusRefused
from mira_memory.lifecycle import statements, tombstones
from mira_memory.lifecycle.journal import Journal, row_digest
from mira_memory.lifecycle.reasons import checked_reason
from mira_memory.lifecycle.relations import insert_relation
from mira_memory.lifecycle.slots import require_room
from mira_memory.lifecycle.states import current_state, show_or_hide, write_state
from mira_memory.records import NewMemory, State, default_state, memory_identity

_FROM = {
    "retract": ("active", "superseded", "archived"),
    "supersede": ("active",),
    "archive": ("active",),
    "restore": ("retracted", "superseded", "archived"),
    "forget": ("active", "retracted", "superseded", "archived"),
}
_WAYS_ON = {
    "active": "it is active already",
    "retracted": "restore it first",
    "superseded": "correct the memory that replaced it, or restore this one first",
    "archived": "restore it first",
    "forgotten": "what it said is gone for good",
}


class Stored(NamedTuple):
    """A memory as a correction meets it."""

    id: int
    kind: str
    summary: str
    predicate: str | None
    value: str | None
    links: frozenset[tuple[int, str]]
    subject_id: int | None
    state: State


def stored(connection: sqlite3.Connection, memory_id: int) -> Stored:
    """Return the memory of this number, whatever its status.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(core.MEMORY, (memory_id,)).fetchone()
    if row is None:
        raise NotFound(
            f"There is no memory {memory_identity(memory_id)}; list an entity's memories to see "
            "which are."
        )
    content = connection.execute(statements.CONTENT, (memory_id,)).fetchone()
    links = connection.execute(core.LINKS_OF_MEMORY, (memory_id,)).fetchall()
    state = current_state(connection, memory_id) or default_state(row[1], row[5], row[8])
    return Stored(row[0], row[1], row[2], row[3], row[4], frozenset(links), content[11], state)


def retract(journal: Journal, memory_id: int, reason: str) -> None:
    """Take back a memory that is wrong; it leaves a tombstone."""
    memory, reason = _allowed(journal, "retract", memory_id, reason)
    _change(journal, "memory_retracted", memory, reason, memory.state._replace(status="retracted"))
    tombstones.lay(journal, _statements(journal, memory), memory_id)


def archive(journal: Journal, memory_id: int, reason: str) -> None:
    """Put away a memory that is not worth recalling."""
    memory, reason = _allowed(journal, "archive", memory_id, reason)
    _change(journal, "memory_archived", memory, reason, memory.state._replace(status="archived"))


def restore(journal: Journal, clock: Callable[[], datetime], memory_id: int, reason: str) -> None:
    """Make a memory active again, unless others contradict or repeat it by now.

    Raises:
        SlotTaken: they do.
    """
    memory, reason = _allowed(journal, "restore", memory_id, reason)
    transaction = AdmissionTransaction(journal.connection, clock, journal)
    require_room(
        transaction,
        memory.kind,
        memory.predicate,
        memory.value,
        memory.links,
        f"then restore {memory_identity(memory_id)}",
    )
    valid_to = None if memory.state.status == "superseded" else memory.state.valid_to
    _change(
        journal,
        "memory_restored",
        memory,
        reason,
        memory.state._replace(status="active", valid_to=valid_to),
    )
    journal.connection.execute(statements.LIFT_TOMBSTONES, (memory_id,))


def supersede(
    journal: Journal,
    clock: Callable[[], datetime],
    memory_id: int,
    summary: str,
    value: str | None,
    since: str | None,
) -> tuple[int, tuple[int, ...]]:
    """Replace a memory by what holds since `since`, or since now.

    Return the new memory, and those that it contradicts besides.

    Raises:
        BroughtBack: a person took back what the new one says.
        StatusRefused: the old one is not active, or held only from a later time.
    """
    memory, _ = _allowed(journal, "supersede", memory_id, None)
    since = since or journal.now()
    if memory.state.valid_from is not None and since < memory.state.valid_from:
        raise StatusRefused(
            f"{memory_identity(memory_id)} holds since {memory.state.valid_from}; give a later "
            "time with --from."
        )
    new = NewMemory(
        kind=memory.kind,
        summary=summary,
        predicate=memory.predicate,
        value=value if value is not None or memory.kind in SLOT_KINDS else memory.value,
        links=memory.links,
        source_kind="manual",
        state=default_state(memory.kind, "manual")._replace(valid_from=since),
    )
    tombstones.refuse_tombstoned(journal.connection, new)
    transaction = AdmissionTransaction(journal.connection, clock, journal)
    new_id = transaction.insert(new)
    after = memory.state._replace(status="superseded", valid_to=since)
    _change(journal, "memory_superseded", memory, "", after, other=new_id)
    insert_relation(journal, new_id, "supersedes", memory_id)
    conflicts: tuple[int, ...] = ()
    if memory.subject_id is not None and new.predicate is not None and new.value is not None:
        conflicts = transaction.slot_conflicts(
            memory.subject_id, new.predicate, comparison_key(new.value)
        )
    return new_id, conflicts


def forget(journal: Journal, memory_id: int, reason: str) -> None:
    """Erase what a memory says; its number, status and times stay, and a tombstone."""
    memory, reason = _allowed(journal, "forget", memory_id, reason)
    connection = journal.connection
    digests = _statements(journal, memory)
    after = memory.state._replace(status="forgotten", trust_reason=None)
    show_or_hide(connection, memory_id, memory.state, after)
    for statement in (
        statements.ERASE_MEMORY,
        statements.ERASE_PAYLOADS,
        statements.ERASE_LINKS,
        statements.ERASE_NOTES,
        statements.ERASE_TRUST_REASONS,
    ):
        connection.execute(statement, (memory_id,))
    write_state(
        journal,
        "memory_forgotten",
        memory_id,
        after,
        reason=reason,
        digest=erased_digest(connection, memory_id, after),
    )
    tombstones.lay(journal, digests, memory_id)
    for digest in digests:
        for (proposal,) in connection.execute(
            statements.OPEN_PROPOSALS_SAYING, (digest,)
        ).fetchall():
            connection.execute(statements.CLOSE_PROPOSAL, ("refused", None, proposal))
            journal.append("proposal_refused", row=proposal, other=memory_id)


def erased_digest(connection: sqlite3.Connection, memory_id: int, state: State) -> bytes:
    """Return the digest of what is left of a forgotten memory, which needs no secret."""
    left = connection.execute(statements.CONTENT, (memory_id,)).fetchone()
    return row_digest((left, tuple(state)))


def _allowed(
    journal: Journal, verb: str, memory_id: int, reason: str | None
) -> tuple[Stored, str]:
    memory = stored(journal.connection, memory_id)
    status = memory.state.status
    if status not in _FROM[verb]:
        raise StatusRefused(
            f"{memory_identity(memory_id)} is {status}, so you can't {verb} it; "
            f"{_WAYS_ON[status]}."
        )
    if reason is None:
        return memory, ""
    return memory, checked_reason(reason, memory.summary, memory.value)


def _change(
    journal: Journal,
    operation: str,
    memory: Stored,
    reason: str,
    after: State,
    other: int | None = None,
) -> None:
    show_or_hide(journal.connection, memory.id, memory.state, after)
    write_state(journal, operation, memory.id, after, other=other, reason=reason)


def _statements(journal: Journal, memory: Stored) -> tuple[bytes, ...]:
    return tombstones.statements_of(
        journal.connection, memory.summary, memory.predicate, memory.value, memory.links
    )
