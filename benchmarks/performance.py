# SPDX-License-Identifier: Apache-2.0
"""Measure everything, and write down what docs/performance.md shows.

    ./dev bench performance                     # some ten minutes on a quiet machine
    ./dev bench performance --only service startup
    ./dev bench performance --only              # no run: the tables and the plot again

Writes benchmarks/baseline.json, docs/performance.md between its two marks, docs/performance.png.
"""

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import parts, peers
from benchmarks._findings import Options, Section, as_json, from_json, markdown, progress
from benchmarks._measuring import machine
from benchmarks.check import BASELINE, MEASURES
from benchmarks.plot import draw

ALL = {"parts": parts.measure} | MEASURES | {"peers": peers.measure}
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
PICTURE = PAGE.with_suffix(".png")
BEGIN = "<!-- figures: written by ./dev bench performance -->"
END = "<!-- end of figures -->"


def main() -> int:
    """Run what is asked for and write the files."""
    parser = argparse.ArgumentParser(prog="./dev bench performance")
    parser.add_argument("--only", nargs="*", choices=ALL, default=list(ALL), metavar="NAME")
    parser.add_argument("--directory", type=Path, help="where stores are built, and kept")
    asked = parser.parse_args()
    kept, measured_on = from_json(BASELINE.read_text("utf-8")) if BASELINE.exists() else ([], "")
    sections = {section.name: section for section in kept}
    with tempfile.TemporaryDirectory(prefix="mira-bench-") as directory:
        options = Options(short=False, directory=asked.directory or Path(directory))
        for name in asked.only:
            progress(f"measuring {name}")
            sections[name] = ALL[name](options)
            measured_on = f"{machine()}; {datetime.now(UTC):%Y-%m-%d}"
            ordered = [sections[name] for name in ALL if name in sections]
            BASELINE.write_text(as_json(ordered, measured_on), encoding="utf-8")
    ordered = [sections[name] for name in ALL if name in sections]
    write_page(ordered, measured_on)
    draw(ordered, PICTURE)
    missed = [f.name for section in ordered for f in section.figures if not f.met()]
    progress(f"aims missed: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


def write_page(sections: list[Section], measured_on: str) -> None:
    """Put the tables between the marks of the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = [f"Measured on {measured_on}."]
    for section in sections:
        lines += ["", *markdown(section)]
    figures = "\n".join(lines)
    PAGE.write_text(f"{before}{BEGIN}\n\n{figures}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
