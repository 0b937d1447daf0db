# SPDX-License-Identifier: Apache-2.0
"""Read the span itself: it must be a statement of its own (docs/grounding.md, "The span")."""

from mira_memory.guard.bits import Bit
from mira_memory.guard.rules import rule_of
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import is_comment, takes_back

_ALWAYS = Bit.CONDITIONS | Bit.SUPPOSITIONS | Bit.DENIALS | Bit.ATTRIBUTIONS
_WITH_CLAUSE = Bit.REPORTS | Bit.BELIEFS


def read_inside(sentence: Sentence, start: int, end: int) -> str | None:
    """Return the rule that keeps the words in [start, end) from being a statement, or None."""
    sentence.hide_quotations(start, end)
    while start < end and sentence.is_mark(start):
        start += 1
    if start == end:
        return None
    opening = _opening(sentence, start, end)
    if opening:
        return opening
    found = sentence.first(start, end, _ALWAYS)
    while (
        found
        and sentence.bits(found[0]) & Bit.INVERSIONS  # no adverb: "Ada probably likes ..."
        and _is_name(sentence, found[0], end)
    ):
        found = sentence.first(found[0] + 1, end, _ALWAYS)
    if found:
        return rule_of(found[1])
    found = sentence.first(start, end, _WITH_CLAUSE)
    if found and sentence.finite_verb(found[0] + 1, end) is not None:
        return rule_of(found[1])
    for at in range(start + 1, end - 1):
        if sentence.words[at] in ",-–—;(":
            rule = takes_back(sentence, at + 1, end)
            if rule:
                return rule
            if is_comment(sentence, at + 1, end):
                return "report"
    return "question" if sentence.words[end - 1] == "?" else None


def _opening(sentence: Sentence, start: int, end: int) -> str | None:
    bits = sentence.bits(start)
    finite = _is_name(sentence, start, end)
    if bits & Bit.INVERSIONS and not finite:
        return "question"
    if bits & Bit.QUESTION_WORDS and finite:
        return "question"
    if sentence.longest(start, Bit.QUESTIONS, end):
        return "question"
    if sentence.longest(start, Bit.COMMANDS, end):
        return "command"
    if sentence.longest(start, Bit.DISMISSALS, end):
        return "dismissal"
    return None


def _is_name(sentence: Sentence, at: int, end: int) -> bool:
    """Tell whether a finite verb follows, so that the word is no verb: "May works in ..."."""
    following = sentence.bits(at + 1) if at + 1 < end else 0
    return bool(following & (Bit.VERBS | Bit.AUXILIARIES))
