# SPDX-License-Identifier: Apache-2.0
"""Tell whether a sentence says that a place or a time holds no more: "They moved it to Thursday."

Follows docs/grounding.md, "The sentences around it".
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.pieces import part_end
from mira_memory.guard.sentence import Sentence

_PLACE_OR_TIME = Bit.ADVERBIAL_HEADS | Bit.ADJUNCTS
_NO_STATEMENT = Bit.QUESTION_WORDS | Bit.INVERSIONS | Bit.CONDITIONS
_NO_CLITIC = Bit.FIRST_PERSON | Bit.AUXILIARIES | Bit.COORDINATORS | Bit.ADVERBIAL_HEADS
_NO_PRONOUN = _NO_CLITIC | Bit.ARTICLES | Bit.EXISTENTIALS | Bit.CONNECTIVES | Bit.QUESTION_WORDS


def tells_of_change(sentence: Sentence, at: int, said: frozenset[str]) -> bool:
    """Tell whether the part at `at` moves what the words `said` before it placed elsewhere.

    "They moved it there" and "... to the hallway", where it was said to be, do not.
    """
    stop = part_end(sentence, at)
    table = sentence.lexicon.phrases
    if sentence.bits(at) & _NO_STATEMENT or sentence.has(at, stop, Bit.NEGATIONS):
        return False
    found = sentence.first(at, stop, Bit.CHANGES)
    if found is None or not any(table.bits(word) & _PLACE_OR_TIME for word in said):
        return False
    verb = found[0]
    same_place = any(
        sentence.bits(place) & Bit.EXISTENTIALS
        or (sentence.words[place] in said and not sentence.bits(place) & Bit.FUNCTION_WORDS)
        for place in range(verb, stop)
    )
    return not same_place and _concerns_it(sentence, at, verb, stop)


def _concerns_it(sentence: Sentence, at: int, verb: int, stop: int) -> bool:
    """Tell whether a pronoun is the object of the verb, or its subject if it has no object."""
    after = verb + sentence.longest(verb, Bit.CHANGES)
    if any(sentence.bits(place) & Bit.ANAPHORS for place in range(verb, min(stop, after + 2))):
        return True
    if verb == at or (after < stop and sentence.bits(after) & Bit.ARTICLES):
        return False
    clitic = sentence.bits(verb - 1)
    return _is_pronoun(sentence.bits(at), _NO_PRONOUN) or _is_pronoun(clitic, _NO_CLITIC)


def _is_pronoun(bits: int, excluded: int) -> bool:
    return bool(bits & Bit.ANAPHORS or (bits & Bit.FUNCTION_WORDS and not bits & excluded))
