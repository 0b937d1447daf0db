# SPDX-License-Identifier: Apache-2.0
"""Stored keys must mean the same on every interpreter: the fixture was made on Python 3.11."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mira_memory.text import key, refused_character

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture(scope="module")
def fixture() -> Any:
    return json.loads((FIXTURES / "keys.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_keys", FIXTURES / "make_keys.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_the_oldest_interpreter_accepts_is_accepted(fixture: Any) -> None:
    codes = [code for first, last in fixture["accepted"] for code in range(first, last + 1)]
    assert len(codes) > 130_000
    assert [code for code in codes if refused_character(chr(code)) is not None] == []


def test_every_accepted_character_has_the_stored_key(fixture: Any, maker: ModuleType) -> None:
    codes = [code for first, last in fixture["accepted"] for code in range(first, last + 1)]
    digests = {name: maker.digest(group) for name, group in maker.blocks(codes).items()}
    assert digests == fixture["digests"]


def test_the_stored_strings_have_the_stored_keys(fixture: Any) -> None:
    assert {text: key(text) for text in fixture["strings"]} == fixture["strings"]
    assert fixture["strings"]["Straße 5"] == "strasse 5"
