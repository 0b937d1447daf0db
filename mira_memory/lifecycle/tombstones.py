# SPDX-License-Identifier: Apache-2.0
"""What was retracted, forgotten or refused leaves a keyed digest, so that it is known again.

Follows docs/lifecycle.md, "Status".
"""

import sqlite3
from collections.abc import Iterable

from mira_memory.errors import BroughtBack
from mira_memory.lifecycle import statements
from mira_memory.lifecycle.journal import Journal, digest_key, keyed_digest, row_digest
from mira_memory.records import SUBJECT_ROLE, NewMemory, memory_identity
from mira_memory.text import fold_typography, key


def statements_of(
    connection: sqlite3.Connection,
    summary: str,
    predicate: str | None,
    value: str | None,
    links: Iterable[tuple[int, str]],
) -> tuple[bytes, ...]:
    """Return the keyed digests of what a memory states: of its slot and value, and its words."""
    digests_key = digest_key(connection)
    links = sorted(links)
    subject = min((entity for entity, role in links if role == SUBJECT_ROLE), default=None)
    stated: list[tuple[object, ...]] = []
    if subject is not None and predicate is not None and value is not None:
        stated.append((subject, predicate, fold_typography(key(value))))
    stated.append((sorted({entity for entity, _ in links}), fold_typography(key(summary))))
    return tuple(keyed_digest(statement, digests_key) for statement in stated)


def refuse_tombstoned(connection: sqlite3.Connection, memory: NewMemory) -> None:
    """Refuse a memory that says what a person took back.

    Raises:
        BroughtBack: it says so; the sentence names the way on.
    """
    for statement in statements_of(
        connection, memory.summary, memory.predicate, memory.value, memory.links
    ):
        found = connection.execute(statements.TOMBSTONE, (statement,)).fetchone()
        if found is not None:
            raise BroughtBack(_sentence(connection, *found))


def lay(journal: Journal, digests: tuple[bytes, ...], memory_id: int | None) -> None:
    """Leave tombstones for the digests of one memory or proposal."""
    digest = row_digest(tuple(sorted(digests)))
    event = journal.append("tombstone_laid", memory=memory_id, digest=digest)
    for statement in digests:
        journal.connection.execute(statements.INSERT_TOMBSTONE, (event.id, statement, memory_id))


def _sentence(connection: sqlite3.Connection, event_id: int, memory_id: int | None) -> str:
    (at, _, _) = connection.execute(statements.EVENT_TIMES, (event_id,)).fetchone()
    if memory_id is None:
        return (
            f"The same was refused in a review at {at}; if it holds after all, say it to the "
            "robot in a conversation."
        )
    identity = memory_identity(memory_id)
    (status,) = connection.execute(statements.STATUS, (memory_id,)).fetchone()
    command = "" if status == "forgotten" else f' or use: memory restore {identity} "<reason>"'
    return (
        f"The same was taken back with {identity} at {at}; see 'memory history {identity}', and "
        f"if it holds after all, say it to the robot{command}."
    )
