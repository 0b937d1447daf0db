# SPDX-License-Identifier: Apache-2.0
"""Tell whether words right after a statement take it back, doubt it or credit somebody else.

Follows docs/grounding.md, "Taken back at once".
"""

from mira_memory.guard.lexicon import Bit
from mira_memory.guard.sentence import Sentence

_COMMENT_MAX = 10


def takes_back(sentence: Sentence, at: int, end: int) -> str | None:
    """Return the rule when the words in [at, end) undo the statement before them, else None."""
    while end > at and sentence.is_mark(end - 1) and sentence.words[end - 1] != "?":
        end -= 1
    if at >= end:
        return None
    for length, bits in sentence.phrases[at]:
        after = at + length
        whole = after == end or all(sentence.words[place] == "?" for place in range(after, end))
        if bits & Bit.RETRACTIONS:
            return "retraction"
        if whole and after <= end and bits & Bit.RETRACTIONS_ALONE:
            return "retraction"
        if whole and bits & Bit.TAG_QUESTIONS and not (
            bits & (Bit.CLOSING_QUESTIONS | Bit.TAILS) and sentence.words[end - 1] != "?"
        ):
            return "question"
    if sentence.bits(at) & Bit.ANAPHORS and sentence.has(at + 1, end, Bit.UNTRUTHS):
        return "retraction"
    return None


def is_comment(sentence: Sentence, at: int, end: int) -> bool:
    """Tell whether a short piece names who says or believes it ("Bob says", "I think")."""
    while end > at and sentence.is_mark(end - 1):
        end -= 1
    if at >= end:
        return False
    if sentence.longest(at, Bit.ATTRIBUTIONS):
        return True
    if end - at > _COMMENT_MAX:
        return False
    found = sentence.first(at, end, Bit.REPORTS | Bit.BELIEFS)
    return found is not None and (found[0] == at or sentence.finite_verb(found[0] + 1, end) is None)
