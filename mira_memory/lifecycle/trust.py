# SPDX-License-Identifier: Apache-2.0
"""How far a memory is trusted (docs/lifecycle.md, "Trust")."""

from mira_memory.errors import StatusRefused
from mira_memory.lifecycle.corrections import stored
from mira_memory.lifecycle.journal import Journal
from mira_memory.lifecycle.reasons import checked_reason
from mira_memory.lifecycle.states import show_or_hide, write_state
from mira_memory.records import memory_identity

TRUST_STATES = ("accepted", "disputed", "withheld")


def set_trust(journal: Journal, memory_id: int, trust: str, reason: str) -> None:
    """Set how far a memory is trusted; recalling it never does.

    Raises:
        StatusRefused: that is no trust state, or the memory is forgotten.
    """
    if trust not in TRUST_STATES:
        raise StatusRefused(f"That is no trust state; use one of {', '.join(TRUST_STATES)}.")
    memory = stored(journal.connection, memory_id)
    if memory.state.status == "forgotten":
        raise StatusRefused(
            f"{memory_identity(memory_id)} is forgotten; there is nothing left to trust."
        )
    reason = checked_reason(reason, memory.summary, memory.value)
    after = memory.state._replace(
        trust=trust, trust_reason=None if trust == "accepted" else reason
    )
    show_or_hide(journal.connection, memory_id, memory.state, after)
    write_state(journal, "memory_trust_set", memory_id, after, reason=reason)
