# SPDX-License-Identifier: Apache-2.0
"""Ground a proposal in what was heard, without the store: evidence, value, subject, relation.

Follows docs/memory.md, "Admission", steps 3 to 5 and 7 to 10, and docs/grounding.md.
"""

from dataclasses import dataclass
from itertools import islice

from mira_memory.assertion import AssertionGuard
from mira_memory.guard.rules import SENTENCES
from mira_memory.proposal import RELATIONSHIP, Proposal
from mira_memory.refusals import Refusal, refusal
from mira_memory.span import Span
from mira_memory.spans import last_occurrence, occurrences
from mira_memory.text import SUMMARY_MAX, VALUE_MAX, key
from mira_memory.utterance import Utterance, fold
from mira_memory.vocative import talked_about

# Enough for anything a person says; it bounds the time that a hostile utterance takes.
_OCCURRENCES_MAX = 8


@dataclass(frozen=True, slots=True)
class Grounded:
    """Hold the operator's own words that a proposal stands on, in display form.

    `related` is what is wrong with the related entity, due only after the subject is resolved.
    `unguarded` says that no language of the assertion guard was recognised.
    """

    summary: str
    value: str
    related: Refusal | None
    unguarded: bool


def ground(
    proposal: Proposal, utterance: Utterance, guard: AssertionGuard | None
) -> Grounded | Refusal:
    """Return the words that support a proposal, or the first thing that fails."""
    evidence = _last_said(utterance, fold(proposal.evidence))
    if evidence is None:
        return refusal("not said")
    # What is stored is the operator's own form, which may be longer than the proposal's.
    summary = utterance.said(evidence)
    if len(summary) > SUMMARY_MAX:
        return refusal("said at length")
    unguarded = False
    if guard is not None:
        verdict = guard.judge(utterance, evidence.start, evidence.end)
        if not verdict.asserted:
            return refusal("not asserted", detail=verdict.sentence, rule=verdict.rule)
        unguarded = verdict.language is None
    values = list(islice(occurrences(utterance, fold(proposal.value), evidence), _OCCURRENCES_MAX))
    return (
        _value_refusal(utterance, evidence, values, guard)
        or _subject_refusal(utterance, evidence, proposal.subject)
        or Grounded(
            summary=summary,
            value=utterance.said(values[0]),
            related=_related_refusal(utterance, evidence, proposal),
            unguarded=unguarded,
        )
    )


def _last_said(utterance: Utterance, sought: str) -> Span | None:
    """Return the last occurrence that lies inside one sentence.

    Of a clause said more than once the last time counts: after "Does Gordon like tea? Gordon
    likes tea." it is asserted, after "Gordon likes tea. I doubt that Gordon likes tea." not.
    """
    for sentence in reversed(utterance.sentences):
        found = last_occurrence(utterance, sought, sentence)
        if found is not None:
            return found
    return None


def _value_refusal(
    utterance: Utterance, evidence: Span, values: list[Span], guard: AssertionGuard | None
) -> Refusal | None:
    if not values:
        return refusal("value")
    if len(utterance.said(values[0])) > VALUE_MAX:
        return refusal("value said at length")
    rule = None if guard is None else guard.value_negated(utterance, evidence, values)
    return None if rule is None else refusal("value negated", detail=SENTENCES[rule], rule=rule)


def _subject_refusal(utterance: Utterance, evidence: Span, subject: str) -> Refusal | None:
    found = list(islice(occurrences(utterance, fold(subject), evidence), _OCCURRENCES_MAX))
    if not found:
        return refusal("subject")
    if _is_talked_about(utterance, found):
        return None
    return refusal("subject addressed")


def _related_refusal(utterance: Utterance, evidence: Span, proposal: Proposal) -> Refusal | None:
    related = proposal.related_entity
    if (related is None) != (proposal.related_role is None) or (
        related is None and proposal.kind == RELATIONSHIP
    ):
        return refusal("related incomplete")
    if related is None:
        return None
    if proposal.kind != RELATIONSHIP:
        return refusal("related misplaced")
    found = list(islice(occurrences(utterance, fold(related), evidence), _OCCURRENCES_MAX))
    if not _is_talked_about(utterance, found):
        return refusal("related")
    if key(related) != key(proposal.value):
        return refusal("related not value")
    return None


def _is_talked_about(utterance: Utterance, found: list[Span]) -> bool:
    if not found:
        return False
    position = utterance.sentence_at(found[0].start)
    return position is not None and any(
        talked_about(utterance, utterance.sentences[position], found)
    )
