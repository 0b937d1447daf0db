# SPDX-License-Identifier: Apache-2.0
"""Tell the characters that no stored text may hold: invisible, control, private or unassigned.

Follows docs/memory.md, "Identity and text". General categories come from the interpreter's own
tables, since NFKC and case folding do too: a character that they don't know is refused, which
keeps stored keys stable when they grow. The `regex` package adds the properties that the standard
library lacks.
"""

import unicodedata

import regex

_ZWNJ = "\u200c"
_ZWJ = "\u200d"
_VIRAMA = 9

# Printable by category, yet nothing to see, or the middleware's mark for broken UTF-8.
_UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u2800\ufffd]")
_ARABIC_LETTER = regex.compile(r"[\p{Script=Arabic}&&\p{L}]", flags=regex.V1)
_PICTOGRAPH = regex.compile(r"\p{Extended_Pictographic}")
_PICTOGRAPH_THEN_ZWJ = regex.compile(r"\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?\Z")
_VARIATION = regex.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_EMOJI_OR_IDEOGRAPH = regex.compile(
    r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Ideographic}]"
)
_KEYCAP = regex.compile(r"[0-9#*]\ufe0f\u20e3")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn"})


def refused_character(text: str) -> str | None:
    """Return the first refused character as a code point ("U+200B"), or None.

    ZWNJ and ZWJ are allowed after a virama and between Arabic letters, ZWJ inside an emoji
    sequence, a variation selector after an emoji or ideograph.
    """
    if text.isprintable() and (text.isascii() or _UNSEEN.search(text) is None):
        return None
    for index, character in enumerate(text):
        hidden = unicodedata.category(character) in _HIDDEN_CATEGORIES
        if (hidden or _UNSEEN.match(character)) and not is_needed(text, index):
            return f"U+{ord(character):04X}"
    return None


def is_needed(text: str, index: int) -> bool:
    """Tell whether a script or an emoji needs the invisible character at `index` where it is."""
    character = text[index]
    if character in (_ZWNJ, _ZWJ):
        return (
            _follows_virama(text, index)
            or _is_between_arabic_letters(text, index)
            or (character == _ZWJ and _is_in_emoji(text, index))
        )
    if _VARIATION.match(character):
        return index > 0 and (
            _EMOJI_OR_IDEOGRAPH.match(text[index - 1]) is not None
            or _KEYCAP.match(text, index - 1) is not None
        )
    return False


def _follows_virama(text: str, index: int) -> bool:
    return index > 0 and unicodedata.combining(text[index - 1]) == _VIRAMA


def _is_between_arabic_letters(text: str, index: int) -> bool:
    before = index - 1
    while before >= 0 and unicodedata.category(text[before]) == "Mn":
        before -= 1
    return (
        before >= 0
        and index + 1 < len(text)
        and _ARABIC_LETTER.match(text[before]) is not None
        and _ARABIC_LETTER.match(text[index + 1]) is not None
    )


def _is_in_emoji(text: str, index: int) -> bool:
    return (
        index + 1 < len(text)
        and _PICTOGRAPH.match(text[index + 1]) is not None
        and _PICTOGRAPH_THEN_ZWJ.search(text[max(0, index - 3) : index]) is not None
    )
