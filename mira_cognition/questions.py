# SPDX-License-Identifier: Apache-2.0
"""The plain questions and courtesies that the offline policy can answer (docs/cognition.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mira_cognition.phrases import clause_words
from mira_memory.text import SELF_WORDS, fold_typography, key


@dataclass(frozen=True, slots=True)
class Question:
    """Ask about a name; `label` is what is asked of it, None for everything."""

    name: str
    label: str | None = None


_NAME = r"(?P<name>[^,;:?!]+?)"
_END = r"(?:,? please)?[.?! ]*"
_QUESTIONS = tuple(
    re.compile(pattern + _END, re.IGNORECASE)
    for pattern in (
        rf"(?:please )?(?:what do you (?:know|remember) about|tell me about) {_NAME}",
        rf"what(?:'s| is| are) {_NAME}(?:'s|(?<=s)') (?P<label>[^,;:?!]+?)",
        r"what(?:'s| is| are) (?P<name>your) (?P<label>[^,;:?!]+?)",
        rf"where(?:'s| is| are) (?P<place>{_NAME})",
        rf"(?:who|what)(?:'s| is| are) {_NAME}",
    )
)
_GREETINGS = frozenset(
    ["hello", "hi", "hey", "good morning", "good afternoon", "good evening", "hello there"]
)
_HELP = frozenset(["help", "what can you do", "what can i say", "help me"])
_ARTICLE = re.compile(r"(?:the|a|an) ", re.IGNORECASE)


def read_question(sentence: str, robot_name: str) -> Question | None:
    """Read one sentence of the utterance; "you" and "your" become the robot's name."""
    folded = fold_typography(sentence)
    vocative = re.match(
        rf"(?:hey )?{re.escape(fold_typography(robot_name))}, ", folded, re.IGNORECASE
    )
    start = vocative.end() if vocative else 0
    for pattern in _QUESTIONS:
        match = pattern.fullmatch(folded, start)
        if match is None:
            continue
        groups = match.groupdict()
        name = sentence[match.start("name") : match.end("name")].strip()
        if key(name) in SELF_WORDS:
            name = robot_name
        return Question(name, "location" if groups.get("place") else groups.get("label"))
    return None


def without_article(name: str) -> str | None:
    """Return a name without its article, None where it has none: the second thing to look up."""
    article = _ARTICLE.match(name)
    return name[article.end() :] if article else None


def is_greeting(text: str, robot_name: str) -> bool:
    """Tell whether the whole utterance is a greeting."""
    words = clause_words(text)
    return words.removesuffix(f" {clause_words(robot_name)}") in _GREETINGS


def is_call_for_help(text: str) -> bool:
    """Tell whether the whole utterance asks what can be said."""
    return clause_words(text) in _HELP
