# SPDX-License-Identifier: Apache-2.0
"""Tell whether the evidence negates the value or leaves it open.

Follows docs/grounding.md, "Negation and the value": a negation reaches to the right, up to a
contrast; the value must hold it.
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.sentence import Sentence

_EDGE = frozenset(",;(")
_RELATIVE_MAX = 30


def negation_of(sentence: Sentence, start: int, end: int, value: tuple[int, int]) -> str | None:
    """Return the rule that keeps the value from being what the evidence says, or None.

    `start` and `end` bound the evidence, `value` one occurrence of the value, all in words.
    """
    first, last = value
    if _reaches(sentence, start, end, first) or _is_lesser(sentence, start, first):
        return "negated_value"
    if _is_alternative(sentence, start, end, first, last):
        return "alternative_value"
    return None


def _reaches(sentence: Sentence, start: int, end: int, value: int) -> bool:
    """Tell whether a negation before the value is still in force at the value."""
    in_force = False
    verb = sentence.finite_verb(start, end)
    at = start
    while at < value:
        step = 1
        for length, bits in sentence.phrases[at]:
            if at + length > end:
                continue
            if bits & Bit.NEGATION_EXCEPTIONS:
                step = length
                break
            if bits & Bit.LOCAL_NEGATIONS:
                in_force = in_force or _local_end(sentence, at + length, value) == value
                step = length
                break
            if bits & Bit.NEGATIONS:
                if _relative_end(sentence, at, at + length, end) <= value:
                    continue
                in_force = True
                step = length
                break
            if bits & Bit.NEGATION_CLOSERS:
                # "not Gordon but Ada": in the subject the contrast is part of the value's clause.
                in_force = in_force and (verb is None or at < verb)
                break
        at += step
    return in_force


def _local_end(sentence: Sentence, at: int, value: int) -> int:
    """Return where a local negation ends: at a comma, a finite verb, or the value."""
    while at < value and sentence.words[at] not in _EDGE:
        if sentence.finite_verb(at, at + 1) is not None:
            break
        at += 1
    return at


def _is_lesser(sentence: Sentence, start: int, value: int) -> bool:
    """Tell whether the value is what something else is preferred to."""
    at = value - 1
    while at > start and sentence.bits(at) & Bit.ARTICLES:
        at -= 1
    return (
        at > start
        and bool(sentence.bits(at) & Bit.LESSERS)
        and sentence.has(start, at, Bit.PREFERENCES)
    )


def _relative_end(sentence: Sentence, at: int, after: int, end: int) -> int:
    """Return where a relative clause with a negation at `at` ends: "the man who never ... | is".

    The main clause goes on at the second finite verb; without a relative clause it is `end`.
    """
    if at == 0 or not sentence.bits(at - 1) & (Bit.RELATIVES | Bit.COMPLEMENTIZERS):
        return end
    stop = min(end, after + _RELATIVE_MAX)
    own = sentence.finite_verb(after, stop)
    main = None if own is None else sentence.finite_verb(own + 1, stop)
    return end if main is None else main


def _is_alternative(sentence: Sentence, start: int, end: int, first: int, last: int) -> bool:
    before = first - 1
    while before >= start and (
        sentence.words[before] in _EDGE or sentence.bits(before) & Bit.ARTICLES
    ):
        before -= 1
    after = last
    if after < end and sentence.words[after] in _EDGE:
        after += 1
    return bool(
        (before >= start and sentence.bits(before) & Bit.ALTERNATIVES)
        or (after < end and sentence.bits(after) & Bit.ALTERNATIVES)
    )
