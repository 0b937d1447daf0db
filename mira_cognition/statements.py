# SPDX-License-Identifier: Apache-2.0
"""The plain statements that the offline policy can file (docs/cognition.md, "Offline")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mira_cognition.capabilities import Remember
from mira_memory.text import fold_typography


@dataclass(frozen=True, slots=True)
class _Form:
    kind: str
    pattern: re.Pattern[str]
    predicate: str = ""
    related_role: str | None = None


def _form(kind: str, pattern: str, predicate: str = "", role: str | None = None) -> _Form:
    return _Form(kind, re.compile(pattern, re.IGNORECASE), predicate, role)


_SUBJECT = r"(?P<subject>[^,;:?!]+?)"
_VALUE = r"(?P<value>[^,;:?!]+)"
_FORMS = (
    _form("fact", rf"{_SUBJECT}(?:'s|(?<=s)') (?P<label>[^,;:?!]+?) (?:is|are) {_VALUE}"),
    _form("fact", rf"(?P<subject>your|my) (?P<label>[^,;:?!]+?) (?:is|are) {_VALUE}"),
    _form("fact", rf"{_SUBJECT} (?:is|are) (?P<value>(?:in|at|on) [^,;:?!]+)", "location"),
    _form("preference", rf"{_SUBJECT} (?:likes?|prefers?|loves?) {_VALUE}", "preference"),
    _form("fact", rf"{_SUBJECT} lives? (?:in|at|on) {_VALUE}", "lives_in"),
    _form("fact", rf"{_SUBJECT} works? (?:at|in|for) {_VALUE}", "works_at"),
    _form("relationship", rf"{_SUBJECT} belongs? to {_VALUE}", "belongs_to", "owner"),
)
_BARE = re.compile(rf"{_SUBJECT} (?:is|are) {_VALUE}", re.IGNORECASE)

_ADDRESS = re.compile(
    r"(?:(?:hey|hi|hello|ok|okay|please|so|well|now|also|actually|and|good morning)[,!]? )+",
    re.IGNORECASE,
)
_ASKS_TO_REMEMBER = re.compile(
    r"(?:(?:can|could|will|would) you )?(?:please )?"
    r"(?:remember|note|make a note|keep in mind|don't forget|do not forget|for next time"
    r"|i want you to (?:know|remember))(?: that\b|\s?:|,)? "
    r"(?!(?:what|who|where|when|how|why|to)\b)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,? (?:please|thanks|thank you|ok|okay|so keep that in mind|remember that)"
    r"|,? because .*)?[.!? ]*$",
    re.IGNORECASE,
)
_PREFERRED = re.compile(r"(?:favou?rite|preferred) ", re.IGNORECASE)

# A clause with one of these as its subject's word is no plain statement about a named entity.
_NOT_IN_A_NAME = frozenset(
    [
        *("not", "never", "no", "nobody", "does", "do", "did", "is", "are", "was", "were"),
        *("don't", "doesn't", "didn't", "isn't", "aren't", "can't", "won't"),
        *("think", "thinks", "believe", "believes", "say", "says", "said", "tell", "tells"),
        *("hear", "heard", "know", "knows", "wish", "hope", "guess", "forget", "remember"),
        *("if", "unless", "whether", "suppose", "imagine", "maybe", "perhaps", "that"),
        *("who", "what", "where", "when", "why", "how", "which"),
    ]
)
_LABEL = re.compile(r"[^\W\d]\w*(?:[ -]\w+){0,4}")


@dataclass(frozen=True, slots=True)
class Bare:
    """A plain "X is Y": true or not, it names nothing to file it under."""

    subject: str
    value: str


def read_statement(sentence: str, robot_name: str) -> Remember | Bare | None:
    """Read one sentence; None where it is no plain statement.

    `sentence` is one sentence of the utterance, in the operator's own words; what the proposal
    quotes is cut from it unchanged.
    """
    folded = fold_typography(sentence)
    start, asked = _opening(folded, robot_name)
    tail = _TAIL.search(folded)
    end = tail.start() if tail else len(folded)
    if not asked and "?" in folded[end:] and "ok" not in folded[end:].casefold():
        return None
    clause = folded[start:end]
    found = [
        (form, match)
        for form in _FORMS
        if (match := form.pattern.fullmatch(clause)) and _plain(match["subject"], match["value"])
    ]
    if found:
        form, match = min(found, key=lambda pair: len(pair[1]["subject"]))
        return _proposal(form, match, sentence[start:end])
    bare = _BARE.fullmatch(clause)
    if bare and _plain(bare["subject"], bare["value"]):
        return Bare(bare["subject"], bare["value"])
    return None


def _opening(folded: str, robot_name: str) -> tuple[int, bool]:
    """Return where the clause starts, and whether it was asked to remember it."""
    start, asked = 0, False
    vocative = re.compile(rf"{re.escape(fold_typography(robot_name))}[,:!] ", re.IGNORECASE)
    while match := (
        _ADDRESS.match(folded, start)
        or vocative.match(folded, start)
        or (None if asked else _ASKS_TO_REMEMBER.match(folded, start))
    ):
        asked = asked or match.re is _ASKS_TO_REMEMBER
        start = match.end()
    return start, asked


def _plain(subject: str, value: str) -> bool:
    words = subject.casefold().split()
    negated = value.casefold().startswith(("not ", "no ", "never "))
    return len(words) <= 6 and not negated and _NOT_IN_A_NAME.isdisjoint(words)


def _proposal(form: _Form, match: re.Match[str], clause: str) -> Remember | None:
    def said(group: str) -> str:
        return clause[match.start(group) : match.end(group)].strip()

    predicate, kind = form.predicate, form.kind
    if not predicate:
        label = _LABEL.fullmatch(said("label"))
        if label is None:
            return None
        kind = "preference" if _PREFERRED.match(label.group()) else kind
        predicate = re.sub(r"[ -]+", "_", label.group()).casefold()
    return Remember.model_validate(
        {
            "kind": kind,
            "subject": said("subject"),
            "predicate": predicate,
            "value": said("value"),
            "evidence": clause.strip(),
            "related_entity": said("value") if form.related_role else None,
            "related_role": form.related_role,
        }
    )
