# SPDX-License-Identifier: Apache-2.0
"""The administration services under memory/ (docs/memory.md, "Administration")."""

from collections.abc import Callable
from typing import Any

from mira import srv
from rclpy.callback_groups import CallbackGroup

from mira_memory.announcements import Announcements
from mira_memory.errors import MemoryFault, Refused
from mira_memory.messages import entity_memories_message, entity_message, memory_message
from mira_memory.records import (
    MemoryDraft,
    Qualities,
    parse_entity_identity,
    parse_memory_identity,
)
from mira_memory.store import Store
from mira_ros.answers import answer_service
from mira_ros.serving import ServedNode
from mira_ros.waiting import AwaitedThread

PAGE = 100
PAGE_MAX = 1000


class PageRefused(Refused):
    """Refuse a page that is too long."""


Offered = tuple[Any, str, Callable[[Any, Any], Any]]


def offer(node: ServedNode, group: CallbackGroup, *services: Offered) -> None:
    """Serve each (type, verb, answer) as memory/<verb>; a fault of the memory is a refusal."""
    for srv_type, verb, answer in services:
        answer_service(
            node, srv_type, f"memory/{verb}", answer, group=group, refusals=(MemoryFault,)
        )


class AdministrationServices:
    """Create entities, aliases and manual memories, and look at all of them.

    Reads are answered on the executor's thread, writes are awaited from the writer's thread.
    """

    def __init__(
        self,
        node: ServedNode,
        store: Store,
        writer: AwaitedThread,
        announcements: Announcements,
        group: CallbackGroup,
    ) -> None:
        self._store = store
        self._writer = writer
        self._announcements = announcements
        offer(
            node,
            group,
            (srv.AddEntity, "add_entity", self._add_entity),
            (srv.FindEntity, "find_entity", self._find_entity),
            (srv.ListEntities, "list_entities", self._list_entities),
            (srv.AddAlias, "add_alias", self._add_alias),
            (srv.FindMemories, "find_memories", self._find_memories),
            (srv.AddMemory, "add_memory", self._add_memory),
            (srv.ShowMemory, "show_memory", self._show_memory),
            (srv.ListMemories, "list_memories", self._list_memories),
        )
        answer_service(
            node,
            srv.GetMemoryStatus,
            "memory/get_status",
            self._get_status,
            group=group,
            fill=fill_status_failure,
        )

    def _get_status(self, request: Any, response: Any) -> Any:
        response.status = self._announcements.status()
        return response

    async def _add_entity(self, request: Any, response: Any) -> Any:
        added = await self._writer.run(
            lambda: self._store.add_entity(request.entity_type, request.canonical_name)
        )
        self._announcements.event("entity_added", entities=(added.entity.id,))
        response.entity = entity_message(added.entity)
        response.warning = added.warning
        return succeeded(response)

    async def _add_alias(self, request: Any, response: Any) -> Any:
        entity_id = parse_entity_identity(request.entity_id)
        added = await self._writer.run(lambda: self._store.add_alias(entity_id, request.alias))
        self._announcements.event("alias_added", entities=(entity_id,))
        response.entity = entity_message(added.entity)
        response.warning = added.warning
        return succeeded(response)

    async def _add_memory(self, request: Any, response: Any) -> Any:
        draft = MemoryDraft(
            kind=request.kind,
            summary=request.summary,
            links=tuple(
                (parse_entity_identity(link.entity_id), link.role) for link in request.links
            ),
            predicate=request.predicate or None,
            value=request.value or None,
            source_kind=request.source_kind or None,
            source_label=request.source_label or None,
            confidence=request.confidence if request.has_confidence else None,
            qualities=_qualities(request),
        )
        added = await self._writer.run(lambda: self._store.add_memory(draft))
        self._announcements.event(
            "memory_created",
            entities=tuple(link.entity_id for link in added.memory.links),
            memories=(added.memory.id,),
            source_kind=added.memory.source_kind,
        )
        response.memory = memory_message(added.memory)
        response.warning = added.warning
        return succeeded(response)

    def _find_entity(self, request: Any, response: Any) -> Any:
        response.entities = [entity_message(e) for e in self._store.find_entities(request.name)]
        return succeeded(response)

    def _list_entities(self, request: Any, response: Any) -> Any:
        after = parse_entity_identity(request.after_id) if request.after_id else 0
        entities, left_out = self._store.list_entities(
            request.entity_type, page_size(request.limit), after
        )
        response.entities = [entity_message(entity) for entity in entities]
        response.left_out = left_out
        return succeeded(response)

    def _find_memories(self, request: Any, response: Any) -> Any:
        found, _ = self._store.find_memories(request.name)
        response.entities = [entity_memories_message(each) for each in found]
        return succeeded(response)

    def _show_memory(self, request: Any, response: Any) -> Any:
        memory, payload_texts = self._store.show_memory(parse_memory_identity(request.memory_id))
        response.memory = memory_message(memory)
        response.payload_texts = list(payload_texts)
        return succeeded(response)

    def _list_memories(self, request: Any, response: Any) -> Any:
        before = parse_memory_identity(request.before_id) if request.before_id else None
        memories, left_out = self._store.list_memories(
            parse_entity_identity(request.entity_id), page_size(request.limit), before
        )
        response.memories = [memory_message(memory) for memory in memories]
        response.left_out = left_out
        return succeeded(response)


def _qualities(request: Any) -> Qualities | None:
    qualities = Qualities(
        request.memory_system,
        request.epistemic_kind,
        request.importance if request.has_importance else None,
        request.valid_from,
        request.valid_to,
        request.happens_at,
        request.expires_at,
    )
    return None if qualities == Qualities() else qualities


def fill_status_failure(response: Any, sentence: str) -> None:
    """Fill a `GetMemoryStatus` response for a store that could not be asked."""
    response.status.healthy = False
    response.status.last_error = sentence


def page_size(limit: int) -> int:
    """Return the page size that a request asks for: 0 means 100; raises `PageRefused`."""
    if limit > PAGE_MAX:
        raise PageRefused(f"The limit is over {PAGE_MAX}; ask for at most {PAGE_MAX} at a time.")
    return limit or PAGE


def succeeded(response: Any) -> Any:
    """Mark a filled response as a success."""
    response.success = True
    return response
