# SPDX-License-Identifier: Apache-2.0
"""Prove on the open file that what is not to be seen is not seen; nothing of it stays.

Follows docs/lifecycle.md, "The self test". Everything is planted in one transaction that is
rolled back, and asked for with the statements that recall itself uses.
"""

import sqlite3
from collections.abc import Callable
from datetime import datetime

from mira_memory import projection
from mira_memory.administration import Administration
from mira_memory.errors import SelfTestFailed
from mira_memory.lifecycle import corrections, review, statements, trust
from mira_memory.lifecycle.journal import SERVICE, Journal
from mira_memory.lifecycle.verification import verify_end
from mira_memory.records import NewMemory

_NAME = "the self test's own entity"
_TYPE = "self_test"
_EVENTS_VERIFIED = 100
_REASON = "the self test"


def self_test(
    writing: sqlite3.Connection, reading: sqlite3.Connection, clock: Callable[[], datetime]
) -> None:
    """Run every check inside a transaction of the caller, who rolls it back.

    Raises:
        SelfTestFailed: a check failed; it is named.
    """
    if not verify_end(writing, _EVENTS_VERIFIED):
        raise SelfTestFailed("the end of the audit log's chain does not verify")
    journal = Journal(writing, clock, SERVICE)
    _check_visibility(journal, clock)
    _check_refusal(writing, statements.CHANGE_LAST_EVENT, "an event of the audit log was changed")
    _check_refusal(reading, statements.FILL_TOMBSTONES, "the reading connection wrote")


def _check_visibility(journal: Journal, clock: Callable[[], datetime]) -> None:
    view = projection.View(2, clock)
    administration = Administration(journal.connection, view, journal)
    entity_id = administration.add_entity(_TYPE, _NAME).entity.id
    planted = {
        what: administration.add_memory(_memory(entity_id, what)).memory.id
        for what in ("active", "retracted", "superseded", "archived", "withheld", "forgotten")
    }
    corrections.retract(journal, planted["retracted"], _REASON)
    new_id, _ = corrections.supersede(
        journal, clock, planted["superseded"], "What replaced the superseded one.", None, None
    )
    corrections.archive(journal, planted["archived"], _REASON)
    trust.set_trust(journal, planted["withheld"], "withheld", _REASON)
    corrections.forget(journal, planted["forgotten"], _REASON)
    review.propose(journal, _memory(entity_id, "proposed"), _REASON)
    found = projection.entity_memories(journal.connection, view, entity_id, 100, 0, 1)
    seen = {memory.id for memory in found.memories}
    for expected in (planted["active"], new_id):
        if expected not in seen:
            raise SelfTestFailed("an active memory is not recalled")
    for what, number in planted.items():
        if what != "active" and number in seen:
            raise SelfTestFailed(f"a memory that is {what} is recalled")
    if any(_words("proposed") == memory.summary for memory in found.memories):
        raise SelfTestFailed("a proposal is recalled")
    if len(seen) != 2 or found.memories_left_out:
        raise SelfTestFailed("the count of an entity's memories is wrong")


def _check_refusal(connection: sqlite3.Connection, statement: str, finding: str) -> None:
    try:
        connection.execute(statement)
    except sqlite3.Error:
        return
    raise SelfTestFailed(finding)


def _memory(entity_id: int, what: str) -> NewMemory:
    return NewMemory(
        "note", _words(what), None, None, frozenset({(entity_id, "subject")}), "self_test"
    )


def _words(what: str) -> str:
    return f"What the self test planted as {what}."
