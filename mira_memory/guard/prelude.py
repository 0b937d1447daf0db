# SPDX-License-Identifier: Apache-2.0
"""Read the sentence before the span's own: it may announce a joke, a game or somebody's words.

Follows docs/grounding.md, "The sentences around it".
"""

from mira_memory.guard.bits import Bit
from mira_memory.guard.pieces import FILLERS
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import jests

_ANNOUNCEMENT_MAX = 10


def read_prelude(earlier: Sentence) -> str | None:
    """Return the rule when the sentence before marks the statement as not meant, else None."""
    size = len(earlier)
    while size and earlier.is_mark(size - 1):
        size -= 1
    at = 0
    while at < size:
        if earlier.longest(at, Bit.PRELUDES, size) == size - at:
            return "supposition"
        step = 1 if earlier.is_mark(at) else earlier.longest(at, FILLERS)
        if not step:
            break
        at += step
    if not 0 < size - at <= _ANNOUNCEMENT_MAX:
        return None
    if jests(earlier, at, size):
        return "supposition"
    announces = (
        earlier.longest(at, Bit.EXISTENTIALS | Bit.THATS) or earlier.bits(size - 1) & Bit.ANAPHORS
    )
    source = earlier.has(at, size, Bit.REPORTS | Bit.BELIEFS | Bit.UNREAL)
    return "report" if announces and source else None
