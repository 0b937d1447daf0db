# SPDX-License-Identifier: Apache-2.0
"""The answer to a proposal; it carries identities, codes and sentences, never what was said."""

from dataclasses import dataclass

from mira_memory.records import memory_identity
from mira_memory.refusals import Refusal, refusal


@dataclass(frozen=True, slots=True)
class AdmissionResult:
    """Say what became of a proposal (docs/memory.md, "Admission").

    `status` is "applied" or "rejected"; rejected means that nothing was written. Applied,
    `admission` is "created" or "duplicate" and both identities are set; rejected, `reason` is
    one of the stable reasons, `error` a sentence for people, and `conflicts` holds at most eight
    memories. `rule` names the rule of the assertion guard that refused, if one did.
    """

    status: str
    admission: str = ""
    entity_id: int | None = None
    memory_id: int | None = None
    reason: str = ""
    error: str = ""
    conflicts: tuple[int, ...] = ()
    rule: str = ""

    @classmethod
    def applied(cls, admission: str, entity_id: int, memory_id: int) -> "AdmissionResult":
        """Return the answer that the memory exists, created now or before."""
        return cls("applied", admission, entity_id, memory_id)

    @classmethod
    def rejected(cls, why: Refusal) -> "AdmissionResult":
        """Return the answer that nothing was written."""
        return cls("rejected", reason=why.reason, error=why.sentence, rule=why.rule)

    @classmethod
    def conflicting(cls, conflicts: tuple[int, ...], *, is_correctable: bool) -> "AdmissionResult":
        """Return the answer that other values are stored, and how a person corrects them."""
        named = ", ".join(memory_identity(number) for number in conflicts)
        if is_correctable and len(conflicts) > 1:
            why = refusal("correctable conflicts", detail=named)
        elif is_correctable:
            command = f"memory supersede {memory_identity(conflicts[0])}"
            why = refusal("correctable conflict", detail=named, command=command)
        else:
            why = refusal("conflict", detail=named)
        return cls("rejected", reason=why.reason, error=why.sentence, conflicts=conflicts)
