# SPDX-License-Identifier: Apache-2.0
"""Read what stands to the left of a span: only known openings leave it asserted.

Follows docs/grounding.md, "Left of the span". Every step consumes one known piece; what is left
over is unknown, and refuses.
"""

from dataclasses import dataclass

from mira_memory.guard.lexicon import Bit
from mira_memory.guard.rules import rule_of
from mira_memory.guard.sentence import Sentence

_OPENINGS = (
    Bit.FRAMINGS
    | Bit.REQUEST_OPENERS
    | Bit.HEADINGS
    | Bit.CONNECTIVES
    | Bit.GREETINGS
    | Bit.INTERJECTIONS
    | Bit.HESITATIONS
)
# These govern what follows them.
GOVERNORS = (
    Bit.CONDITIONS
    | Bit.SUPPOSITIONS
    | Bit.REPORTS
    | Bit.ATTRIBUTIONS
    | Bit.BELIEFS
    | Bit.DENIALS
    | Bit.DISMISSALS
    | Bit.QUESTIONS
)
_SPOILERS = GOVERNORS | Bit.ALTERNATIVES | Bit.RETRACTIONS
_SEPARATORS = frozenset(",;-–—")
_PHRASE_MAX = 12


@dataclass(frozen=True, slots=True)
class Before:
    """Tell which rule refuses the left side, if any, and whether it asks to be remembered."""

    rule: str | None
    request: bool = False


def read_before(sentence: Sentence, end: int) -> Before:
    """Return how the words before position `end` introduce what follows."""
    at = 0
    request = False
    greeted = False
    framed = False
    while at < end:
        if sentence.is_mark(at) or _is_numbering(sentence, at):
            if sentence.words[at] == "?":
                return Before("question")
            at += 1
            continue
        step, is_request, is_greeting = _opening(sentence, at, end)
        if not step and framed:
            # "Remember that it is late and that ...".
            step = sentence.longest(at, Bit.COMPLEMENTIZERS, end)
        if not step and (greeted or at == 0):
            step = _addressee(sentence, at, end, greeted)
        if not step:
            step = _vocative(sentence, at, end) or _adverbial(sentence, at, end)
        if not step:
            step = _clause(sentence, at, end)
        if not step:
            return Before(_why_stuck(sentence, at, end))
        request = request or is_request
        greeted = is_greeting
        framed = framed or sentence.longest(at, Bit.FRAMINGS, end) > 0
        at += step
    return Before(None, request)


def _opening(sentence: Sentence, at: int, end: int) -> tuple[int, bool, bool]:
    """Return the length of a listed opening, whether it is a request, and a greeting."""
    for length, bits in sentence.phrases[at]:
        after = at + length
        if after > end:
            continue
        if not bits & _OPENINGS:
            if bits & (GOVERNORS | Bit.NEGATIONS):
                return 0, False, False
            continue
        if bits & Bit.REQUEST_OPENERS:
            asked = _request(sentence, after, end)
            if asked:
                return asked - at, True, False
            continue
        if bits & Bit.FRAMINGS:
            return _with_complementizer(sentence, after, end) - at, False, False
        if bits & (Bit.CONNECTIVES | Bit.GREETINGS | Bit.HESITATIONS):
            return length, False, bool(bits & Bit.GREETINGS)
        if after < end and sentence.is_mark(after) and sentence.words[after] != "'":
            return length, False, False
        if bits & Bit.INTERJECTIONS and sentence.bits(after) & Bit.ARTICLES:
            # "no the yellow one": no noun phrase begins like that.
            return length, False, False
    return 0, False, False


def _request(sentence: Sentence, at: int, end: int) -> int:
    """Return where a request that opened before `at` ends, or 0."""
    while at < end:
        step = sentence.longest(at, Bit.FRAMINGS, end)
        if step:
            return _with_complementizer(sentence, at + step, end)
        step = sentence.longest(at, Bit.CONNECTIVES, end)
        if not step:
            return 0
        at += step
    return 0


def _with_complementizer(sentence: Sentence, at: int, end: int) -> int:
    return at + (sentence.longest(at, Bit.COMPLEMENTIZERS, end) if at < end else 0)


def _is_free(sentence: Sentence, at: int) -> bool:
    """Tell whether the word is in no list, as a name is."""
    word = sentence.words[at]
    return (
        not sentence.phrases[at]
        and word[0].isalpha()
        and not (len(word) > 4 and word.endswith(sentence.lexicon.adverb_endings or ("\n",)))
    )


def _addressee(sentence: Sentence, at: int, end: int, greeted: bool) -> int:
    """Return 1 for a name without a comma: after a greeting, or before a request."""
    if not _is_free(sentence, at):
        return 0
    following = at + 1
    if following == end:
        return 1 if greeted else 0
    asks = sentence.longest(following, Bit.FRAMINGS | Bit.REQUEST_OPENERS, end)
    polite = sentence.longest(following, Bit.CONNECTIVES, end) if greeted else 0
    return 1 if asks or polite else 0


def _vocative(sentence: Sentence, at: int, end: int) -> int:
    """Return the length of a name before a comma, comma included."""
    if at + 1 < end and _is_free(sentence, at) and sentence.words[at + 1] == ",":
        return 2
    return 0


def _is_numbering(sentence: Sentence, at: int) -> bool:
    """Tell whether a list's number stands here, as in "2) ..."."""
    return (
        at + 1 < len(sentence)
        and sentence.words[at].isdecimal()
        and sentence.words[at + 1] in (")", ".", "-", ":")
    )


def _adverbial(sentence: Sentence, at: int, end: int) -> int:
    """Return the length of a phrase or clause that opens the sentence and ends at a comma."""
    head = sentence.longest(at, Bit.ADVERBIAL_HEADS, end)
    clause_head = sentence.longest(at, Bit.ADVERBIAL_CLAUSES, end)
    if not head and not clause_head:
        return 0
    for comma in range(at + 1, end):
        if sentence.words[comma] != ",":
            continue
        has_verb = sentence.finite_verb(at + 1, comma) is not None
        if has_verb and clause_head:
            harmful = sentence.has(at, comma, GOVERNORS | Bit.UNREAL)
            return 0 if harmful else comma + 1 - at
        if head and not has_verb and comma - at <= _PHRASE_MAX:
            harmful = sentence.has(at + head, comma, GOVERNORS | Bit.UNREAL | Bit.NEGATIONS)
            return 0 if harmful else comma + 1 - at
        if has_verb:
            return 0
    return 0


def _clause(sentence: Sentence, at: int, end: int) -> int:
    """Return the length of a complete clause with the mark or coordinator that ends it."""
    spoiler = sentence.first(at, end, _SPOILERS)
    limit = spoiler[0] if spoiler else end
    if sentence.bits(at) & (Bit.QUESTION_WORDS | Bit.INVERSIONS | Bit.ADVERBIAL_HEADS):
        return 0
    for place in range(at + 1, limit):
        mark = sentence.words[place]
        step = 1 if mark in _SEPARATORS else sentence.longest(place, Bit.COORDINATORS, end)
        if mark == ":":
            step = 1 if _announces(sentence, at, place) else 0
        if step and sentence.is_clause(at, place) and not _embeds(sentence, at, place, end):
            return place + step - at
    return 0


def _embeds(sentence: Sentence, at: int, place: int, end: int) -> bool:
    """Tell whether a verb before `place` may govern what follows `place` too.

    "I see Ada and | Gordon ..." may go on inside what is seen; a mark before the coordinator, or a
    contrast, ends it, provided that no clause has begun there already.
    """
    found = sentence.first(at, place, Bit.EMBEDDERS)
    if found is None:
        return False
    if sentence.finite_verb(found[0] + 1, place) is not None:
        return True
    ends = sentence.words[place] == ";" or sentence.bits(place) & Bit.CONTRASTS
    return not (ends or (sentence.words[place] == "," and place + 1 < end))


def _announces(sentence: Sentence, at: int, colon: int) -> bool:
    """Tell whether a clause before a colon only announces: "there are three rooms: ..."."""
    verb = sentence.finite_verb(at, colon)
    return (
        verb is not None
        and bool(sentence.bits(verb) & Bit.AUXILIARIES)
        and not sentence.has(at, colon, Bit.UNREAL | Bit.UNTRUTHS)
    )


def _why_stuck(sentence: Sentence, at: int, end: int) -> str:
    found = sentence.first(at, end, GOVERNORS | Bit.EMBEDDERS | Bit.ALTERNATIVES)
    rule = rule_of(found[1]) if found else None
    if rule is None and sentence.bits(at) & (Bit.INVERSIONS | Bit.QUESTION_WORDS):
        rule = "question"
    return rule or "unknown_before"
