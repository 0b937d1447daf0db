# SPDX-License-Identifier: Apache-2.0
"""What the Tab key offers, by what stands before the cursor."""

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from mira_operator.completion import LineCompleter

KNOWN = [("ENT1", "Gordon"), ("ENT1", "Gordie"), ("ENT2", 'the "old" dock'), ("ENT30", "Ada")]


def offered(typed: str) -> list[str]:
    """Return the lines that the completions lead to."""
    document = Document(typed)
    completions = LineCompleter(lambda: KNOWN).get_completions(document, CompleteEvent())
    return [typed[: len(typed) + c.start_position] + c.text for c in completions]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("", []),
        ("he", ["help"]),
        ("mem", ["memory"]),
        ("memory e", ["memory entity", "memory export"]),
        (
            "memory entity ",
            [f"memory entity {verb}" for verb in ("add", "find", "list", "rename")],
        ),
        ("memory fnord ", []),
        ('memory find "go', ['memory find "Gordon"', 'memory find "Gordie"']),
        ('memory find "THE', [r'memory find "the \"old\" dock"']),
        ("memory list EN", ["memory list ENT1", "memory list ENT2", "memory list ENT30"]),
        ("memory list ENT3", ["memory list ENT30"]),
        ("memory list ENT1 --b", ["memory list ENT1 --before"]),
        (
            'memory add fact "x" --so',
            [f'memory add fact "x" --source-{o}' for o in ("kind", "label")],
        ),
        ("Where is go", ["Where is Gordon", "Where is Gordie"]),
        ("Is the", ['Is the "old" dock']),
        ("A", []),
        ("Ad", ["Ada"]),
        ("Gordon is here", []),
    ],
)
def test_tab_offers_what_may_follow(typed: str, lines: list[str]) -> None:
    assert offered(typed) == lines
