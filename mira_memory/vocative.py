# SPDX-License-Identifier: Apache-2.0
"""Tell a name that only addresses somebody from one that the sentence is about.

"Gordon, the dock is in the hallway" says nothing about Gordon; "Gordon, my brother, likes tea"
and "Gordon, Priya and Ada like tea" do. Where both readings are possible the name counts as an
address. Follows docs/grounding.md, "Addresses"; the words are in vocative.yaml.
"""

from collections.abc import Iterator, Sequence

import regex

from mira_memory.span import Span
from mira_memory.utterance import Utterance
from mira_memory.word_lists import word_lists

_WORDS = word_lists("vocative.yaml")
_REACH = 160

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:['-][\p{L}\p{N}\p{M}]+)*+|&")
_PAUSE = r"\s*[,،、;:—–]\s*|\s+-+\s+"
_PAUSE_HERE = regex.compile(_PAUSE)
_LAST_PAUSE = regex.compile(rf"(?:{_PAUSE})(?!.*(?:{_PAUSE}))", flags=regex.DOTALL)
_NAME = r"\p{Lu}[\p{L}\p{N}\p{M}.'-]*+(?:\ \p{Lu}[\p{L}\p{N}\p{M}.'-]*+){0,3}+"
_MORE_NAME = regex.compile(r"(?:\ \p{Lu}[\p{L}\p{N}\p{M}.'-]*+){1,3}+")
_LIST = regex.compile(
    rf"{_NAME}(?:\s*+,\s*+{_NAME}){{0,8}}+,?\s++(?i:\L<coordinators>)\s++{_NAME}",
    coordinators=_WORDS["coordinators"],
)


def talked_about(
    utterance: Utterance, sentence: Span, occurrences: Sequence[Span]
) -> Iterator[Span]:
    """Yield the occurrences of a name in one sentence that do more than address somebody."""
    start, end = utterance.origin[sentence.start], utterance.origin[sentence.end]
    # Dashes are left as they are: "Gordon — the dock is new" pauses, "Anne-Marie" does not.
    shown = utterance.display[start:end].replace("’", "'")
    names = [
        (utterance.origin[name.start] - start, utterance.origin[name.end] - start)
        for name in occurrences
    ]
    # In capitals throughout, a capital letter does not make a name.
    cased = not shown.isupper()
    lists = _lists(shown, names[0][0], names[-1][1]) if cased and names else []
    for occurrence, name in zip(occurrences, names, strict=True):
        if not _addresses(shown, *(_whole(shown, name, lists) if cased else name)):
            yield occurrence


def _lists(shown: str, first: int, last: int) -> list[tuple[int, int]]:
    """Return the bounds of the lists of names ("Gordon, Priya and Ada") around a range."""
    around = max(0, first - _REACH), last + _REACH
    return [found.span() for found in _LIST.finditer(shown, *around)]


def _whole(shown: str, name: tuple[int, int], lists: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the bounds of the list or longer name that a name belongs to."""
    first, last = name
    for list_first, list_last in lists:
        if list_first <= first and last <= list_last:
            # The capital of "With Gordon and Ada" at the beginning makes no name.
            between = shown[list_first:first]
            first, last = (list_first if " " in between.strip() else first), list_last
    more = _MORE_NAME.match(shown, last)
    return first, last if more is None else more.end()


def _addresses(shown: str, first: int, last: int) -> bool:
    """Tell whether the name, or list of names, at [first, last) stands outside the clauses."""
    if _first_word(shown[first:last]) in _WORDS["articles"]:
        return False
    left, right = shown[max(0, first - _REACH) : first], shown[last : last + _REACH]
    pause = _LAST_PAUSE.search(left)
    lead = left[pause.end() :] if pause else left
    if not _all_in(lead, "before"):
        return False
    if _all_in(right, "after"):
        return pause is None or not (":" in pause[0] or _is_person(left[: pause.start()]))
    comma = _PAUSE_HERE.match(right)
    if comma is None:
        return (
            _first_word(right) in _WORDS["fresh"]
            and _first_word(shown[first:last]) not in _WORDS["fresh"]
            and _last_word(lead) not in _WORDS["verb_last"]
        )
    following = right[comma.end() :]
    if _first_word(following) in _WORDS["relatives"] | _WORDS["coordinators"]:
        # "der" is an article as well: "Gordon, der Tee ist kalt" needs a second comma to relate.
        return _first_word(following) in _WORDS["articles"] and "," not in following
    if pause is not None and ":" not in pause[0] and _is_person(left[: pause.start()]):
        return False
    return not _is_parenthesis(following)


def _is_parenthesis(following: str) -> bool:
    """Tell whether "my brother, likes tea" goes on about the name before it."""
    pause = _PAUSE_HERE.search(following)
    if pause is None:
        return False
    inner, rest = following[: pause.start()], following[pause.end() :]
    word = _first_word(rest)
    return (
        rest[:1].islower()
        and word not in _WORDS["articles"] | _WORDS["fresh"] | _WORDS["coordinators"]
        and (
            _is_person(inner)
            or _first_word(inner) in _WORDS["parentheses"]
            or _says_what_it_is(inner)
        )
    )


def _says_what_it_is(inner: str) -> bool:
    """Tell whether the phrase is like "a rising star": an indefinite noun without a verb."""
    first, *others = _WORD.findall(inner.casefold()) or [""]
    return first in _WORDS["indefinite"] and _WORDS["auxiliaries"].isdisjoint(others)


def _is_person(phrase: str) -> bool:
    """Tell whether the last segment of a phrase ends in a noun that says who somebody is."""
    return _last_word(_LAST_PAUSE.split(phrase, maxsplit=1)[-1]) in _WORDS["people"]


def _all_in(phrase: str, listed: str) -> bool:
    return _WORDS[listed].issuperset(_WORD.findall(phrase.casefold()))


def _first_word(phrase: str) -> str:
    found = _WORD.search(phrase)
    return found[0].casefold() if found else ""


def _last_word(phrase: str) -> str:
    words = _WORD.findall(phrase.casefold())
    return words[-1] if words else ""
