# SPDX-License-Identifier: Apache-2.0
"""Judge how a sentence goes on after a span: a coordinated clause, a reason, a supplement.

Follows docs/grounding.md, "Right of the span".
"""

from dataclasses import dataclass

from mira_memory.guard.bits import Bit
from mira_memory.guard.pieces import joint_at, mark_after, part_end, segment_after, segment_end
from mira_memory.guard.rules import GOVERNORS, rule_of
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import (
    denies_barely,
    dismisses,
    is_comment,
    jests,
    takes_back,
)

_PRONOUNS = Bit.FIRST_PERSON | Bit.PLAIN_SUBJECTS | Bit.ANAPHORS
_COMMENT_MAX = 3
_ENDING_MAX = 6  # a comment without a mark before it is at most that many words long


@dataclass(frozen=True, slots=True)
class After:
    """Tell which rule refuses the right side, if any, and what else it brings.

    `question_accounted`: the question mark belongs to a tail ("OK?") or to a later clause.
    `lists`: a comma and a coordinator follow, as in a list of clauses.
    """

    rule: str | None
    question_accounted: bool = False
    lists: bool = False


def read_continuation(sentence: Sentence, start: int, end: int, at: int, broken: bool) -> After:
    """Judge the words from `at` on after the span [start, end); `broken`: after a mark."""
    if sentence.longest(at, Bit.ALTERNATIVES):
        return After("alternative")
    joins = sentence.longest(at, Bit.COORDINATORS)
    if joins and joins >= sentence.longest(at, Bit.NOT_COORDINATORS):
        if not broken and _goes_on(sentence, end, at + joins):
            return After("unknown_after")
        return _Rest(sentence, at, at + joins).read()
    if sentence.longest(at, Bit.REASONS) or sentence.words[at - 1] in ";:":
        return _Rest(sentence, at, at).read()
    if broken and _corrects_itself(sentence, start, end, at):
        return After("retraction")
    if broken and _is_supplement(sentence, at):
        return _Rest(sentence, at, at).read()
    if not broken and _is_adjunct_of_event(sentence, start, end, at):
        return _Rest(sentence, at, at).read()
    found = sentence.first(at, len(sentence), GOVERNORS | Bit.UNTRUTHS)
    return After((rule_of(found[1]) if found else None) or "unknown_after")


def _goes_on(sentence: Sentence, end: int, after: int) -> bool:
    """Tell whether the coordinator continues a number or an exception that the span cut."""
    if after >= len(sentence) or end == 0:
        return True
    last = sentence.bits(end - 1)
    numeral = last & Bit.NUMERALS or sentence.words[end - 1][0].isdecimal()
    following = sentence.longest(after, Bit.NUMERALS) or sentence.words[after][0].isdecimal()
    return bool((numeral and following) or last & Bit.EXCEPTIVES)


def _corrects_itself(sentence: Sentence, start: int, end: int, at: int) -> bool:
    """Tell whether a word of the span is negated right after it: ", not Wednesday, Thursday"."""
    if not sentence.bits(at) & Bit.NEGATIONS:
        return False
    content = {
        sentence.words[place]
        for place in range(start, end)
        if not sentence.bits(place) & Bit.FUNCTION_WORDS
    }
    last = sentence.words[max(start, end - 2) : end]
    return any(word in content and word in last for word in sentence.words[at + 1 : at + 3])


def _is_supplement(sentence: Sentence, at: int) -> bool:
    """Tell whether what follows a mark adds to the statement: a relative clause, a list, ..."""
    bits = sentence.bits(at)
    if bits & (Bit.RELATIVES | Bit.SUPPLEMENTS | Bit.NEGATIONS) or sentence.is_participle(at):
        return True
    stop = segment_end(sentence, at)
    clause = not bits & (Bit.ADVERBIAL_HEADS | Bit.QUESTION_WORDS | Bit.TAILS)
    # "I'd wager", "it seems": so few words with a pronoun are a comment, not a clause of a list.
    pronoun = bits & _PRONOUNS or sentence.is_contraction(at)
    comment = pronoun and part_end(sentence, at) - at <= _COMMENT_MAX
    if clause and not comment and sentence.is_clause(at, stop):
        return True
    size = len(sentence)
    return sentence.has(at, size, Bit.COORDINATORS) and not sentence.has(
        at, size, GOVERNORS | Bit.NEGATIONS | Bit.ALTERNATIVES
    )


def _is_adjunct_of_event(sentence: Sentence, start: int, end: int, at: int) -> bool:
    """Tell whether the span tells of an event, which holds without the adjunct at `at`."""
    if not sentence.bits(at) & Bit.ADJUNCTS or sentence.has(start, end, Bit.NEGATIONS):
        return False
    if not (sentence.has(start, end, Bit.EVENT_MARKS) or sentence.has_event_ending(start, end)):
        return False
    narrows = Bit.LIMITS | Bit.NEGATIONS | Bit.UNREAL
    return not sentence.has(at, segment_end(sentence, at), narrows)


class _Rest:
    """An allowed continuation from `at`, which a word at `joint` introduces."""

    def __init__(self, sentence: Sentence, joint: int, at: int) -> None:
        self._sentence = sentence
        self._joint = joint
        self._at = at
        self._introduced = sentence.bits(joint) if joint < at else 0

    def read(self) -> After:
        """Return what one of its segments does to the span, if anything."""
        sentence = self._sentence
        if self._introduced & Bit.CONTRASTS and (
            sentence.longest(self._at, Bit.BACKTRACKS)
            or denies_barely(sentence, self._at, part_end(sentence, self._at))
        ):
            return After("retraction")
        if jests(sentence, self._at, len(sentence)):
            return After("irony")
        asks = False
        place = self._at
        while place < len(sentence):
            stop = segment_end(sentence, place)
            rule = self._undone_by(place, stop)
            if rule:
                return After(rule)
            asks = asks or self._asks(place)
            place = segment_after(sentence, stop)
        return After(self._ending(), question_accounted=asks, lists=self._lists())

    def _undone_by(self, place: int, stop: int) -> str | None:
        sentence = self._sentence
        rule = takes_back(sentence, place, mark_after(sentence, place))
        if rule:
            return rule
        contrast = place == self._at and self._introduced & (Bit.CONTRASTS | Bit.CONSEQUENCES)
        marked = place > self._at and sentence.is_mark(place - 1)
        if contrast or marked:
            if is_comment(sentence, place, stop) or (
                # "..., Ada and Bob have told me."
                marked and is_comment(sentence, place, mark_after(sentence, place))
            ):
                return "report"
            if sentence.longest(place, Bit.HESITATIONS):
                return "retraction"
        if self._corrects_midway(place, stop):
            return "retraction"
        if self._dismisses(place, stop):
            return "dismissal"
        if sentence.bits(place) & Bit.ADVERBIAL_HEADS and sentence.has(place, stop, Bit.UNREAL):
            return "supposition"
        return "condition" if self._makes_conditional(place, stop) else None

    def _corrects_midway(self, start: int, stop: int) -> bool:
        """Tell whether the operator corrects a word: "and by six I mean seven"."""
        sentence = self._sentence
        return any(
            sentence.bits(place) & Bit.FIRST_PERSON
            and sentence.longest(place, Bit.RETRACTIONS | Bit.HESITATIONS)
            for place in range(start + 1, stop)
        )

    def _dismisses(self, start: int, stop: int) -> bool:
        """Tell whether the piece asks to forget it: "but you can forget that"."""
        sentence = self._sentence
        place = start
        while place < stop:
            if dismisses(sentence, place):
                return True
            place += max(1, sentence.longest(place, Bit.FRAMINGS))  # "don't forget it"
        return False

    def _makes_conditional(self, start: int, stop: int) -> bool:
        """Tell whether a condition in the segment may reach back to the span."""
        found = self._sentence.first(start, stop, Bit.CONDITIONS)
        if found is None or self._introduced & Bit.CONSEQUENCES:
            return False
        if found[0] == start:
            # "..., but if it rains, ...": the condition opens a clause of its own.
            return start > self._at or self._joint == self._at
        return not self._sentence.is_clause(start, found[0])

    def _asks(self, place: int) -> bool:
        verb_or_word = self._sentence.bits(place) & (Bit.INVERSIONS | Bit.QUESTION_WORDS)
        return bool(verb_or_word or self._sentence.longest(place, Bit.QUESTIONS))

    def _lists(self) -> bool:
        """Tell whether a comma and a coordinator follow the span."""
        sentence = self._sentence
        return any(
            sentence.words[place] == "," and sentence.longest(place + 1, Bit.COORDINATORS)
            for place in range(self._joint - 1, len(sentence) - 1)
        )

    def _is_complete(self, stop: int) -> bool:
        """Tell whether the last segment before `stop` has a verb of its own, or nothing."""
        start = stop
        while start > self._at and not joint_at(self._sentence, start - 1):
            start -= 1
        return start == stop or self._sentence.finite_verb(start, stop) is not None

    def _ending(self) -> str | None:
        """Return the rule of a comment that closes the sentence without a mark before it."""
        sentence = self._sentence
        size = len(sentence)
        while size > self._at and sentence.is_mark(size - 1):
            size -= 1
        for place in range(max(self._at, size - _ENDING_MAX), size - 1):
            for length, bits in sentence.phrases[place]:
                if place + length == size and length > 1:
                    if bits & Bit.RETRACTIONS_ALONE:
                        return "retraction"
                    # In "because his mother | is there" the verb is the clause's own.
                    if bits & Bit.TAG_QUESTIONS and self._is_complete(place):
                        return "question"
        return None
