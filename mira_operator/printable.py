# SPDX-License-Identifier: Apache-2.0
"""Text from elsewhere, made safe to print: no control sequence reaches the terminal."""

import unicodedata

# Embeddings, overrides and isolates of UAX #9 reorder whatever follows them on the line.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    r"""
    Return text on one line with controls, surrogates and reordering marks as ``\x1b``, ``\u202e``.

    Joiners and variation selectors stay: scripts and emoji need them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c) if _is_unsafe(c) else c for c in text)


def printable_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text, each safe to print; trailing white space is dropped."""
    return tuple(printable(line).rstrip() for line in text.splitlines())


def excerpt(text: str, limit: int = 40) -> str:
    """Return at most ``limit`` printable characters of a text, with a mark where it was cut."""
    return printable(text if len(text) <= limit else text[: limit - 1] + "…")


def _is_unsafe(character: str) -> bool:
    return character in _REORDERING or unicodedata.category(character) in _ESCAPED_CATEGORIES


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
