# SPDX-License-Identifier: Apache-2.0
"""Quoted words survive quoting and splitting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira_operator.quoting import BadQuoting, Word, quote, split


@given(st.text())
def test_quoted_text_is_split_into_itself(text: str) -> None:
    assert split(quote(text)) == (Word(text, quoted=True),)


@given(st.lists(st.text()))
def test_words_side_by_side_stay_apart(texts: list[str]) -> None:
    assert split(" ".join(map(quote, texts))) == tuple(Word(text, quoted=True) for text in texts)


def test_bare_and_quoted_words_are_told_apart() -> None:
    assert split('find  "find"\t“find”') == (
        Word("find", quoted=False),
        Word("find", quoted=True),
        Word("find", quoted=True),
    )


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (r'"a \"b\" c"', 'a "b" c'),
        (r'"a\\b"', r"a\b"),
        (r'"a\nb"', r"a\nb"),
        ('"say “hi”"', "say “hi”"),
        ('“say "hi"”', 'say "hi"'),
    ],
)
def test_backslash_escapes_quotes_and_itself_only(typed: str, text: str) -> None:
    assert split(typed) == (Word(text, quoted=True),)


@pytest.mark.parametrize("line", ['"', '"a', '"a\\"', "“a", '“a"', '"a"b', 'a"b"', "a“b"])
def test_quotes_that_do_not_pair_are_refused(line: str) -> None:
    with pytest.raises(BadQuoting):
        split(line)
