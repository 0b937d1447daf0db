# SPDX-License-Identifier: Apache-2.0
"""An utterance is normalized once, and every find in it leads back to the operator's words."""

import unicodedata
from itertools import pairwise

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from mira_memory.heard_text import NORMAL_MAX, RAW_MAX, Ungroundable, heard_text
from mira_memory.span import Span
from mira_memory.spans import occurrences
from mira_memory.text import display_form, refused_character
from mira_memory.utterance import Utterance, fold, hear

# Characters whose length, order or neighbours change under NFKC and case folding.
CHANGING = (
    "ßẞﬁﬀſŉǰΐᾳİŸς½㎏℃㈱ﷺㄱㅏㄴㄳ가각\u1100\u1161\u11a8\uffa1\uffc2ﾞﾟｶ¨´ͺ\u0301\u0323\u0345"
    "🇩🇪🏽👩\u200d❤\ufe0fक्षि\u0e33ำกéE \u00a0\u3000'’‑–—−\u0600\u06dd…Ａ５"
)
TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cc", "Cn", "Co", "Cs"]),
        st.sampled_from(CHANGING),
        st.sampled_from("abc XYZ 15.,-'\n\t"),
    ),
    max_size=24,
)


def heard(text: str) -> Utterance | None:
    try:
        return hear(text)
    except Ungroundable:
        return None


def found(utterance: Utterance, sought: str) -> list[str]:
    whole = Span(0, len(utterance.folded))
    return [utterance.said(span) for span in occurrences(utterance, fold(sought), whole)]


@given(TEXT)
@example("a\n\u0301b")
@example("0 ¸")
@example("ㅎㅏㄴ℀ ½`»")
def test_forms_are_those_of_the_text_contract(text: str) -> None:
    utterance = heard(text)
    if utterance is None:
        return
    shown = heard_text(text).replace("\n", " ")
    assert utterance.display == display_form(shown)
    assert utterance.folded == fold(shown)
    assert refused_character(utterance.display) is None


@given(TEXT)
def test_edges_cut_no_grapheme_cluster(text: str) -> None:
    utterance = heard(text)
    if utterance is None:
        return
    clusters = {0} | {match.end() for match in regex.finditer(r"\X", utterance.display)}
    assert len(utterance.edges) == len(utterance.origin) == len(utterance.folded) + 1
    assert list(utterance.origin) == sorted(utterance.origin)
    assert utterance.origin[-1] == len(utterance.display)
    for index, edge in enumerate(utterance.edges):
        assert not edge or utterance.origin[index] in clusters


@given(TEXT)
def test_between_two_edges_display_and_folded_text_belong_together(text: str) -> None:
    utterance = heard(text)
    if utterance is None:
        return
    edges = [index for index, edge in enumerate(utterance.edges) if edge]
    for start, end in pairwise(edges):
        said = utterance.said(Span(start, end))
        assert fold(said) == utterance.folded[start:end].strip()


@pytest.mark.parametrize(
    ("text", "sought", "said"),
    [
        ("Straße 5 ist offen", "STRASSE 5", "Straße 5"),
        ("Remember STRASSE", "straße", "STRASSE"),
        ("the ﬁnal ﬂoor", "final floor", "final floor"),
        ("Ｇｏｒｄｏｎ likes tea", "gordon", "Gordon"),
        ("Zoe\u0308 plays", "zoë", "Zoë"),
        ("Zoë plays", "ZOE\u0308", "Zoë"),
        ("\u1112\u1161\u11ab 좋아", "한 좋아", "한 좋아"),
        ("ㅎㅏㄴ", "하ᄂ", "하ᄂ"),
        ("ΣΊΣΥΦΟΣ lives", "σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("İstanbul’da", "i\u0307stanbul", "İstanbul"),
        ("Gordon’s snack", "Gordon's", "Gordon’s"),
        ("a well‑known dock", "well-known", "well‐known"),
        ("„Gordon“", '"gordon"', "„Gordon“"),
        ("5 ㎏ of rice", "5 kg", "5 kg"),
        ("می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"),
        ("I ❤\ufe0f tea", "❤\ufe0f", "❤\ufe0f"),
        ("Gor\u200bdon\u00ad likes\u2060 tea", "gordon likes tea", "Gordon likes tea"),
        ("\u200f\u202bمرحبا\u202c", "مرحبا", "مرحبا"),
    ],
)
def test_operators_own_form_is_returned(text: str, sought: str, said: str) -> None:
    assert found(hear(text), sought) == [said]


@pytest.mark.parametrize(
    ("text", "sought"),
    [
        ("the ﬁnal floor", "f"),
        ("℀ is odd", "a"),
        ("㍿ is odd", "株式"),
        ("½ is half", "1"),
        ("ﷺ said", "الله"),
        ("한 is one", "하"),
        ("👩\u200d👧 is here", "👩"),
        ("🇩🇪🇫🇷 flags", "🇪🇫"),
        ("Zoë plays", "Zoe"),
        ("क्षि is one", "क्"),
    ],
)
def test_source_character_is_never_cut(text: str, sought: str) -> None:
    assert found(hear(text), sought) == []


@pytest.mark.parametrize(
    "line_break", ["\n", "\r", "\r\n", "\t", "\x85", "\u2028", "\u2029", " \n ", "\n\n"]
)
def test_line_break_is_white_space_and_ends_a_sentence(line_break: str) -> None:
    utterance = hear(f"Gordon likes tea{line_break}the kettle is green")
    assert utterance.display == "Gordon likes tea the kettle is green"
    assert [utterance.said(span) for span in utterance.sentences] == [
        "Gordon likes tea",
        "the kettle is green",
    ]


@pytest.mark.parametrize(
    "character",
    [
        "\x00",
        "\x07",
        "\x0b",
        "\x1f",
        "\x7f",
        chr(0xD800),
        "\ue000",
        "\U000f0000",
        "\u0378",
        "\ufffd",
    ],
)
def test_refused_character_makes_the_utterance_ungroundable(character: str) -> None:
    with pytest.raises(Ungroundable, match=r"^The utterance contains U\+[0-9A-F]{4,6}, .*\.$"):
        hear(f"Gordon{character} likes tea")


@pytest.mark.parametrize(
    "character",
    [
        "\u200b",
        "\u200e",
        "\u202e",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\u2800",
        "\u3164",
        "\u200d",
        "\ufe0f",
        "\U000e0041",
        "\u034f",
    ],
)
def test_invisible_character_is_dropped_before_matching(character: str) -> None:
    assert hear(f"Gor{character}don likes tea").display == "Gordon likes tea"


def test_length_is_limited_raw_and_normalized() -> None:
    assert hear("x" * RAW_MAX).display == "x" * RAW_MAX
    with pytest.raises(Ungroundable, match="has 4001 characters; say it in at most 4000"):
        hear("x" * (RAW_MAX + 1))
    assert len(hear("ﬁ" * (NORMAL_MAX // 2)).display) == NORMAL_MAX
    with pytest.raises(Ungroundable, match="more than 8000 characters once normalized"):
        hear("ﬃ" * 2667)
    with pytest.raises(Ungroundable):
        hear(" " * (RAW_MAX + 1))


def test_tower_of_marks_is_ungroundable() -> None:
    assert hear("a" + "\u0301" * 30).display == unicodedata.normalize("NFKC", "a" + "\u0301" * 30)
    with pytest.raises(Ungroundable, match="more than 30 marks"):
        hear("a" + "\u0301" * 31)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b"])
def test_nothing_said_has_no_sentence(text: str) -> None:
    utterance = hear(text)
    assert utterance.sentences == ()
    assert utterance.display == ""
