# SPDX-License-Identifier: Apache-2.0
"""Read the sentence after the span's own: it may take the statement back.

Follows docs/grounding.md, "The sentences around it". Most sentences that follow a statement do
nothing to it, so here the ways of undoing are listed, by form more than by word.
"""

from collections.abc import Iterable

from mira_memory.guard.bits import Bit
from mira_memory.guard.change import tells_of_change
from mira_memory.guard.pieces import FILLERS, part_end
from mira_memory.guard.rules import GOVERNORS
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import (
    calls_untrue,
    denies_barely,
    dismisses,
    is_comment,
    jests,
    keeps_not,
    takes_back,
)

_COURTEOUS = Bit.COURTESY | Bit.REQUEST_OPENERS
_FRAGMENT_MAX = 5
_VERDICT_MAX = 3


def read_sequel(following: Iterable[Sentence], said: frozenset[str]) -> str | None:
    """Return the rule when the next sentence takes the statement back, else None.

    `said` are the words of the statement. A sentence of nothing but fillers ("Ha.") leaves the
    decision to the one after it.
    """
    for sentence in following:
        sequel = _Sequel(sentence, said)
        rule = sequel.read()
        if rule or not sequel.is_filler:
            return rule
    return None


class _Sequel:
    """One sentence after the statement; `at` is where its fillers end."""

    def __init__(self, sentence: Sentence, said: frozenset[str]) -> None:
        self._sentence = sentence
        self._said = said
        self._size = len(sentence)
        self._at = 0
        self._corrects = False  # a filler like "sorry" or "actually" opened it

    @property
    def is_filler(self) -> bool:
        """Tell whether the sentence has nothing but fillers."""
        return self._at == self._size

    def read(self) -> str | None:
        """Return the rule by which the sentence undoes the statement, or None."""
        sentence = self._sentence
        if self._size > 1 and sentence.bits(0) & Bit.NEGATIONS and self._is_said(1):
            return "retraction"  # "... on Wednesday. Not Wednesday, ..."
        if sentence.longest(0, Bit.ALTERNATIVES):
            return "alternative"
        if self._echoes():
            return "question"
        rule = self._skip_fillers()
        if rule or self.is_filler:
            return rule
        for check in (
            self._comment,
            self._verdict,
            self._dismissal,
            self._condition,
            self._change,
            self._correction,
            self._fragment,
            self._later_part,
        ):
            rule = check()
            if rule:
                return rule
        return None

    def _is_said(self, at: int) -> bool:
        """Tell whether a content word of the statement stands at `at`."""
        bits = self._sentence.bits(at)
        return self._sentence.words[at] in self._said and not bits & Bit.FUNCTION_WORDS

    def _skip_fillers(self) -> str | None:
        sentence = self._sentence
        while self._at < self._size:
            rule = takes_back(sentence, self._at, self._size)
            if rule:
                return rule
            if self._refuses():
                return "retraction"
            if sentence.longest(self._at, Bit.THATS):
                return None
            mark = sentence.is_mark(self._at)
            step = 1 if mark else sentence.longest(self._at, FILLERS)
            if not step:
                return None
            self._corrects = self._corrects or sentence.longest(self._at, Bit.HESITATIONS) > 0
            self._at += step
        return None

    def _refuses(self) -> bool:
        """Tell whether "no" stands alone before a mark and is no answer ("And no, ...")."""
        sentence, at = self._sentence, self._at
        if not sentence.bits(at) & Bit.REFUSALS:
            return False
        alone = at + 1 == self._size or sentence.words[at + 1] in ",.!;:-–—"
        joined = at > 0 and sentence.bits(at - 1) & Bit.COORDINATORS
        return alone and not joined

    def _comment(self) -> str | None:
        """ "That's what Bob says.", "Bob told me." """
        asks = self._sentence.bits(self._at) & (Bit.QUESTION_WORDS | Bit.INVERSIONS)
        if asks or not is_comment(self._sentence, self._at, self._size):
            return None
        return "report"

    def _verdict(self) -> str | None:
        """ "That's the theory.", "Is that still true?", "I'm joking." """
        sentence = self._sentence
        judged = self._judges_it() or self._doubts_it() or jests(sentence, 0, self._size)
        judged = judged or self._owns_up() or self._swears_not()
        judged = judged or denies_barely(sentence, self._at, part_end(sentence, self._at))
        said = any(self._is_said(place) for place in range(self._at, self._size))
        if not judged and not (said and calls_untrue(sentence, self._at, self._size)):
            return None
        return "question" if "?" in sentence.words else "retraction"

    def _owns_up(self) -> bool:
        """ "There I was mistaken." """
        sentence, stop = self._sentence, part_end(self._sentence, self._at)
        speaker = Bit.FIRST_PERSON | Bit.ANAPHORS
        return any(
            sentence.bits(place) & speaker and calls_untrue(sentence, place + 1, stop)
            for place in range(self._at, stop)
        )

    def _swears_not(self) -> bool:
        """ "I can't vouch for it." """
        sentence, end = self._sentence, self._size
        while end > self._at and sentence.is_mark(end - 1):
            end -= 1
        if end - self._at < 3 or not sentence.bits(self._at) & Bit.FIRST_PERSON:
            return False
        preposition, pronoun = sentence.bits(end - 2), sentence.bits(end - 1)
        if not (preposition & Bit.DETERMINERS and pronoun & Bit.ANAPHORS):
            return False
        return sentence.has(self._at, end, Bit.NEGATIONS)

    def _judges_it(self) -> bool:
        sentence = self._sentence
        opening = sentence.longest(self._at, Bit.THATS)
        if not opening:
            return False
        if self._describes(self._at + opening):
            return False
        after = self._at + opening
        while after < self._size and (step := sentence.longest(after, Bit.CONNECTIVES)):
            after += step
        return not (after < self._size and sentence.longest(after, Bit.BENIGN))

    def _describes(self, at: int) -> bool:
        """Tell whether a noun phrase of several words follows: "That is the third one ..."."""
        sentence, stop = self._sentence, part_end(self._sentence, self._at)
        harm = GOVERNORS | Bit.UNTRUTHS | Bit.UNREAL | Bit.NEGATIONS | Bit.JESTS | Bit.LIMITS
        noun_phrase = stop - at > _VERDICT_MAX and sentence.bits(at) & Bit.ARTICLES
        return bool(noun_phrase) and not sentence.has(self._at, stop, harm | Bit.QUESTION_WORDS)

    def _doubts_it(self) -> bool:
        sentence = self._sentence
        for place in range(self._at, self._size - 1):
            doubts = sentence.bits(place) & (Bit.INVERSIONS | Bit.CONDITIONS)
            points = sentence.bits(place + 1) & (Bit.ANAPHORS | Bit.FIRST_PERSON)
            if doubts and points:
                repeats = any(map(self._is_said, range(place + 2, self._size)))
                if repeats and "?" in sentence.words:
                    return True
                return sentence.has(place + 2, self._size, Bit.TRUTHS | Bit.UNTRUTHS)
        return False

    def _dismissal(self) -> str | None:
        """ "You can forget that.", "Change moon to Mars.", "I don't want that stored." """
        sentence = self._sentence
        place = self._at
        if keeps_not(sentence, place):
            return "dismissal"
        while place < self._size:
            framing = sentence.longest(place, Bit.FRAMINGS | Bit.NEGATION_EXCEPTIONS)
            if framing > 1:
                place += framing  # "don't forget ..."
                continue
            verbs = Bit.DISMISSALS | (Bit.AMENDMENTS if place == self._at else 0)
            verb = sentence.longest(place, verbs)
            if verb:
                objects = range(place + verb, min(place + verb + 2, self._size))
                if dismisses(sentence, place) or any(map(self._is_said, objects)):
                    return "dismissal"
            negated = sentence.bits(place) & Bit.NEGATIONS
            if negated and sentence.has(place + 1, self._size, Bit.KEPT):
                return "dismissal"
            place += 1
        return None

    def _condition(self) -> str | None:
        """ "If Bob is right." alone limits what was said; "If it jams, call me." does not."""
        sentence = self._sentence
        limits = sentence.longest(self._at, Bit.CONDITIONS | Bit.LIMITS)
        first = self._at == 0 or sentence.is_mark(self._at - 1)
        opens = first or sentence.bits(self._at - 1) & Bit.COORDINATORS
        alone = "," not in sentence.words[self._at :]
        return "condition" if limits and opens and alone else None

    def _echoes(self) -> bool:
        """ "Bettina?" """
        sentence = self._sentence
        spoken = [place for place in range(self._size) if not sentence.is_mark(place)]
        if "?" not in sentence.words or not 0 < len(spoken) <= _FRAGMENT_MAX:
            return False
        repeated = all(sentence.words[place] in self._said for place in spoken)
        return repeated and any(map(self._is_said, spoken))

    def _change(self) -> str | None:
        """ "They moved it to Thursday." """
        return "retraction" if tells_of_change(self._sentence, self._at, self._said) else None

    def _correction(self) -> str | None:
        """ "It's actually Thursday.", "I said Wednesday, but ...", "Thursday, I mean." """
        sentence, at = self._sentence, self._at
        stop = part_end(sentence, at)
        about_it = sentence.bits(at) & Bit.ANAPHORS or sentence.longest(at, Bit.ANAPHORS)
        if about_it and sentence.has(0, stop, Bit.CORRECTIONS):
            return "retraction"
        article = stop - at > 2 and sentence.bits(stop - 2) & Bit.ARTICLES
        if about_it and article and stop - at <= _FRAGMENT_MAX and self._is_unreal(stop - 1):
            return "report"  # "It's from a film."
        speaks = any(
            sentence.bits(place) & Bit.FIRST_PERSON
            and any(sentence.bits(verb) & Bit.SAYING for verb in range(place, stop))
            for place in range(at, stop)
        )
        if speaks and any(self._is_said(place) for place in range(at, stop)):
            return "retraction"
        end = part_end(sentence, at) if stop == self._size else self._size
        while end > at and sentence.is_mark(end - 1):
            end -= 1
        closes = any(
            sentence.longest(place, Bit.HESITATIONS) == end - place
            for place in range(max(0, end - 3), end - 1)
        )
        return "retraction" if closes else None

    def _is_unreal(self, at: int) -> bool:
        return bool(self._sentence.bits(at) & Bit.UNREAL)

    def _fragment(self) -> str | None:
        """Judge words without a verb: "Sorry, the kitchen.", "Thursday.", "Maybe not." """
        sentence, at = self._sentence, self._at
        if sentence.finite_verb(at, self._size) is not None or "?" in sentence.words:
            return None
        stop = part_end(sentence, at)
        short = stop - at <= _FRAGMENT_MAX
        corrects = self._corrects and (sentence.is_mark(at - 1) or stop - at == 1)
        known = Bit.TAILS | Bit.COURTESY | Bit.BENIGN | Bit.IRONIES
        name = sentence.words[at][0].isalpha() and not sentence.longest(at, known)
        hedges = Bit.SUPPOSITIONS | Bit.UNREAL | Bit.REFUSALS
        if (
            corrects
            or (name and stop - at == 1)  # "Thursday."
            or sentence.bits(stop - 1) & Bit.HESITATIONS
            or (short and calls_untrue(sentence, at, stop))
            or sentence.has(at, stop, hedges)
        ):
            return "retraction"
        return None

    def _later_part(self) -> str | None:
        """Return the rule when a later part takes the statement back: "..., please forget it"."""
        sentence, at = self._sentence, self._at
        while at < self._size:
            stop = part_end(sentence, at)
            while at < stop and (step := sentence.longest(at, _COURTEOUS, stop)):
                if takes_back(sentence, at, stop):
                    break
                at += step
            if at < stop and sentence.longest(at, Bit.RETRACTIONS):
                return "retraction"
            rule = takes_back(sentence, at, stop)
            if rule in ("retraction", "dismissal"):
                return rule
            at = stop + 1
        return None
