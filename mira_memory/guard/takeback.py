# SPDX-License-Identifier: Apache-2.0
"""Tell whether words right after a statement take it back, doubt it or credit somebody else.

Follows docs/grounding.md, "The sentences around it".
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.pieces import part_end
from mira_memory.guard.sentence import Sentence

_CONTENTLESS = (
    Bit.FUNCTION_WORDS | Bit.AUXILIARIES | Bit.ANAPHORS | Bit.CONNECTIVES | Bit.NEGATIONS
)
_COMMENT_MAX = 10
_PIECE_MAX = 24  # a take-back is short; this bounds the search in a hostile sentence


def takes_back(sentence: Sentence, at: int, end: int) -> str | None:
    """Return the rule when the words in [at, end) undo the statement before them, else None."""
    if at >= end:
        return None
    end = min(end, at + _PIECE_MAX)
    if dismisses(sentence, at, Bit.DISMISSALS | Bit.AMENDMENTS):
        return "dismissal"
    for length, bits in sentence.phrases[at]:
        after = at + length
        if bits & Bit.RETRACTIONS:
            return "retraction"
        if not _closes(sentence, after, end):
            continue
        if bits & Bit.RETRACTIONS_ALONE:
            return "retraction"
        asks = "?" in sentence.words[at:]
        if bits & Bit.TAG_QUESTIONS and (asks or not bits & Bit.TAILS):
            return "question"
        if bits & (Bit.CLOSING_QUESTIONS | Bit.TAILS):
            return None
    speaks_of_it = sentence.bits(at) & (Bit.ANAPHORS | Bit.FIRST_PERSON)
    if speaks_of_it and calls_untrue(sentence, at + 1, end):
        return "retraction"
    return None


def dismisses(sentence: Sentence, at: int, verbs: int = Bit.DISMISSALS) -> bool:
    """Tell whether one of the verbs at `at` has the statement as its object, or none."""
    length = sentence.longest(at, verbs)
    after = at + length
    if not length:
        return False
    if after >= len(sentence) or sentence.is_mark(after):
        return True
    return bool(sentence.bits(after) & Bit.ANAPHORS)


def keeps_not(sentence: Sentence, at: int) -> bool:
    """Tell whether "Merk dir das bitte nicht." stands at `at`: the negation comes last."""
    stop = part_end(sentence, at)
    verb = sentence.longest(at, Bit.FRAMINGS | Bit.MEMORY_VERBS)
    courtesy = Bit.COURTESY | Bit.REQUEST_OPENERS | Bit.TAILS
    idle = courtesy | Bit.ANAPHORS | Bit.FUNCTION_WORDS | Bit.NEGATIONS
    rest = range(at + verb, stop)
    return (
        verb > 0
        and all(sentence.bits(place) & idle for place in rest)
        and any(sentence.bits(place) & Bit.NEGATIONS for place in rest)
    )


def _closes(sentence: Sentence, at: int, end: int) -> bool:
    """Tell whether nothing but marks and tails stands in [at, end)."""
    marked = False
    while at < end:
        mark = sentence.is_mark(at)
        step = 1 if mark else sentence.longest(at, Bit.TAILS, end) if marked else 0
        if not step:
            return False
        marked = marked or mark
        at += step
    return True


def calls_untrue(sentence: Sentence, start: int, end: int) -> bool:
    """Tell whether a word of untruth stands in [start, end), itself not negated ("no joke")."""
    return _unnegated(sentence, start, end, Bit.UNTRUTHS | Bit.JESTS)


def jests(sentence: Sentence, start: int, end: int) -> bool:
    """Tell whether a word of joking stands in [start, end), itself not negated."""
    return _unnegated(sentence, start, end, Bit.JESTS)


def _unnegated(sentence: Sentence, start: int, end: int, wanted: int) -> bool:
    found = sentence.first(start, end, wanted)
    if found is None:
        return False
    near = range(max(start - 1, found[0] - 2, 0), found[0])
    return not any(sentence.bits(place) & Bit.NEGATIONS for place in near)


def denies_barely(sentence: Sentence, at: int, end: int) -> bool:
    """Tell whether [at, end) holds a negation or doubt and nothing of content: "It never was."."""
    doubts = False
    for place in range(at, end):
        bits = sentence.bits(place)
        if not sentence.is_mark(place) and not bits & _CONTENTLESS:
            return False
        doubts = doubts or bool(bits & (Bit.NEGATIONS | Bit.SUPPOSITIONS))
    return doubts


def is_comment(sentence: Sentence, at: int, end: int) -> bool:
    """Tell whether a short piece names who says or believes it ("Bob says", "I think")."""
    if at < end and sentence.longest(at, Bit.ATTRIBUTIONS):
        return True
    if end - at > _PIECE_MAX:
        return False
    while end > at and sentence.is_mark(end - 1):
        end -= 1
    if not 0 < end - at <= _COMMENT_MAX:
        return False
    found = sentence.first(at, end, Bit.REPORTS | Bit.BELIEFS)
    if found is None:
        return _tells(sentence, at, end)
    return found[0] == at or sentence.finite_verb(found[0] + 1, end) is None


def _tells(sentence: Sentence, at: int, end: int) -> bool:
    """Tell whether a verb of telling without an object closes [at, end): "Ada wrote to me"."""
    found = sentence.first(at, end, Bit.TELLING)
    if found is None:
        return False
    rest = range(found[0] + 1, end)
    return all(sentence.bits(place) & _CONTENTLESS for place in rest)
