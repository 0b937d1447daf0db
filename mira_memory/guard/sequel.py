# SPDX-License-Identifier: Apache-2.0
"""Read the sentences around the span's own: one may take it back, or mark it as not meant.

Follows docs/grounding.md, "Taken back at once".
"""

from collections.abc import Iterable

from mira_memory.guard.lexicon import Bit
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import calls_untrue, is_comment, takes_back

_SKIPPED = Bit.CONNECTIVES | Bit.INTERJECTIONS | Bit.HESITATIONS | Bit.GREETINGS
_COURTEOUS = Bit.COURTESY | Bit.REQUEST_OPENERS
_BREAKS = frozenset(",;-–—:(")
_FRAGMENT_MAX = 5


def read_sequel(following: Iterable[Sentence], said: frozenset[str]) -> str | None:
    """Return the rule when the next sentence takes the statement back, else None.

    `said` are the words of the statement. A sentence of nothing but fillers ("Ha.") leaves the
    decision to the one after it.
    """
    for sentence in following:
        rule = _undoing(sentence, said)
        if rule or not _is_filler(sentence):
            return rule
    return None


def _undoing(sentence: Sentence, said: frozenset[str]) -> str | None:
    size = len(sentence)
    if size > 1 and sentence.bits(0) & Bit.NEGATIONS and sentence.words[1] in said:
        # "The seminar is on Wednesday. Not Wednesday, ...".
        return "retraction"
    if sentence.longest(0, Bit.ALTERNATIVES):
        return "alternative"
    at = 0
    corrects = False
    while at < size:
        rule = takes_back(sentence, at, size)
        if rule:
            return rule
        if _refuses(sentence, at):
            return "retraction"
        step = 1 if sentence.is_mark(at) else sentence.longest(at, _SKIPPED)
        if not step:
            break
        corrects = corrects or sentence.longest(at, Bit.HESITATIONS) > 0
        at += step
    if at == size:
        return None
    if _comments(sentence, at):
        return "report"
    fragment = sentence.finite_verb(at, size) is None
    if corrects and fragment and not sentence.longest(at, Bit.ADVERBIAL_HEADS):
        # "Sorry, the kitchen."
        return "retraction"
    if fragment and size - at <= _FRAGMENT_MAX and calls_untrue(sentence, at, size):
        return "retraction"
    return _later_undoing(sentence, at)


def _refuses(sentence: Sentence, at: int) -> bool:
    """Tell whether "no" stands alone before a mark and is no answer ("And no, ...")."""
    if not sentence.bits(at) & Bit.REFUSALS:
        return False
    alone = at + 1 == len(sentence) or sentence.words[at + 1] in ",.!;:-–—"
    joined = at > 0 and sentence.bits(at - 1) & Bit.COORDINATORS
    return alone and not joined


def _comments(sentence: Sentence, at: int) -> bool:
    asks = sentence.bits(at) & (Bit.QUESTION_WORDS | Bit.INVERSIONS)
    return not asks and is_comment(sentence, at, len(sentence))


def _later_undoing(sentence: Sentence, at: int) -> str | None:
    """Return the rule when a later part takes the statement back: "..., please forget it"."""
    size = len(sentence)
    opens = True
    while at < size:
        stop = at
        while stop < size and sentence.words[stop] not in _BREAKS:
            stop += 1
        while opens and at < stop and (step := sentence.longest(at, _COURTEOUS, stop)):
            if takes_back(sentence, at, stop):
                break
            at += step
        for length, bits in sentence.phrases[at] if at < stop else ():
            ends = at + length == stop
            if bits & Bit.RETRACTIONS or (ends and bits & Bit.RETRACTIONS_ALONE and stop == size):
                return "retraction"
        rule = takes_back(sentence, at, stop)
        if rule in ("retraction", "dismissal"):
            return rule
        at = stop + 1
    return None


def _is_filler(sentence: Sentence) -> bool:
    at = 0
    while at < len(sentence):
        step = 1 if sentence.is_mark(at) else sentence.longest(at, _SKIPPED)
        if not step:
            return False
        at += step
    return True


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
