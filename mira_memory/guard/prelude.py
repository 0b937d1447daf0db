# SPDX-License-Identifier: Apache-2.0
"""Read the sentence before the span's own: it may announce a joke or somebody's words, or govern.

Follows docs/grounding.md, "The sentences around it".
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.pieces import FILLERS
from mira_memory.guard.rules import GOVERNORS, rule_of
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import jests

_ANNOUNCEMENT_MAX = 10
_INTRODUCTIONS = Bit.FRAMINGS | Bit.MEMORY_VERBS | Bit.HEADINGS | Bit.COURTESY | FILLERS
_GOVERNING = GOVERNORS | Bit.DISMISSALS | Bit.IRONIES | Bit.NEGATIONS


def read_prelude(earlier: Sentence, *, is_open: bool) -> str | None:
    """Return the rule when the sentence before marks the statement as not meant, else None.

    `is_open`: no mark ends it, so what it leaves unfinished may go on: "I don't think ...".
    """
    size = len(earlier)
    while size and earlier.is_mark(size - 1):
        size -= 1
    at = 0
    while at < size:
        if earlier.longest(at, Bit.PRELUDES, size) == size - at:
            return "supposition"
        step = 1 if earlier.is_mark(at) else earlier.longest(at, FILLERS)
        if not step:
            break
        at += step
    if is_open and (rule := _unfinished(earlier, at, size)):
        return rule
    if not 0 < size - at <= _ANNOUNCEMENT_MAX or earlier.longest(at, Bit.FRAMINGS) == size - at:
        return None
    if jests(earlier, at, size):
        return "supposition"
    announces = (
        earlier.longest(at, Bit.EXISTENTIALS | Bit.THATS) or earlier.bits(size - 1) & Bit.ANAPHORS
    )
    source = earlier.has(at, size, Bit.REPORTS | Bit.BELIEFS | Bit.UNREAL)
    return "report" if announces and source else None


def _unfinished(earlier: Sentence, at: int, size: int) -> str | None:
    """Return the rule by which a line that stops midway in [at, size) governs the next one."""
    if at < size and "," not in earlier.words[at:size]:
        limits = earlier.longest(at, Bit.CONDITIONS | Bit.LIMITS | Bit.SUPPOSITIONS)
        if limits and not earlier.longest(at, Bit.FRAMINGS) > limits:
            return rule_of(earlier.phrases[at][0][1]) or "condition"  # "If it rains"
    end = size
    while end > at and earlier.bits(end - 1) & (Bit.COMPLEMENTIZERS | Bit.COORDINATORS):
        end -= 1
    last = _closing(earlier, at, end)
    if last & _INTRODUCTIONS and not last & _GOVERNING & ~Bit.NEGATIONS:
        return None
    if end < size:
        found = earlier.first(at, end, _GOVERNING)
        return rule_of(found[1]) if found else None  # "I don't think that"
    asks = at < size and earlier.bits(at) & Bit.QUESTION_WORDS  # "what do you think"
    return None if asks else rule_of(last & _GOVERNING)


def _closing(earlier: Sentence, at: int, end: int) -> int:
    """Return the lists of the longest phrase that ends at `end`."""
    for place in range(max(at, end - 6), end):
        for length, bits in earlier.phrases[place]:
            if place + length == end:
                return bits
    return 0
