# SPDX-License-Identifier: Apache-2.0
"""Find the listed phrases in a sentence, each with the keys of the lists that hold it.

The notation of a line is described in docs/grounding.md, "Adding a language".
"""

from collections.abc import Iterable, Sequence
from itertools import product

NUMBER = "#"
_EXPANSION_MAX = 20_000

# A phrase found: how many words long, and the bits of its lists.
Found = tuple[int, int]


class PhraseRefused(ValueError):
    """Refuse a line that is no phrase."""


def expand(line: str) -> list[tuple[str, ...]]:
    """Return every phrase that a line stands for, as words.

    `a|b` is one of several words; a `?` after it makes it optional.

    Raises:
        PhraseRefused: an empty alternative, only optional words, or more than 20,000 phrases.
    """
    choices: list[list[tuple[str, ...]]] = []
    count = 1
    for field in line.split():
        optional = len(field) > 1 and field.endswith("?")
        words = (field[:-1] if optional else field).split("|")
        if not all(words):
            raise PhraseRefused(f"the line {line!r} has an empty alternative; write a|b")
        choices.append([(word.casefold(),) for word in words] + [()] * optional)
        count *= len(choices[-1])
        if count > _EXPANSION_MAX:
            raise PhraseRefused(f"the line {line!r} stands for too many phrases; split it")
    phrases = {tuple(word for part in parts for word in part) for parts in product(*choices)}
    if () in phrases:
        raise PhraseRefused(f"the line {line!r} may be empty; at least one word must be there")
    return sorted(phrases)


class PhraseTable:
    """Hold the phrases of all lists of one language."""

    def __init__(self) -> None:
        """Begin with no phrase."""
        # A tree of words; a node holds the bits of the phrase that ends there.
        self._root = _Node()

    def add(self, lines: Iterable[str], bit: int) -> None:
        """Add the phrases of one list under its bit.

        Raises:
            PhraseRefused: as `expand`.
        """
        for line in lines:
            for phrase in expand(line):
                node = self._root
                for word in phrase:
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
    __slots__ = ("bits", "branches")

    def __init__(self) -> None:
        self.bits = 0
        self.branches: dict[str, _Node] = {}
