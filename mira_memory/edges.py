# SPDX-License-Identifier: Apache-2.0
"""Mark where an occurrence may begin or end in a text: between words, numbers and characters.

Follows docs/grounding.md, "Occurrences".
"""

import regex

from mira_memory.alignment import Aligned
from mira_memory.numerals import numerals
from mira_memory.text import fold_typography

# Letters, digits, marks and connector punctuation, and the joiners inside a word. An apostrophe is
# none of them: it ends a word.
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}\p{Pc}\u200c\u200d]{2,}")
# "C++", "C#" and "A+" end in their signs.
_SIGNED = regex.compile(r"(?<=[\p{L}\p{N}])[+#]++(?![\p{L}\p{N}])")
# Written without spaces: every character is a word's edge.
_UNSPACED = regex.compile(
    r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}"
    r"\p{scx=Myanmar}--\p{P}\p{S}\p{Z}]+",
    flags=regex.V1,
)


def find_edges(aligned: Aligned) -> bytes:
    """Return one byte for each index of the key and one for its end: 1 where an edge is.

    An edge lies on the boundary of a piece (no source character or grapheme cluster is cut). It
    does not lie between two word characters, unless one of them belongs to a script written
    without spaces, never before a sign that ends a word, and never inside a number.
    """
    text = fold_typography(aligned.key)
    edges = bytearray(b"\x01") * (len(text) + 1)
    for word in _WORD.finditer(text):
        edges[word.start() + 1 : word.end()] = bytes(word.end() - word.start() - 1)
    if not text.isascii():
        for run in _UNSPACED.finditer(text):
            edges[run.start() : run.end() + 1] = b"\x01" * (run.end() - run.start() + 1)
    if 0 in aligned.boundaries:
        edges = _both(edges, aligned.boundaries)
    for signs in _SIGNED.finditer(text):
        edges[signs.start() : signs.end()] = bytes(signs.end() - signs.start())
    for start, end in numerals(aligned.key):
        edges[start + 1 : end] = bytes(end - start - 1)
    return bytes(edges)


def _both(first: bytearray, second: bytes) -> bytearray:
    joined = int.from_bytes(first, "big") & int.from_bytes(second, "big")
    return bytearray(joined.to_bytes(len(first), "big"))
