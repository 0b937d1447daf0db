# SPDX-License-Identifier: Apache-2.0
"""Read what stands to the right of a span: only known continuations leave it asserted.

Follows docs/grounding.md, "Right of the span".
"""

from dataclasses import dataclass

from mira_memory.guard.before import GOVERNORS
from mira_memory.guard.lexicon import Bit
from mira_memory.guard.rules import rule_of
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import is_comment, takes_back

_CLOSING = frozenset(".!?\"')]}…*")
_BREAKS = frozenset(",;:-–—(¿¡")


@dataclass(frozen=True, slots=True)
class After:
    """Tell which rule refuses the right side, if any, and what else it brings.

    `question_accounted`: the question mark belongs to a tail ("OK?") or to a later clause.
    `lists`: a comma and a coordinator follow, as in a list of clauses.
    """

    rule: str | None
    question_accounted: bool = False
    lists: bool = False


def read_after(sentence: Sentence, start: int, end: int) -> After:
    """Return how the words from `end` on continue the span [start, end)."""
    at = end
    size = len(sentence)
    while at < size:
        broken = False
        while at < size and (sentence.words[at] in _CLOSING or sentence.words[at] in _BREAKS):
            broken = broken or sentence.words[at] in _BREAKS
            at += 1
        if at == size:
            return After(None)
        rule = takes_back(sentence, at, size)
        if rule:
            return After(rule)
        if _only_marks(sentence, at) and not sentence.phrases[at]:
            return After(None)
        if broken and _is_courtesy(sentence, at):
            return After(None, question_accounted=sentence.longest(at, Bit.REQUEST_OPENERS) > 0)
        closing = sentence.longest(at, Bit.CLOSING_QUESTIONS)
        if closing and _names_only(sentence, at + closing) and "?" in sentence.words[at:]:
            return After(None, question_accounted=True)
        step = _tail(sentence, at, broken)
        if not step:
            return _judge(sentence, start, end, at, broken)
        at += step
    return After(None)


def _only_marks(sentence: Sentence, at: int) -> bool:
    return all(sentence.is_mark(place) for place in range(at, len(sentence)))


def _names_only(sentence: Sentence, at: int) -> bool:
    """Tell whether nothing but marks and at most one name follows."""
    named = at < len(sentence) and not sentence.phrases[at] and not sentence.is_mark(at)
    return _only_marks(sentence, at + named)


def _is_courtesy(sentence: Sentence, at: int) -> bool:
    """Tell whether two or more words of courtesy end the sentence: "if you don't mind"."""
    start = at
    while at < len(sentence):
        step = sentence.longest(at, Bit.COURTESY | Bit.MEMORY_VERBS | Bit.REQUEST_OPENERS)
        if not step:
            break
        at += step
    return at - start > 1 and _only_marks(sentence, at)


def _tail(sentence: Sentence, at: int, broken: bool) -> int:
    """Return the length of a known tail or of a vocative at the end, or 0."""
    size = len(sentence)
    for length, bits in sentence.phrases[at]:
        after = at + length
        if bits & Bit.TAILS and (
            after == size
            or sentence.is_mark(after)
            or sentence.longest(after, Bit.TAILS | Bit.COORDINATORS | Bit.REASONS)
        ):
            return length
    endings = sentence.lexicon.adverb_endings or ("\n",)
    named = (
        broken
        and not sentence.phrases[at]
        and sentence.words[at][0].isalpha()
        and not sentence.words[at].endswith(endings)
    )
    return 1 if named and _only_marks(sentence, at + 1) else 0


def _judge(sentence: Sentence, start: int, end: int, at: int, broken: bool) -> After:
    """Judge words that are no tail: what undoes or limits the span, else a continuation."""
    if sentence.longest(at, Bit.CONDITIONS | Bit.LIMITS):
        return After("condition")
    if not sentence.longest(at, Bit.COORDINATORS):
        stop = _mark_after(sentence, at)
        reasons = sentence.longest(at, Bit.REASONS)
        if is_comment(sentence, at, stop) and not (reasons and _has_object(sentence, at, stop)):
            return After("report")
    hesitates = sentence.longest(at, Bit.HESITATIONS)
    if hesitates and not _only_marks(sentence, at + hesitates):
        return After("retraction")
    return _continuation(sentence, start, end, at, broken)


def _has_object(sentence: Sentence, at: int, stop: int) -> bool:
    """Tell whether the verb of saying has an object: "because nobody hears the bell"."""
    return not sentence.has(stop - 1, stop, Bit.REPORTS | Bit.BELIEFS)


def _continuation(sentence: Sentence, start: int, end: int, at: int, broken: bool) -> After:
    """Judge further words that are neither a tail nor a take-back."""
    size = len(sentence)
    bits = sentence.bits(at)
    if sentence.longest(at, Bit.ALTERNATIVES):
        return After("alternative")
    joins = sentence.longest(at, Bit.COORDINATORS)
    if joins and joins >= sentence.longest(at, Bit.NOT_COORDINATORS):
        if not broken and _goes_on(sentence, end, at + joins):
            return After("unknown_after")
        return _rest(sentence, at, at + joins)
    if sentence.longest(at, Bit.REASONS):
        return _rest(sentence, at, at)
    if sentence.words[at - 1] in ";:":
        return _rest(sentence, at, at)
    if broken and (
        bits & (Bit.RELATIVES | Bit.SUPPLEMENTS | Bit.NEGATIONS)
        or sentence.words[at].endswith(sentence.lexicon.participle_endings or ("\n",))
        or (
            not bits & (Bit.ADVERBIAL_HEADS | Bit.QUESTION_WORDS)
            and sentence.is_clause(at, _segment_end(sentence, at))
        )
        or _is_list(sentence, at, size)
    ):
        return _rest(sentence, at, at)
    if not broken and _is_event(sentence, start, end) and bits & Bit.ADJUNCTS:
        narrows = Bit.LIMITS | Bit.NEGATIONS | Bit.UNREAL
        if not sentence.has(at, _segment_end(sentence, at), narrows):
            return _rest(sentence, at, at)
    found = sentence.first(at, size, GOVERNORS | Bit.UNTRUTHS)
    return After((rule_of(found[1]) if found else None) or "unknown_after")


def _goes_on(sentence: Sentence, end: int, after: int) -> bool:
    """Tell whether the coordinator continues a number or an exception that the span cut."""
    if after >= len(sentence) or end == 0:
        return True
    last = sentence.bits(end - 1)
    numeral = last & Bit.NUMERALS or sentence.words[end - 1][0].isdecimal()
    following = sentence.longest(after, Bit.NUMERALS) or sentence.words[after][0].isdecimal()
    return bool((numeral and following) or last & Bit.EXCEPTIVES)


def _is_event(sentence: Sentence, start: int, end: int) -> bool:
    """Tell whether the span tells of an event, which holds without its further adjuncts."""
    if sentence.has(start, end, Bit.NEGATIONS):
        return False
    if sentence.has(start, end, Bit.EVENT_MARKS):
        return True
    endings = sentence.lexicon.event_endings
    return bool(endings) and any(
        len(word) > 4 and word.endswith(endings) for word in sentence.words[start:end]
    )


def _is_list(sentence: Sentence, at: int, size: int) -> bool:
    """Tell whether a list goes on to an "and", with nothing in it that could govern."""
    return (
        sentence.has(at, size, Bit.COORDINATORS)
        and not sentence.has(at, size, GOVERNORS | Bit.NEGATIONS | Bit.ALTERNATIVES)
    )


def _segment_end(sentence: Sentence, at: int) -> int:
    place = at
    while place < len(sentence) and not (
        sentence.words[place] in _BREAKS or sentence.longest(place, Bit.COORDINATORS)
    ):
        place += 1
    return max(place, at + 1)


def _corrects_midway(sentence: Sentence, start: int, stop: int) -> bool:
    """Tell whether the operator corrects a word within the piece: "and by six I mean seven"."""
    return any(
        sentence.bits(place) & Bit.FIRST_PERSON
        and sentence.longest(place, Bit.RETRACTIONS | Bit.HESITATIONS)
        for place in range(start + 1, stop)
    )


def _mark_after(sentence: Sentence, at: int) -> int:
    while at < len(sentence) and sentence.words[at] not in _BREAKS:
        at += 1
    return at


def _rest(sentence: Sentence, joint: int, at: int) -> After:
    """Judge an allowed continuation from `at`, which a word at `joint` introduces."""
    size = len(sentence)
    introduced = sentence.bits(joint) if joint < at else 0
    contrast = introduced & Bit.CONTRASTS
    if contrast and sentence.longest(at, Bit.BACKTRACKS):
        return After("retraction")
    asks = False
    place = at
    while place < size:
        stop = _segment_end(sentence, place)
        rule = takes_back(sentence, place, _mark_after(sentence, place))
        if rule:
            return After(rule)
        if place == at and contrast:
            if is_comment(sentence, place, stop):
                return After("report")
            if sentence.longest(place, Bit.HESITATIONS):
                return After("retraction")
        if _corrects_midway(sentence, place, stop):
            return After("retraction")
        if place > at and sentence.is_mark(place - 1):
            if is_comment(sentence, place, stop):
                return After("report")
            if sentence.longest(place, Bit.HESITATIONS):
                return After("retraction")
        if sentence.bits(place) & Bit.ADVERBIAL_HEADS and sentence.has(place, stop, Bit.UNREAL):
            return After("supposition")
        condition = _condition(sentence, place, stop, opens=place == at and joint < at)
        if condition and not introduced & Bit.CONSEQUENCES:
            return After("condition")
        asks = asks or bool(
            sentence.bits(place) & (Bit.INVERSIONS | Bit.QUESTION_WORDS)
            or sentence.longest(place, Bit.QUESTIONS)
        )
        place = stop
        while place < size and (
            sentence.words[place] in _BREAKS or sentence.longest(place, Bit.COORDINATORS)
        ):
            place += max(1, sentence.longest(place, Bit.COORDINATORS))
    rule = _ending(sentence, at)
    return After(rule, question_accounted=asks, lists=_lists(sentence, joint))


def _lists(sentence: Sentence, at: int) -> bool:
    """Tell whether a comma and a coordinator stand from the mark before `at` on."""
    return any(
        sentence.words[place] == "," and sentence.longest(place + 1, Bit.COORDINATORS)
        for place in range(at - 1, len(sentence) - 1)
    )


def _condition(sentence: Sentence, start: int, stop: int, opens: bool) -> bool:
    """Tell whether a condition in the segment may reach back to the span."""
    found = sentence.first(start, stop, Bit.CONDITIONS)
    if found is None:
        return False
    if found[0] == start:
        # "..., but if it rains, ...": the condition opens a clause of its own.
        return not opens
    return not sentence.is_clause(start, found[0])


def _ending(sentence: Sentence, at: int) -> str | None:
    """Return the rule of a comment that closes the sentence without a mark before it."""
    size = len(sentence)
    while size > at and sentence.is_mark(size - 1):
        size -= 1
    for place in range(max(at, size - 6), size - 1):
        for length, bits in sentence.phrases[place]:
            if place + length == size and length > 1:
                if bits & Bit.RETRACTIONS_ALONE:
                    return "retraction"
                if bits & Bit.TAG_QUESTIONS:
                    return "question"
    return None
