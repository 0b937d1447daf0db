# SPDX-License-Identifier: Apache-2.0
"""Check what a person asks to be written, before anything is opened or locked.

Follows docs/memory.md, "Administration".
"""

from mira_memory.errors import DraftRefused, TextRefused
from mira_memory.records import LINKS_MAX, MemoryDraft, NewMemory
from mira_memory.text import (
    NAME_MAX,
    OPERATOR_WORDS,
    SELF_WORDS,
    SOURCE_LABEL_MAX,
    SUMMARY_MAX,
    VALUE_MAX,
    checked,
    key,
    token,
)

OPERATOR_STATEMENT = "operator_statement"
MANUAL = "manual"


def checked_name(text: str, what: str) -> str:
    """Return the display form of a name that an entity may have.

    Raises:
        TextRefused: it is no name, or one of the words for the robot or the operator.
    """
    name = checked(text, what, NAME_MAX)
    if key(name) in SELF_WORDS | OPERATOR_WORDS:
        raise TextRefused(
            f"The {what} is a word that stands for the robot or the operator in a conversation; "
            "choose another."
        )
    return name


def checked_draft(draft: MemoryDraft) -> NewMemory:
    """Return the memory that a manual write asks for, every field checked.

    Raises:
        TextRefused: a text is no summary, value, label or token.
        DraftRefused: the fields don't fit together.
    """
    source_kind = MANUAL if draft.source_kind is None else token(draft.source_kind, "source kind")
    if source_kind == OPERATOR_STATEMENT:
        raise DraftRefused(
            f"The source kind {OPERATOR_STATEMENT} is reserved for what the operator said in a "
            "turn; give another or leave it out."
        )
    if draft.confidence is not None and not 0.0 <= draft.confidence <= 1.0:
        raise DraftRefused("The confidence is out of range; give a number from 0.0 to 1.0.")
    links = frozenset((entity_id, token(role, "role")) for entity_id, role in draft.links)
    if len(links) > LINKS_MAX:
        raise DraftRefused(f"The memory has {len(links)} links; give at most {LINKS_MAX}.")
    return NewMemory(
        kind=token(draft.kind, "kind"),
        summary=checked(draft.summary, "summary", SUMMARY_MAX),
        predicate=None if draft.predicate is None else token(draft.predicate, "predicate"),
        value=None if draft.value is None else checked(draft.value, "value", VALUE_MAX),
        links=links,
        source_kind=source_kind,
        source_label=None
        if draft.source_label is None
        else checked(draft.source_label, "source label", SOURCE_LABEL_MAX),
        confidence=None if draft.confidence is None else float(draft.confidence),
    )
