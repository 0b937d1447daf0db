# SPDX-License-Identifier: Apache-2.0
"""The guard answers on any text, always the same, and never with words of the text."""

from asserting import guard
from hypothesis import given
from hypothesis import strategies as st

from mira_memory.guard.bits import Bit
from mira_memory.guard.lexicon import load
from mira_memory.guard.rules import SENTENCES
from mira_memory.heard_text import Ungroundable
from mira_memory.span import Span
from mira_memory.utterance import hear

# Words that mean something to the guard, with marks and a few that mean nothing.
WORDS = sorted(load("en").phrases.words())
PIECES = st.one_of(
    st.sampled_from(WORDS), st.sampled_from([*",.;:?!\"()'-", "gordon", "herring", "5", "œuf"])
)


@given(st.lists(PIECES, max_size=40), st.data())
def test_any_span_of_any_text_gets_a_verdict(pieces: list[str], data: st.DataObject) -> None:
    try:
        utterance = hear(" ".join(pieces))
    except Ungroundable:
        return
    length = len(utterance.folded)
    start = data.draw(st.integers(0, length))
    end = data.draw(st.integers(start, length))
    first = guard().judge(utterance, start, end)
    assert first == guard().judge(utterance, start, end)
    assert first.asserted == (first.rule in ("asserted", "unguarded"))
    assert first.rule in SENTENCES
    rule = guard().value_negated(utterance, Span(start, end), [Span(start, end)])
    assert rule is None or rule in SENTENCES


@given(st.sampled_from(["if", "maybe", "nobody thinks", "ada says that", "do you know whether"]))
def test_a_governor_is_never_hidden_by_what_precedes_it(governor: str) -> None:
    lexicon = load("en")
    for opening in WORDS:
        if not lexicon.phrases.bits(opening) & Bit.CONNECTIVES:
            continue
        text = f"{opening} {governor} gordon likes herring"
        utterance = hear(text)
        verdict = guard().judge(utterance, len(text) - len("gordon likes herring"), len(text))
        assert not verdict.asserted, opening
