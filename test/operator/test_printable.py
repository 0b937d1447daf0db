# SPDX-License-Identifier: Apache-2.0
"""Nothing that comes from elsewhere can steer the terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira_operator.printable import excerpt, printable, printable_lines


@given(st.text(alphabet=st.characters()))
def test_no_control_character_is_printed(text: str) -> None:
    shown = printable(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb", "a\\x0db"),
        ("a\u202eb", "a\\u202eb"),
        ("\udcff", "\\udcff"),
    ],
)
def test_controls_are_shown_as_their_code(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text",
    ["Gordon", "Гордон", "猫", "👩\u200d🚀", "שלום", "می\u200cخواهم", "é", "🏳\ufe0f\u200d🌈"],
)
def test_words_of_every_script_stay(text: str) -> None:
    assert printable(text) == text


def test_lines_are_kept_apart() -> None:
    assert printable_lines("one\ntwo \n\x07three") == ("one", "two", "\\x07three")


def test_an_excerpt_is_bounded() -> None:
    assert excerpt("x" * 40) == "x" * 40
    assert excerpt("x" * 41) == "x" * 39 + "…"
