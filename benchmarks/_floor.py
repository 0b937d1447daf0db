# SPDX-License-Identifier: Apache-2.0
"""Start the service that does nothing, to compare with."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks._stores import ON_AN_ENTITY
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

# Every store that is measured has an entity of this name.
KNOWN = "Entity 7"


def start_floor(graph: Any, directory: Path, namespace: str = "/floor") -> Any:
    """Start it in a process of its own; its `shaped` answers for one entity of a small store."""
    path = directory / "shape.sqlite3"
    with closing(Store.open(path)) as store:
        if not store.find_entities(KNOWN):
            known = store.add_entity("thing", KNOWN).entity.id
            for number in range(ON_AN_ENTITY):
                store.add_memory(
                    MemoryDraft(
                        "fact",
                        f"{KNOWN} likes thing number {number} in the hallway.",
                        ((known, "subject"),),
                        f"predicate{number}",
                        f"thing number {number}",
                    )
                )
    program = [sys.executable, "-m", "benchmarks._empty_service", str(path), KNOWN]
    return graph.start_program(program, namespace=namespace)
