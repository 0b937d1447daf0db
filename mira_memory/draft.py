# SPDX-License-Identifier: Apache-2.0
"""Check what a person asks to be written, before anything is opened or locked.

Follows docs/memory.md, "Administration".
"""

from mira_memory.errors import DraftRefused, TextRefused
from mira_memory.lifecycle.times import moment
from mira_memory.records import (
    LINKS_MAX,
    MemoryDraft,
    NewMemory,
    Qualities,
    State,
    default_state,
)
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
MEMORY_SYSTEMS = ("semantic", "episodic", "procedural", "autobiographical")
EPISTEMIC_KINDS = (
    "observation", "fact", "memory", "claim", "hypothesis", "belief", "prediction", "assumption",
    "inference", "opinion",
)  # fmt: skip


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
        state=None
        if draft.qualities is None
        else checked_qualities(draft.qualities, draft.kind, source_kind),
    )


def checked_qualities(given: Qualities, kind: str, source_kind: str) -> State:
    """Return the state that a person gives a memory.

    Raises:
        TimeRefused: a time is none.
        DraftRefused: a word is none of those known, or the times don't fit together.
    """
    usual = default_state(kind, source_kind)
    for given_word, words, what in (
        (given.memory_system, MEMORY_SYSTEMS, "memory system"),
        (given.epistemic_kind, EPISTEMIC_KINDS, "kind of knowledge"),
    ):
        if given_word and given_word not in words:
            raise DraftRefused(f"That is no {what}; use one of {', '.join(words)}.")
    if given.importance is not None and not 0.0 <= given.importance <= 1.0:
        raise DraftRefused("The importance is out of range; give a number from 0.0 to 1.0.")
    state = usual._replace(
        memory_system=given.memory_system or usual.memory_system,
        epistemic_kind=given.epistemic_kind or usual.epistemic_kind,
        importance=None if given.importance is None else float(given.importance),
        valid_from=_moment(given.valid_from, "beginning"),
        valid_to=_moment(given.valid_to, "end"),
        happens_at=_moment(given.happens_at, "moment"),
        expires_at=_moment(given.expires_at, "expiry"),
    )
    if state.valid_from and state.valid_to and state.valid_to <= state.valid_from:
        raise DraftRefused("The end is not after the beginning; give a later one.")
    return state


def _moment(text: str, what: str) -> str | None:
    return moment(text, what) if text else None
