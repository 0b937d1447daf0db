# SPDX-License-Identifier: Apache-2.0
"""The word lists of one language, and the small patterns over words that they are written in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict

from mira_memory.text import fold_typography

_WORD = re.compile(r"'?[^\W_]+|[✅✔☑💾📝👍]")
_ELEMENT = re.compile(r"<(?P<name>\w+)>(?P<often>[?*]?)")
_OFTEN = {"": "", "?": "?", "*": "{0,4}"}
_SETS = (
    "asking",
    "negations",
    "opinions",
    "conditions",
    "provisos",
    "doubts",
    "undone",
    "plain",
    "memory",
    "claimants",
    "others",
    "light",
    "being",
    "having",
    "places",
    "fresh",
    "following",
)
_PATTERNS = (
    "neutral",
    "joints",
    "restarts",
    "open",
    "recalled",
    "stored",
    "finished",
    "unforgotten",
    "promised",
    "acted",
    "vouched",
    "deniable",
    "requests",
)


@dataclass(frozen=True, slots=True)
class Language:
    """The compiled lists of one language; what they mean is described at WordLists."""

    stop: frozenset[str]
    asking: frozenset[str]
    negations: frozenset[str]
    opinions: frozenset[str]
    conditions: frozenset[str]
    provisos: frozenset[str]
    doubts: frozenset[str]
    undone: frozenset[str]
    plain: frozenset[str]
    memory: frozenset[str]
    claimants: frozenset[str]
    others: frozenset[str]
    light: frozenset[str]
    being: frozenset[str]
    having: frozenset[str]
    places: frozenset[str]
    fresh: frozenset[str]
    following: frozenset[str]
    negates_backwards: bool
    patterns: Mapping[str, re.Pattern[str]]

    def asks_for_write(self, clauses: Iterable[str]) -> bool:
        """Tell whether one of the clauses of an utterance asks to have something stored."""
        return any(self.patterns["requests"].search(clause) for clause in clauses)

    def parts(self, clause: str) -> list[str]:
        """Divide a clause where a new statement is joined on, without what means nothing here."""
        plain = self.patterns["neutral"].sub("", clause)
        return [part for part in self.patterns["joints"].split(plain) if part.strip()]

    def found(self, name: str, text: str) -> Iterator[re.Match[str]]:
        """Return where one of the patterns of the list `name` stands in `text`."""
        return self.patterns[name].finditer(text)


class WordLists(BaseModel):
    """Word lists as data (mira_cognition/languages/*.yaml).

    A pattern is words with spaces between; `<name>` is any word of the list `name`, `<name>?` and
    `<name>*` at most one and up to four of them, `...` up to five words of which none negates,
    `*ed` any longer word with that end, a leading `^` the start of a clause, a trailing `$` its
    end.

    `requests` are what an operator says to have something stored. In what a model says, `neutral`
    is passed over, `joints` divide clauses, and from `asking` on a sentence with a question mark
    is a question. Its claims are

    - `stored`, unless it stands after `open` (a modal verb, an article) or one of `doubts`, is
      negated, follows `recalled`, or is about others: its clause has no word of `memory`, and its
      subject is one of `others`, or nothing in it is one of `claimants`, all of `light` or, with a
      form of `being`, `fresh`; a passive must then name one of `places`. At the start of a clause
      it is an adjective where neither `following` nor the end comes next, but `being` later.
    - `finished`, always.
    - `promised` and `unforgotten`, unless after one of `conditions`, or with one of `provisos` in
      the sentence or `undone` in the clause; and `promised` unless negated.
    - `acted`, and in the answer to a request `vouched`, under the same terms, unless one of
      `negations`, `doubts` or, near it, `plain` is there.

    A negation reaches up to one of `restarts`, a new subject, and past it after `opinions`; with
    `negates_backwards` it reaches the whole clause. `having` are the auxiliaries of the perfect.
    A clause that has both `deniable` and a negation is a denial.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stop: tuple[str, ...]
    asking: tuple[str, ...]
    negations: tuple[str, ...]
    negates_backwards: bool = False
    opinions: tuple[str, ...] = ()
    conditions: tuple[str, ...]
    provisos: tuple[str, ...]
    doubts: tuple[str, ...]
    undone: tuple[str, ...]
    plain: tuple[str, ...]
    memory: tuple[str, ...]
    claimants: tuple[str, ...]
    others: tuple[str, ...]
    light: tuple[str, ...]
    being: tuple[str, ...]
    having: tuple[str, ...]
    places: tuple[str, ...]
    fresh: tuple[str, ...]
    following: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    neutral: tuple[str, ...]
    joints: tuple[str, ...]
    restarts: tuple[str, ...] = ()
    open: tuple[str, ...]
    recalled: tuple[str, ...]
    stored: tuple[str, ...]
    finished: tuple[str, ...]
    unforgotten: tuple[str, ...]
    promised: tuple[str, ...]
    acted: tuple[str, ...]
    vouched: tuple[str, ...]
    deniable: tuple[str, ...]
    requests: tuple[str, ...]


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
        negates_backwards=lists.negates_backwards,
        patterns={name: _any_of(getattr(lists, name), lists) for name in _PATTERNS},
        **{name: frozenset(getattr(lists, name)) for name in _SETS},
    )


def stop_words() -> frozenset[str]:
    """Return every way to say stop, in every language that there are lists of."""
    listed = files("mira_cognition").joinpath("languages").iterdir()
    names = [entry.name.removesuffix(".yaml") for entry in listed if entry.name.endswith(".yaml")]
    return frozenset().union(*(load_language(name).stop for name in names))


def clause_words(clause: str) -> str:
    """Reduce a clause to its folded words with single spaces; "I've" becomes "i 've"."""
    return " ".join(_WORD.findall(fold_typography(clause).casefold()))


def _any_of(patterns: Iterable[str], lists: WordLists) -> re.Pattern[str]:
    return re.compile("|".join(_pattern(pattern, lists) for pattern in patterns) or "(?!)")


def _pattern(pattern: str, lists: WordLists) -> str:
    parts = []
    for element in pattern.strip("^$ ").split():
        listed = _ELEMENT.fullmatch(element)
        if element == "...":
            negating = "|".join(map(_literal, lists.negations))
            parts.append(rf"(?:(?!{negating})\S+\s){{0,5}}?")
        elif "*" in element and listed is None:
            stem = r"\S{2,}" if element.startswith("*") else r"\S+"
            parts.append(_literal(element).replace(r"\*", stem))
        elif listed is None:
            parts.append(_literal(element))
        else:
            options = "|".join(map(_literal, _listed(listed["name"], lists)))
            parts.append(f"(?:{options}){_OFTEN[listed['often']]}")
    start = "^" if pattern.startswith("^") else r"(?<!\S)"
    return start + "".join(parts) + ("$" if pattern.endswith("$") else "")


def _listed(name: str, lists: WordLists) -> tuple[str, ...]:
    return lists.words[name] if name in lists.words else getattr(lists, name)


def _literal(word: str) -> str:
    kept = word if "*" in word else clause_words(word)
    return re.escape(kept).replace(r"\ ", " ") + r"(?:\s|$)"
