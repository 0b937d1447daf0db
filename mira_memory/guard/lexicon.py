# SPDX-License-Identifier: Apache-2.0
"""Load and check the word lists of one language (docs/grounding.md, "Adding a language")."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mira_memory.guard.phrases import PhraseRefused, PhraseTable



def _lines(text: object) -> object:
    if not isinstance(text, str):
        return text  # pydantic tells what was expected
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


# A text block of the file: a line for each phrase or group of phrases.
Lines = Annotated[tuple[str, ...], BeforeValidator(_lines)]


class LexiconError(ValueError):
    """Refuse a language file, naming the file and the key."""


class WordLists(BaseModel):
    """The keys of a language file; every list holds lines in the notation of phrases.py."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: str = Field(pattern=r"^[a-z]{2,3}$")
    function_words: Lines = Field(min_length=1)
    elisions: Lines = ()
    adverb_endings: Lines = ()
    event_endings: Lines = ()
    participle_endings: Lines = ()

    complementizers: Lines = ()
    framings: Lines = Field(min_length=1)
    request_openers: Lines = ()
    memory_verbs: Lines = ()
    courtesy: Lines = ()
    headings: Lines = ()
    greetings: Lines = ()
    connectives: Lines = ()
    interjections: Lines = ()
    adverbial_heads: Lines = ()
    adverbial_clauses: Lines = ()
    unreal: Lines = ()

    tails: Lines = ()
    closing_questions: Lines = ()
    coordinators: Lines = Field(min_length=1)
    hesitations: Lines = ()
    contrasts: Lines = ()
    consequences: Lines = ()
    alternatives: Lines = ()
    not_coordinators: Lines = ()
    reasons: Lines = ()
    relatives: Lines = ()
    supplements: Lines = ()
    numerals: Lines = ()
    exceptives: Lines = ()

    existentials: Lines = ()
    first_person: Lines = ()
    plain_subjects: Lines = ()
    determiners: Lines = ()
    auxiliaries: Lines = Field(min_length=1)
    verbs: Lines = ()
    event_marks: Lines = ()
    articles: Lines = ()
    adjuncts: Lines = ()

    harmless: Lines = ()
    inversions: Lines = ()
    commands: Lines = ()
    ironies: Lines = ()
    question_words: Lines = Field(min_length=1)
    questions: Lines = ()
    tag_questions: Lines = ()
    conditions: Lines = Field(min_length=1)
    limits: Lines = ()
    suppositions: Lines = ()
    reports: Lines = Field(min_length=1)
    attributions: Lines = ()
    beliefs: Lines = ()
    embedders: Lines = ()
    denials: Lines = ()
    jests: Lines = ()
    truths: Lines = ()
    thats: Lines = ()
    maybes: Lines = ()
    benign: Lines = ()
    untruths: Lines = ()
    anaphors: Lines = ()
    kept: Lines = ()
    dismissals: Lines = ()
    refusals: Lines = ()
    retractions: Lines = ()
    retractions_alone: Lines = ()
    backtracks: Lines = ()
    preludes: Lines = ()

    negations: Lines = Field(min_length=1)
    local_negations: Lines = ()
    preferences: Lines = ()
    lessers: Lines = ()
    negation_exceptions: Lines = ()
    negation_closers: Lines = ()


class Bit:
    """One bit for each list that the analysis asks for: the key of the list in capitals."""

    COMPLEMENTIZERS = 1 << 0
    FRAMINGS = 1 << 1
    REQUEST_OPENERS = 1 << 2
    HEADINGS = 1 << 3
    GREETINGS = 1 << 4
    CONNECTIVES = 1 << 5
    INTERJECTIONS = 1 << 6
    ADVERBIAL_HEADS = 1 << 7
    ADVERBIAL_CLAUSES = 1 << 8
    UNREAL = 1 << 9
    TAILS = 1 << 10
    CLOSING_QUESTIONS = 1 << 11
    COORDINATORS = 1 << 12
    ALTERNATIVES = 1 << 13
    NOT_COORDINATORS = 1 << 14
    REASONS = 1 << 15
    RELATIVES = 1 << 16
    SUPPLEMENTS = 1 << 17
    NUMERALS = 1 << 18
    EXCEPTIVES = 1 << 19
    PLAIN_SUBJECTS = 1 << 20
    DETERMINERS = 1 << 21
    AUXILIARIES = 1 << 22
    VERBS = 1 << 23
    EVENT_MARKS = 1 << 24
    ADJUNCTS = 1 << 25
    HARMLESS = 1 << 26
    INVERSIONS = 1 << 27
    QUESTION_WORDS = 1 << 28
    QUESTIONS = 1 << 29
    TAG_QUESTIONS = 1 << 30
    CONDITIONS = 1 << 31
    LIMITS = 1 << 32
    SUPPOSITIONS = 1 << 33
    REPORTS = 1 << 34
    BELIEFS = 1 << 35
    EMBEDDERS = 1 << 36
    DENIALS = 1 << 37
    UNTRUTHS = 1 << 38
    ANAPHORS = 1 << 39
    DISMISSALS = 1 << 40
    RETRACTIONS = 1 << 41
    RETRACTIONS_ALONE = 1 << 42
    BACKTRACKS = 1 << 43
    NEGATIONS = 1 << 44
    NEGATION_EXCEPTIONS = 1 << 45
    NEGATION_CLOSERS = 1 << 46
    FUNCTION_WORDS = 1 << 47
    ATTRIBUTIONS = 1 << 48
    ARTICLES = 1 << 49
    HESITATIONS = 1 << 50
    PRELUDES = 1 << 51
    CONTRASTS = 1 << 52
    MEMORY_VERBS = 1 << 53
    COURTESY = 1 << 54
    COMMANDS = 1 << 55
    EXISTENTIALS = 1 << 56
    FIRST_PERSON = 1 << 57
    CONSEQUENCES = 1 << 58
    IRONIES = 1 << 59
    REFUSALS = 1 << 60
    TRUTHS = 1 << 61
    BENIGN = 1 << 62
    THATS = 1 << 63
    MAYBES = 1 << 64
    LOCAL_NEGATIONS = 1 << 65
    PREFERENCES = 1 << 66
    LESSERS = 1 << 67
    JESTS = 1 << 68
    KEPT = 1 << 69


_BITS = {
    key: getattr(Bit, key.upper()) for key in WordLists.model_fields if hasattr(Bit, key.upper())
}


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
        # Every scalar is a string: bare words like no, on and yes are words here.
        content = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506
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
