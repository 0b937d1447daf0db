# SPDX-License-Identifier: Apache-2.0
"""Whether the words of a sentence claim a write: each mention of storing does, unless excused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mira_cognition.phrases import Language


def claims_write(
    language: Language, clauses: Sequence[str], *, question: bool, strict: bool
) -> bool:
    """Tell whether one of the clauses of a sentence, as clause_words gives them, claims a write.

    With `strict` every statement that could stand for one counts: what the robot says that it
    does, and what "it" is (docs/cognition.md, "Acknowledgement").
    """
    parts = [part for clause in clauses for part in language.parts(clause)]
    if question:
        parts = _before_the_question(language, parts)
    conditional = any(not language.provisos.isdisjoint(part.split()) for part in parts)
    for part in parts:
        words = part.split()
        conditional = conditional or not language.conditions.isdisjoint(words)
        if any(not _excused(language, found, strict) for found in language.found("stored", part)):
            return True
        if language.patterns["finished"].search(part):
            return True
        if conditional or not language.undone.isdisjoint(words):
            continue
        if language.patterns["unforgotten"].search(part):
            return True
        if any(not _negated(language, found) for found in language.found("promised", part)):
            return True
        if _vouches(language, "acted", part) or (strict and _vouches(language, "vouched", part)):
            return True
    return False


def denies_write(language: Language, clauses: Sequence[str]) -> bool:
    """Tell whether one of the clauses says that something was not, or cannot be, stored."""
    return any(
        not language.negations.isdisjoint(part.split())
        and language.patterns["deniable"].search(part) is not None
        for clause in clauses
        for part in language.parts(clause)
    )


def _vouches(language: Language, name: str, part: str) -> bool:
    """Tell whether the robot says something of itself, or of "it", that no plain word explains."""
    if not (language.negations | language.doubts).isdisjoint(part.split()):
        return False
    for found in language.found(name, part):
        near = part[: found.start()].split()[-5:] + found.group().split()
        near += part[found.end() :].split()[:3]
        if language.plain.isdisjoint(near):
            return True
    return False


def _before_the_question(language: Language, parts: Sequence[str]) -> list[str]:
    for number, part in enumerate(parts):
        if part.split()[:1] and part.split()[0] in language.asking:
            return list(parts[:number])
    return list(parts)


def _excused(language: Language, found: re.Match[str], strict: bool) -> bool:
    before = found.string[: found.start()]
    return (
        bool(language.patterns["open"].search(before))
        or _negated(language, found)
        or not language.doubts.isdisjoint(before.split())
        or _told_of(language, before)
        or _of_others(language, found, strict)
    )


def _negated(language: Language, found: re.Match[str]) -> bool:
    """Tell whether a negation reaches what was found, past no new subject but in an opinion."""
    before = found.string[: found.start()]
    if language.negates_backwards:
        return not language.negations.isdisjoint(found.string.split())
    words = before.split()
    for number, word in enumerate(words):
        if word in language.negations:
            between = words[number + 1 :]
            if not language.opinions.isdisjoint(between):
                return True
            if not language.patterns["restarts"].search(" ".join(between)):
                return True
    return False


def _told_of(language: Language, before: str) -> bool:
    told = language.patterns["recalled"].search(before)
    return told is not None and not language.patterns["restarts"].search(before[told.end() :])


def _of_others(language: Language, found: re.Match[str], strict: bool) -> bool:
    """Tell whether somebody or something else than the robot's memory is spoken of."""
    before, after = found.string[: found.start()].split(), found.string[found.end() :].split()
    if not before:
        adjective = bool(after) and after[0] not in language.following
        return adjective and not language.being.isdisjoint(after)
    if not language.memory.isdisjoint(found.string.split()):
        return False
    claimant = max((n for n, word in enumerate(before) if word in language.claimants), default=-1)
    other = max((n for n, word in enumerate(before) if word in language.others), default=-1)
    passive = not language.being.isdisjoint(before)
    if passive and not language.fresh.isdisjoint(before):
        return False
    if other > claimant and not (passive and set(before[other + 1 :]) - language.light):
        return True
    if claimant >= 0 or language.light.issuperset(before):
        return False
    if strict and (passive or not language.having.isdisjoint(before)):
        return False
    if passive:
        return bool(after) and after[0] in language.places
    return bool(after) and after[0] not in language.claimants
