# SPDX-License-Identifier: Apache-2.0
"""No refused character gets into any operand of a command."""

import pytest
from refused_characters import REFUSED, spoilt

from mira_operator.grammar import FORMS, BadCommand, parse

LINES = (
    "memory entity add {person} “{Gordon}”",
    "memory entity find “{Gordon}”",
    "memory entity list --after {ENT}1",
    "memory alias add {ENT}1 “{Gordie}”",
    "memory find “{Gordon}”",
    "memory add {fact} “{Gordon is tall}” --link {ENT}1:{subject} --predicate {size}"
    " --value “{tall}” --source-kind {inspection} --source-label “{Ada}” --confidence 0.5",
    "memory show {MEM}1",
    "memory list {ENT}1 --before {MEM}2",
    *(f"memory {verb} {{MEM}}1 “{{a wish}}”" for verb in ("retract", "archive", "restore")),
    "memory forget {MEM}1 “{a wish}”",
    "memory supersede {MEM}1 “{He is in York}” --value “{York}” --from 2026-10-01T10:00Z",
    "memory trust {MEM}1 {disputed} “{unclear}”",
    "memory annotate {MEM}1 “{Anna said so}”",
    "memory relate {MEM}1 {supports} {MEM}2",
    "memory entity rename {ENT}1 “{Anna}”",
    "memory alias remove {ENT}1 “{Anna}”",
    "memory at 2026-01-01T10:00Z --known 2026-02-01T10:00Z “{Gordon}”",
    "memory history {MEM}1",
    "memory review --after {PRP}1",
    "memory review show {PRP}1",
    "memory approve {PRP}1 “{checked}”",
    "memory refuse {PRP}1 “{nonsense}”",
    "memory audit --since 2026-01-01T10:00Z --after 100",
    "memory export “{robot.jsonl}”",
    "memory import {robot.jsonl} --trusted",
)
OPERANDS = [(line, at) for line in LINES for at in range(len(line)) if line.startswith("{", at)]


def typed(line: str, at: int, character: str = "") -> str:
    """Return the line with the operand that begins at `at` spoilt."""
    end = line.index("}", at)
    return "".join(
        part.replace("{", "").replace("}", "")
        for part in (line[:at], spoilt(line[at + 1 : end], character), line[end:])
    )


def test_every_form_with_operands_is_tried() -> None:
    assert {form.words for form in FORMS if form.operands} == {
        form.words for form in FORMS for line in LINES if line.startswith(f"{form.words} ")
    } - {"memory"}


@pytest.mark.parametrize(("line", "at"), OPERANDS)
def test_a_refused_character_is_refused_in_every_operand(line: str, at: int) -> None:
    for kind, character in REFUSED.items():
        with pytest.raises(BadCommand) as refusal:
            parse(typed(line, at, character))
        assert len(str(refusal.value).splitlines()) == 1, kind
    assert parse(typed(line, at))


@pytest.mark.parametrize("line", ["memory at {} “Gordon”", "memory audit --since {}"])
def test_a_refused_character_is_refused_in_every_time(line: str) -> None:
    for character in REFUSED.values():
        with pytest.raises(BadCommand):
            parse(line.format(f"2026-01-01T10{character}:00Z"))
    assert parse(line.format("2026-01-01T10:00Z"))
