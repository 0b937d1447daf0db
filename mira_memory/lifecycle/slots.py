# SPDX-License-Identifier: Apache-2.0
"""Refuse what active memories contradict or repeat (docs/lifecycle.md, "Status")."""

from mira_memory.admission_transaction import (
    SLOT_KINDS,
    AdmissionTransaction,
    Links,
    comparison_key,
    subject_of,
)
from mira_memory.errors import SlotTaken
from mira_memory.records import memory_identity


def require_room(
    transaction: AdmissionTransaction,
    kind: str,
    predicate: str | None,
    value: str | None,
    links: Links,
    then: str,
) -> None:
    """Check that nothing active contradicts or repeats a memory; `then` ends the way on.

    Raises:
        SlotTaken: a memory does; it is named.
    """
    if predicate is None or not links:
        return
    value_key = None if value is None else comparison_key(value)
    subject = subject_of(links)
    if subject is not None and value_key is not None and kind in SLOT_KINDS:
        conflicts = transaction.slot_conflicts(subject, predicate, value_key)
        if conflicts:
            raise SlotTaken(
                f"{memory_identity(conflicts[0])} says otherwise of the same subject and "
                f"predicate; retract, archive or supersede it, {then}."
            )
    same = transaction.duplicate(kind, predicate, value_key, links)
    if same is not None:
        raise SlotTaken(f"{memory_identity(same)} says the same and is active; nothing is to do.")
