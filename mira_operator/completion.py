# SPDX-License-Identifier: Apache-2.0
"""Complete commands from the grammar, identities and names from the robot's memory."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from mira_operator.grammar import FORMS
from mira_operator.quoting import quote

_WORD_START = re.compile(r"(?<!\S)\S")
_OPTION = re.compile(r"--[a-z-]+")
_SHORTEST_SPOKEN = 2


class LineCompleter(Completer):
    """
    Complete the line at the cursor.

    ``known`` returns identities and names, an alias with the identity of its entity; it is asked
    anew each time.

    In a command: its fixed words, options, ``ENT<n>``, and names inside quotes. In speech: names
    of which at least two characters are typed.
    """

    def __init__(self, known: Callable[[], Sequence[tuple[str, str]]]) -> None:
        self._known = known

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield what may stand at the cursor."""
        typed = document.text_before_cursor.lstrip()
        yield from _fixed_words(typed)
        if typed.split(maxsplit=1)[:1] != ["memory"]:
            yield from self._spoken_names(typed)
        elif typed.count('"') % 2:
            yield from self._quoted_names(typed.rpartition('"')[2])
        else:
            last = typed.rpartition(" ")[2]
            yield from _options(typed, last)
            yield from self._identities(last)

    def _spoken_names(self, typed: str) -> Iterator[Completion]:
        beginnings = [typed[word.start() :] for word in _WORD_START.finditer(typed)]
        beginnings = [text for text in beginnings if len(text) >= _SHORTEST_SPOKEN]
        for entity_id, name in self._known() if beginnings else ():
            for text in beginnings:
                if _begins(name, text):
                    yield _completion(name, text, entity_id)

    def _quoted_names(self, text: str) -> Iterator[Completion]:
        for entity_id, name in self._known():
            if _begins(name, text):
                yield _completion(quote(name)[1:], text, entity_id)

    def _identities(self, last: str) -> Iterator[Completion]:
        if not last or not (last.startswith("ENT") or "ENT".startswith(last)):
            return
        first_names: dict[str, str] = {}
        for entity_id, name in self._known():
            first_names.setdefault(entity_id, name)
        for entity_id, name in first_names.items():
            if entity_id.startswith(last):
                yield _completion(entity_id, last, name)


def _fixed_words(typed: str) -> Iterator[Completion]:
    *done, last = typed.split(" ")
    following: dict[str, None] = {}
    for form in FORMS:
        words = form.words.split()
        if words[: len(done)] == done and len(words) > len(done):
            following[words[len(done)]] = None
    for word in following:
        if typed and word.startswith(last):
            yield _completion(word, last)


def _options(typed: str, last: str) -> Iterator[Completion]:
    if not last.startswith("-"):
        return
    for form in FORMS:
        if typed.startswith(f"{form.words} ") and form.words != "memory":
            for option in _OPTION.findall(form.operands):
                if option.startswith(last):
                    yield _completion(option, last)


def _begins(name: str, text: str) -> bool:
    return name.casefold().startswith(text.casefold())


def _completion(text: str, typed: str, meta: str = "") -> Completion:
    return Completion(text, start_position=-len(typed), display_meta=meta)
