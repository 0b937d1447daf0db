# SPDX-License-Identifier: Apache-2.0
"""Align a text's display form with its key, so that a find in the key leads to the words said.

NFKC and case folding change lengths (`ß`, the ligature `ﬁ`, Hangul jamo). The text is cut into
pieces that no occurrence may cut: a piece is a grapheme cluster of the source, and everything
that one source character became. Follows UAX #15 and UAX #29.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from mira_memory.text import key

# A run of characters that NFKC leaves as they are, each a cluster of its own, is read at once.
# Compatibility jamo become conjoining ones, which compose with their neighbours across clusters.
# Flags are taken in pairs, since `\X` looks back over a whole run of them for each one.
_PIECE = regex.compile(
    r"(?P<simple>[\n[\p{GCB=Other}&&\p{NFKC_Quick_Check=Yes}]]+"
    r"(?![\p{GCB=Extend}\p{GCB=SpacingMark}\u200d]))"
    r"|(?P<hangul>\p{Script=Hangul}[\p{Script=Hangul}\p{M}]*+)"
    r"|[\U0001f1e6-\U0001f1ff]{2}\p{M}*|\X",
    flags=regex.V1,
)
_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Aligned:
    """Hold a display form, its key, and how they belong together; "\\n" marks a line break.

    `origin[i]` is the index in `display` of the piece that `key[i]` belongs to, with one more
    entry for the end. `boundaries[i]` is 1 where a piece begins, and at the end.
    """

    display: str
    key: str
    origin: Sequence[int]
    boundaries: bytes


def align(text: str) -> Aligned:
    """Return the aligned forms of a text whose white space is already collapsed."""
    if text.isascii():
        length = len(text)
        return Aligned(text, text.lower(), range(length + 1), b"\x01" * (length + 1))
    shown: list[str] = []
    folded: list[str] = []
    origin: list[int] = []
    boundaries = bytearray()
    at = 0
    blank = True
    for display, piece_key, starts in _pieces(text):
        if blank and display[0] == " ":
            # Some characters decompose to a space and a mark; white space collapses again, and
            # the mark joins what is before it.
            display, piece_key, starts = display.lstrip(), piece_key.lstrip(), b"\x00"
            if not display:
                continue
        shown.append(display)
        folded.append(piece_key)
        if starts is _EACH:
            origin.extend(range(at, at + len(display)))
            boundaries += b"\x01" * len(piece_key)
        else:
            origin.extend([at] * len(piece_key))
            boundaries += starts + b"\x00" * (len(piece_key) - 1)
        at += len(display)
        blank = display[-1] in " \n"
    origin.append(at)
    boundaries.append(1)
    return Aligned("".join(shown), "".join(folded), tuple(origin), bytes(boundaries))


_EACH = b"each"  # every character of the piece is a piece of its own


def _pieces(text: str) -> Iterator[tuple[str, str, bytes]]:
    for match in _PIECE.finditer(text):
        piece = match[0]
        if match.lastgroup == "simple":
            folded = piece.casefold()
            # Folding never loses a character, so of equal lengths each became exactly one.
            if len(folded) == len(piece) and unicodedata.is_normalized("NFKC", folded):
                yield piece, folded, _EACH
            else:
                yield from map(_forms, piece)
        elif match.lastgroup == "hangul":
            yield from map(_forms, _CLUSTER.findall(unicodedata.normalize("NFKC", piece)))
        else:
            yield _forms(piece)


@lru_cache(maxsize=4096)
def _forms(piece: str) -> tuple[str, str, bytes]:
    if piece == "\n":
        return piece, piece, b"\x01"
    display = unicodedata.normalize("NFKC", piece)
    # A piece that decomposes to a leading mark stays with what stands before it.
    start = b"\x00" if unicodedata.category(display[0]) in ("Mn", "Me", "Mc") else b"\x01"
    return display, " " * (display[0] == " ") + key(display), start
