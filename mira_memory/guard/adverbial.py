# SPDX-License-Identifier: Apache-2.0
"""Read the adverbial, concession or prohibition that may open a sentence before a statement.

Follows docs/grounding.md, "Left of the span".
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.rules import GOVERNORS
from mira_memory.guard.sentence import Sentence

_ADVERBIAL_MAX = 12
_UNMARKED_MAX = 8
_SHORT_MAX = 4  # so short a phrase may stand before a name: "in 1957 | Ada ..."
_NEW_PHRASE = Bit.ARTICLES | Bit.PLAIN_SUBJECTS | Bit.EXISTENTIALS | Bit.ANAPHORS


def opening_adverbial(sentence: Sentence, at: int, end: int) -> int:
    """Return the length of a phrase or clause before `end` that ends at a comma, or 0."""
    head = sentence.longest(at, Bit.ADVERBIAL_HEADS, end)
    clause_head = sentence.longest(at, Bit.ADVERBIAL_CLAUSES, end)
    if not head and not clause_head:
        return 0
    if sentence.longest(at, GOVERNORS | Bit.LIMITS, end) > max(head, clause_head):
        return 0
    if "," not in sentence.words[at:end]:
        return _unmarked(sentence, at, head, end)
    comma = sentence.words.index(",", at)
    has_verb = sentence.finite_verb(at + 1, comma) is not None
    if clause_head and (has_verb or not head):
        return 0 if sentence.has(at, comma, GOVERNORS | Bit.UNREAL) else comma + 1 - at
    if has_verb or not head or comma - at > _ADVERBIAL_MAX:
        return 0
    return 0 if _is_unreal(sentence, at + head, comma) else comma + 1 - at


def _unmarked(sentence: Sentence, at: int, head: int, end: int) -> int:
    """Return the length of "in winter | the pool ...": an article shows where it ends."""
    last = end - 1
    if (
        not head
        or end - at > _UNMARKED_MAX
        or last < at + head
        or end == len(sentence)
        or not (sentence.bits(end) & _NEW_PHRASE or end - at <= _SHORT_MAX)
        or sentence.bits(last) & (Bit.DETERMINERS | Bit.ARTICLES | Bit.ADVERBIAL_HEADS)
        or sentence.finite_verb(at + 1, end) is not None
        or _is_unreal(sentence, at + head, end)
        or sentence.has(at, end, Bit.LIMITS | Bit.QUESTION_WORDS)
    ):
        return 0
    return end - at


def _is_unreal(sentence: Sentence, start: int, stop: int) -> bool:
    return sentence.has(start, stop, GOVERNORS | Bit.UNREAL | Bit.NEGATIONS)


def opening_aside(sentence: Sentence, at: int, end: int) -> int:
    """Return the length of a concession or a prohibition that ends at a comma, or 0."""
    forbids = sentence.longest(at, Bit.PROHIBITIONS, end)
    remembers = Bit.DISMISSALS | Bit.FRAMINGS | Bit.MEMORY_VERBS | Bit.SUPPOSITIONS
    if forbids and sentence.has(at, end, remembers):
        return 0
    if not forbids and not sentence.longest(at, Bit.CONCESSIVES, end):
        return 0
    for place in range(at + 1, end):
        if sentence.words[place] in ",;":
            return place + 1 - at
    return 0
