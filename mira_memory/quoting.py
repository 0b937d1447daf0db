# SPDX-License-Identifier: Apache-2.0
"""Quote stored text so that nothing in it can end the quotation or start a line.

Follows docs/memory.md, "Recall".
"""

import unicodedata
from functools import lru_cache

import regex

FIELD_MAX = 1000

_GRAPHEME = regex.compile(r"\X")
_JOINERS = "\u200c\u200d"
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


@lru_cache(maxsize=1024)
def quoted(text: str) -> str:
    """Return `text` in double quotes, on one line, cut to FIELD_MAX characters.

    Quotation marks and backslashes are escaped, and so is what a terminal or a model would not
    show as a character. A cut is at a grapheme boundary (UAX #29) and marked after the quotes.
    """
    if len(text) <= FIELD_MAX and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    shown: list[str] = []
    room = FIELD_MAX
    for grapheme in _GRAPHEME.finditer(text):
        escaped = "".join(map(_escaped, grapheme.group()))
        room -= len(escaped)
        if room < 0:
            return f'"{"".join(shown)}" (cut: {len(text) - grapheme.start()} more characters)'
        shown.append(escaped)
    return f'"{"".join(shown)}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if unicodedata.category(character) in _ESCAPED_CATEGORIES and character not in _JOINERS:
        return f"\\u{{{ord(character):x}}}"
    return character
