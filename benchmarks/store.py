# SPDX-License-Identifier: Apache-2.0
"""Measure the store from a thousand to a million memories, in three shapes.

    ./dev bench store                       # every size and shape, some minutes
    ./dev bench store --sizes 1000 10000    # a short run

`spread`: ten memories on each entity; `entity`: all on one entity; `predicate`: all with one
predicate. Recalls and checks are measured twice: on a hundred things again and again, as a robot
asks about what is around it, and on any of them, so that hardly a page is in a cache. Prints a
table and, with `--json FILE`, writes the figures. Times are microseconds unless the name says
otherwise; docs/memory.md shows a run.
"""

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count, cycle
from pathlib import Path

from benchmarks._measuring import Times, interleaved, machine, timed
from benchmarks._stores import STAMP, build, shaped
from mira_memory import statements
from mira_memory.admission_transaction import AdmissionTransaction, comparison_key
from mira_memory.recall import Recollection, recall
from mira_memory.records import NewMemory
from mira_memory.store import Store

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SHAPES = ("spread", "entity", "predicate")
NEAR = 100
TIMES = 3_000
WRITES = 400
OPENINGS = 5


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured for one shape and size."""

    shape: str
    memories: int
    recall: Times
    recall_any: Times
    recall_kept: Times
    check: Times
    check_any: Times
    insert: Times
    bare_insert: Times
    insert_to_bare: float
    bytes_per_memory: float
    open_ms: float
    open_after_crash_ms: float


def measure(path: Path, shape: str, memories: int) -> Figures:
    """Build one store and measure it."""
    entities = build(path, shape, memories)
    size = path.stat().st_size
    chance = random.Random(memories)
    near = [chance.randrange(memories) for _ in range(NEAR)]
    open_ms = min(opening_ms(path) for _ in range(OPENINGS))
    path.with_name(path.name + ".lock").write_bytes(b"")
    open_after_crash_ms = opening_ms(path)
    with closing(Store.open(path)) as store:
        recollection = Recollection(store)
        recalls, recalls_any = (
            timed(lambda named=named: recall(store, f"entity {next(named)}"), TIMES)
            for named in (
                cycle(number % entities + 1 for number in near),
                iter(lambda: chance.randint(1, entities), 0),
            )
        )
        kept = timed(lambda: recollection.recall("entity 1"), TIMES)
        with store.admission_transaction() as transaction:
            checks, checks_any = (
                timed(
                    lambda numbers=numbers: compare(
                        transaction, shaped(shape, next(numbers), entities)
                    ),
                    TIMES,
                )
                for numbers in (cycle(near), iter(lambda: chance.randrange(memories), -1))
            )
        new = count(memories)
        writes = interleaved(
            {
                "whole": lambda: write(store, shaped(shape, next(new), entities)),
                "bare": bare_writer(path.with_name("bare.sqlite3"), shape, entities),
            },
            WRITES,
        )
    return Figures(
        shape=shape,
        memories=memories,
        recall=recalls,
        recall_any=recalls_any,
        recall_kept=kept,
        check=checks,
        check_any=checks_any,
        insert=writes["whole"],
        bare_insert=writes["bare"],
        insert_to_bare=round(writes["whole"].p50 / writes["bare"].p50, 2),
        bytes_per_memory=round(size / memories, 1),
        open_ms=round(open_ms, 1),
        open_after_crash_ms=round(open_after_crash_ms, 1),
    )


def opening_ms(path: Path) -> float:
    """Return how long it takes to open the store and to answer a first recall."""
    begun = time.perf_counter()
    store = Store.open(path)
    answer = recall(store, "entity 1")
    taken = time.perf_counter() - begun
    store.close()
    assert answer.status == "hit"
    return taken * 1e3


def write(store: Store, memory: NewMemory) -> None:
    """Admit a memory as the node does: compare, then insert, then one sync."""
    with store.admission_transaction() as transaction:
        compare(transaction, memory)
        transaction.insert(memory)


def compare(transaction: AdmissionTransaction, memory: NewMemory) -> None:
    assert memory.value is not None
    assert memory.predicate is not None
    subject, _ = next(iter(memory.links))
    value_key = comparison_key(memory.value)
    transaction.slot_conflicts(subject, memory.predicate, value_key)
    transaction.duplicate(memory.kind, memory.predicate, value_key, memory.links)


def bare_writer(path: Path, shape: str, entities: int) -> Callable[[], None]:
    """Return a function that inserts the same rows with bare sqlite3: no checks, no store."""
    path.unlink(missing_ok=True)
    Store.open(path).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    numbers = count()

    def insert() -> None:
        memory = shaped(shape, next(numbers), entities)
        connection.execute("BEGIN IMMEDIATE")
        cursor = connection.execute(
            statements.INSERT_MEMORY,
            (
                memory.kind,
                memory.summary,
                memory.predicate,
                memory.predicate,
                memory.value,
                memory.value,
                memory.source_kind,
                memory.source_label,
                memory.confidence,
                memory.turn_id,
                None,
                STAMP,
            ),
        )
        for entity_id, role in memory.links:
            connection.execute(statements.INSERT_LINK, (cursor.lastrowid, entity_id, role))
        connection.execute(statements.INSERT_TEXT_PAYLOAD, (cursor.lastrowid, memory.summary))
        connection.execute("COMMIT")

    return insert


def table(figures: list[Figures]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield (
        "| shape | memories | recall | p99 | any | kept | check | p99 | any | write | p99 | "
        "to bare | bytes each | open ms | after a crash |"
    )
    yield "|---" + "|---:" * 14 + "|"
    for f in figures:
        yield (
            f"| {f.shape} | {f.memories:,} | {f.recall.p50} | {f.recall.p99} | "
            f"{f.recall_any.p50} | {f.recall_kept.p50} | {f.check.p50} | {f.check.p99} | "
            f"{f.check_any.p50} | {f.insert.p50} | {f.insert.p99} | {f.insert_to_bare} | "
            f"{f.bytes_per_memory} | {f.open_ms} | {f.open_after_crash_ms} |"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--directory", type=Path, help="where the stores are built")
    asked = parser.parse_args()
    figures = []
    for shape in asked.shapes:
        for memories in asked.sizes:
            with tempfile.TemporaryDirectory(dir=asked.directory) as directory:
                figures.append(measure(Path(directory) / "store.sqlite3", shape, memories))
            print(list(table(figures[-1:]))[-1], file=sys.stderr)
    print(machine(), *table(figures), sep="\n")
    if asked.json:
        run = {"machine": machine(), "figures": [asdict(f) for f in figures]}
        asked.json.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
