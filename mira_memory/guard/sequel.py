# SPDX-License-Identifier: Apache-2.0
"""Read the sentences after the span's own: they may take it back at once."""

from collections.abc import Iterable

from mira_memory.guard.lexicon import Bit
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import is_comment, takes_back

_SKIPPED = Bit.CONNECTIVES | Bit.INTERJECTIONS | Bit.HESITATIONS | Bit.GREETINGS
_BREAKS = frozenset(",;-–—:(")


def read_sequel(following: Iterable[Sentence], said: frozenset[str]) -> str | None:
    """Return the rule when the next sentence takes the statement back, else None.

    `said` are the words of the statement. A sentence of nothing but fillers ("Ha.") leaves the
    decision to the one after it.
    """
    for sentence in following:
        size = len(sentence)
        if size > 1 and sentence.bits(0) & Bit.NEGATIONS and sentence.words[1] in said:
            # "The seminar is on Wednesday. Not Wednesday, ...".
            return "retraction"
        at = 0
        opens = True
        while at < size:
            rule = takes_back(sentence, at, size if opens else _segment_end(sentence, at))
            if rule and (opens or rule == "retraction"):
                return rule
            if opens and is_comment(sentence, at, size):
                return "report"
            step = 1 if sentence.is_mark(at) else sentence.longest(at, _SKIPPED)
            if not step:
                opens = False
                step = _segment_end(sentence, at) + 1 - at
            at += step
        if not opens:
            return None
    return None


def _segment_end(sentence: Sentence, at: int) -> int:
    while at < len(sentence) and sentence.words[at] not in _BREAKS:
        at += 1
    return at


def read_prelude(earlier: Sentence) -> str | None:
    """Return the rule when the sentence before marks the statement as not meant, else None."""
    at = 0
    while at < len(earlier):
        length = earlier.longest(at, Bit.PRELUDES)
        if length and all(earlier.is_mark(place) for place in range(at + length, len(earlier))):
            return "supposition"
        step = 1 if earlier.is_mark(at) else earlier.longest(at, _SKIPPED)
        if not step:
            return None
        at += step
    return None
