# SPDX-License-Identifier: Apache-2.0
"""Read the sentences around the span's own: one may take it back, or mark it as not meant.

Follows docs/grounding.md, "Taken back at once".
"""

from collections.abc import Iterable

from mira_memory.guard.bits import Bit
from mira_memory.guard.pieces import part_end
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import calls_untrue, is_comment, jests, takes_back

_SKIPPED = Bit.CONNECTIVES | Bit.INTERJECTIONS | Bit.HESITATIONS | Bit.GREETINGS | Bit.MAYBES
_COURTEOUS = Bit.COURTESY | Bit.REQUEST_OPENERS
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
    if _comments(sentence, at) or _dismisses(sentence, at, said):
        return "report" if _comments(sentence, at) else "dismissal"
    if _speaks_of_it(sentence, at) or jests(sentence, 0, size):
        return "question" if "?" in sentence.words else "retraction"
    if _is_not_to_be_kept(sentence, at):
        return "dismissal"
    if sentence.finite_verb(at, size) is None and _undoes_as_fragment(sentence, at, corrects):
        return "retraction"
    if _ends_in_correction(sentence):
        return "retraction"
    return _later_undoing(sentence, at)


def _dismisses(sentence: Sentence, at: int, said: frozenset[str]) -> bool:
    """Tell whether it asks to change or forget a word that was said: "Change moon to Mars"."""
    length = sentence.longest(at, Bit.DISMISSALS)
    objects = sentence.words[at + length : at + length + 2] if length else []
    return any(word in said and len(word) > 3 for word in objects)


def _speaks_of_it(sentence: Sentence, at: int) -> bool:
    """Tell whether it judges the statement as a whole: "That's the theory.", "Is that so?"."""
    size = len(sentence)
    opens = sentence.longest(at, Bit.THATS)
    if opens:
        after = at + opens
        while after < size and (step := sentence.longest(after, Bit.CONNECTIVES)):
            after += step
        return not (after < size and sentence.longest(after, Bit.BENIGN))
    for place in range(at, size - 1):
        doubts = sentence.bits(place) & (Bit.INVERSIONS | Bit.CONDITIONS)
        points = sentence.bits(place + 1) & (Bit.ANAPHORS | Bit.FIRST_PERSON)
        if doubts and points and sentence.has(place + 2, size, Bit.TRUTHS | Bit.UNTRUTHS):
            return True
    return False


def _undoes_as_fragment(sentence: Sentence, at: int, corrects: bool) -> bool:
    """Tell whether words without a verb correct, deny or mock the statement."""
    stop = part_end(sentence, at)
    if corrects and sentence.is_mark(at - 1):
        return True  # "Sorry, the kitchen."
    if sentence.bits(stop - 1) & Bit.HESITATIONS:
        return True  # "The kitchen actually."
    name = not sentence.phrases[at] and sentence.words[at][0].isalpha()
    if stop - at == 1 and name and "?" not in sentence.words[stop:]:
        return True  # "Thursday."
    if stop - at <= _FRAGMENT_MAX and calls_untrue(sentence, at, stop):
        return True
    if sentence.has(at, len(sentence), Bit.NEGATIONS):
        return not sentence.bits(at) & Bit.NEGATIONS  # "Maybe not." against "Not far from here."
    if sentence.has(at, stop, Bit.UNREAL):
        return True
    return stop - at == 1 and sentence.is_adverb(at)


def _is_not_to_be_kept(sentence: Sentence, at: int) -> bool:
    """Tell whether it says that something is not to be kept: "I don't want that stored."."""
    size = len(sentence)
    for place in range(at, size):
        if sentence.longest(place, Bit.FRAMINGS | Bit.NEGATION_EXCEPTIONS) > 1:
            return False  # "Don't forget that."
        if sentence.bits(place) & Bit.NEGATIONS:
            return sentence.has(place + 1, size, Bit.KEPT)
    return False


def _ends_in_correction(sentence: Sentence) -> bool:
    """Tell whether the sentence ends in words like "..., I mean"."""
    end = len(sentence)
    while end and sentence.is_mark(end - 1):
        end -= 1
    for at in range(max(0, end - 3), end - 1):
        if sentence.longest(at, Bit.HESITATIONS) == end - at:
            return True
    return False


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
    while at < size:
        stop = part_end(sentence, at)
        while at < stop and (step := sentence.longest(at, _COURTEOUS, stop)):
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
    size = len(earlier)
    while size and earlier.is_mark(size - 1):
        size -= 1
    at = 0
    while at < size:
        if earlier.longest(at, Bit.PRELUDES, size) == size - at:
            return "supposition"
        step = 1 if earlier.is_mark(at) else earlier.longest(at, _SKIPPED)
        if not step:
            break
        at += step
    if at == size:
        return None
    announces = earlier.longest(at, Bit.EXISTENTIALS) or earlier.bits(size - 1) & Bit.ANAPHORS
    source = earlier.has(at, size, Bit.REPORTS | Bit.JESTS | Bit.UNREAL)
    return "report" if announces and source else None
