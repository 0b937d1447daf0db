# SPDX-License-Identifier: Apache-2.0
"""The keys of a language file, checked when it is loaded (docs/grounding.md, "The lists")."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _lines(text: object) -> object:
    if not isinstance(text, str):
        return text  # pydantic tells what was expected
    return tuple(
        line.strip()
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    )


# A text block of the file: a line for each phrase or group of phrases.
Lines = Annotated[tuple[str, ...], BeforeValidator(_lines)]


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
    concessives: Lines = ()
    prohibitions: Lines = ()
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
    suppositions: Lines = Field(min_length=1)
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
    amendments: Lines = ()
    refusals: Lines = ()
    corrections: Lines = ()
    saying: Lines = ()
    telling: Lines = ()
    retractions: Lines = ()
    retractions_alone: Lines = ()
    backtracks: Lines = ()
    preludes: Lines = ()
    changes: Lines = ()

    negations: Lines = Field(min_length=1)
    local_negations: Lines = ()
    preferences: Lines = ()
    lessers: Lines = ()
    negation_exceptions: Lines = ()
    negation_closers: Lines = ()
