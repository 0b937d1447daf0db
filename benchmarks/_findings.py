# SPDX-License-Identifier: Apache-2.0
"""What a benchmark found: a table to read, and figures to compare with aims or another run."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks._measuring import machine


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that matters; less is better.

    `tolerance` is how many times the baseline's value it may be, None if it is not compared:
    a ratio of two things measured side by side can be, an absolute time can't.
    """

    name: str
    value: float
    unit: str = ""
    aim: float | None = None
    tolerance: float | None = None

    def met(self) -> bool:
        """Tell whether it keeps to its aim."""
        return self.aim is None or self.value <= self.aim


@dataclass(frozen=True, slots=True)
class Section:
    """What one benchmark found. `told` says how it was measured and what is not seen in it."""

    name: str
    title: str
    told: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """How much to measure, and where stores are built."""

    short: bool
    directory: Path


Measure = Callable[[Options], Section]


def as_json(sections: Iterable[Section], measured_on: str) -> str:
    """Return a run as text; `measured_on` is the machine."""
    run = {"machine": measured_on, "sections": [asdict(section) for section in sections]}
    return json.dumps(run, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> tuple[list[Section], str]:
    """Return the sections and the machine of a run."""
    run = json.loads(text)
    return [_section(section) for section in run["sections"]], run["machine"]


def _section(found: dict[str, Any]) -> Section:
    rows = tuple(tuple(row) for row in found["rows"])
    figures = tuple(Figure(**figure) for figure in found["figures"])
    return Section(**found | {"head": tuple(found["head"]), "rows": rows, "figures": figures})


def markdown(section: Section) -> Iterator[str]:
    """Yield the lines of a section: title, how, table, aims."""
    yield f"### {section.title}"
    yield ""
    yield " ".join(section.told.split())
    yield ""
    yield from table(section.head, section.rows)
    aimed = [figure for figure in section.figures if figure.aim is not None]
    if aimed:
        yield ""
        yield from table(
            ("aim", "at most", "measured", ""),
            [
                (f.name, _amount(f.aim or 0.0, f.unit), _amount(f.value, f.unit), _verdict(f))
                for f in aimed
            ],
        )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, its first column to the left."""
    yield f"| {' | '.join(head)} |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _amount(value: float, unit: str) -> str:
    return f"{value:,.4g} {unit}".strip() if value < 1000 else f"{value:,.0f} {unit}".strip()


def _verdict(figure: Figure) -> str:
    return "met" if figure.met() else "missed"


def run(measure: Measure, description: str) -> int:
    """Run one benchmark from the command line; 1 if an aim is missed."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="a quick look")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--directory", type=Path, help="where stores are built, and kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mira-bench-") as directory:
        section = measure(Options(asked.short, asked.directory or Path(directory)))
    print(machine(), "", *markdown(section), sep="\n")
    if asked.json is not None:
        asked.json.write_text(as_json([section], machine()), encoding="utf-8")
    return 0 if all(figure.met() for figure in section.figures) else 1


def progress(text: str) -> None:
    """Say on standard error what goes on."""
    print(text, file=sys.stderr, flush=True)
