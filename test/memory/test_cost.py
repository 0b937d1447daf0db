# SPDX-License-Identifier: Apache-2.0
"""What an operation costs, counted and not timed: it fails on a change of kind, never on noise.

Steps are those of SQLite's virtual machine, calls those of Python functions.
"""

import cProfile
import gc
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from benchmarks._stores import build, shaped
from benchmarks.store import compare, write
from mira_memory.persistent import PersistentMemory
from mira_memory.recall import recall
from mira_memory.store import Store
from mira_memory.turns import _ENDED_MAX

SIZES = (300, 3_000)
SHAPES = ("spread", "entity", "predicate")
# Ten times the memories make a B-tree deeper by less than one page, and a scan ten times as long.
MORE_STEPS = 1.3
CALLS = 2_000
SENTENCE = "Remember that Gordon's favourite snack is herring. "
ARGUMENTS: dict[str, Any] = {
    "kind": "preference",
    "subject": "Gordon",
    "predicate": "favourite_snack",
    "value": "herring",
    "evidence": "Gordon's favourite snack is herring",
    "related_entity": None,
    "related_role": None,
}


@pytest.fixture(scope="module", params=SHAPES)
def stores(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, list[Store]]]:
    directory = tmp_path_factory.mktemp(request.param)
    paths = [directory / f"{size}.sqlite3" for size in SIZES]
    for path, size in zip(paths, SIZES, strict=True):
        build(path, request.param, size)
    opened = [Store.open(path) for path in paths]
    yield request.param, opened
    for store in opened:
        store.close()


def steps(connection: sqlite3.Connection, work: Callable[[], object]) -> int:
    """Return how many steps SQLite takes for `work` on that connection."""
    counted = 0

    def step() -> int:
        nonlocal counted
        counted += 1
        return 0

    connection.set_progress_handler(step, 1)
    try:
        work()
    finally:
        connection.set_progress_handler(None, 0)
    return counted


def grows(work: Callable[[Store], int], stores: list[Store]) -> float:
    few, many = [work(store) for store in stores]
    assert few > 0
    return many / few


def reading(store: Store) -> sqlite3.Connection:
    return store._reader._connection


def writing(store: Store) -> sqlite3.Connection:
    return store._writer._connection


def test_a_recall_takes_as_many_steps_in_a_larger_store(stores: tuple[str, list[Store]]) -> None:
    def work(store: Store) -> int:
        return steps(reading(store), lambda: recall(store, "entity 1"))

    assert grows(work, stores[1]) < MORE_STEPS


def test_a_write_and_its_checks_take_as_many_steps(stores: tuple[str, list[Store]]) -> None:
    shape, opened = stores

    def work(store: Store) -> int:
        memories = store.status().memories
        entities = store.status().entities
        memory = shaped(shape, memories + 7, entities)
        return steps(writing(store), lambda: write(store, memory))

    assert grows(work, opened) < MORE_STEPS


def test_a_repetition_takes_as_many_steps(stores: tuple[str, list[Store]]) -> None:
    shape, opened = stores

    def work(store: Store) -> int:
        memory = shaped(shape, 3, store.status().entities)
        with store.admission_transaction() as transaction:
            return steps(writing(store), lambda: compare(transaction, memory))

    assert grows(work, opened) < MORE_STEPS


def test_the_count_of_steps_sees_a_scan(stores: tuple[str, list[Store]]) -> None:
    scan = "SELECT count(*) FROM memories WHERE summary = ?"

    def work(store: Store) -> int:
        return steps(reading(store), lambda: reading(store).execute(scan, ("",)).fetchone())

    assert grows(work, stores[1]) > 5


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[PersistentMemory]:
    with closing(PersistentMemory.open(tmp_path / "memory.sqlite3", self_name="Mira")) as memory:
        memory.store.add_entity("person", "Gordon")
        yield memory


def calls(work: Callable[[], object]) -> int:
    """Return how many Python functions `work` calls."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("text", [SENTENCE, "a ", "Gordon, ", "1 ", "not ", "remember that "])
def test_the_work_on_an_utterance_grows_no_faster_than_it(
    memory: PersistentMemory, text: str
) -> None:
    turns = count()

    def work(length: int) -> None:
        turn = f"turn-{next(turns)}"
        said = (text * length)[: length - len(SENTENCE)] + SENTENCE
        memory.hear(turn, said)
        assert memory.ground(turn, ARGUMENTS).turn is not None
        memory.end_turn(turn)

    work(900)
    short, long = calls(lambda: work(900)), calls(lambda: work(3_600))
    # Quadratic would be sixteen times as many.
    assert long < 6 * short


def test_nothing_is_left_behind_by_thousands_of_calls(memory: PersistentMemory) -> None:
    def turn(number: int) -> str:
        memory.hear(f"turn-{number}", SENTENCE)
        return f"turn-{number}"

    def work(number: int) -> None:
        memory.remember(turn(number), ARGUMENTS)
        memory.end_turn(f"turn-{number}")
        memory.recall("Gordon")
        memory.recall(f"nobody {number}")

    tracemalloc.start()
    try:
        for number in range(_ENDED_MAX + 100):
            memory.end_turn(turn(number))
        for number in range(10_000, 10_200):
            work(number)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(20_000, 20_000 + CALLS):
            work(number)
        gc.collect()
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # What is kept is bounded, and was full before; a table that is made anew may be larger.
    assert left < 150 * CALLS
