# SPDX-License-Identifier: Apache-2.0
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira_memory.skeleton import skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Аnna"),  # Cyrillic А
        ("paypal", "раураl"),  # Cyrillic р, а, у
        ("GORDON", "G0RD0N"),
        ("rnodern", "modern"),
        ("l1l", "Il|"),
        ("Ω", "Ω"),
    ],
)
def test_look_alikes_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Anna", "Hanna"), ("José", "Jose"), ("a", "b")])
def test_what_looks_different_has_another(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=30))
def test_the_skeleton_does_not_depend_on_the_normal_form(text: str) -> None:
    forms = {skeleton(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}
    assert forms == {skeleton(text)}
