# SPDX-License-Identifier: Apache-2.0
"""An occurrence cuts no word, no number and no character (docs/grounding.md, "Occurrences")."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from mira_memory.span import Span
from mira_memory.spans import occurrences
from mira_memory.text import display_form
from mira_memory.utterance import Utterance, fold, hear


def spans(utterance: Utterance, sought: str) -> list[Span]:
    return list(occurrences(utterance, fold(sought), Span(0, len(utterance.folded))))


def occurs(sought: str, text: str) -> bool:
    return bool(spans(hear(text), sought))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("Gordon's snack", ["Gordon", "Gordon's", "snack", "gordon's SNACK"], ["Gord", "nack"]),
        ("Gordon’s snack", ["Gordon", "Gordon's"], ["Gordon'"[:4]]),
        ("l'eau d’Évian", ["l'eau", "eau", "Évian"], ["Évi"]),
        ("a Skoda drives", ["Skoda", "a Skoda"], ["Skod", "koda", "a S"]),
        ("snake_case name", ["snake_case"], ["snake", "case"]),
        ("C++ and C# or A+", ["C++", "C#", "A+", "C++ and"], ["C", "C+", "A"]),
        ("tea+milk for #tea", ["tea", "milk", "tea+milk"], []),
        ("an ice-cream van", ["ice-cream", "ice", "cream"], ["cre"]),
        (
            "田中さんは5個のコーヒーが好き",
            ["田中", "田中さん", "コーヒー", "5個", "5", "好き"],
            [],
        ),
        ("สมชายชอบกาแฟ", ["สมชาย", "ชอบ", "กาแฟ"], []),
        ("เขาดื่มน้ำ", ["เขา", "ดื่ม", "น้ำ"], ["ดื", "น", "ำ"]),
        ("ABCは最高", ["ABC", "は"], ["AB"]),
        ("संजय दिल्ली में", ["संजय", "दिल्ली"], ["दिल्", "संज"]),
        ("می\u200cخواهم چای", ["می\u200cخواهم"], ["می", "خواهم"]),
        ("한국어 문장", ["한국어"], ["한국", "국어"]),
        ("I ❤️ tea", ["❤️", "tea"], ["❤"]),
        ("tea, please", ["tea", "tea,"], ["te"]),
        ("(Gordon)", ["Gordon", "(Gordon)"], []),
    ],
)
def test_words_are_whole(text: str, inside: list[str], outside: list[str]) -> None:
    for sought in inside:
        assert occurs(sought, text), f"{sought!r} stands in {text!r}"
    for sought in outside:
        assert not occurs(sought, text), f"{sought!r} is cut from {text!r}"


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("set to -5 degrees", ["-5", "-5 degrees"], ["5", "5 degrees"]),
        ("set to −5 degrees", ["-5", "−5"], ["5"]),
        ("set to +5", ["+5"], ["5"]),
        ("about ~5 of ±5 or <5", ["~5", "±5", "<5"], ["5"]),
        ("it is 1.5 wide", ["1.5"], ["5", "1", ".5", "1."]),
        ("it is .5 wide", [".5"], ["5"]),
        ("it is 1,500 wide", ["1,500"], ["1", "500", ",500"]),
        ("it is 1'500 wide", ["1'500"], ["500", "1"]),
        ("it is 1 500 000 wide", ["1 500 000"], ["1", "500", "1 500", "500 000"]),
        ("it is 1\u00a0500 wide", ["1 500"], ["500"]),
        ("it is 15 or 50", ["15", "50", "15 or 50"], ["5", "1", "0"]),
        ("set to 21.5 degrees", ["21.5", "21.5 degrees"], ["21", "5 degrees"]),
        ("open 5-6 or 5–6", ["5-6"], ["5", "6"]),
        ("open 10:30", ["10:30"], ["10", "30"]),
        ("on 2026-11-30 or 30/11/2026", ["2026-11-30", "30/11/2026"], ["2026", "11", "30"]),
        ("runs 1.2.3", ["1.2.3"], ["1.2", "2.3", "3"]),
        ("is 50% full", ["50%", "50% full"], ["50"]),
        ("is 50 % full", ["50 %", "50"], []),
        ("at 21°C now", ["21°C"], ["21", "21°"]),
        ("at 21 °C now", ["21 °C", "21"], []),
        ("costs $5 or 5€", ["$5", "5€"], ["5"]),
        ("costs US$5", ["US$5"], ["$5", "5"]),
        ("weighs 5kg", ["5kg"], ["5", "kg"]),
        ("weighs 5 kg", ["5 kg", "5"], []),
        ("goes 90km/h", ["90km/h"], ["90km", "90"]),
        ("on the 5th floor", ["5th"], ["5"]),
        ("a 5-door car", ["5-door car"], ["5"]),
        ("is 1/2 full", ["1/2"], ["1", "2"]),
        ("is ½ full", ["½", "1⁄2"], ["1", "2"]),
        ("is 5 1/2 wide", ["5 1/2"], ["5", "1/2"]),
        ("is 1e5 or 1.5e-3", ["1e5", "1.5e-3"], ["1", "5", "3", "1.5", "1.5e"]),
        ("is ٥٫٥ wide", ["٥٫٥"], ["٥"]),
        ("is ๑๕ wide", ["๑๕"], ["๑", "๕"]),
        ("has 5 million cups", ["5 million"], ["5", "million cups"]),
        ("is twenty-five now", ["twenty-five"], ["twenty", "five"]),
        ("is twenty five now", ["twenty five"], ["twenty", "five"]),
        ("is three hundred and five", ["three hundred and five"], ["three", "five", "hundred"]),
        ("is two and a half", ["two and a half"], ["two", "half"]),
        ("is minus five", ["minus five"], ["five"]),
        ("is minus 5", ["minus 5"], ["5"]),
        ("ist vingt et un", ["vingt et un"], ["vingt", "un"]),
        ("son treinta y cinco", ["treinta y cinco"], ["treinta", "cinco"]),
        ("ist minus zwei Millionen", ["minus zwei Millionen"], ["zwei Millionen", "zwei"]),
        ("二十五歳です", ["二十五", "二十五歳"], ["五", "五歳", "二十"]),
        ("3万円です", ["3万円", "3万"], ["3"]),
        ("マイナス5度です", ["マイナス5度"], ["5度", "5"]),
        ("doors 5, 6 and 7", ["5", "6", "7", "6 and 7"], []),
        ("It was built in 2024. Good.", ["2024"], ["202", "24"]),
        ("built in 2024—remember", ["2024"], []),
        ("channel '5' it is", ["5", "'5'"], []),
        ("room No.5", ["5", "No.5"], []),
        ("one dock and two kettles", ["one", "two", "one dock"], []),
        ("rooms one and two", ["one", "two"], []),
    ],
)
def test_numbers_are_whole(text: str, whole: list[str], parts: list[str]) -> None:
    for sought in whole:
        assert occurs(sought, text), f"{sought!r} stands in {text!r}"
    for sought in parts:
        assert not occurs(sought, text), f"{sought!r} is cut from {text!r}"


def test_every_occurrence_is_found_in_order() -> None:
    utterance = hear("tea and Tea, not teapot, and TEA.")
    assert [utterance.said(span) for span in spans(utterance, "tea")] == ["tea", "Tea", "TEA"]
    utterance = hear("ha ha ha")
    assert spans(utterance, "ha ha") == [Span(0, 5), Span(3, 8)]


def test_nothing_occurs_nowhere() -> None:
    assert list(occurrences(hear("tea"), "", Span(0, 3))) == []
    assert spans(hear(""), "tea") == []


def test_occurrence_stays_inside_its_bounds() -> None:
    utterance = hear("tea for tea")
    assert list(occurrences(utterance, "tea", Span(4, 11))) == [Span(8, 11)]
    assert list(occurrences(utterance, "tea", Span(0, 2))) == []


WORDS = st.sampled_from(
    [
        *("Gordon", "Zoë", "Straße", "ﬁnal", "İnci", "Ｐｒｉｙａ", "O’Brien", "well-known", "ŉgo"),
        *("संजय", "田中さん", "コーヒー", "สมชาย", "한국어", "e\u0301te", "🇩🇪", "👩\u200d👧", "¿"),
        *("-5", "1,500", "21.5", "50%", "$5", "(twenty-five)", "(dock)", "«tea»"),
    ]
)
SPOKEN = st.lists(WORDS, min_size=1, max_size=8)
WAYS = st.sampled_from(
    [
        str,
        str.upper,
        str.casefold,
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: unicodedata.normalize("NFKC", text),
        lambda text: text.replace("’", "'").replace("«", '"').replace("»", '"'),
        lambda text: text.replace(" ", " \u3000 "),
    ]
)


@given(SPOKEN, st.data(), WAYS)
def test_span_cut_between_words_is_found_and_its_own_slice_returned(
    words: list[str], data: st.DataObject, retyped: object
) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    utterance = hear(" ".join(words))
    own = " ".join(words[first:last])
    assert callable(retyped)
    start = len(fold(" ".join(words[:first]))) + (first > 0)

    found = spans(utterance, retyped(own))

    assert Span(start, start + len(fold(own))) in found
    assert display_form(own) in [utterance.said(span) for span in found]


WORD_CHARACTER = regex.compile(r"[\p{L}\p{N}\p{M}\p{Pc}]")
UNSPACED = regex.compile(
    r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]"
)


@given(SPOKEN, st.data())
def test_span_cut_anywhere_is_found_only_where_nothing_is_cut(
    words: list[str], data: st.DataObject
) -> None:
    utterance = hear(" ".join(words))
    text, shown = utterance.folded, utterance.display
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, len(text)))
    clusters = {0} | {match.end() for match in regex.finditer(r"\X", shown)}
    for span in occurrences(utterance, text[first:last], Span(0, len(text))):
        for cut in span:
            assert utterance.origin[cut] in clusters
            around = text[max(0, cut - 1) : cut + 1]
            if len(around) == 2 and all(map(WORD_CHARACTER.match, around)):
                assert any(map(UNSPACED.match, around))
                assert not any(character.isdigit() for character in around)


@given(
    st.sampled_from(
        ["{}", "-{}", "{}.{}", "{},{}", "{}:{}", "{}/{}", "{}-{}", "{}%", "${}", "{}°"]
    ),
    st.integers(1, 99999),
    st.integers(100, 999),
    st.data(),
)
def test_part_of_a_number_is_never_found(
    form: str, first: int, second: int, data: st.DataObject
) -> None:
    number = form.format(first, second)
    utterance = hear(f"it is {number} now")
    assert [utterance.said(span) for span in spans(utterance, number)] == [number]
    start = data.draw(st.integers(0, len(number) - 1))
    end = data.draw(st.integers(start + 1, len(number)))
    part = number[start:end]
    if part != number and any(map(str.isdigit, part)):
        assert spans(utterance, part) == []
