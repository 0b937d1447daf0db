# SPDX-License-Identifier: Apache-2.0
"""Where a sentence ends, and which full stops end none (docs/grounding.md, "Sentences")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira_memory.heard_text import Ungroundable
from mira_memory.utterance import hear


def sentences(text: str) -> list[str]:
    utterance = hear(text)
    return [utterance.said(span) for span in utterance.sentences]


@pytest.mark.parametrize(
    "parts",
    [
        ["Gordon prefers tea.", "The kettle is green."],
        ["gordon prefers tea.", "the kettle is green."],
        ["Really?", "Yes!", "Good."],
        ["What?!", "No!!", "Ok..."],
        ["Wait...", "The kettle is green."],
        ["Wait...", "Please remember it."],
        ["No.", "Gordon likes tea."],
        ['Ada said "Gordon likes tea."', "Then she left."],
        ["(The dock is new.)", "Gordon knows."],
        ["She likes it.", '"Gordon too."', "Fine."],
        ["It was built in 2024.", "Gordon built it."],
        ["It costs 5.50.", "Gordon paid."],
        ["So do I.", "Gordon likes tea."],
        ["I take vitamin C.", "The kettle is green."],
        ["At 5 p.m.", "The shop closes."],
        ["In the U.S.", "They drink coffee."],
        ["1.", "Gordon likes tea.", "2.", "Priya too."],
        ["Er wohnt im 3. Stock.", "Priya auch."],
        ["संजय दिल्ली में रहता है।", "ठीक है।"],
        ["هل هذا صحيح؟", "نعم."],
    ],
)
def test_terminator_ends_a_sentence(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Kim works in St. Ives.",
        "Mr. and Mrs. O'Brien, Prof. Lee and Sgt. Pepper like tea.",
        "J. R. Smith and J.R.R. Tolkien and J.-P. Martin met.",
        "Gordon B. Shaw likes tea.",
        "The thermostat is at 21.5 degrees.",
        "Bus No. 5 and room Nr. 7 are near.",
        "At 5 p.m. Gordon drinks tea.",
        "Bring cups, plates, etc. for Ada.",
        "Use e.g. Node.js, i.e. the runtime, vs. Python 3.11.",
        "Mail gordon@example.com or see https://example.com/a?b=1.c today.",
        "The U.S. Army is here.",
        "Acme Inc. and Kim Ltd. merged.",
        "Am 5. Mai hat Gordon z.B. im 3. Stock gefeiert.",
        "Hr. Kim und Fr. Lee mögen Tee.",
        "La Sra. Gómez y la Dra. Ruiz viven aquí.",
        "M. Dupont et Mme. Martin habitent ici.",
        '"Is it new?" asked Ada.',
        "It is (really!) new.",
        "Version 1.2.3 of 30.11.2026 runs.",
        "Well..., it is new.",
        "I don't think... Gordon likes tea.",
        "i doubt it... the dock is new",
    ],
)
def test_other_stops_end_none(text: str) -> None:
    assert sentences(text) == [text]


def test_scripts_without_spaces_need_none_after_a_terminator() -> None:
    assert sentences("田中さんはコーヒーが好きです。覚えておいて！本当？はい｡") == [
        "田中さんはコーヒーが好きです。",
        "覚えておいて!",
        "本当?",
        "はい。",
    ]


def test_missing_space_before_a_capital_hides_no_end() -> None:
    assert sentences("Gordon prefers tea.The kettle is green.") == [
        "Gordon prefers tea.",
        "The kettle is green.",
    ]


@given(st.text(st.sampled_from("abA é5.!?…。 \n\t'\")-,:/@"), max_size=60))
def test_sentences_cover_all_but_white_space_in_order(text: str) -> None:
    try:
        utterance = hear(text)
    except Ungroundable:
        return
    covered = [False] * len(utterance.folded)
    last = 0
    for number, span in enumerate(utterance.sentences):
        assert last <= span.start < span.end
        last = span.end
        inside = utterance.folded[span.start : span.end]
        assert inside == inside.strip()
        for index in range(span.start, span.end):
            covered[index] = True
            assert utterance.sentence_at(index) == number
    for index, character in enumerate(utterance.folded):
        assert covered[index] or character == " "
        assert covered[index] or utterance.sentence_at(index) is None
