# SPDX-License-Identifier: Apache-2.0
"""Find the numbers in a text, each whole: sign, decimals, separators, units and number words.

A part of a number is another number, so no occurrence may begin or end inside one. Where it is
unclear whether something belongs to the number, it does: the error falls on the safe side.
Follows docs/grounding.md, "Numbers".
"""

import re
from collections.abc import Iterator

from mira_memory.word_lists import word_lists


def numerals(key: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of every number in a text's key (typography not folded), in order."""
    done = 0
    for token in _TOKEN.finditer(key):
        start = token.start()
        if start < done:
            continue
        word = token["word"]
        if word is None:
            numeral = _NUMERAL.match(key, start)
            assert numeral is not None
            done = _with_words(key, numeral.end(), after_unit=True)
        elif word in _LISTED:
            done = _with_words(key, token.end(), after_unit=word in _WORDS["units"])
        else:
            continue
        yield _beginning(key, start), done


_WORDS = word_lists("number_words.yaml")
_LISTED = _WORDS["units"] | _WORDS["larger"]
_SIGNS = tuple(_WORDS["signs"])

_LETTER = r"[^\W\d_]"
_HAN = "〇零一二三四五六七八九十百千万萬億亿兆"
_DIGIT = rf"[\d{_HAN}]"
_DASH = r"\-‐‑‒–−"
_CURRENCY = r"[$¢-¥֏؋৲৳৻૱௹฿៛₠-⃀﷼]"
_TOKEN = re.compile(rf"{_DIGIT}+|(?P<word>[^\W\d_{_HAN}]+)")
_NEXT_WORD = re.compile(rf"[ \-]({_LETTER}+)")

# -5  +5  ±5  <5  ~5  $5  US$5  -$5  .5  minus 5
_BEFORE_REACH = 12
_BEFORE = re.compile(
    rf"(?:(?<!{_LETTER})(?:{'|'.join(_SIGNS)})[ \-]?)?"
    rf"(?:[+±∓~≈<>≤≥{_DASH}]|(?:(?<!{_LETTER}){_LETTER}{{1,3}})?{_CURRENCY}){{0,4}}"
    r"(?:(?<![\w.])\.)?\Z"
)
# 1.5  1,500  1'500  10:30  1/2  2026-11-30  5–6  1...3  3×4; a long dash joins two digits only.
_SEPARATOR = rf"(?:\.{{1,3}}|[,:/⁄'’٫٬·×*^~〜±点—―{_DASH}])"
# 1 500 000, and 5 1/2
_GROUPS = r"\d{1,3}(?: \d{3})+(?!\d)"
_MIXED = rf"(?: {_DIGIT}+[/⁄]{_DIGIT}+)?"
_EXPONENT = rf"(?:e[+{_DASH}]?{_DIGIT}+)?"
# 5%  21°c  5€  5+  90km/h  5-door
_AFTER = (
    rf"(?:(?:[%‰‱٪°º′″+]|{_CURRENCY})+{_LETTER}*|{_LETTER}{{1,4}}/{_LETTER}{{1,4}})?"
    rf"(?:[-‐‑](?={_LETTER}))?"
)
_NUMERAL = re.compile(
    rf"(?:{_GROUPS}|{_DIGIT}+)(?:{_SEPARATOR}{_DIGIT}+)*{_MIXED}{_EXPONENT}{_AFTER}"
)


def _beginning(key: str, start: int) -> int:
    """Return where the sign, currency or decimal point before a number begins."""
    if key[start - 1 : start] in (" ", "\n", "") and not key.endswith(_SIGNS, 0, start - 1):
        return start
    window = max(0, start - _BEFORE_REACH)
    before = _BEFORE.search(key[window:start])
    return start if before is None else window + before.start()


def _with_words(key: str, end: int, *, after_unit: bool) -> int:
    """Return where a number ends that number words may continue: "5 million", "two and a half"."""
    while (found := _NEXT_WORD.match(key, end)) is not None:
        word, following = found[1], found
        if word in _WORDS["joiners"]:
            further = _NEXT_WORD.match(key, found.end())
            if further is None:
                return end
            part = further
            if further[1] in _WORDS["articles"]:
                part = _NEXT_WORD.match(key, further.end()) or further
            if part[1] in _WORDS["parts"]:
                return part.end()
            if after_unit and word not in _WORDS["decimal_joiners"]:
                return end
            word, following = further[1], further
        if word not in _LISTED:
            return end
        end, after_unit = following.end(), word in _WORDS["units"]
    return end
