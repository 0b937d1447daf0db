# SPDX-License-Identifier: Apache-2.0
"""Whatever a page or a docstring points to is there."""

import re
from pathlib import Path

import pytest
from documents import PAGES, ROOT, headings, inline_code

_LINK = re.compile(r"\]\((?P<target>[^)#\s]*)(#(?P<anchor>[^)\s]*))?\)")
_POINTER = re.compile(r"docs/(?P<page>\w+\.md)(?:, \"(?P<heading>[^\"]+)\")?")
_PATH = re.compile(r"[\w.-]+(/[\w.-]+)+\.(py|md|rst|yaml|xml|perspective|jsonl|json|sqlite3)")
_NOT_OF_THIS_REPOSITORY = re.compile(r"(data|mira-venv|install|enclaves|venv)/")
SOURCES = [
    path
    for folder in ("mira_ros", "mira_memory", "mira_cognition", "mira_operator", "mira_bringup")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def anchor(title: str) -> str:
    """Return the anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_documentation_resolve(page: Path) -> None:
    broken = []
    for match in _LINK.finditer(page.read_text(encoding="utf-8")):
        target = match["target"]
        if "://" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            broken.append(target)
        elif match["anchor"] and match["anchor"] not in map(anchor, headings(path)):
            broken.append(f"{target}#{match['anchor']}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_named_in_the_documentation_exist(page: Path) -> None:
    named = {code for code in inline_code(page) if _PATH.fullmatch(code)}
    missing = {
        name
        for name in named
        if not (ROOT / name).exists()
        and not (page.parent / name).exists()
        and not _NOT_OF_THIS_REPOSITORY.match(name)
    }
    # A table of a module's files names them without the folder.
    modules = {path.relative_to(folder).as_posix() for path in SOURCES for folder in path.parents}
    assert missing - modules == set()


def test_sections_named_in_the_code_exist() -> None:
    titles = {page.name: set(headings(page)) for page in PAGES}
    broken = []
    for path in SOURCES:
        flowing = " ".join(path.read_text(encoding="utf-8").split())
        for match in _POINTER.finditer(flowing):
            sections = titles.get(match["page"])
            if sections is None or (match["heading"] and match["heading"] not in sections):
                broken.append(f"{path.relative_to(ROOT)}: {match[0]}")
    assert broken == []
