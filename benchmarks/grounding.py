# SPDX-License-Identifier: Apache-2.0
"""Measure both errors of admission on a corpus: what it stores wrongly, what it wrongly refuses.

    ./dev bench grounding
    ./dev bench grounding --corpus FILE [--corpus FILE] [--rules] [--ids]

Every row goes through the real admission. A file's rows share one new store: each entity is added
once, and each row has a predicate of its own, so that no row is another's conflict. Rates come
with the Wilson score interval (95 %). Without `--corpus`, the files of test/corpora are measured,
the tuned and the held-out half of each language apart.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from mira_memory.errors import MemoryFault
from mira_memory.persistent import PersistentMemory
from mira_memory.text import key

CORPORA = Path(__file__).parents[1] / "test" / "corpora"
NOT_ASSERTED, ASSERTED = "not_asserted", "asserted"
ERRORS = {NOT_ASSERTED: "false admissions", ASSERTED: "false refusals"}
_Z = 1.959964  # the normal quantile of a 95 % interval

Row = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """Count the rows of one category, and those that were decided wrongly."""

    rows: int = 0
    wrong: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    ids: list[str] = field(default_factory=list)

    def __add__(self, other: "Tally") -> "Tally":
        """Return the sum of two categories."""
        return Tally(
            self.rows + other.rows,
            self.wrong + other.wrong,
            self.rules + other.rules,
            self.ids + other.ids,
        )


def wilson(wrong: int, rows: int) -> tuple[float, float]:
    """Return the Wilson score interval (95 %) of a rate."""
    if not rows:
        return 0.0, 1.0
    rate, square = wrong / rows, _Z * _Z
    middle = (rate + square / (2 * rows)) / (1 + square / rows)
    half = _Z / (1 + square / rows) * sqrt(rate * (1 - rate) / rows + square / (4 * rows * rows))
    return max(0.0, middle - half), min(1.0, middle + half)


def measure(rows: Iterable[Row]) -> dict[tuple[str, str], Tally]:
    """Return the tallies of a corpus by label and category."""
    tallies: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
    with tempfile.TemporaryDirectory() as directory:
        memory = PersistentMemory.open(Path(directory) / "memory.sqlite3", self_name="Mira")
        try:
            known: set[str] = set()
            for number, row in enumerate(rows):
                _prepare(memory, row["setup_entities"], known)
                turn = f"turn-{number}"
                memory.hear(turn, row["utterance"], "operator")
                arguments = row["proposal"] | {"predicate": f"predicate_{number}"}
                result = memory.remember(turn, arguments)
                memory.end_turn(turn)
                tally = tallies[row["label"], row["category"]]
                tally.rows += 1
                if result.status != row["expect"]["status"]:
                    tally.wrong += 1
                    tally.rules[result.rule or result.reason or "admitted"] += 1
                    tally.ids.append(row["id"])
        finally:
            memory.close()
    return dict(tallies)


def _prepare(
    memory: PersistentMemory, entities: Sequence[dict[str, str]], known: set[str]
) -> None:
    for entity in entities:
        if key(entity["name"]) in known:
            continue
        known.add(key(entity["name"]))
        try:
            memory.store.add_entity(entity["type"], entity["name"])
        except (MemoryFault, ValueError) as fault:
            print(f"an entity of the corpus cannot be added: {fault}", file=sys.stderr)


def report(title: str, tallies: dict[tuple[str, str], Tally], *, rules: bool, ids: bool) -> None:
    """Print the two-sided table of one corpus."""
    print(f"\n{title}")
    print(f"{'':34}{'rows':>6}{'wrong':>7}{'rate':>9}   95 % interval")
    for label in (NOT_ASSERTED, ASSERTED):
        own = {category: tally for (row, category), tally in tallies.items() if row == label}
        for category, tally in sorted(own.items()):
            _line(f"  {category}", tally)
        total = sum(own.values(), Tally())
        _line(ERRORS[label], total)
        if rules and total.rules:
            print("    " + ", ".join(f"{rule} {n}" for rule, n in total.rules.most_common()))
        if ids and total.ids:
            print("    " + " ".join(total.ids))


def _line(name: str, tally: Tally) -> None:
    low, high = wilson(tally.wrong, tally.rows)
    rate = tally.wrong / tally.rows if tally.rows else 0.0
    print(f"{name:34}{tally.rows:6}{tally.wrong:7}{rate:9.2%}   {low:.2%} to {high:.2%}")


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a corpus file, one JSON object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def main() -> int:
    """Measure the named corpora, or those of the project."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, action="append", help="a JSONL file of rows")
    parser.add_argument("--rules", action="store_true", help="count the rules that erred")
    parser.add_argument("--ids", action="store_true", help="name the rows decided wrongly")
    options = parser.parse_args()
    corpora = options.corpus or sorted(CORPORA.glob("*.jsonl"))
    halves: defaultdict[str, dict[tuple[str, str], Tally]] = defaultdict(dict)
    for path in corpora:
        tallies = measure(rows_of(path))
        report(path.name, tallies, rules=options.rules, ids=options.ids)
        half = halves[path.stem.partition("_")[2]]
        for place, tally in tallies.items():
            half[place] = half.get(place, Tally()) + tally
    if not options.corpus:
        for name, sums in halves.items():
            report(f"all languages, {name}", sums, rules=options.rules, ids=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
