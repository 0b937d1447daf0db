# SPDX-License-Identifier: Apache-2.0
"""Judge whether the operator asserted a span, or only mentioned it.

Follows docs/grounding.md, "The assertion guard": deny by default, on structure. Left of the span
only known openings may stand, right of it only known continuations, and the span itself must be a
statement. Deterministic; word lists are data, one file for each language.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mira_memory.guard.after import read_after
from mira_memory.guard.before import read_before
from mira_memory.guard.inside import read_inside
from mira_memory.guard.lexicon import Lexicon, load
from mira_memory.guard.prelude import read_prelude
from mira_memory.guard.recognition import Recognition
from mira_memory.guard.rules import ASSERTED, SENTENCES, UNGUARDED
from mira_memory.guard.sentence import Sentence
from mira_memory.guard.sequel import read_sequel
from mira_memory.guard.value import negation_of
from mira_memory.span import Span
from mira_memory.utterance import Utterance, fold

LANGUAGES = ("en", "de", "es", "fr")
# Bounds what a hostile utterance costs; no sentence that anybody says is that long.
_WORDS_MAX = 300
_SENTENCE_MAX = 2000
_CLOSERS = "\"')]}»”’ "
_UNFINISHED = ("..", "…", ",", ";", ":", "-")
_AROUND_MAX = 300  # how much of the sentences around it is read, in characters


@dataclass(frozen=True, slots=True)
class Verdict:
    """Tell whether a span is asserted, by which rule, and in which language.

    `language` is None when the sentence is in no language that has lists.
    """

    asserted: bool
    rule: str
    language: str | None

    @property
    def sentence(self) -> str:
        """Return the rule in words, without any of the operator's."""
        return SENTENCES[self.rule]


class AssertionGuard:
    """Hold the word lists of some languages and judge spans by them."""

    def __init__(self, languages: Sequence[str] = LANGUAGES, self_name: str = "") -> None:
        """Load and check the lists of the languages; the first named wins a tie.

        `self_name` is the robot's: before a statement it addresses, also without a comma.

        Raises:
            LexiconError: a language has no file, or its file is malformed.
        """
        self._recognition = Recognition([load(language) for language in languages])
        self._self_name = tuple(fold(self_name).split())

    def judge(self, utterance: Utterance, start: int, end: int) -> Verdict:
        """Return the verdict on `folded[start:end]`, which lies inside one sentence."""
        place = utterance.sentence_at(start)
        bounds = Span(start, end) if place is None else utterance.sentences[place]
        text = utterance.folded
        lexicon = self._lexicon(utterance, bounds)
        if lexicon is None:
            return Verdict(True, UNGUARDED, None)
        if bounds.end - bounds.start > _SENTENCE_MAX:
            return Verdict(False, "too_long", lexicon.language)
        sentence = Sentence(lexicon, text, bounds.start, max(bounds.end, end))
        sentence.address(self._self_name, start)
        rule = _rule(sentence, text, start, end)
        if rule is None and place is not None:
            following = utterance.sentences[place + 1 : place + 3]
            said = frozenset(sentence.words)
            rule = read_sequel((_beginning(lexicon, text, further) for further in following), said)
            if rule is None and place > 0:
                earlier = utterance.sentences[place - 1]
                rule = read_prelude(
                    _ending(lexicon, text, earlier), is_open=not _is_closed(text, earlier)
                )
        return Verdict(rule is None, rule or ASSERTED, lexicon.language)

    def value_negated(
        self, utterance: Utterance, evidence: Span, values: Iterable[Span]
    ) -> str | None:
        """Return the rule when no occurrence of the value is what the evidence says, else None."""
        lexicon = self._lexicon(utterance, evidence)
        if lexicon is None:
            return None
        sentence = Sentence(lexicon, utterance.folded, evidence.start, evidence.end)
        sentence.hide_quotations(0, len(sentence))
        rule: str | None = None
        for value in values:
            span = sentence.cover(value.start, value.end)
            rule = negation_of(sentence, 0, len(sentence), span)
            if rule is None:
                return None
        return rule

    def _lexicon(self, utterance: Utterance, span: Span) -> Lexicon | None:
        place = utterance.sentence_at(span.start)
        bounds = span if place is None else utterance.sentences[place]
        text = utterance.folded
        around = ""
        if place is not None:
            first = utterance.sentences[max(0, place - 1)]
            last = utterance.sentences[min(len(utterance.sentences), place + 2) - 1]
            around = (
                text[max(first.start, bounds.start - _AROUND_MAX) : bounds.start]
                + text[bounds.end : min(last.end, bounds.end + _AROUND_MAX)]
            )
        return self._recognition.recognise(
            text[bounds.start : min(bounds.end, bounds.start + _SENTENCE_MAX)], around
        )


def _beginning(lexicon: Lexicon, text: str, span: Span) -> Sentence:
    return Sentence(lexicon, text, span.start, min(span.end, span.start + _AROUND_MAX))


def _ending(lexicon: Lexicon, text: str, span: Span) -> Sentence:
    return Sentence(lexicon, text, max(span.start, span.end - _AROUND_MAX), span.end)


def _is_closed(text: str, span: Span) -> bool:
    """Tell whether a mark ends the sentence; a line break or an ellipsis leaves it open."""
    said = text[span.start : span.end].rstrip(_CLOSERS)
    return not said[-1:].isalnum() and not said.endswith(_UNFINISHED)


def _rule(sentence: Sentence, text: str, start: int, end: int) -> str | None:
    """Return the rule by which the sentence does not assert the span, or None."""
    if len(sentence) > _WORDS_MAX:
        return "too_long"
    first, last = sentence.position(start), sentence.position(end)
    if first is None or last is None:
        return "cut_word"
    rule = read_inside(sentence, first, last)
    if rule:
        return rule
    if text.count('"', 0, start) % 2:
        return "quotation"
    sentence.hide_quotations(0, first)
    before = read_before(sentence, first)
    if before.rule:
        return before.rule
    after = read_after(sentence, first, last)
    if after.rule:
        return after.rule
    if before.spliced is not None and not after.lists:
        verb = sentence.finite_verb(first, last)
        if verb is None or sentence.words[verb] != sentence.words[before.spliced]:
            return "unknown_before"
    asks = "?" in sentence.words[last:]
    return "question" if asks and not (before.request or after.question_accounted) else None
