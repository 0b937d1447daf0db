# SPDX-License-Identifier: Apache-2.0
"""Arbitrary utterances and proposals break no rule (benchmarks/fuzz_admission.py goes on)."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from benchmarks.fuzz_admission import Fuzzer, rounds


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzer]:
    fuzzer = Fuzzer(tmp_path_factory.mktemp("fuzzed"))
    yield fuzzer
    fuzzer.close()


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(example=rounds())
def test_no_example_breaks_a_rule(fuzzer: Fuzzer, example: tuple[str, Any]) -> None:
    fuzzer.examine(*example)


def test_rules_are_met_by_an_admission_too(fuzzer: Fuzzer) -> None:
    said = "Remember that Gordon likes tea."
    arguments = {
        "kind": "fact",
        "subject": "Gordon",
        "predicate": "drink",
        "value": "tea",
        "evidence": "Gordon likes tea",
        "related_entity": None,
        "related_role": None,
    }
    fuzzer.examine(said, arguments)
    assert fuzzer.answers["created"] >= 1
