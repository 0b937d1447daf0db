# SPDX-License-Identifier: Apache-2.0
"""
The command grammar of the console (docs/memory.md, "Administration").

A line whose first word is ``memory``, in small letters, is a command, as are ``help`` and
``quit`` alone on a line. Every other line is said to the robot.
"""

from collections.abc import Callable

from mira_memory.draft import EPISTEMIC_KINDS, MEMORY_SYSTEMS
from mira_memory.heard_text import RAW_MAX
from mira_memory.text import NAME_MAX, SOURCE_LABEL_MAX, SUMMARY_MAX, VALUE_MAX
from mira_operator.commands import (
    AddAlias,
    AddEntity,
    AddMemory,
    ClearWorkingMemory,
    Command,
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
from mira_operator.form import Form
from mira_operator.lifecycle_forms import LIFECYCLE_FORMS
from mira_operator.operands import BadOperand, Operands
from mira_operator.printable import excerpt
from mira_operator.quoting import BadQuoting, quote, split


class BadCommand(ValueError):
    """A line that can't be carried out; the text is one line: what was wrong, what is expected."""


def parse(line: str) -> Command | None:
    """
    Read one line typed by the operator; None where it is blank.

    :raises BadCommand: it is a malformed command, or can't be said to the robot.
    """
    text = line.strip()
    if not text:
        return None
    if text == "help":
        return Help()
    if text == "quit":
        return Quit()
    if text.split(maxsplit=1)[0] == "memory":
        return _command(text)
    return _speech(text)


def _add_memory(operands: Operands) -> AddMemory:
    kind = operands.token("kind")
    summary = operands.text("summary", SUMMARY_MAX)
    links: list[Link] = []
    given: dict[str, str] = {}
    confidence: float | None = None
    importance: float | None = None
    while (option := operands.option()) is not None:
        if option in given:
            raise BadOperand(f"{option} is given twice.")
        match option:
            case "--link":
                links.append(Link(*operands.link()))
                continue
            case "--predicate":
                given[option] = operands.token("predicate")
            case "--value":
                given[option] = operands.text("value", VALUE_MAX)
            case "--source-kind":
                given[option] = operands.token("source kind")
            case "--source-label":
                given[option] = operands.text("source label", SOURCE_LABEL_MAX)
            case "--confidence":
                given[option] = option
                confidence = operands.confidence()
            case "--importance":
                given[option] = option
                importance = operands.importance()
            case "--from" | "--until" | "--happens" | "--expires":
                given[option] = operands.moment("time")
            case "--system":
                given[option] = operands.one_of("memory system", MEMORY_SYSTEMS)
            case "--knowledge":
                given[option] = operands.one_of("kind of knowledge", EPISTEMIC_KINDS)
            case _:
                raise BadOperand(f"{quote(excerpt(option))} is no option of this command.")
    return AddMemory(
        kind=kind,
        summary=summary,
        links=tuple(links),
        predicate=given.get("--predicate", ""),
        value=given.get("--value", ""),
        source_kind=given.get("--source-kind", ""),
        source_label=given.get("--source-label", ""),
        confidence=confidence,
        memory_system=given.get("--system", ""),
        epistemic_kind=given.get("--knowledge", ""),
        importance=importance,
        valid_from=given.get("--from", ""),
        valid_to=given.get("--until", ""),
        happens_at=given.get("--happens", ""),
        expires_at=given.get("--expires", ""),
    )


def _page(operands: Operands, option: str, read: Callable[[Operands], str]) -> str:
    given = operands.option()
    if given is None:
        return ""
    if given != option:
        raise BadOperand(f"{quote(excerpt(given))} is no option of this command.")
    return read(operands)


FORMS = (
    Form("help", "", "show this list", lambda _: Help()),
    Form("quit", "", "end the session", lambda _: Quit()),
    Form("memory", "", "show the conversation of this run", lambda _: ShowWorkingMemory()),
    Form(
        "memory clear", "", "forget the conversation of this run", lambda _: ClearWorkingMemory()
    ),
    Form(
        "memory persistent",
        "",
        "show path, schema version, counts and health of the persistent memory",
        lambda _: ShowPersistentMemory(),
    ),
    Form(
        "memory entity add",
        '<entity_type> "<canonical name>"',
        "create an entity",
        lambda operands: AddEntity(
            operands.token("entity type"), operands.text("canonical name", NAME_MAX)
        ),
    ),
    Form(
        "memory entity find",
        '"<name>"',
        "show the entities with exactly this name or alias",
        lambda operands: FindEntity(operands.text("name", NAME_MAX)),
    ),
    Form(
        "memory entity list",
        "[--after ENT<n>]",
        "show all entities, 100 at a time",
        lambda operands: ListEntities(_page(operands, "--after", Operands.entity)),
    ),
    Form(
        "memory alias add",
        'ENT<n> "<alias>"',
        "give an entity a further name",
        lambda operands: AddAlias(operands.entity(), operands.text("alias", NAME_MAX)),
    ),
    Form(
        "memory find",
        '"<name>"',
        "show what is known under exactly this name or alias",
        lambda operands: FindMemories(operands.text("name", NAME_MAX)),
    ),
    Form(
        "memory add",
        '<kind> "<summary>" [--link ENT<n>:<role>]... [--predicate <token>] [--value "<text>"]'
        ' [--source-kind <token>] [--source-label "<text>"] [--confidence <0.0..1.0>]'
        " [--from <time>] [--until <time>] [--happens <time>] [--expires <time>]"
        " [--system <word>] [--knowledge <word>] [--importance <0.0..1.0>]",
        "write a memory by hand",
        _add_memory,
    ),
    Form(
        "memory show",
        "MEM<n>",
        "show one memory with its text",
        lambda operands: ShowMemory(operands.memory()),
    ),
    Form(
        "memory list",
        "ENT<n> [--before MEM<n>]",
        "show the memories of an entity, the newest 100 first",
        lambda operands: ListMemories(
            operands.entity(), _page(operands, "--before", Operands.memory)
        ),
    ),
    *LIFECYCLE_FORMS,
)


def _command(text: str) -> Command:
    try:
        words = split(text)
    except BadQuoting as refusal:
        raise BadCommand(f"{refusal} Expected: {_nearest(text.split())}") from None
    # A quoted word is an operand, never a part of the command's name.
    names = [quote(word.text) if word.quoted else word.text for word in words]
    form = _form(names)
    if form is None:
        raise _unknown(names)
    operands = Operands(words[len(form.words.split()) :])
    try:
        command = form.read(operands)
        operands.finish()
    except BadOperand as refusal:
        raise BadCommand(f"{refusal} Expected: {form}") from None
    return command


def _form(words: list[str]) -> Form | None:
    """Return the form with the most fixed words that begin the line."""
    fits = [form for form in FORMS if _begins(form, words)]
    return max(fits, key=lambda form: len(form.words), default=None)


def _begins(form: Form, words: list[str]) -> bool:
    fixed = form.words.split()
    # Whatever follows a bare "memory" is meant as a further fixed word.
    return words == fixed if fixed == ["memory"] else words[: len(fixed)] == fixed


def _nearest(words: list[str]) -> str:
    form = _form(words)
    return str(form) if form else _choices(words)[1]


def _unknown(words: list[str]) -> BadCommand:
    known, choices = _choices(words)
    given = quote(excerpt(" ".join(words[: known + 1])))
    if known == len(words):
        return BadCommand(f"{given} is incomplete. Expected: {choices}")
    speech = " (a sentence for the robot may begin with Memory)" if known == 1 else ""
    return BadCommand(f"{given} is no command. Expected: {choices}{speech}")


def _choices(words: list[str]) -> tuple[int, str]:
    """Return how many words begin a form, and those words with what may follow them."""
    forms = [form.words.split() for form in FORMS]
    known = max(n for n in range(1, len(words) + 1) if any(f[:n] == words[:n] for f in forms))
    begun = [form for form in forms if form[:known] == words[:known] and len(form) > known]
    follow = dict.fromkeys(form[known] for form in begun)
    return known, f"{' '.join(words[:known])} {'|'.join(follow)}"


def _speech(text: str) -> Say:
    if len(text) > RAW_MAX:
        raise BadCommand(
            f"The line has {len(text)} characters. Expected: at most {RAW_MAX} to say to the robot"
        )
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        raise BadCommand("The line is no readable text. Expected: UTF-8 without null characters")
    return Say(text)
