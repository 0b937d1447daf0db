# SPDX-License-Identifier: Apache-2.0
"""Read what a model proposes to remember, before anything is looked up.

Follows docs/memory.md, "Admission", steps 1 and 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mira_memory.errors import TextRefused
from mira_memory.heard_text import stacks_marks
from mira_memory.records import SUBJECT_ROLE
from mira_memory.refusals import Refusal, refusal
from mira_memory.text import EVIDENCE_MAX, NAME_MAX, VALUE_MAX, checked, token
from mira_memory.utterance import fold

KINDS = ("fact", "preference", "relationship")
RELATIONSHIP = "relationship"
_REQUIRED = frozenset({"kind", "subject", "predicate", "value", "evidence"})
_NULLABLE = frozenset({"related_entity", "related_role"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to remember: texts in display form, tokens folded, the related pair or None."""

    kind: str
    subject: str
    predicate: str
    value: str
    evidence: str
    related_entity: str | None
    related_role: str | None

    @classmethod
    def from_arguments(cls, arguments: object) -> "Proposal":
        """Read the arguments of a `remember` call, of whatever JSON type they are.

        Raises:
            ProposalRefused: they have not exactly the seven fields, a field has a wrong type, or
                what it holds is not allowed there.
        """
        if not (isinstance(arguments, Mapping) and arguments.keys() == _REQUIRED | _NULLABLE):
            raise ProposalRefused(refusal("fields"))
        if not all(isinstance(arguments[name], str) for name in _REQUIRED) or not all(
            arguments[name] is None or isinstance(arguments[name], str) for name in _NULLABLE
        ):
            raise ProposalRefused(refusal("types"))
        try:
            return cls(
                kind=_kind(arguments["kind"]),
                subject=_text(arguments["subject"], "subject", NAME_MAX),
                predicate=token(arguments["predicate"], "predicate"),
                value=_text(arguments["value"], "value", VALUE_MAX),
                evidence=_text(arguments["evidence"], "evidence", EVIDENCE_MAX),
                related_entity=_related_entity(arguments["related_entity"]),
                related_role=_related_role(arguments["related_role"]),
            )
        except TextRefused as error:
            raise ProposalRefused(refusal("proposal", detail=str(error))) from None

    def is_same_as(self, other: "Proposal") -> bool:
        """Tell whether the two propose the same, whatever the case and typography."""
        return self._compared() == other._compared()

    def _compared(self) -> tuple[str | None, ...]:
        texts = (self.subject, self.value, self.evidence, self.related_entity)
        return (
            self.kind,
            self.predicate,
            self.related_role,
            *(None if text is None else fold(text) for text in texts),
        )


class ProposalRefused(Exception):
    """Carry why the arguments are no proposal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


def _kind(text: str) -> str:
    kind = token(text, "kind")
    if kind not in KINDS:
        raise TextRefused(f"The kind is unknown; give one of {', '.join(KINDS)}.")
    return kind


def _text(text: str, what: str, limit: int) -> str:
    if stacks_marks(text):
        raise TextRefused(
            f"The {what} stacks more than 30 marks on one character; leave them out."
        )
    return checked(text, what, limit)


def _related_entity(text: str | None) -> str | None:
    return None if text is None else _text(text, "related entity", NAME_MAX)


def _related_role(text: str | None) -> str | None:
    if text is None:
        return None
    role = token(text, "related role")
    if role == SUBJECT_ROLE:
        raise TextRefused("The related role is the one kept for the subject; name another.")
    return role
