# SPDX-License-Identifier: Apache-2.0
"""Read what stands to the left of a span: only known openings leave it asserted.

Follows docs/grounding.md, "Left of the span". Every step consumes one known piece; what is left
over is unknown, and refuses.
"""

import re
from dataclasses import dataclass

from mira_memory.guard.adverbial import opening_adverbial, opening_aside
from mira_memory.guard.bits import Bit
from mira_memory.guard.rules import GOVERNORS, rule_of
from mira_memory.guard.sentence import Sentence

_FREELY = Bit.FRAMINGS | Bit.CONNECTIVES | Bit.GREETINGS | Bit.HESITATIONS
_BEFORE_A_MARK = Bit.HEADINGS | Bit.INTERJECTIONS
_SPOILERS = GOVERNORS | Bit.ALTERNATIVES | Bit.RETRACTIONS
_SPLICES = frozenset(",-–—")
_NOT_MEANT = Bit.UNREAL | Bit.UNTRUTHS | Bit.JESTS
_NEW_CLAUSE = (
    Bit.COORDINATORS
    | Bit.RELATIVES
    | Bit.COMPLEMENTIZERS
    | Bit.ADVERBIAL_CLAUSES
    | Bit.REASONS
    | Bit.LIMITS
)
_DRAWN_OUT = re.compile(r"(.)\1\1")  # "suuure"


@dataclass(frozen=True, slots=True)
class Before:
    """Tell which rule refuses the left side, if any, and what else it brings.

    `request`: it asks in the form of a question. `spliced`: the position of the finite verb of a
    clause on the left that only a comma joins to the span, which is the form of a list.
    """

    rule: str | None
    request: bool = False
    spliced: int | None = None


def read_before(sentence: Sentence, end: int) -> Before:
    """Return how the words before position `end` introduce what follows."""
    return _Reading(sentence, end).read()


class _Reading:
    """Walk from the start of a sentence to the span, one known piece at a time."""

    def __init__(self, sentence: Sentence, end: int) -> None:
        self._sentence = sentence
        self._end = end
        self._request = False
        self._greeted = True  # a sentence may open with a name, as after a greeting
        self._framed = False
        self._spliced: int | None = None

    def read(self) -> Before:
        at = 0
        while at < self._end:
            if self._sentence.words[at] == "?":
                return Before("question")
            if self._sentence.is_mark(at) or self._is_numbering(at):
                at += 1
                continue
            step = self._step(at)
            if not step:
                return Before(self._why_stuck(at))
            at += step
        return Before(None, self._request, self._spliced)

    def _step(self, at: int) -> int:
        greeted, self._greeted = self._greeted, False
        subordinate = self._bits(at) & Bit.ADVERBIAL_CLAUSES
        return (
            (subordinate and opening_adverbial(self._sentence, at, self._end))
            or self._opening(at)
            or self._courtesy(at)
            or (greeted and self._addressee(at, first=at == 0))
            or self._vocative(at)
            or opening_adverbial(self._sentence, at, self._end)
            or opening_aside(self._sentence, at, self._end)
            or self._clause(at)
        )

    def _opening(self, at: int) -> int:
        """Return the length of a listed opening."""
        for length, bits in self._sentence.phrases[at]:
            after = at + length
            if after > self._end:
                continue
            if bits & Bit.FRAMINGS:
                self._framed = True
                self._request = self._request or bool(self._bits(at) & Bit.INVERSIONS)
                return self._with_complementizer(after) - at
            if bits & _FREELY:
                self._greeted = bool(bits & Bit.GREETINGS)
                return length
            if bits & _BEFORE_A_MARK and after < self._end and self._sentence.is_mark(after):
                return length
            hesitates = not bits & Bit.NEGATIONS and self._bits(after) & Bit.HESITATIONS
            if bits & Bit.INTERJECTIONS and (hesitates or self._bits(after) & Bit.ARTICLES):
                # "no the yellow one": no noun phrase begins like that.
                return length
            if bits & Bit.COMPLEMENTIZERS and self._framed:
                # "Remember that it is late and that ...".
                return length
            if bits & (GOVERNORS | Bit.NEGATIONS | Bit.ADVERBIAL_HEADS | Bit.IRONIES):
                return 0
        return 0

    def _bits(self, at: int) -> int:
        return self._sentence.bits(at) if at < len(self._sentence) else 0

    def _with_complementizer(self, at: int) -> int:
        if at == self._end:
            return at
        return at + self._sentence.longest(at, Bit.COMPLEMENTIZERS, self._end)

    def _courtesy(self, at: int) -> int:
        """Return the length of words of courtesy up to a verb of remembering, or up to a mark."""
        sentence, end = self._sentence, self._end
        place = at
        bare_subject = True
        request = False
        while place < end:
            memory = sentence.longest(place, Bit.MEMORY_VERBS, end)
            framing = sentence.longest(place, Bit.FRAMINGS, end)
            if framing > memory > 0:
                memory = framing  # "store the following"
            elif framing > 1 and self._bits(place) & Bit.FIRST_PERSON:
                memory, bare_subject = framing, False
            if memory and not bare_subject:
                self._framed = True
                self._request = self._request or request
                return self._with_complementizer(place + memory) - at
            if sentence.is_mark(place):
                hedges = sentence.longest(at, Bit.RETRACTIONS_ALONE, place) == place - at
                return 0 if hedges or place - at < 2 else place + 1 - at
            opener = sentence.longest(place, Bit.REQUEST_OPENERS, end)
            step = max(opener, sentence.longest(place, Bit.COURTESY, end))
            if step < max(1, sentence.longest(place, GOVERNORS & ~Bit.QUESTIONS, end)):
                return 0
            request = request or opener > 0
            bare_subject = step == 1 and bool(sentence.bits(place) & Bit.PLAIN_SUBJECTS)
            place += step
        return 0

    def _is_free(self, at: int) -> bool:
        """Tell whether the word is in no list, as a name is."""
        sentence = self._sentence
        word = sentence.words[at]
        free = not sentence.phrases[at] and word[0].isalpha() and not _DRAWN_OUT.search(word)
        return free and not sentence.is_adverb(at)

    def _addressee(self, at: int, *, first: bool) -> int:
        """Return 1 for a name without a comma: after a greeting, or before a request."""
        if not self._is_free(at):
            return 0
        following = at + 1
        if following == self._end:
            return 0 if first else 1
        asks = self._sentence.longest(following, Bit.FRAMINGS | Bit.REQUEST_OPENERS, self._end)
        polite = not first and self._sentence.longest(
            following, Bit.CONNECTIVES | Bit.COURTESY, self._end
        )
        return 1 if asks or polite else 0

    def _vocative(self, at: int) -> int:
        """Return the length of a name before a comma, comma included."""
        if at + 1 < self._end and self._is_free(at) and self._sentence.words[at + 1] == ",":
            return 2
        return 0

    def _is_numbering(self, at: int) -> bool:
        """Tell whether a list's number stands here, as in "2) ..."."""
        words = self._sentence.words
        return words[at].isdecimal() and at + 1 < self._end and words[at + 1] in ").-:"

    def _clause(self, at: int) -> int:
        """Return the length of the longest complete clause with what ends it."""
        sentence = self._sentence
        if self._bits(at) & (Bit.QUESTION_WORDS | Bit.INVERSIONS | Bit.ADVERBIAL_HEADS):
            return 0
        verb = sentence.finite_verb(at, self._end)
        spliced = verb
        event = sentence.event(at, self._end if verb is None else verb)
        verb = verb if event is None else event
        if verb is None or (verb == at and not sentence.is_contraction(at)):
            return 0
        spoiler = sentence.first(at, self._end, _SPOILERS | Bit.EMBEDDERS | Bit.TELLING)
        spoiler = spoiler or self._embedding(at, verb)
        governed = sentence.finite_verb(spoiler[0] + 1, self._end) if spoiler else None
        for place in range(self._end - 1, verb, -1):
            joint = self._joint(at, place)
            if not joint or (spliced is None and joint == 1 and sentence.is_mark(place)):
                continue
            if spoiler and spoiler[0] < place:
                empty = governed is None or governed >= place
                if self._reaches_on(at, place, spoiler, empty=empty):
                    continue
            self._spliced = verb if joint == 1 and sentence.words[place] in _SPLICES else None
            return place + joint - at
        return 0

    def _embedding(self, at: int, verb: int) -> tuple[int, int] | None:
        """Return the verb at `verb` as an embedder if it has a clause for its object.

        "Bob hinted (that) the dock is left and | ..." holds two finite verbs that nothing joins.
        """
        sentence = self._sentence
        if sentence.bits(verb) & Bit.AUXILIARIES:
            return None
        for place in range(verb + 1, self._end):
            ends = _NEW_CLAUSE & ~(Bit.COMPLEMENTIZERS if place == verb + 1 else 0)
            if sentence.is_mark(place) or sentence.longest(place, ends):
                return None
            if place > verb + 1 and sentence.finite_verb(place, place + 1) is not None:
                governs = not sentence.bits(place - 1) & Bit.DETERMINERS
                return (verb, Bit.EMBEDDERS) if governs else None
        return None

    def _joint(self, at: int, place: int) -> int:
        """Return the length of what ends a clause at `place`, a mark and coordinator included."""
        sentence = self._sentence
        mark = sentence.words[place]
        if mark == ":":
            announces = sentence.longest(at, Bit.EXISTENTIALS, place)
            return 0 if not announces or sentence.has(at, place, _NOT_MEANT) else 1
        if mark == ";":
            return 1
        if mark in _SPLICES:
            return 1 + (self._coordinator(place + 1) if place + 1 < self._end else 0)
        return self._coordinator(place)

    def _coordinator(self, at: int) -> int:
        joins = self._sentence.longest(at, Bit.COORDINATORS, self._end)
        return joins if joins >= self._sentence.longest(at, Bit.NOT_COORDINATORS) else 0

    def _reaches_on(self, at: int, place: int, spoiler: tuple[int, int], *, empty: bool) -> bool:
        """Tell whether a governor before `place` may govern what follows `place` too.

        "I see Ada and | Gordon ..." may go on inside what is seen. It ends at a contrast after a
        comma when the clause is the operator's own ("I don't know whether it rains, but | ..."),
        at a comma when nothing is governed yet ("Bob told a joke, and | ..."), and at a semicolon
        unless it supposes something.
        """
        start, bits = spoiler
        sentence = self._sentence
        own = bool(self._bits(at) & (Bit.FIRST_PERSON | Bit.MAYBES))
        if sentence.words[place] == ";" and ":" not in sentence.words[at:place]:
            return not own and bool(bits & (Bit.CONDITIONS | Bit.SUPPOSITIONS | Bit.DISMISSALS))
        if bits & Bit.ALTERNATIVES:
            return True
        marked = sentence.is_mark(place) and place + 1 < self._end
        after = self._bits(place + 1) if marked else self._bits(place)
        contrast = bool(after & (Bit.CONTRASTS | Bit.CONSEQUENCES))
        if marked and contrast and (own or empty):
            return False
        if bits & (_SPOILERS & ~Bit.QUESTIONS & ~Bit.REPORTS & ~Bit.BELIEFS):
            return True
        complete = empty and (not bits & _SPOILERS or place - start > 2)
        return not (complete and (marked or contrast))

    def _why_stuck(self, at: int) -> str:
        governors = GOVERNORS | Bit.EMBEDDERS | Bit.IRONIES | Bit.ALTERNATIVES
        found = self._sentence.first(at, self._end, governors)
        found = found or self._sentence.first(at, self._end, Bit.RETRACTIONS)
        rule = rule_of(found[1]) if found else None
        if rule is None and self._bits(at) & (Bit.INVERSIONS | Bit.QUESTION_WORDS):
            rule = "question"
        return rule or "unknown_before"
