# SPDX-License-Identifier: Apache-2.0
"""Split what was heard into sentences: terminators and line breaks, minus the stops that end none.

Follows docs/grounding.md, "Sentences"; UAX #29 for what terminates a sentence. The words after
which a full stop ends nothing are in abbreviations.yaml.
"""

from collections.abc import Iterator

import regex

from mira_memory.alignment import Aligned
from mira_memory.span import Span
from mira_memory.word_lists import word_lists

_CLOSERS = r"[\p{Pe}\p{Pf}\p{Pi}\"'’”]"
_INITIALS = regex.compile(r"\p{L}(?:[./-]{1,2}\p{L})*+")
# A run of terminators with the quotation marks and brackets that close after it, or a line break.
_STOP = regex.compile(
    rf"(?P<stop>[\p{{Sentence_Terminal}}…｡]++)(?P<closers>{_CLOSERS}*+)|\n", flags=regex.V1
)
_ADDRESS = regex.compile(r"://|@|\bwww\.|\.\w{2,}/")
_OPENERS = "\"'“„«(["
_TOKEN_MAX = 24
_NEXT_WORD = regex.compile(rf"\s?[{regex.escape(_OPENERS)}]*+((?:\w|['’-](?=\w)){{1,24}})")


def split(aligned: Aligned) -> tuple[Span, ...]:
    """Return the sentences of an aligned text, in indices of its key, without white space."""
    text = aligned.key
    sentences: list[Span] = []
    start = 0
    for end in [*_ends(aligned), len(text)]:
        bare = text[start:end]
        trimmed = Span(end - len(bare.lstrip()), start + len(bare.rstrip()))
        if trimmed.start < trimmed.end:
            sentences.append(trimmed)
        start = end
    return tuple(sentences)


def _ends(aligned: Aligned) -> Iterator[int]:
    for match in _STOP.finditer(aligned.key):
        if match["stop"] is None or _ends_sentence(aligned, match):
            yield match.end()


def _ends_sentence(aligned: Aligned, match: regex.Match[str]) -> bool:
    text, stop, end = aligned.key, match["stop"], match.end()
    glued = end < len(text) and not text[end].isspace()
    if not stop.isascii():
        return True
    if glued and _is_inside_word(aligned, match):
        return False
    if match["closers"] and _continues_in_lower_case(aligned, end):
        # A quotation or bracket inside a sentence: ("Ready?" asked Ada.)
        return False
    if stop.strip("."):
        return True
    if stop == ".":
        return not _is_abbreviation(aligned, match.start(), end)
    # "I doubt it... Gordon likes tea" only pauses (UAX #29, SB8, for more than lower case).
    return _opens_sentence(aligned, _following(aligned, end))


def _is_inside_word(aligned: Aligned, match: regex.Match[str]) -> bool:
    """Tell whether no white space follows because an address, a number or a name goes on."""
    text, start, end = aligned.key, match.start(), match.end()
    if match["stop"] == "." and not _has_capital(aligned, end):
        return True
    token = _token_before(text, start)
    if _ADDRESS.search(token + text[start : end + _TOKEN_MAX].split()[0]):
        return True
    if match["stop"] != ".":
        # "tea..., please", "tea...please" and "...5" go on; "tea?please" does not.
        pause = match["stop"].strip(".") == "" and not _has_capital(aligned, end)
        return pause or text[end] in ",;:"
    # "tea.The kettle" lacks a space; "e.g.X", "U.S.A" and "NASA.Gov" do not.
    return (
        len(token) <= 1
        or not text[start - 1].isalpha()
        or _has_capital(aligned, start - 1)
        or token in _KNOWN
    )


def _continues_in_lower_case(aligned: Aligned, end: int) -> bool:
    following = _following(aligned, end)
    if following is None:
        return aligned.key[end : end + 1] in (",", ";", ":")
    return aligned.display[aligned.origin[following.start(1)]].islower()


def _is_abbreviation(aligned: Aligned, start: int, end: int) -> bool:
    text = aligned.key
    word = _token_before(text, start)
    initial = _is_initial(word, text[max(0, start - len(word) - 2) : start - len(word)])
    if not initial and word not in _KNOWN and not word.isdigit():
        return False
    following = _following(aligned, end)
    if following is None:
        return False
    if word in _LISTED["continuing"]:
        return True
    if word in _LISTED["before_number"] and following[1][0].isdigit():
        return True
    if word.isdigit():
        return len(word) <= 2 and following[1] in _LISTED["after_ordinal"]
    return (initial or word in _LISTED["pausing"]) and not _opens_sentence(aligned, following)


def _following(aligned: Aligned, end: int) -> regex.Match[str] | None:
    """Return the next word on the same line, as group 1."""
    found = _NEXT_WORD.match(aligned.key, end)
    return None if found is None or "\n" in aligned.key[end : found.start(1)] else found


def _opens_sentence(aligned: Aligned, following: regex.Match[str] | None) -> bool:
    """Tell whether a new sentence begins with the next word, or nothing follows on this line."""
    return following is None or (
        following[1] in _LISTED["openers"] and _has_capital(aligned, following.start(1))
    )


def _is_initial(word: str, before: str) -> bool:
    """Tell whether the word is an initial ("J", "J.R", "J.-P"), not the pronoun in "so do I"."""
    if word == "i" and before.strip() and not before.rstrip().endswith("."):
        return False
    return _INITIALS.fullmatch(word) is not None


def _token_before(text: str, start: int) -> str:
    """Return the at most 24 characters between white space or an opening mark and `start`."""
    window = text[max(0, start - _TOKEN_MAX) : start]
    token = window[max(window.rfind(" "), window.rfind("\n")) + 1 :]
    return token.lstrip(_OPENERS)


def _has_capital(aligned: Aligned, index: int) -> bool:
    return aligned.display[aligned.origin[index]].isupper()


_LISTED = word_lists("abbreviations.yaml")
_KNOWN = _LISTED["continuing"] | _LISTED["pausing"] | _LISTED["before_number"]
