# SPDX-License-Identifier: Apache-2.0
"""Reading the text of a recall as a language model reads it (docs/memory.md, "Recall")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mira_cognition.capabilities import Acquired

_QUOTED = r'"(?P<{}>(?:[^"\\]|\\.)*)"'
_ENTITY = re.compile(rf"(?P<identity>ENT\d+) {_QUOTED.format('name')}, type ")
_MEMORY = re.compile(rf"  (?P<identity>MEM\d+) {_QUOTED.format('summary')}")
_PREDICATE = re.compile(rf"    robot's labels: predicate {_QUOTED.format('predicate')}")
_OLDER = re.compile(r"  (?P<count>\d+) older memor(?:y|ies) left out")
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """One memory: what the operator said, and the robot's own label for it."""

    identity: str
    summary: str
    predicate: str | None = None


@dataclass(frozen=True, slots=True)
class RecalledEntity:
    """One entity that has the name, with the memories shown and the number of older ones."""

    identity: str
    name: str
    memories: tuple[RecalledMemory, ...] = ()
    left_out: int = 0


def read_recalled(text: str) -> tuple[RecalledEntity, ...]:
    """Return the entities of a recall's text; lines of other kinds are passed over.

    Stored text stands in quotes within a line, so none of it can pose as a line.
    """
    entities: list[RecalledEntity] = []
    for line in text.splitlines():
        if found := _ENTITY.match(line):
            entities.append(RecalledEntity(found["identity"], _unescaped(found["name"])))
        elif not entities:
            continue
        elif found := _MEMORY.match(line):
            memory = RecalledMemory(found["identity"], _unescaped(found["summary"]))
            entities[-1] = _with(entities[-1], *entities[-1].memories, memory)
        elif found := _PREDICATE.match(line):
            *others, last = entities[-1].memories
            labelled = replace(last, predicate=_unescaped(found["predicate"]))
            entities[-1] = _with(entities[-1], *others, labelled)
        elif found := _OLDER.match(line):
            entities[-1] = replace(entities[-1], left_out=int(found["count"]))
    return tuple(entities)


def known_from(acquired: Acquired) -> tuple[str, ...]:
    """Say in words what an acquisition found; nothing where it found nothing."""
    if acquired.status == "fresh":
        return (f"The sensor says: {acquired.text}.",)
    if acquired.status != "hit":
        return ()
    return tuple(
        f"About {entity.name} I remember: {quoted_memories(entity.memories)}."
        for entity in read_recalled(acquired.text)
        if entity.memories
    )


def quoted_memories(memories: Sequence[RecalledMemory]) -> str:
    """Say memories as quotations with their identities."""
    return "; ".join(f"“{memory.summary}” ({memory.identity})" for memory in memories)


def _with(entity: RecalledEntity, *memories: RecalledMemory) -> RecalledEntity:
    return replace(entity, memories=memories)


def _unescaped(quoted: str) -> str:
    return _ESCAPED.sub(r"\1", quoted)
