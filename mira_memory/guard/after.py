# SPDX-License-Identifier: Apache-2.0
"""Read what stands to the right of a span: only known tails and continuations leave it asserted.

Follows docs/grounding.md, "Right of the span".
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.continuation import After, read_continuation
from mira_memory.guard.pieces import BREAKS, mark_after, only_marks
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import is_comment, takes_back

_CLOSING = frozenset(".!?\"')]}…*")


def read_after(sentence: Sentence, start: int, end: int) -> After:
    """Return how the words from `end` on continue the span [start, end)."""
    at = end
    size = len(sentence)
    while at < size:
        broken = False
        while at < size and (sentence.words[at] in _CLOSING or sentence.words[at] in BREAKS):
            broken = broken or sentence.words[at] in BREAKS
            at += 1
        if at == size or (only_marks(sentence, at) and not sentence.phrases[at]):
            return After(None)
        rule = takes_back(sentence, at, size)
        if rule:
            return After(rule)
        if broken and _is_courtesy(sentence, at):
            return After(None, question_accounted=sentence.longest(at, Bit.REQUEST_OPENERS) > 0)
        closing = sentence.longest(at, Bit.CLOSING_QUESTIONS)
        if closing and _names_only(sentence, at + closing) and "?" in sentence.words[at:]:
            return After(None, question_accounted=True)
        step = _tail(sentence, at) or (broken and _vocative(sentence, at))
        if not step:
            rule = _limit(sentence, at, broken)
            return After(rule) if rule else read_continuation(sentence, start, end, at, broken)
        at += step
    return After(None)


def _is_courtesy(sentence: Sentence, at: int) -> bool:
    """Tell whether two or more words of courtesy end the sentence: "if you don't mind"."""
    start = at
    while at < len(sentence):
        step = sentence.longest(at, Bit.COURTESY | Bit.MEMORY_VERBS | Bit.REQUEST_OPENERS)
        if not step:
            break
        at += step
    return at - start > 1 and only_marks(sentence, at)


def _names_only(sentence: Sentence, at: int) -> bool:
    """Tell whether nothing but marks and at most one name follows."""
    named = at < len(sentence) and not sentence.phrases[at] and not sentence.is_mark(at)
    return only_marks(sentence, at + named)


def _tail(sentence: Sentence, at: int) -> int:
    """Return the length of a known tail, or 0."""
    for length, bits in sentence.phrases[at]:
        after = at + length
        if bits & Bit.TAILS and (
            after == len(sentence)
            or sentence.is_mark(after)
            or sentence.longest(after, Bit.TAILS | Bit.COORDINATORS | Bit.REASONS)
        ):
            return length
    return 0


def _vocative(sentence: Sentence, at: int) -> int:
    """Return 1 for a name that ends the sentence, else 0."""
    word = sentence.words[at]
    named = not sentence.phrases[at] and word[0].isalpha() and not sentence.is_adverb(at)
    return 1 if named and only_marks(sentence, at + 1) else 0


def _limit(sentence: Sentence, at: int, broken: bool) -> str | None:
    """Return the rule when the next words make the span conditional, reported or corrected."""
    if sentence.longest(at, Bit.CONDITIONS | Bit.LIMITS):
        return "condition"
    stop = mark_after(sentence, at)
    if not sentence.longest(at, Bit.COORDINATORS) and is_comment(sentence, at, stop):
        # "because nobody hears the bell": in a reason the verb of saying may have an object.
        closes = sentence.has(stop - 1, stop, Bit.REPORTS | Bit.BELIEFS)
        if closes or not sentence.longest(at, Bit.REASONS):
            return "report"
    hesitates = sentence.longest(at, Bit.HESITATIONS)
    relative = not broken and sentence.bits(at) & Bit.COMPLEMENTIZERS  # "tea that is cold"
    if hesitates and not relative and not only_marks(sentence, at + hesitates):
        return "retraction"
    return None
