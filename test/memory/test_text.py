# SPDX-License-Identifier: Apache-2.0
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mira_memory import text
from mira_memory.text import TextRefused, checked, display_form, fold_typography, key, token

EVERY_CHARACTER = [chr(code) for code in range(sys.maxunicode + 1)]
ACCEPTED = [c for c in EVERY_CHARACTER if text.refused_character(c) is None]
ANY_TEXT = st.text(alphabet=st.characters(), max_size=40)
WORDS = st.text(alphabet=st.sampled_from(ACCEPTED), min_size=1, max_size=30)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def is_accepted(candidate: str) -> bool:
    try:
        checked(candidate, "name", text.NAME_MAX)
    except TextRefused:
        return False
    return True


def test_key_of_every_character_is_a_fixed_point() -> None:
    assert [c for c in EVERY_CHARACTER if key(key(c)) != key(c)] == []


@given(ANY_TEXT)
@example("ß\u0301")
@example("\u03aa\u0301")
@example("J\u030c")
@example("\u0345\u0301a")
def test_key_is_idempotent(anything: str) -> None:
    assert key(key(anything)) == key(anything)


@given(WORDS)
def test_equal_under_every_normal_form_and_case(word: str) -> None:
    forms = [unicodedata.normalize(form, word) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    forms += [word.casefold(), f"  {word}\u3000"]
    assert {key(form) for form in forms} == {key(word)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", "Zoe\u0308"),
        ("Ａｎｎａ", "anna"),
        ("ﬁnal", "FINAL"),
        ("Straße", "STRASSE"),
        ("ǰ", "J\u030c"),
        ("ΐ", "Ϊ\u0301"),
        ("ß\u0301", "SŚ"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Anna\u00a0\u2003Berg", "anna berg"),
    ],
)
def test_the_same_name(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("А", "A"), ("Jose", "José"), ("O'Brien", "O’Brien"), ("100 %", "100%"), ("l", "1")],
)
def test_another_name(one: str, other: str) -> None:
    assert key(one) != key(other)


@given(WORDS)
def test_what_was_accepted_is_accepted_again_and_unchanged(word: str) -> None:
    if is_accepted(word):
        shown = checked(word, "name", text.NAME_MAX)
        assert checked(shown, "name", text.NAME_MAX) == shown == display_form(word)
        assert is_accepted(key(shown)) or len(key(shown)) > text.NAME_MAX


def test_normalizing_an_accepted_character_gives_accepted_ones() -> None:
    # "ﬀ", "㎏", "™" and their like: checking before and after NFKC must not disagree.
    changed = [c for c in ACCEPTED if unicodedata.normalize("NFKC", c) != c]
    assert len(changed) > 3000
    refused = [
        c for c in changed if text.refused_character(unicodedata.normalize("NFKC", c)) is not None
    ]
    assert refused == []


def test_every_character_of_a_refused_category_is_refused() -> None:
    hidden = {"Cc", "Cs", "Co", "Cn"}
    assert not [c for c in ACCEPTED if unicodedata.category(c) in hidden]
    assert len(ACCEPTED) > 130_000


@pytest.mark.parametrize(
    "code",
    [
        *(0x00, 0x09, 0x0A, 0x1B, 0x7F, 0x85, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5),
        *(0x180B, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202E, 0x2060, 0x2066),
        *(0x2069, 0x206F, 0x2800, 0x3164, 0xD800, 0xDFFF, 0xE000, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0),
        *(0xFFF0, 0xFFFD, 0x1BCA0, 0x1D173, 0xE0001, 0xE0020, 0xE0100, 0xE0FFF, 0xF0000, 0x10FFFF),
    ],
)
def test_a_refused_character_is_named_and_the_text_is_not(code: int) -> None:
    with pytest.raises(TextRefused) as refusal:
        checked(f"An{chr(code)}na", "alias", text.NAME_MAX)
    assert str(refusal.value) == (
        f"The alias contains U+{code:04X}, an invisible, control or unassigned character; "
        "leave it out."
    )
    assert is_accepted("Anna")


@pytest.mark.parametrize(
    "needed",
    [
        "क्\u200dष",  # ZWJ after a virama
        "क्\u200cष",
        "می\u200cخواهم",  # ZWNJ between Arabic letters
        "مِی\u200cخ",  # the letter before it carries a mark
        FAMILY,
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "葛\U000e0100",
    ],
)
def test_a_joiner_or_selector_that_the_script_needs_is_accepted(needed: str) -> None:
    assert checked(needed, "name", text.NAME_MAX) == needed


@pytest.mark.parametrize(
    "needless",
    [
        "an\u200dna",
        "an\u200cna",
        "\u200danna",
        "anna\u200d",
        "می\u200ca",
        "a\u200cمی",
        "\U0001f468\u200cx",
        f"{FAMILY}\u200d",
        "\U0001f468\u200d\u200d\U0001f469",
        "5\ufe0f",
        "a\ufe0f",
        "\ufe0f",
        "❤\ufe0f\ufe0f",
    ],
)
def test_a_joiner_or_selector_that_hides_is_refused(needless: str) -> None:
    assert not is_accepted(needless)


@pytest.mark.parametrize("blank", ["", " ", "\u3000", "\u2028 \u00a0"])
def test_a_blank_text_is_refused(blank: str) -> None:
    with pytest.raises(TextRefused, match=r"^The value is empty; give at least one visible"):
        checked(blank, "value", text.VALUE_MAX)


def test_the_limit_counts_the_display_form() -> None:
    assert checked("  " + "x" * 256 + "  ", "name", 256) == "x" * 256
    assert checked("e\u0301" * 256, "name", 256) == "é" * 256
    with pytest.raises(TextRefused) as refusal:
        checked("ﷺ" * 20, "name", 256)
    assert str(refusal.value) == "The name has 360 characters; shorten it to at most 256."


def test_a_huge_text_is_refused_without_being_normalized() -> None:
    with pytest.raises(TextRefused, match="shorten it to at most 256"):
        checked("\u0315\u0300" * 1_000_000, "name", 256)


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        ("Favourite_Snack", "favourite_snack"),
        ("likes-IT", "likes-it"),
        ("ﬁts", "fits"),
        ("straße", "strasse"),
        ("МОСКВА", "москва"),
        ("İs", "i\u0307s"),
        ("x" * 64, "x" * 64),
    ],
)
def test_a_token_is_folded(raw: str, folded: str) -> None:
    assert token(raw, "predicate") == folded
    assert token(folded, "predicate") == folded


@pytest.mark.parametrize(
    "raw",
    ["", " likes", "likes it", "_x", "-x", "1st", "a.b", "x" * 65, "ß" * 33, "a\ufe0f", "a\u200d"],
)
def test_what_is_no_token_is_refused(raw: str) -> None:
    with pytest.raises(TextRefused) as refusal:
        token(raw, "role")
    assert str(refusal.value) == (
        "The role is no token; give a letter followed by letters, digits, '_' or '-', "
        "at most 64 characters."
    )


@given(ANY_TEXT)
def test_a_token_is_a_fixed_point(anything: str) -> None:
    try:
        folded = token(anything, "kind")
    except TextRefused:
        return
    assert token(folded, "kind") == folded == key(folded)


@given(ANY_TEXT)
def test_folding_typography_keeps_the_length(anything: str) -> None:
    assert len(fold_typography(anything)) == len(anything)
    assert fold_typography(fold_typography(anything)) == fold_typography(anything)


@pytest.mark.parametrize(
    ("typeset", "plain"),
    [("Gordon’s", "Gordon's"), ("“so”", '"so"'), ("well–known", "well-known"), ("−5", "-5")],
)
def test_typographic_variants_are_one(typeset: str, plain: str) -> None:
    assert fold_typography(key(typeset)) == key(plain)
