# SPDX-License-Identifier: Apache-2.0
"""The language files: what is wrong in one is said with file and key (docs/grounding.md)."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from mira_memory.assertion import LANGUAGES, AssertionGuard
from mira_memory.guard.lexicon import LexiconError, load
from mira_memory.guard.lists import WordLists
from mira_memory.guard.phrases import PhraseRefused, expand
from mira_memory.guard.rules import SENTENCES

GROUNDING = Path(__file__).parents[2] / "docs" / "grounding.md"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the Spanish file, to be spoiled."""
    source = files("mira_memory") / "languages" / "es.yaml"
    target = tmp_path / "es.yaml"
    target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return target


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_file_loads(language: str) -> None:
    assert load(language).language == language


def test_a_copied_file_loads(copy: Path) -> None:
    assert load("es", copy.parent).language == "es"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("framings: |", "framing: |", r"es\.yaml, key framings: Field required"),
        ("function_words: |", "x: |\n  a\nfunction_words: |", r"es\.yaml, key x: Extra inputs"),
        ("conditions: |", "conditions: |\n  si (a | b", r"key conditions: .* does not close"),
        ("conditions: |", "conditions: |\n  si a) b", r"key conditions: .* did not open"),
        ("conditions: |", "conditions: |\n  a | | b", r"key conditions: .* empty alternative"),
        ("conditions: |", "conditions: |\n  [a]", r"key conditions: .* may be empty"),
        ("language: es", "language: it", r"key language: it names 'it'; expected 'es'"),
        ("language: es", "language: [", r"es\.yaml, line \d+: this is not YAML"),
        (
            "adverb_endings: |\n  mente",
            "adverb_endings:\n  mente: x",
            r"key adverb_endings: .* as in docs/grounding\.md",
        ),
    ],
)
def test_a_malformed_file_is_refused_by_file_and_key(
    copy: Path, old: str, new: str, complaint: str
) -> None:
    text = copy.read_text(encoding="utf-8")
    assert old in text
    copy.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LexiconError, match=complaint):
        load("es", copy.parent)


def test_a_language_without_a_file_is_refused() -> None:
    with pytest.raises(LexiconError, match=r"xx\.yaml: .* name a language that has a file"):
        AssertionGuard(["en", "xx"])


def test_a_line_stands_for_its_phrases() -> None:
    assert expand("keep (this | it) in mind") == [
        ("keep", "it", "in", "mind"),
        ("keep", "this", "in", "mind"),
    ]
    assert expand("a | b [c]") == [("a",), ("b",), ("b", "c")]
    assert expand("Straße") == [("strasse",)]


def test_a_line_that_stands_for_too_many_phrases_is_refused() -> None:
    with pytest.raises(PhraseRefused, match="split it"):
        expand(" ".join(["(a | b | c | d)"] * 6))


def test_every_list_and_every_rule_is_documented() -> None:
    documented = set(re.findall(r"`(\w+)`", GROUNDING.read_text(encoding="utf-8")))
    assert set(WordLists.model_fields) - documented == set()
    assert set(SENTENCES) - documented == set()
