# SPDX-License-Identifier: Apache-2.0
"""Cut what follows a statement into pieces: up to a mark, or up to a coordinator."""

from mira_memory.guard.bits import Bit
from mira_memory.guard.sentence import Sentence

BREAKS = frozenset(",;:-–—(¿¡")
FILLERS = Bit.CONNECTIVES | Bit.INTERJECTIONS | Bit.HESITATIONS | Bit.GREETINGS | Bit.MAYBES


def mark_after(sentence: Sentence, at: int) -> int:
    """Return the position of the next break from `at` on, or the sentence's end."""
    while at < len(sentence) and sentence.words[at] not in BREAKS:
        at += 1
    return at


def part_end(sentence: Sentence, at: int) -> int:
    """Return where the part that begins at `at` ends: at a break, or before the closing marks."""
    stop = mark_after(sentence, at)
    while stop > at + 1 and sentence.is_mark(stop - 1):
        stop -= 1
    return stop


def segment_end(sentence: Sentence, at: int) -> int:
    """Return where the segment that begins at `at` ends: at a break or a coordinator."""
    place = at
    while place < len(sentence) and not joint_at(sentence, place):
        place += 1
    return max(place, at + 1)


def segment_after(sentence: Sentence, at: int) -> int:
    """Return where the next segment begins: after the breaks and coordinators from `at` on."""
    while at < len(sentence) and (step := joint_at(sentence, at)):
        at += step
    return at


def joint_at(sentence: Sentence, at: int) -> int:
    """Return the length of the break or coordinator at `at`, or 0."""
    if sentence.words[at] in BREAKS:
        return 1
    return sentence.longest(at, Bit.COORDINATORS)


def only_marks(sentence: Sentence, at: int) -> bool:
    """Tell whether nothing but punctuation stands from `at` on."""
    return all(sentence.is_mark(place) for place in range(at, len(sentence)))
