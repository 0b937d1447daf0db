# SPDX-License-Identifier: Apache-2.0
"""The command grammar: every form, the border between command and speech, every refusal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira_memory.text import NAME_MAX, TextRefused, checked
from mira_operator import lifecycle_commands as lifecycle
from mira_operator.commands import (
    AddAlias,
    AddEntity,
    AddMemory,
    ClearWorkingMemory,
    FindEntity,
    FindMemories,
    Help,
    Link,
    ListEntities,
    ListMemories,
    Quit,
    Say,
    ShowMemory,
    ShowPersistentMemory,
    ShowWorkingMemory,
)
from mira_operator.grammar import FORMS, BadCommand, parse
from mira_operator.quoting import quote

EVERY_FORM = {
    "help": Help(),
    "quit": Quit(),
    "memory": ShowWorkingMemory(),
    "memory clear": ClearWorkingMemory(),
    "memory persistent": ShowPersistentMemory(),
    'memory entity add person "Gordon"': AddEntity("person", "Gordon"),
    'memory entity find "Gordon"': FindEntity("Gordon"),
    "memory entity list": ListEntities(""),
    "memory entity list --after ENT100": ListEntities("ENT100"),
    'memory alias add ENT1 "Gordie"': AddAlias("ENT1", "Gordie"),
    'memory find "Gordon"': FindMemories("Gordon"),
    'memory add fact "Gordon is tall"': AddMemory("fact", "Gordon is tall"),
    'memory add fact "The dock is in the hallway" --link ENT2:subject --link ENT3:place'
    ' --predicate location --value "in the hallway" --source-kind inspection'
    ' --source-label "Ada" --confidence 0.75': AddMemory(
        "fact",
        "The dock is in the hallway",
        (Link("ENT2", "subject"), Link("ENT3", "place")),
        "location",
        "in the hallway",
        "inspection",
        "Ada",
        0.75,
    ),
    "memory show MEM1": ShowMemory("MEM1"),
    "memory list ENT1": ListMemories("ENT1", ""),
    "memory list ENT1 --before MEM40": ListMemories("ENT1", "MEM40"),
    'memory add fact "Tea at four" --from 2026-01-01 --until 2026-02-01 --happens 2026-01-02'
    " --expires 2026-03-01 --system episodic --knowledge belief --importance 0.5": AddMemory(
        "fact",
        "Tea at four",
        memory_system="episodic",
        epistemic_kind="belief",
        importance=0.5,
        valid_from="2026-01-01",
        valid_to="2026-02-01",
        happens_at="2026-01-02",
        expires_at="2026-03-01",
    ),
    'memory retract MEM1 "wrong"': lifecycle.ChangeStatus("retract", "MEM1", "wrong"),
    'memory archive MEM1 "old"': lifecycle.ChangeStatus("archive", "MEM1", "old"),
    'memory restore MEM1 "right"': lifecycle.ChangeStatus("restore", "MEM1", "right"),
    'memory forget MEM1 "a wish"': lifecycle.ChangeStatus("forget", "MEM1", "a wish"),
    'memory supersede MEM1 "He is in York"': lifecycle.Supersede("MEM1", "He is in York"),
    'memory supersede MEM1 "He is in York" --from 2026-10-01 --value "York"': (
        lifecycle.Supersede("MEM1", "He is in York", "York", "2026-10-01")
    ),
    'memory trust MEM1 disputed "unclear"': lifecycle.SetTrust("MEM1", "disputed", "unclear"),
    'memory annotate MEM1 "Anna said so"': lifecycle.Annotate("MEM1", "Anna said so"),
    "memory relate MEM1 supports MEM2": lifecycle.Relate("MEM1", "supports", "MEM2"),
    'memory entity rename ENT1 "Anna"': lifecycle.RenameEntity("ENT1", "Anna"),
    'memory alias remove ENT1 "Anna"': lifecycle.RemoveAlias("ENT1", "Anna"),
    'memory at 2026-01-01 "Gordon"': lifecycle.RecallAt("2026-01-01", "Gordon"),
    'memory at 2026-01-01 --known 2026-02-01T10:00Z "Gordon"': lifecycle.RecallAt(
        "2026-01-01", "Gordon", "2026-02-01T10:00Z"
    ),
    "memory history MEM1": lifecycle.ShowHistory("MEM1"),
    "memory review": lifecycle.ListProposals(""),
    "memory review --after PRP4": lifecycle.ListProposals("PRP4"),
    "memory review show PRP4": lifecycle.ShowProposal("PRP4"),
    "memory approve PRP4": lifecycle.DecideProposal("PRP4", True, ""),
    'memory approve PRP4 "checked"': lifecycle.DecideProposal("PRP4", True, "checked"),
    'memory refuse PRP4 "nonsense"': lifecycle.DecideProposal("PRP4", False, "nonsense"),
    "memory audit": lifecycle.ShowAudit(),
    "memory audit --since 2026-01-01 --after 100": lifecycle.ShowAudit("2026-01-01", "100"),
    "memory audit verify": lifecycle.VerifyAudit(),
    "memory export robot.jsonl": lifecycle.ExportMemories("robot.jsonl"),
    'memory import "my robot.jsonl" --trusted': lifecycle.ImportMemories("my robot.jsonl", True),
    "memory import robot.jsonl": lifecycle.ImportMemories("robot.jsonl", False),
}


@pytest.mark.parametrize(("line", "command"), EVERY_FORM.items())
def test_every_form_is_read(line: str, command: object) -> None:
    assert parse(line) == command
    assert parse(f"  {line}\t") == command


def test_every_form_is_tried() -> None:
    tried = {form for form in FORMS for line in EVERY_FORM if line.startswith(form.words)}
    assert tried == set(FORMS)


@pytest.mark.parametrize(
    "line",
    [
        "Gordon likes herring.",
        "help me with the door",
        "quit smoking, Gordon",
        "Memory is fading",
        "MEMORY PERSISTENT",
        "memories are made of this",
        'He said "hello',
        "¿Qué sabes de Gordon?",
        "記憶",
    ],
)
def test_any_other_line_is_said(line: str) -> None:
    assert parse(line) == Say(line)


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_a_blank_line_is_nothing(line: str) -> None:
    assert parse(line) is None


FIND = 'Expected: memory find "<name>"'
ADD_ENTITY = 'Expected: memory entity add <entity_type> "<canonical name>"'
VERBS = (
    "memory clear|persistent|entity|alias|find|add|show|list|retract|supersede|archive|restore"
    "|forget|trust|annotate|relate|at|history|review|approve|refuse|audit|export|import"
)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "memory is fading",
            f'"memory is" is no command. Expected: {VERBS}'
            " (a sentence for the robot may begin with Memory)",
        ),
        (
            'memory "find" "Gordon"',
            rf'"memory \"find\"" is no command. Expected: {VERBS}'
            " (a sentence for the robot may begin with Memory)",
        ),
        (
            "memory entity forget ENT1",
            '"memory entity forget" is no command. Expected: memory entity add|find|list|rename',
        ),
        ("memory alias", '"memory alias" is incomplete. Expected: memory alias add|remove'),
        ("memory clear all", '"all" is left over. Expected: memory clear'),
        ("memory find", f"The name is missing. {FIND}"),
        ("memory find Gordon", f"The name must stand in double quotes. {FIND}"),
        ('memory find "Gordon', f"A quote is opened and never closed. {FIND}"),
        (r'memory find "Gordon\"', f"A quote is opened and never closed. {FIND}"),
        (
            'memory find Gordon"',
            f"A quote stands inside a word; put one before and one after the text. {FIND}",
        ),
        ('memory find "Gor"don', f"A closing quote must be followed by a space. {FIND}"),
        ('memory find "a" "b"', f'"b" is left over. {FIND}'),
        (
            'memory entity add person ""',
            "The canonical name is empty; give at least one visible character. " + ADD_ENTITY,
        ),
        (
            'memory entity add person "  "',
            "The canonical name is empty; give at least one visible character. " + ADD_ENTITY,
        ),
        (
            'memory entity add "person" "Gordon"',
            f"The entity type must stand without quotes. {ADD_ENTITY}",
        ),
        (
            "memory show ENT1",
            '"ENT1" is no memory identity such as MEM7. Expected: memory show MEM<n>',
        ),
        (
            "memory list Gordon",
            '"Gordon" is no entity identity such as ENT3.'
            " Expected: memory list ENT<n> [--before MEM<n>]",
        ),
        (
            "memory list ENT1 --after MEM2",
            '"--after" is no option of this command.'
            " Expected: memory list ENT<n> [--before MEM<n>]",
        ),
        (
            "x" * 10_000,
            "The line has 10000 characters. Expected: at most 4000 to say to the robot",
        ),
        ("a\0b", "The line is no readable text. Expected: UTF-8 without null characters"),
        ("a\udcffb", "The line is no readable text. Expected: UTF-8 without null characters"),
    ],
)
def test_a_refusal_says_what_was_wrong_and_what_is_expected(line: str, sentence: str) -> None:
    with pytest.raises(BadCommand) as refusal:
        parse(line)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ("--link ENT1", '"ENT1" is no link such as ENT3:subject.'),
        ("--link Gordon:subject", '"Gordon" is no entity identity such as ENT3.'),
        ("--link ENT1:7", "The role is no token;"),
        ("--predicate", "The predicate is missing."),
        ("--value blue", "The value must stand in double quotes."),
        ('--value "a" --value "b"', "--value is given twice."),
        ('--source-label ""', "The source label is empty;"),
        ("--confidence 1.01", '"1.01" is no confidence from 0.0 to 1.0.'),
        ("--confidence -1", '"-1" is no confidence from 0.0 to 1.0.'),
        ("--confidence nan", '"nan" is no confidence from 0.0 to 1.0.'),
        ("--colour blue", '"--colour" is no option of this command.'),
        ("blue", '"blue" is left over.'),
    ],
)
def test_a_manual_memory_is_refused_with_its_form(options: str, wrong: str) -> None:
    with pytest.raises(BadCommand, match=f"^{re.escape(wrong)}.* Expected: memory add <kind> "):
        parse(f'memory add fact "Gordon is tall" {options}')


def test_a_long_word_is_cut_in_its_refusal() -> None:
    with pytest.raises(BadCommand) as refusal:
        parse("memory " + "x" * 5000)
    assert len(str(refusal.value)) < 300


def test_typographic_quotes_stand_for_straight_ones() -> None:
    assert parse("memory find “New York”") == parse('memory find "New York"')


@given(st.text(min_size=1, max_size=60))
def test_any_name_that_identity_allows_can_be_typed(name: str) -> None:
    try:
        checked(name, "name", NAME_MAX)
    except TextRefused:
        with pytest.raises(BadCommand):
            parse(f"memory find {quote(name)}")
    else:
        assert parse(f"memory find {quote(name)}") == FindMemories(name)


@given(st.text())
def test_no_line_breaks_the_parser(line: str) -> None:
    for typed in (line, f"memory {line}", f'memory add fact "a" {line}'):
        assert len(_refusal(typed).splitlines()) <= 1


def _refusal(line: str) -> str:
    try:
        parse(line)
    except BadCommand as refusal:
        return str(refusal)
    return ""
