# SPDX-License-Identifier: Apache-2.0
"""A version 2 store about Gordon and Anna under a clock that the test sets."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from household import Household

from mira_memory.records import MemoryDraft
from mira_memory.store import Store

GORDON, ANNA = 1, 2


class Clock:
    """Tell a time that moves one second at each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    store = Store.open(tmp_path / "robot.sqlite3", clock=clock)
    store.add_entity("person", "Gordon")
    store.add_entity("person", "Anna")
    yield store
    store.close()


@pytest.fixture
def add(store: Store) -> Callable[..., int]:
    """Return a function that adds a fact about Gordon and returns its number."""

    def add_fact(value: str, predicate: str = "lives_in", **fields: Any) -> int:
        summary = fields.pop("summary", f"Gordon: {predicate} {value}")
        draft = MemoryDraft(
            fields.pop("kind", "fact"),
            summary,
            ((GORDON, "subject"),),
            predicate,
            value,
            **fields,
        )
        return store.add_memory(draft).memory.id

    return add_fact


@pytest.fixture
def household(tmp_path: Path) -> Iterator[Household]:
    household = Household(tmp_path)
    yield household
    household.close()
