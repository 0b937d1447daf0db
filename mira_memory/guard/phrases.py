# SPDX-License-Identifier: Apache-2.0
"""Find the listed phrases in a sentence, each with the lists that hold it.

The notation of a line, that of JSGF without its rule names, is described in docs/grounding.md,
"Adding a language".
"""

import re
from collections.abc import Iterable, Sequence

NUMBER = "0"
_PHRASES_MAX = 2000
_SYMBOL = re.compile(r"[()\[\]|]|\\[()\[\]|]|[^\s()\[\]|\\]+")
_CLOSING = {"(": ")", "[": "]"}

Phrase = tuple[str, ...]
# A phrase found: how many words long, and the bits of its lists.
Found = tuple[int, int]


class PhraseRefused(ValueError):
    """Refuse a line that is no phrase."""


def expand(line: str) -> list[Phrase]:
    """Return every phrase that a line stands for, as words.

    `a | b` is one or the other; `( )` groups; `[ ]` groups what may be left out.

    Raises:
        PhraseRefused: a bracket or an alternative is missing, nothing needs to be there, or the
            line stands for more than 2,000 phrases.
    """
    symbols = _SYMBOL.findall(line.casefold())
    phrases, end = _alternatives(symbols, 0, line)
    if end < len(symbols):
        raise PhraseRefused(f"the line {line!r} closes a bracket that it did not open")
    if () in phrases:
        raise PhraseRefused(f"the line {line!r} may be empty; at least one word must be there")
    return sorted(phrases)


def _alternatives(symbols: Sequence[str], at: int, line: str) -> tuple[set[Phrase], int]:
    """Return the phrases from `at` to the closing bracket, and where that is."""
    phrases: set[Phrase] = set()
    sequence: set[Phrase] = {()}
    while at < len(symbols):
        symbol = symbols[at]
        at += 1
        if symbol in _CLOSING:
            inner, at = _alternatives(symbols, at, line)
            if at == len(symbols) or symbols[at] != _CLOSING[symbol]:
                raise PhraseRefused(f"the line {line!r} does not close a bracket")
            at += 1
            inner |= {()} if symbol == "[" else set()
            sequence = {left + right for left in sequence for right in inner}
        elif symbol == "|":
            phrases |= _whole(sequence, line)
            sequence = {()}
        elif symbol in _CLOSING.values():
            at -= 1
            break
        else:
            sequence = {(*words, symbol.removeprefix("\\")) for words in sequence}
        if len(sequence) + len(phrases) > _PHRASES_MAX:
            raise PhraseRefused(f"the line {line!r} stands for too many phrases; split it")
    return phrases | _whole(sequence, line), at


def _whole(sequence: set[Phrase], line: str) -> set[Phrase]:
    if sequence == {()}:
        raise PhraseRefused(f"the line {line!r} has an empty alternative; write a | b")
    return sequence


class PhraseTable:
    """Hold the phrases of all lists of one language, as a tree of words."""

    def __init__(self) -> None:
        """Begin with no phrase."""
        self._root = _Node()

    def add(self, lines: Iterable[str], bit: int, token: re.Pattern[str]) -> None:
        """Add the phrases of one list under its bit; `token` matches a word or mark.

        Raises:
            PhraseRefused: as `expand`.
        """
        for line in lines:
            for phrase in expand(line):
                node = self._root
                for word in token.findall(" ".join(phrase)):
                    node = node.branches.setdefault(word, _Node())
                node.bits |= bit

    def words(self) -> frozenset[str]:
        """Return every word that begins a phrase."""
        return frozenset(self._root.branches)

    def bits(self, word: str) -> int:
        """Return the lists that hold this one word."""
        node = self._root.branches.get(word)
        return node.bits if node else 0

    def find(self, words: Sequence[str]) -> list[list[Found]]:
        """Return, for each position, the phrases that start there, the longest first."""
        found: list[list[Found]] = []
        branches = self._root.branches
        length = len(words)
        for start, first in enumerate(words):
            here: list[Found] = []
            node = branches.get(first)
            at = start + 1
            while node is not None:
                if node.bits:
                    here.append((at - start, node.bits))
                if at == length or not node.branches:
                    break
                node = node.branches.get(words[at])
                at += 1
            here.reverse()
            found.append(here)
        return found


class _Node:
    """One word further into a phrase; `bits` are the lists in which a phrase ends here."""

    __slots__ = ("bits", "branches")

    def __init__(self) -> None:
        self.bits = 0
        self.branches: dict[str, _Node] = {}
