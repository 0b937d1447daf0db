# SPDX-License-Identifier: Apache-2.0
"""Read the project's pages: headings, tables, blocks of code, and the commands in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "QUALITY_DECLARATION.md",
    *sorted((ROOT / "docs").glob("*.md")),
)
_HEADING = re.compile(r"#+ (?P<title>.+)")
_CODE_INLINE = re.compile(r"`([^`]+)`")
_SHELL = re.compile(
    r"(\./dev|ros2|rqt|sqlite3|sqlite-utils|datasette|python3?|(\S+/)?pip|cd|source|export"
    r"|mkdir|mv|cp|sed|sudo|colcon|[A-Z_]+=\S+ ros2)(\s|$)"
)


@dataclass(frozen=True)
class Block:
    """An indented block of code, without the indentation."""

    page: str
    heading: str
    lines: tuple[str, ...]

    @property
    def commands(self) -> tuple[str, ...]:
        """Return its shell commands, if it is of shell commands, without their comments."""
        if not all(_SHELL.match(line) for line in self.lines):
            return ()
        return tuple(re.sub(r"\s{2,}#.*", "", line) for line in self.lines)


def headings(page: Path) -> list[str]:
    """Return the titles of a page's sections."""
    return [m["title"] for line in _prose(page) if (m := _HEADING.fullmatch(line))]


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of code of a page."""
    heading, lines = "", list[str]()
    before = ""
    for line in [*page.read_text(encoding="utf-8").splitlines(), "end"]:
        if line.startswith("    ") and (lines or not before.strip()):
            lines.append(line[4:])
        elif lines and not line.strip():
            lines.append("")
        else:
            if lines:
                yield Block(page.name, heading, tuple("\n".join(lines).strip().splitlines()))
                lines = []
            if match := _HEADING.fullmatch(line):
                heading = match["title"]
        before = line


def block_of(page: str, heading: str) -> Block:
    """Return the first block of code under a heading."""
    (path,) = (each for each in PAGES if each.name == page)
    return next(block for block in blocks(path) if block.heading == heading)


def table(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading, without its first two lines."""
    (path,) = (each for each in PAGES if each.name == page)
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if (match := _HEADING.fullmatch(line)) and match["title"] == heading:
            break
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    assert len(rows) > 2, f"no table under {heading} in {page}"
    return rows[2:]


def code(cell: str) -> list[str]:
    """Return what stands between backticks."""
    return _CODE_INLINE.findall(cell)


def inline_code(page: Path) -> list[str]:
    """Return all that stands between backticks in a page's prose."""
    return code(" ".join(_prose(page)))


def _prose(page: Path) -> list[str]:
    lines = page.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("    ")]
