# SPDX-License-Identifier: Apache-2.0
"""What the memory node says of itself on /diagnostics: health and counts, never words."""

from collections import Counter

from mira_memory.records import StoreStatus
from mira_memory.turns import Heard
from mira_ros.diagnostics import Level, Report

LOW_DISK_BYTES = 100_000_000
APPLIED = frozenset({"created", "duplicate"})


def store_report(status: StoreStatus) -> Report:
    """Report the health of the store, its size and its clock."""
    level, message = Level.OK, "The store can be read and written."
    if not status.healthy:
        level, message = Level.ERROR, status.last_error
    elif status.clock_behind:
        level = Level.WARN
        message = "The clock is earlier than the newest memory; set the machine's time."
    elif status.free_bytes < LOW_DISK_BYTES:
        level, message = Level.WARN, "The disk is nearly full; free some space."
    return Report(
        "store",
        level,
        message,
        (
            ("Healthy", _yes_or_no(status.healthy)),
            ("Database", status.database_path),
            ("Schema version", str(status.schema_version)),
            ("Entities", str(status.entities)),
            ("Aliases", str(status.aliases)),
            ("Memories", str(status.memories)),
            ("Size (bytes)", str(status.size_bytes)),
            ("Free disk (bytes)", str(status.free_bytes)),
            ("Last write", status.last_write_at or "never"),
            ("Clock earlier than the newest memory", _yes_or_no(status.clock_behind)),
        ),
    )


def admission_report(
    decisions: Counter[str], heard: Counter[Heard], unguarded: int, guarded: bool
) -> Report:
    """Report how proposals were decided, and what the assertion guard did not judge."""
    refused = sum(count for code, count in decisions.items() if code not in APPLIED)
    return Report(
        "admission",
        Level.OK if guarded else Level.WARN,
        f"{refused} of {decisions.total()} proposals refused."
        if guarded
        else "The assertion guard is off: questions and denials can be stored as facts.",
        (
            *((f"Proposals: {code}", str(count)) for code, count in sorted(decisions.items())),
            ("Unguarded sentences", str(unguarded)),
            *((f"Utterances: {outcome}", str(count)) for outcome, count in sorted(heard.items())),
        ),
    )


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
