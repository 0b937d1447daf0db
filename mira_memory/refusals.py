# SPDX-License-Identifier: Apache-2.0
"""Every way to refuse a proposal: its stable reason, and one sentence for people.

No sentence repeats evidence, a value, an utterance or another argument. The reasons, and the
order in which they are found, follow docs/memory.md, "Admission".
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Say why nothing is written; `rule` names the rule of the assertion guard, if it was one."""

    reason: str
    sentence: str
    rule: str = ""


def refusal(cause: str, *, detail: str = "", command: str = "", rule: str = "") -> Refusal:
    """Return the refusal for a cause of the table below."""
    reason, sentence = _CAUSES[cause]
    return Refusal(reason, sentence.format(detail=detail, command=command).strip(), rule)


_EVIDENCE = "evidence_not_in_utterance"
_CAUSES = {
    "fields": (
        "invalid_tool_arguments",
        "A proposal has exactly the fields kind, subject, predicate, value, evidence, "
        "related_entity and related_role; give all of them and no others.",
    ),
    "types": (
        "invalid_tool_arguments",
        "A field of the proposal has a wrong type; give text, or null for related_entity and "
        "related_role.",
    ),
    "proposal": ("invalid_proposal", "{detail}"),
    "second proposal": (
        "invalid_proposal",
        "This turn is already decided by another proposal; propose again in a new turn.",
    ),
    "no turn": (
        _EVIDENCE,
        "The memory heard no utterance in this turn, or the turn is over; "
        "only words that were just heard can be remembered.",
    ),
    "void turn": (
        _EVIDENCE,
        "Two different utterances came under this turn's identity, so neither counts; "
        "say it again.",
    ),
    "unlisted speaker": (
        _EVIDENCE,
        "This speaker's words are not among those that may be remembered; "
        "see the parameter 'speakers'.",
    ),
    "ungroundable": (_EVIDENCE, "{detail}"),
    "not said": (
        _EVIDENCE,
        "The evidence does not stand word for word in one sentence of what was said; "
        "copy it from there.",
    ),
    "said at length": (
        _EVIDENCE,
        "The evidence is too long in the words that were said; quote a shorter statement.",
    ),
    "not asserted": (_EVIDENCE, "{detail}"),
    "value": (
        "value_not_supported",
        "The value does not stand word for word in the evidence; copy it from there.",
    ),
    "value said at length": (
        "value_not_supported",
        "The value is too long in the words that were said; quote a shorter one.",
    ),
    "value negated": ("value_not_supported", "{detail}"),
    "subject": (
        "subject_not_supported",
        "The subject does not stand word for word in the evidence; copy it from there.",
    ),
    "subject addressed": (
        "subject_not_supported",
        "The evidence only addresses the subject and says nothing about it; "
        "name what the statement is about.",
    ),
    "subject unknown": (
        "subject_not_found",
        "No entity has the subject as its name or alias; somebody has to add the entity first.",
    ),
    "subject ambiguous": (
        "subject_ambiguous",
        "Several entities have the subject as a name or alias; use a name that only one has.",
    ),
    "related incomplete": (
        "related_fields_incomplete",
        "A relationship needs both related_entity and related_role; give both.",
    ),
    "related misplaced": (
        "related_entity_invalid_for_kind",
        "Only a relationship has a related entity; leave it out or propose a relationship.",
    ),
    "related": (
        "related_entity_not_supported",
        "The related entity does not stand word for word in the evidence, or is only addressed; "
        "copy it from there.",
    ),
    "related not value": (
        "relationship_value_mismatch",
        "The value of a relationship is its related entity; give the same name for both.",
    ),
    "related unknown": (
        "related_entity_not_found",
        "No entity has the related entity's name or alias; somebody has to add the entity first.",
    ),
    "related ambiguous": (
        "related_entity_ambiguous",
        "Several entities have the related entity's name; use a name that only one has.",
    ),
    "conflict": (
        "conflict",
        "Another value is stored for this subject and predicate ({detail}); "
        "somebody has to settle which one holds.",
    ),
    "correctable conflict": (
        "conflict",
        "Another value is stored for this subject and predicate ({detail}); if it changed, "
        'correct it in the console: {command} "<what holds now>" --value "<the new value>".',
    ),
    "correctable conflicts": (
        "conflict",
        "Other values are stored for this subject and predicate ({detail}); in the console, use "
        "'memory supersede' on the one that changed and 'memory retract' on those that are wrong.",
    ),
    "backend": (
        "backend_failure",
        "The memory could not answer, and nothing was written; ask again in a moment.",
    ),
}
