# SPDX-License-Identifier: Apache-2.0
"""One character of every kind that no stored text may hold (docs/memory.md, "Identity")."""

SENDABLE = {
    "a control character": "\x07",
    "a line feed": "\n",
    "a private use character": "\ue000",
    "a private use character beyond the base plane": "\U00100000",
    "an unassigned character": "\u0378",
    "a noncharacter": "\ufdd0",
    "the replacement character": "\ufffd",
    "a zero width space": "\u200b",
    "a soft hyphen": "\u00ad",
    "a right-to-left override": "\u202e",
    "a braille blank": "\u2800",
    "a hangul filler": "\u3164",
    "a combining grapheme joiner": "\u034f",
    "a joiner between letters": "\u200d",
    "a variation selector after a letter": "\ufe0f",
    "a tag": "\U000e0041",
}
# The middleware can carry neither: the text would end there, or could not be encoded.
UNSENDABLE = {"a null": "\0", "a lone surrogate": "\ud800"}
REFUSED = SENDABLE | UNSENDABLE


def spoilt(text: str, character: str) -> str:
    """Return the text with a character put into its middle, between two letters."""
    middle = len(text) // 2
    while not (text[middle - 1].isalpha() and text[middle].isalpha()):
        middle -= 1
    return text[:middle] + character + text[middle:]
