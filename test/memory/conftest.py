# SPDX-License-Identifier: Apache-2.0
"""A store in the test's own directory, under a clock that the test sets."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mira_memory.store import Store


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
    yield store
    store.close()
