# SPDX-License-Identifier: Apache-2.0
"""The services under memory/ that correct, doubt, forget and name (docs/lifecycle.md)."""

from typing import Any

from mira import srv
from rclpy.callback_groups import CallbackGroup

from mira_memory.administration_services import offer, succeeded
from mira_memory.announcements import Announcements
from mira_memory.errors import Refused
from mira_memory.lifecycle.journal import CONSOLE, SERVICE
from mira_memory.messages import entity_message, memory_message
from mira_memory.records import Memory, parse_entity_identity, parse_memory_identity
from mira_memory.store import Store
from mira_ros.serving import ServedNode
from mira_ros.waiting import AwaitedThread


class ActorRefused(Refused):
    """Refuse an actor that a service can't speak for."""


class LifecycleServices:
    """Change what is stored, as a person decides; each write is awaited from its thread."""

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
            (srv.Retract, "retract", self._retract),
            (srv.Archive, "archive", self._archive),
            (srv.Restore, "restore", self._restore),
            (srv.Supersede, "supersede", self._supersede),
            (srv.Forget, "forget", self._forget),
            (srv.SetTrust, "set_trust", self._set_trust),
            (srv.Annotate, "annotate", self._annotate),
            (srv.Relate, "relate", self._relate),
            (srv.RenameEntity, "rename_entity", self._rename_entity),
            (srv.RemoveAlias, "remove_alias", self._remove_alias),
        )

    async def _retract(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        memory = await self._writer.run(lambda: lifecycle.retract(number, request.reason, by))
        return self._changed(response, "memory_retracted", memory)

    async def _archive(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        memory = await self._writer.run(lambda: lifecycle.archive(number, request.reason, by))
        return self._changed(response, "memory_archived", memory)

    async def _restore(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        memory = await self._writer.run(lambda: lifecycle.restore(number, request.reason, by))
        return self._changed(response, "memory_restored", memory)

    async def _supersede(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        added = await self._writer.run(
            lambda: lifecycle.supersede(
                number, request.summary, request.value, request.valid_from, by
            )
        )
        response.warning = added.warning
        return self._changed(response, "memory_superseded", added.memory, number)

    async def _forget(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        response.warning = await self._writer.run(
            lambda: lifecycle.forget(number, request.reason, by)
        )
        self._announcements.event("memory_forgotten", memories=(number,))
        return succeeded(response)

    async def _set_trust(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        memory = await self._writer.run(
            lambda: lifecycle.set_trust(number, request.trust, request.reason, by)
        )
        return self._changed(response, "memory_trust_set", memory)

    async def _annotate(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        lifecycle = self._store.lifecycle
        await self._writer.run(lambda: lifecycle.annotate(number, request.note, by))
        self._announcements.event("memory_annotated", memories=(number,))
        return succeeded(response)

    async def _relate(self, request: Any, response: Any) -> Any:
        number, by = parse_memory_identity(request.memory_id), actor(request)
        other = parse_memory_identity(request.other_memory_id)
        lifecycle = self._store.lifecycle
        await self._writer.run(lambda: lifecycle.relate(number, request.relation, other, by))
        self._announcements.event("memories_related", memories=(number, other))
        return succeeded(response)

    async def _rename_entity(self, request: Any, response: Any) -> Any:
        number, by = parse_entity_identity(request.entity_id), actor(request)
        lifecycle = self._store.lifecycle
        entity = await self._writer.run(
            lambda: lifecycle.rename_entity(number, request.canonical_name, by)
        )
        self._announcements.event("entity_renamed", entities=(number,))
        response.entity = entity_message(entity)
        return succeeded(response)

    async def _remove_alias(self, request: Any, response: Any) -> Any:
        number, by = parse_entity_identity(request.entity_id), actor(request)
        lifecycle = self._store.lifecycle
        entity = await self._writer.run(lambda: lifecycle.remove_alias(number, request.alias, by))
        self._announcements.event("alias_removed", entities=(number,))
        response.entity = entity_message(entity)
        return succeeded(response)

    def _changed(self, response: Any, operation: str, memory: Memory, *others: int) -> Any:
        self._announcements.event(
            operation,
            entities=tuple(link.entity_id for link in memory.links),
            memories=(*others, memory.id),
            source_kind=memory.source_kind,
        )
        response.memory = memory_message(memory)
        return succeeded(response)


def actor(request: Any) -> str:
    """Return who asks: the console, if it says so, or else a service; raises `ActorRefused`."""
    if request.actor not in ("", SERVICE, CONSOLE):
        raise ActorRefused("The actor is unknown; leave it empty, or give console.")
    return str(request.actor or SERVICE)
