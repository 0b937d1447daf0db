# SPDX-License-Identifier: Apache-2.0
"""Stores of any size to measure on."""

import sqlite3
from contextlib import closing
from pathlib import Path

from mira_memory import statements
from mira_memory.records import MemoryDraft, NewMemory
from mira_memory.store import Store

ON_AN_ENTITY = 10
BATCH = 20_000
TWIN = "Twin"
STAMP = "2026-11-30T12:00:00.000000Z"


def shaped(shape: str, number: int, entities: int) -> NewMemory:
    """Return the memory of that number, from 0."""
    subject = 1 if shape == "entity" else number % entities + 1
    predicate = "likes" if shape == "predicate" else f"predicate{number // entities}"
    return NewMemory(
        "fact",
        f"Entity {subject} likes thing number {number} in the hallway.",
        predicate if shape != "entity" else f"predicate{number}",
        f"thing number {number}",
        frozenset({(subject, "subject")}),
        "operator_statement",
        source_label="console",
        turn_id=f"turn-{number:010}",
    )


def build(path: Path, shape: str, memories: int) -> int:
    """Fill a new store; return how many entities it has."""
    entities = entities_of(shape, memories)
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            statements.INSERT_ENTITY,
            (
                ("thing", f"Entity {number}", f"entity {number}", STAMP)
                for number in range(1, entities + 1)
            ),
        )
    with closing(Store.open(path)) as store:
        for start in range(0, memories, BATCH):
            with store.admission_transaction() as transaction:
                for number in range(start, min(start + BATCH, memories)):
                    transaction.insert(shaped(shape, number, entities))
    return entities


def entities_of(shape: str, memories: int) -> int:
    """Return how many entities a store of that shape and size has."""
    return 1 if shape == "entity" else max(1, memories // ON_AN_ENTITY)


def spread(directory: Path, memories: int) -> Path:
    """Return a store with ten memories on each entity, built unless the directory has it.

    It also knows Gordon, of whom nothing is said, and two things called Twin, of four memories.
    """
    path = directory / f"spread-{memories}.sqlite3"
    if not path.exists():
        try:
            build(path, "spread", memories)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    with closing(Store.open(path)) as store:
        if not store.find_entities("Gordon"):
            store.add_entity("person", "Gordon")
        if not store.find_entities(TWIN):
            for kind in ("cup", "plate"):
                twin = store.add_entity(kind, TWIN).entity.id
                for number in range(4):
                    links = ((twin, "subject"),)
                    store.add_memory(
                        MemoryDraft("fact", f"The twin has {number}.", links, "has", f"{number}")
                    )
    return path
