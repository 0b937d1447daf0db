# SPDX-License-Identifier: Apache-2.0
"""Load and compile the word lists of one language (docs/grounding.md, "Adding a language")."""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import yaml
from pydantic import ValidationError

from mira_memory.guard.bits import Bit
from mira_memory.guard.lists import WordLists
from mira_memory.guard.phrases import PhraseRefused, PhraseTable
from mira_memory.word_lists import WordLoader

_BITS = {
    key: getattr(Bit, key.upper()) for key in WordLists.model_fields if hasattr(Bit, key.upper())
}


class LexiconError(ValueError):
    """Refuse a language file, naming the file and the key."""


class Lexicon:
    """The compiled lists of one language."""

    def __init__(self, lists: WordLists) -> None:
        """Compile checked lists.

        Raises:
            LexiconError: a line is no phrase.
        """
        self.language = lists.language
        self.adverb_endings = tuple(lists.adverb_endings)
        self.event_endings = tuple(lists.event_endings)
        self.participle_endings = tuple(lists.participle_endings)
        elided = f"(?:{'|'.join(map(re.escape, lists.elisions))})'|"
        self.token = re.compile(
            (elided if lists.elisions else "")
            + r"\d+(?:[.,:]\d+)*(?![^\W\d])|[^\W_]+(?:['-][^\W_]+)*|[^\w\s]|_"
        )
        self.phrases = PhraseTable()
        for key, bit in _BITS.items():
            try:
                self.phrases.add(getattr(lists, key), bit, self.token)
            except PhraseRefused as error:
                raise LexiconError(f"{lists.language}.yaml, key {key}: {error}.") from error


@cache
def load(language: str, folder: Traversable | None = None) -> Lexicon:
    """Return the lexicon of a language, from `folder` or from the files of this package.

    Raises:
        LexiconError: no such file, not YAML, or a key that is missing, unknown or malformed.
    """
    source = (folder or files("mira_memory") / "languages") / f"{language}.yaml"
    name = f"{language}.yaml"
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LexiconError(
            f"{name}: the word lists of {language!r} cannot be read as UTF-8 text; "
            "name a language that has a file, or add one."
        ) from error
    try:
        content = yaml.load(text, Loader=WordLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise LexiconError(f"{name}{line}: this is not YAML; correct the line.") from error
    try:
        lists = WordLists.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "the file"
        raise LexiconError(
            f"{name}, key {key}: {first['msg']}; expected a list of lines as in docs/grounding.md."
        ) from error
    if lists.language != language:
        raise LexiconError(
            f"{name}, key language: it names {lists.language!r}; expected {language!r}."
        )
    return Lexicon(lists)
