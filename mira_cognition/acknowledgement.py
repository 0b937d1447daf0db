# SPDX-License-Identifier: Apache-2.0
"""What is true about storing in this turn: for the model as its meaning, for people in words."""

from enum import StrEnum

from mira_cognition.capabilities import Remembered


class NotOffered(StrEnum):
    """Why `remember` is not offered, in the words that the operator hears."""

    NO_TURN = "Nothing can be stored from this, because it came without a turn id."
    MEMORY_OFF = "Nothing can be stored, because persistent memory is switched off."
    NO_OPERATOR = "Nothing can be stored here, because no operator is speaking."


MEANINGS: dict[str, str] = {
    "created": "A new durable memory was written. You may say that it is stored.",
    "duplicate": "This was already stored; no new record was written. You may say so.",
    "rejected": "Nothing was written. Say that it was not stored, and why.",
    "unknown": "Nobody knows whether it was written. Say that it could not be found out.",
}


def meaning(remembered: Remembered) -> str:
    """Tell the model what the memory node's decision lets it say."""
    return MEANINGS[remembered.admission if remembered.applied else remembered.status]


def plain_statement(remembered: Remembered | None, not_offered: NotOffered | None = None) -> str:
    """State what happened in one sentence that claims no more than the memory node said."""
    if remembered is None:
        return not_offered.value if not_offered else "I have not stored anything."
    if remembered.status == "unknown":
        return "I could not find out whether that was stored."
    if remembered.status == "rejected":
        return _rejection(remembered)
    if remembered.admission == "duplicate":
        return f"I already knew that: it is {remembered.memory_id}."
    return f"I have stored that as {remembered.memory_id}."


def _rejection(remembered: Remembered) -> str:
    why = remembered.error or remembered.reason
    unnamed = [memory for memory in remembered.conflicts if memory not in why]
    named = f" See {', '.join(unnamed)}." if unnamed else ""
    return f"I did not store that: {why.rstrip('.')}.{named}"
