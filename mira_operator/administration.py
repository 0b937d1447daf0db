# SPDX-License-Identifier: Apache-2.0
"""Carry out the memory commands, each by one service call (docs/memory.md, "Administration")."""

from collections.abc import Iterator
from typing import Any

from mira.msg import MemoryLink
from mira.srv import (
    AddAlias,
    AddEntity,
    AddMemory,
    FindEntity,
    FindMemories,
    GetMemoryStatus,
    ListEntities,
    ListMemories,
    ShowMemory,
)
from rclpy.node import Node

from mira_operator import commands
from mira_operator.lifecycle_administration import lifecycle_lines
from mira_operator.lines import (
    entity_line,
    entity_memories_lines,
    memory_lines,
    memory_record_lines,
    status_lines,
    working_memory_lines,
)
from mira_operator.memory_services import CommandFailed, MemoryServices
from mira_operator.printable import printable
from mira_operator.quoting import quote
from mira_operator.working_memory_view import WorkingMemoryView


class Administration:
    """The memory of one robot, as commands that return lines to print."""

    def __init__(self, node: Node, robot: str) -> None:
        self._robot = robot
        self._services = MemoryServices(node)
        self.working_memory = WorkingMemoryView(node)

    def carry_out(self, command: commands.Administration) -> list[str]:
        """
        Carry out a command within a few seconds and return the lines to print.

        :raises CommandFailed: it was refused, or nobody could carry it out.
        """
        return list(self._lines(command))

    def known_names(self) -> list[tuple[str, str]]:
        """Return identity and name of up to 1000 entities; none where they can't be had."""
        if not self._services.offered(ListEntities):
            return []
        try:
            entities = self._services.read(ListEntities, limit=1000).entities
        except CommandFailed:
            return []
        return [
            (entity.id, name)
            for entity in entities
            for name in (entity.canonical_name, *entity.aliases)
        ]

    def _lines(self, command: commands.Administration) -> Iterator[str]:
        services = self._services
        match command:
            case commands.ShowWorkingMemory():
                yield from working_memory_lines(self.working_memory.show(), self._robot)
            case commands.ClearWorkingMemory():
                self.working_memory.clear()
                yield "the working memory is empty"
            case commands.ShowPersistentMemory():
                yield from status_lines(services.read(GetMemoryStatus).status)
            case commands.AddEntity(entity_type, name):
                yield from _entity_added(services, entity_type, name)
            case commands.AddAlias(entity_id, alias):
                yield from _alias_added(services, entity_id, alias)
            case commands.AddMemory():
                yield from _memory_added(services, command)
            case commands.FindEntity(name):
                entities = services.read(FindEntity, name=name).entities
                yield from map(entity_line, entities) if entities else (_nobody(name),)
            case commands.ListEntities(after_id):
                yield from _entities(services, after_id)
            case commands.FindMemories(name):
                yield from _known(services, name)
            case commands.ShowMemory(memory_id):
                shown = services.read(ShowMemory, memory_id=memory_id)
                yield from memory_record_lines(shown.memory, shown.payload_texts)
            case commands.ListMemories(entity_id, before_id):
                yield from _memories(services, entity_id, before_id)
            case _:
                yield from lifecycle_lines(services, command)


def _entity_added(services: MemoryServices, entity_type: str, name: str) -> Iterator[str]:
    look = f"memory entity find {quote(printable(name))}"
    added = services.write(AddEntity, look=look, entity_type=entity_type, canonical_name=name)
    yield f"added {entity_line(added.entity)}"
    yield from _warning(added)


def _alias_added(services: MemoryServices, entity_id: str, alias: str) -> Iterator[str]:
    look = f"memory entity find {quote(printable(alias))}"
    added = services.write(AddAlias, look=look, entity_id=entity_id, alias=alias)
    yield entity_line(added.entity)
    yield from _warning(added)


def _memory_added(services: MemoryServices, command: commands.AddMemory) -> Iterator[str]:
    look = f"memory list {command.links[0].entity_id}" if command.links else "memory persistent"
    added = services.write(
        AddMemory,
        look=look,
        kind=command.kind,
        summary=command.summary,
        links=[MemoryLink(entity_id=link.entity_id, role=link.role) for link in command.links],
        predicate=command.predicate,
        value=command.value,
        source_kind=command.source_kind,
        source_label=command.source_label,
        has_confidence=command.confidence is not None,
        confidence=command.confidence or 0.0,
        memory_system=command.memory_system,
        epistemic_kind=command.epistemic_kind,
        has_importance=command.importance is not None,
        importance=command.importance or 0.0,
        valid_from=command.valid_from,
        valid_to=command.valid_to,
        happens_at=command.happens_at,
        expires_at=command.expires_at,
    )
    yield f"stored {added.memory.id}"
    yield from _warning(added)


def _entities(services: MemoryServices, after_id: str) -> Iterator[str]:
    page = services.read(ListEntities, after_id=after_id)
    yield from map(entity_line, page.entities)
    if page.left_out:
        more = f"memory entity list --after {page.entities[-1].id}"
        yield f"{page.left_out} more entities left out; go on with: {more}"
    elif not page.entities:
        yield "no more entities" if after_id else "there are no entities"


def _known(services: MemoryServices, name: str) -> Iterator[str]:
    found = services.read(FindMemories, name=name).entities
    if not found:
        yield _nobody(name)
    for entity in found:
        yield from entity_memories_lines(entity)


def _memories(services: MemoryServices, entity_id: str, before_id: str) -> Iterator[str]:
    page = services.read(ListMemories, entity_id=entity_id, before_id=before_id)
    for memory in page.memories:
        yield from memory_lines(memory)
    if page.left_out:
        oldest = min(page.memories, key=lambda memory: int(memory.id[3:])).id
        more = f"memory list {entity_id} --before {oldest}"
        yield f"{page.left_out} older memories left out; go on with: {more}"
    elif not page.memories:
        yield f"no older memories of {entity_id}" if before_id else f"no memories of {entity_id}"


def _nobody(name: str) -> str:
    return f"no entity has the name {quote(printable(name))}"


def _warning(response: Any) -> Iterator[str]:
    if response.warning:
        yield f"warning: {printable(response.warning)}"
