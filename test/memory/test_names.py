# SPDX-License-Identifier: Apache-2.0
"""Name look-up, case by case, from test/cases/names.yaml."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mira_memory.recall import recall
from mira_memory.records import MemoryDraft, entity_identity
from mira_memory.store import Store

CASES = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "names.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store.open(tmp_path_factory.mktemp("names") / "names.sqlite3")
    for entry in CASES["entities"]:
        entity = store.add_entity("thing", entry["name"]).entity
        for alias in entry.get("aliases", ()):
            store.add_alias(entity.id, alias)
        store.add_memory(
            MemoryDraft("note", f"Note {entity.id}.", links=((entity.id, "subject"),))
        )
    yield store
    store.close()


@pytest.mark.parametrize("probe", CASES["probes"], ids=lambda probe: repr(probe["ask"]))
def test_probe(store: Store, probe: dict[str, Any]) -> None:
    result = recall(store, probe["ask"])
    assert [entity_identity(found.entity.id) for found in result.entities] == probe["finds"]
    status = {0: "miss", 1: "hit"}.get(len(probe["finds"]), "ambiguous")
    assert result.status == probe.get("status", status)
    for found in result.entities:
        assert [memory.summary for memory in found.memories] == [f"Note {found.entity.id}."]
        assert f"Note {found.entity.id}." in result.text
