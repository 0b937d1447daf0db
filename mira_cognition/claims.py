# SPDX-License-Identifier: Apache-2.0
"""The claim guard: no reply says that something was stored unless the memory node said so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mira_cognition.phrases import clause_words, load_language
from mira_memory.text import fold_typography

LANGUAGES = ("en", "de", "es", "fr")

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…。！？]+[\"')\]»”]*(?=\s|$)|(?=\n)|$)")
_QUOTED = re.compile(r"\"[^\"\n]*\"|«[^»\n]*»|(?<!\w)'[^'\n]*'(?!\w)")
_CLAUSE = re.compile(r"[,;:()\n]|(?<!\w)-|-(?!\w)|[.!?…。！？]+(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Guarded:
    """A reply that claims no write, and how many sentences had to be replaced for that."""

    text: str
    replaced: int


class ClaimGuard:
    """Find sentences that claim a write, with word lists per language (docs/cognition.md)."""

    def __init__(self, languages: Sequence[str] = LANGUAGES) -> None:
        self._languages = tuple(load_language(name) for name in languages)

    def claims(self, sentence: str) -> bool:
        """Tell whether a sentence says that something was, is or will be stored."""
        clauses = _CLAUSE.split(_QUOTED.sub(" ", fold_typography(sentence)))
        return any(
            language.claims_write(map(clause_words, clauses)) for language in self._languages
        )

    def without_claims(self, reply: str, statement: str) -> Guarded:
        """Replace the first claiming sentence by `statement`, and leave the others out."""
        replaced = 0

        def guarded(match: re.Match[str]) -> str:
            nonlocal replaced
            sentence = match.group()
            if not self.claims(sentence):
                return sentence
            replaced += 1
            lead = sentence[: len(sentence) - len(sentence.lstrip())]
            return lead + statement if replaced == 1 else ""

        text = _SENTENCE.sub(guarded, reply)
        return Guarded(text.strip(), replaced)
