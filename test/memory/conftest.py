# SPDX-License-Identifier: Apache-2.0
"""A store in the test's own directory under a clock that the test sets, and whole memories."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from household import Household

from mira_memory.persistent import PersistentMemory
from mira_memory.store import Store

STORED = {"store", "household", "households", "Store", "three_entities", "PersistentMemory"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run whatever touches a store on a new one of each schema version."""
    touched = {*metafunc.fixturenames, *vars(metafunc.module)}
    if STORED & touched and not hasattr(metafunc.module, "ONE_VERSION"):
        metafunc.fixturenames.insert(0, "new_version")
        metafunc.parametrize("new_version", (1, 2), indirect=True, ids=("v1", "v2"))


@pytest.fixture
def new_version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Make stores of this version where a test does not say otherwise."""
    version = int(request.param)
    for opening in (Store.open, PersistentMemory.open):
        defaults: dict[str, object] = opening.__func__.__kwdefaults__
        monkeypatch.setitem(defaults, "schema_version", version)
    return version


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
    store = Store.open(tmp_path / "robot.sqlite3", clock=clock, busy_timeout_s=20.0)
    yield store
    store.close()


@pytest.fixture
def households(tmp_path: Path) -> Iterator[Callable[..., Household]]:
    """Open households with settings of their own, each on a file of its own."""
    opened: list[Household] = []

    def open_household(**settings: Any) -> Household:
        directory = tmp_path / str(len(opened))
        directory.mkdir()
        opened.append(Household(directory, **settings))
        return opened[-1]

    yield open_household
    for household in opened:
        household.close()


@pytest.fixture
def household(households: Callable[..., Household]) -> Household:
    """Return a household whose assertion guard is off: words alone decide."""
    return households()
