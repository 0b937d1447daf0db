# SPDX-License-Identifier: Apache-2.0
"""The published admission cases, each against a fresh store with every language's lists on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from household import Household

from mira_memory.assertion import LANGUAGES

CASES = yaml.safe_load(
    (Path(__file__).parents[1] / "cases" / "admission.yaml").read_text(encoding="utf-8")
)


@pytest.fixture
def listed(households: Callable[..., Household]) -> Household:
    entities = [
        (entity["type"], entity["name"], entity["aliases"]) for entity in CASES["entities"]
    ]
    return households(entities=entities, guard_languages=LANGUAGES)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_case_is_decided_as_listed(listed: Household, case: dict[str, Any]) -> None:
    for earlier in case.get("before", ()):
        assert listed.tell(earlier["utterance"], earlier["proposal"]).admission == "created"
    stored = listed.memories()
    expected = case["expect"]

    result = listed.tell(case["utterance"], case["proposal"])

    assert (result.status, result.reason) == (expected["status"], expected.get("reason", ""))
    assert result.admission == expected.get("admission", "")
    assert listed.memories() == stored + (result.admission == "created")
    if result.status == "rejected":
        assert result.error.endswith(".")
        assert result.memory_id is None
        return
    assert result.memory_id is not None
    memory, payloads = listed.memory.store.show_memory(result.memory_id)
    assert payloads == (memory.summary,)
    assert memory.summary == expected.get("summary", memory.summary)
    assert memory.predicate == expected.get("predicate", memory.predicate)
    if "entity" in expected:
        assert result.entity_id == listed.ids[expected["entity"]]
