# SPDX-License-Identifier: Apache-2.0
"""The word lists of one language, and the small patterns over words that they are written in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict

from mira_memory.text import fold_typography

_WORD = re.compile(r"'?\w+")
_ELEMENT = re.compile(r"<(?P<name>\w+)>(?P<often>[?*]?)")
_OFTEN = {"": "", "?": "?", "*": "{0,4}"}


@dataclass(frozen=True, slots=True)
class Language:
    """The compiled lists of one language."""

    stop: frozenset[str]
    negations: frozenset[str]
    inversions: frozenset[str]
    conditions: frozenset[str]
    requests: tuple[re.Pattern[str], ...]
    claims: tuple[re.Pattern[str], ...]
    promises: tuple[re.Pattern[str], ...]
    mentions: tuple[re.Pattern[str], ...]

    def asks_for_write(self, clauses: Iterable[str]) -> bool:
        """Tell whether one of the clauses of an utterance asks to have something stored."""
        return any(pattern.search(clause) for clause in clauses for pattern in self.requests)

    def claims_write(self, clauses: Iterable[str], *, mentions: bool) -> bool:
        """Tell whether one of the clauses of a sentence, as clause_words gives them, claims it.

        With `mentions` to speak of storing is to claim it, apart from denials and conditions.
        """
        conditional = False
        for clause in clauses:
            words = clause.split()
            conditional = conditional or not self.conditions.isdisjoint(words)
            patterns = self.claims if conditional else self.claims + self.promises
            if any(self._unnegated(pattern.search(clause)) for pattern in patterns):
                return True
            if not mentions or conditional or not self.negations.isdisjoint(words):
                continue
            if any(pattern.search(clause) for pattern in self.mentions):
                return True
        return False

    def _unnegated(self, found: re.Match[str] | None) -> bool:
        if found is None:
            return False
        before = found.string[: found.start()].split()
        return self.negations.isdisjoint(before) and self.inversions.isdisjoint(before[-1:])


class WordLists(BaseModel):
    """Word lists as data (mira_cognition/languages/*.yaml).

    A pattern is words with spaces between; `<name>` is any word of the list `name`, `<name>?` and
    `<name>*` at most one and up to four of them, `...` up to five words of which none negates, a
    leading `^` the start of a clause, a trailing `$` its end. `claims` are claims wherever they
    stand unless a word of `negations` stands before them in the clause, or one of `inversions`
    right before them ("have I saved it"); `promises` are none after a word of `conditions` either.
    `requests` are what an operator says to have something stored. In the answer to that `mentions`
    are taken for claims too, unless the clause has a word of `negations` or follows a condition.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stop: tuple[str, ...]
    negations: tuple[str, ...]
    inversions: tuple[str, ...]
    conditions: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    claims: tuple[str, ...]
    promises: tuple[str, ...]
    requests: tuple[str, ...]
    mentions: tuple[str, ...]


class UnknownLanguage(ValueError):
    """There are no word lists of this language."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there are no word lists for the language {name!r}; "
            "add mira_cognition/languages/<language>.yaml or leave it out"
        )


@cache
def load_language(name: str) -> Language:
    """Load, validate and compile one language; raise UnknownLanguage where there is none."""
    source = files("mira_cognition").joinpath("languages", f"{name}.yaml")
    if not name.isalpha() or not source.is_file():
        raise UnknownLanguage(name)
    lists = WordLists.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))
    return Language(
        stop=frozenset(map(clause_words, lists.stop)),
        negations=frozenset(lists.negations),
        inversions=frozenset(lists.inversions),
        conditions=frozenset(lists.conditions),
        requests=_compiled(lists.requests, lists),
        claims=_compiled(lists.claims, lists),
        promises=_compiled(lists.promises, lists),
        mentions=_compiled(lists.mentions, lists),
    )


def stop_words() -> frozenset[str]:
    """Return every way to say stop, in every language that there are lists of."""
    listed = files("mira_cognition").joinpath("languages").iterdir()
    names = [entry.name.removesuffix(".yaml") for entry in listed if entry.name.endswith(".yaml")]
    return frozenset().union(*(load_language(name).stop for name in names))


def clause_words(clause: str) -> str:
    """Reduce a clause to its folded words with single spaces; "I've" becomes "i 've"."""
    return " ".join(_WORD.findall(fold_typography(clause).casefold()))


def _compiled(patterns: Iterable[str], lists: WordLists) -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(pattern, lists) for pattern in patterns)


def _pattern(pattern: str, lists: WordLists) -> re.Pattern[str]:
    parts = []
    for element in pattern.strip("^$ ").split():
        listed = _ELEMENT.fullmatch(element)
        if element == "...":
            negating = "|".join(map(_literal, lists.negations))
            parts.append(rf"(?:(?!{negating})\S+\s){{0,5}}?")
        elif listed is None:
            parts.append(_literal(element))
        else:
            options = "|".join(map(_literal, lists.words[listed["name"]]))
            parts.append(f"(?:{options}){_OFTEN[listed['often']]}")
    start = "^" if pattern.startswith("^") else r"(?<!\S)"
    return re.compile(start + "".join(parts) + ("$" if pattern.endswith("$") else ""))


def _literal(word: str) -> str:
    return re.escape(clause_words(word)).replace(r"\ ", " ") + r"(?:\s|$)"
