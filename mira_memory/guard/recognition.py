# SPDX-License-Identifier: Apache-2.0
"""Recognise the language of a sentence by its function words.

Follows docs/grounding.md, "Which language".
"""

import re
from collections.abc import Sequence

from mira_memory.guard.bits import Bit
from mira_memory.guard.lexicon import Lexicon

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_FUNCTION_WEIGHT = 3
_LISTED_WEIGHT = 1


class Recognition:
    """Weigh the words of a text for each language."""

    def __init__(self, lexicons: Sequence[Lexicon]) -> None:
        """Collect the words of all lists; the order of the lexicons breaks ties."""
        self._lexicons = tuple(lexicons)
        self._weights: dict[str, list[tuple[int, int]]] = {}
        for order, lexicon in enumerate(lexicons):
            for word in lexicon.phrases.words():
                function = lexicon.phrases.bits(word) & Bit.FUNCTION_WORDS
                weight = _FUNCTION_WEIGHT if function else _LISTED_WEIGHT
                self._weights.setdefault(word, []).append((order, weight))

    def recognise(self, sentence: str, around: str) -> Lexicon | None:
        """Return the language of a sentence, or None; its own words count double."""
        scores = [0] * len(self._lexicons)
        for text, factor in ((sentence, 2), (around, 1)):
            for word in _WORD.findall(text):
                weights = self._weights.get(word)
                if weights is None and "'" in word:
                    weights = self._weights.get(word[: word.index("'") + 1])  # l'eau
                for order, weight in weights or ():
                    scores[order] += factor * weight
        best = max(scores, default=0)
        return self._lexicons[scores.index(best)] if best else None
