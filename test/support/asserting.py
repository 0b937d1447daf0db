# SPDX-License-Identifier: Apache-2.0
"""Ask the guard about a span marked in a sentence: "Remember that [Gordon likes tea]."."""

from functools import cache

from mira_memory.assertion import LANGUAGES, AssertionGuard, Verdict
from mira_memory.span import Span
from mira_memory.utterance import Utterance, fold, hear


@cache
def guard(*languages: str) -> AssertionGuard:
    return AssertionGuard(languages or LANGUAGES)


def heard(marked: str) -> tuple[Utterance, Span]:
    """Return the utterance without the brackets, and the span that they marked."""
    before, rest = marked.split("[", 1)
    inside, after = rest.split("]", 1)
    utterance = hear(before + inside + after)
    start = len(fold(before)) + before.endswith(" ") if before else 0
    start = utterance.folded.index(fold(inside), start)
    return utterance, Span(start, start + len(fold(inside)))


def verdict(marked: str, *languages: str) -> Verdict:
    utterance, span = heard(marked)
    return guard(*languages).judge(utterance, span.start, span.end)


def value_rule(evidence: str, value: str) -> str | None:
    """Return the rule by which the evidence does not say the value."""
    utterance = hear(evidence)
    spans = []
    at = utterance.folded.find(fold(value))
    while at >= 0:
        spans.append(Span(at, at + len(fold(value))))
        at = utterance.folded.find(fold(value), at + 1)
    assert spans, "the value must occur"
    return guard().value_negated(utterance, Span(0, len(utterance.folded)), spans)
