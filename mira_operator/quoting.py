# SPDX-License-Identifier: Apache-2.0
"""Quoted words of the command grammar (docs/memory.md, "Administration")."""

from dataclasses import dataclass

CLOSING_QUOTE = {'"': '"', "“": "”"}
_QUOTES = frozenset(CLOSING_QUOTE) | frozenset(CLOSING_QUOTE.values())


class BadQuoting(ValueError):
    """A command line whose quotes do not pair; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command: bare, or the unescaped text between two quotes."""

    text: str
    quoted: bool


def split(line: str) -> tuple[Word, ...]:
    r"""
    Split a command line into words at white space outside quotes.

    Inside quotes ``\"`` stands for a quote and ``\\`` for a backslash; any other backslash is
    itself. A pair of typographic quotes is accepted in place of two straight ones.

    :raises BadQuoting: a quote is not closed, or stands inside a bare word.
    """
    words: list[Word] = []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] in CLOSING_QUOTE:
            text, at = _quoted(line, at)
            words.append(Word(text, quoted=True))
            if at < len(line) and not line[at].isspace():
                raise BadQuoting("A closing quote must be followed by a space.")
        else:
            end = at
            while end < len(line) and not line[end].isspace():
                end += 1
            if not _QUOTES.isdisjoint(line[at:end]):
                raise BadQuoting(
                    "A quote stands inside a word; put one before and one after the text."
                )
            words.append(Word(line[at:end], quoted=False))
            at = end
    return tuple(words)


def quote(text: str) -> str:
    r"""Return text between straight quotes, so that ``split`` gives it back unchanged."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _quoted(line: str, start: int) -> tuple[str, int]:
    closing = CLOSING_QUOTE[line[start]]
    escapable = {"\\", line[start], closing}
    text: list[str] = []
    at = start + 1
    while at < len(line):
        character = line[at]
        if character == closing:
            return "".join(text), at + 1
        if character == "\\" and line[at + 1 : at + 2] in escapable:
            at += 1
            character = line[at]
        text.append(character)
        at += 1
    raise BadQuoting("A quote is opened and never closed.")
