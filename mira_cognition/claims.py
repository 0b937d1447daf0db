# SPDX-License-Identifier: Apache-2.0
"""The claim guard: no reply says that something was stored unless the memory node said so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mira_cognition.claim_reading import claims_write, denies_write
from mira_cognition.phrases import clause_words, load_language
from mira_memory.text import fold_typography

LANGUAGES = ("en", "de", "es", "fr")

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…。！？]+[\"')\]»”*_~`]*(?=\s|$)|(?=\n)|$)")
_QUOTED = re.compile(r"\"[^\"\n]*\"|«[^»\n]*»|(?<!\w)'[^'\n]*'(?!\w)")
_CLAUSE = re.compile(r"[,;:()\n]|(?<!\w)-|-(?!\w)|[.!?…。！？]+(?=[\s*_~`\"]|$)")


@dataclass(frozen=True, slots=True)
class Guarded:
    """A reply that claims no write, and how many sentences had to be replaced for that."""

    text: str
    replaced: int


class ClaimGuard:
    """Find sentences that claim a write, with word lists per language (docs/cognition.md)."""

    def __init__(self, languages: Sequence[str] = LANGUAGES) -> None:
        self._languages = tuple(load_language(name) for name in languages)

    def asked(self, utterance: str) -> bool:
        """Tell whether an operator asks to have something stored."""
        clauses = _clauses(utterance)
        return any(language.asks_for_write(clauses) for language in self._languages)

    def claims(self, sentence: str, *, asked: bool = False) -> bool:
        """Tell whether a sentence says that something was, is or will be stored.

        Where that was `asked` for, it need not speak of storing to say so.
        """
        question = sentence.rstrip(" \"'*_)]»”").endswith("?")
        clauses = _clauses(sentence.partition("¿")[0])
        return any(
            claims_write(language, clauses, question=question, strict=asked)
            for language in self._languages
        )

    def denies(self, reply: str) -> bool:
        """Tell whether a reply says that something was not stored."""
        clauses = _clauses(reply)
        return any(denies_write(language, clauses) for language in self._languages)

    def without_claims(self, reply: str, statement: str, *, asked: bool = False) -> Guarded:
        """Replace the first claiming sentence by `statement`, and leave the others out."""
        replaced = 0

        def guarded(match: re.Match[str]) -> str:
            nonlocal replaced
            sentence = match.group()
            if not self.claims(sentence, asked=asked):
                return sentence
            replaced += 1
            lead = sentence[: len(sentence) - len(sentence.lstrip())]
            return lead + statement if replaced == 1 else ""

        text = _SENTENCE.sub(guarded, reply)
        return Guarded(text.strip(), replaced)


def _clauses(text: str) -> tuple[str, ...]:
    folded = fold_typography(text)
    outside = _QUOTED.sub(" ", folded)
    # Where nothing is said around the quotation, it is the model's own words, or its JSON.
    if text.lstrip().startswith(("{", "[")) or not clause_words(outside):
        outside = folded.replace('"', " ")
    return tuple(clause for part in _CLAUSE.split(outside) if (clause := clause_words(part)))
