# SPDX-License-Identifier: Apache-2.0
"""Compare the ratios of a new run with those of the committed one.

    ./dev bench --check [NAME ...]

Only ratios of things that were measured side by side are compared, each with its own tolerance,
so that another or a busy machine is no decay. Exits with 1 if one is worse than that.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks import in_process, service, startup, throughput
from benchmarks._findings import Figure, Options, Section, from_json, progress, table

BASELINE = Path(__file__).parent / "baseline.json"
MEASURES = {
    "service": service.measure,
    "in_process": in_process.measure,
    "throughput": throughput.measure,
    "startup": startup.measure,
}
USUAL = ("service", "in_process", "startup")


def main() -> int:
    """Measure, compare, and print what differs."""
    parser = argparse.ArgumentParser(prog="./dev bench --check")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--directory", type=Path, help="where stores are built, and kept")
    asked = parser.parse_args()
    names = asked.names or list(USUAL)
    if unknown := set(names) - MEASURES.keys():
        parser.error(
            f"there is no {', '.join(sorted(unknown))}; name some of {', '.join(MEASURES)}"
        )
    baseline, _ = from_json(BASELINE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="mira-bench-") as directory:
        options = Options(short=False, directory=asked.directory or Path(directory))
        found = [MEASURES[name](options) for name in names]
    rows = list(compared(baseline, found))
    print(*table(("figure", "baseline", "now", "at most", ""), rows), sep="\n")
    decayed = [row[0] for row in rows if row[-1]]
    progress(f"{len(rows)} ratios, {len(decayed)} decayed")
    return 1 if decayed or not rows else 0


def compared(baseline: Iterable[Section], found: Iterable[Section]) -> Iterable[tuple[str, ...]]:
    """Yield a row for each figure that has a tolerance; its last field is empty if it holds."""
    before = {(section.name, f.name): f for section in baseline for f in section.figures}
    for section in found:
        for figure in section.figures:
            if figure.tolerance is not None:
                yield _row(figure, before.get((section.name, figure.name)))


def _row(now: Figure, before: Figure | None) -> tuple[str, ...]:
    if before is None:
        return now.name, "none", f"{now.value:g}", "", "not in the baseline"
    most = before.value * (now.tolerance or 1.0)
    return (
        now.name,
        f"{before.value:g}",
        f"{now.value:g}",
        f"{most:.3g}",
        "" if now.value <= most else "DECAYED",
    )


if __name__ == "__main__":
    sys.exit(main())
