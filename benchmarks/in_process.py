# SPDX-License-Identifier: Apache-2.0
"""Time recall, the decision of an admission and a durable write, without the middleware.

    ./dev bench in_process

`./dev bench store` looks at more shapes and sizes, `./dev bench admission` at hostile words.
"""

import gc
import os
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

from disk_syncs import NotTraced, syncs

from benchmarks._findings import Figure, Options, Section, run
from benchmarks._measuring import Times, Work, interleaved
from benchmarks._stores import entities_of, shaped, spread
from benchmarks.admission import ARGUMENTS, DECISION_LIMIT_US, ORDINARY
from benchmarks.store import bare_writer, write
from mira_memory.persistent import PersistentMemory
from mira_memory.recall import recall
from mira_memory.store import Store

SIZES = {"1k": 1_000, "1M": 1_000_000}
SHORT_SIZES = {"1k": 1_000, "20k": 20_000}
RECALL_AIM_US = 60.0
WRITE_AIM = 2.0
ALIKE_AIM = 1.5
TOLERANCE = 1.6
TRACED_WRITES = 50
TOLD = """
Microseconds. *recall* looks up and renders: one of a hundred names, so that pages are in a cache;
*any* is one of all names, so that hardly a page is. *kept* is the answer to a repeated question,
rendered once and kept until somebody writes. *decision* is an admission whose statement turns out
to be known, so everything of it but the commit: grounding, the guard in four languages, look-ups,
conflict and duplicate checks. *bare write* is `sqlite3` alone inserting the same rows with the
same pragmas into a new file beside.
"""


def measure(options: Options) -> Section:
    """Measure on a small and on a large store."""
    sizes = SHORT_SIZES if options.short else SIZES
    rounds = 150 if options.short else 2000
    found: dict[str, Times] = {}
    for label, size in sizes.items():
        path = spread(options.directory, size)
        with closing(PersistentMemory.open(path, self_name="Mira")) as memory:
            repeating = Repeating(memory)
            works = {**recalls(memory, size), "decision": repeating.decide}
            times = interleaved(
                works, rounds, warm_up=rounds // 4, in_a_row=20, before=repeating.hear
            )
            times |= interleaved(writes(memory.store, path, size), rounds // 4, warm_up=10)
        found |= {f"{name} {label}": kept for name, kept in times.items()}
    return section(found, tuple(sizes), options.directory)


def recalls(memory: PersistentMemory, size: int) -> dict[str, Work]:
    """Return a recall that is kept, and one of another name each time."""
    numbers = count()
    entities = entities_of("spread", size)
    return {
        "recall, kept": lambda: memory.recall("Entity 7"),
        "recall": lambda: recall(memory.store, f"Entity {next(numbers) * 37 % 97 + 1}"),
        "recall, any": lambda: recall(
            memory.store, f"Entity {next(numbers) * 7919 % entities + 1}"
        ),
    }


class Repeating:
    """Repeat a statement that is known: all of an admission happens, and nothing is written."""

    def __init__(self, memory: PersistentMemory) -> None:
        self._memory = memory
        self._turns = count()
        self._turn = ""
        self.hear()
        memory.remember(self._turn, ARGUMENTS)

    def hear(self) -> None:
        """Hear it in a new turn."""
        self._memory.end_turn(self._turn)
        self._turn = f"{os.getpid()}-{next(self._turns)}"
        self._memory.hear(self._turn, ORDINARY, "operator")

    def decide(self) -> None:
        """Decide it."""
        result = self._memory.remember(self._turn, ARGUMENTS)
        assert result.admission == "duplicate", result


def writes(store: Store, path: Path, size: int) -> dict[str, Work]:
    """Return a durable write and the bare insertion of the same rows."""
    entities = entities_of("spread", size)
    status = store.status()
    numbers = count(status.memories + 1)
    bare = bare_writer(path.with_name("bare.sqlite3"), "spread", entities)
    return {
        "write": lambda: write(store, shaped("spread", next(numbers), entities)),
        "bare write": bare,
    }


def section(found: dict[str, Times], labels: tuple[str, ...], directory: Path) -> Section:
    """Return the table and what of it matters."""
    small, large = labels
    figures = [
        Figure(f"recall {large}", found[f"recall {large}"].p50, "µs", RECALL_AIM_US),
        Figure(f"recall, kept {large}", found[f"recall, kept {large}"].p50, "µs", RECALL_AIM_US),
        Figure(f"decision {large}", found[f"decision {large}"].p50, "µs", DECISION_LIMIT_US),
    ]
    for name in ("recall", "recall, kept", "decision"):
        alike = found[f"{name} {large}"].p50 / found[f"{name} {small}"].p50
        figures.append(
            Figure(f"{name}, {large} to {small}", round(alike, 3), "x", ALIKE_AIM, TOLERANCE)
        )
    for label in labels:
        slower = found[f"write {label}"].p50 / found[f"bare write {label}"].p50
        figures.append(
            Figure(f"write to bare, {label}", round(slower, 3), "x", WRITE_AIM, TOLERANCE)
        )
    try:
        traced = [syncs(directory / f"traced-{n}.sqlite3", n) for n in (0, TRACED_WRITES)]
        each = (traced[1] - traced[0]) / TRACED_WRITES
        figures.append(Figure("syncs of a write", each, "", 1.0, 1.0))
        counted = f"{each:g} sync a write, counted with strace."
    except NotTraced as reason:
        counted = f"Syncs were not counted: {reason}."
    finally:
        for file in directory.glob("traced-*"):
            file.unlink()
    return Section(
        "in_process",
        "In process",
        f"{TOLD} {counted}",
        ("work", "p50", "p95", "p99"),
        tuple(
            (name, *map(str, (times.p50, times.p95, times.p99))) for name, times in found.items()
        ),
        tuple(figures),
    )


def main() -> int:
    gc.freeze()
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
