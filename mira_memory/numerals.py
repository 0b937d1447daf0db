# SPDX-License-Identifier: Apache-2.0
"""Find the numbers in a text, each whole: sign, decimals, separators, units and number words.

A part of a number is another number, so no occurrence may begin or end inside one. Where it is
unclear whether something belongs to the number, it does: the error falls on the safe side.
Follows docs/grounding.md, "Numbers".
"""

from collections.abc import Iterator

import regex

from mira_memory.word_lists import word_lists


def numerals(key: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of every number in a text's key (typography not folded), in order."""
    done = 0
    for token in _TOKEN.finditer(key):
        start = token.start()
        if start < done or (token.lastgroup == "word" and token[0] not in _LISTED):
            continue
        whole = _NUMBER.match(key, start)
        if whole is None:
            continue
        before = _BEFORE.search(key, max(done, start - _REACH), start)
        yield (before.start() if before else start), whole.end()
        done = whole.end()


_WORDS = word_lists("number_words.yaml")
_LISTED = _WORDS["numbers"] | _WORDS["magnitudes"]

_HAN = "〇零一二三四五六七八九十百千万萬億亿兆"
_DIGIT = rf"[\p{{Nd}}{_HAN}]"
_DASH = r"\-‐‑‒–−"
_TOKEN = regex.compile(rf"{_DIGIT}++|(?P<word>[^\W\d_{_HAN}]++)")

# -5  +5  ±5  <5  ~5  $5  US$5  -$5  .5  minus 5
_CURRENCY = r"(?:(?<![\p{L}])\p{L}{1,3})?\p{Sc}"
_REACH = 12
_BEFORE = regex.compile(
    rf"(?:(?<![\p{{L}}])\L<signs>[\ \-]?+)?"
    rf"(?:[+±∓~≈<>≤≥{_DASH}]|{_CURRENCY}){{0,4}}+(?:(?<![\p{{L}}\p{{N}}\p{{M}}.])\.)?\Z",
    signs=_WORDS["signs"],
)

# 1.5  1,500  1'500  10:30  1/2  2026-11-30  5–6  1...3  3×4; a long dash joins two digits only.
_SEPARATOR = rf"(?:\.{{1,3}}|[,:/⁄'’٫٬·×*^~〜±点—―{_DASH}])"
# 1 500 000
_GROUPS = r"\p{Nd}{1,3}(?:\ \p{Nd}{3})++(?!\p{Nd})"
# 5 1/2
_MIXED = rf"(?:\ {_DIGIT}++[/⁄]{_DIGIT}++)?"
_EXPONENT = rf"(?:e[+{_DASH}]?{_DIGIT}++)?"
# 5%  21°c  5€  5+  90km/h  5-door
_AFTER = r"(?:(?:[%‰‱٪°º′″+]|\p{Sc})++\p{L}*+|\p{L}{1,4}+/\p{L}{1,4}+)?(?:[-‐‑](?=\p{L}))?"
_NUMERAL = rf"(?:{_GROUPS}|{_DIGIT}++)(?:{_SEPARATOR}{_DIGIT}++)*+{_MIXED}{_EXPONENT}{_AFTER}"
_NUMBER = regex.compile(
    rf"(?:{_NUMERAL}|\L<listed>\b)(?:[\ \-](?:\L<joiners>[\ \-])?\L<listed>\b)*+"
    r"(?:[\ \-]\L<joiners>[\ \-]\L<parts>\b)?",
    listed=_LISTED,
    joiners=_WORDS["joiners"],
    parts=_WORDS["parts"],
)
