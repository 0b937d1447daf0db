# SPDX-License-Identifier: Apache-2.0
"""Read the sentences after the span's own: they may take it back at once."""

from collections.abc import Iterable

from mira_memory.guard.lexicon import Bit
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.takeback import takes_back

_SKIPPED = Bit.CONNECTIVES | Bit.INTERJECTIONS


def read_sequel(following: Iterable[Sentence]) -> str | None:
    """Return the rule when the next sentence takes the statement back, else None.

    A sentence of nothing but fillers ("Ha.") leaves the decision to the one after it.
    """
    for sentence in following:
        size = len(sentence)
        at = 0
        while at < size:
            rule = takes_back(sentence, at, size)
            if rule:
                return rule
            step = 1 if sentence.is_mark(at) else sentence.longest(at, _SKIPPED)
            if not step:
                return None
            at += step
    return None
