# SPDX-License-Identifier: Apache-2.0
"""Turn the records of the core into the package's messages (docs/interfaces.md)."""

from builtin_interfaces.msg import Time
from mira.msg import Entity as EntityMessage
from mira.msg import EntityMemories as EntityMemoriesMessage
from mira.msg import Memory as MemoryMessage
from mira.msg import MemoryLink as MemoryLinkMessage
from mira.msg import MemoryStatus as MemoryStatusMessage

from mira_memory.records import (
    Entity,
    EntityMemories,
    Link,
    Memory,
    StoreStatus,
    entity_identity,
    memory_identity,
)


def entity_message(entity: Entity) -> EntityMessage:
    """Return the message of an entity."""
    return EntityMessage(
        id=entity_identity(entity.id),
        entity_type=entity.entity_type,
        canonical_name=entity.canonical_name,
        aliases=list(entity.aliases),
        created_at=entity.created_at,
        aliases_left_out=entity.aliases_left_out,
    )


def memory_message(memory: Memory) -> MemoryMessage:
    """Return the message of a memory; what it does not state is empty."""
    return MemoryMessage(
        id=memory_identity(memory.id),
        kind=memory.kind,
        summary=memory.summary,
        predicate=memory.predicate or "",
        value=memory.value or "",
        source_kind=memory.source_kind,
        source_label=memory.source_label or "",
        has_confidence=memory.confidence is not None,
        confidence=memory.confidence or 0.0,
        status=memory.status,
        created_at=memory.created_at,
        links=[_link_message(link) for link in memory.links],
        links_left_out=memory.links_left_out,
    )


def entity_memories_message(found: EntityMemories) -> EntityMemoriesMessage:
    """Return the message of an entity with its memories."""
    return EntityMemoriesMessage(
        entity=entity_message(found.entity),
        memories=[memory_message(memory) for memory in found.memories],
        memories_left_out=found.memories_left_out,
    )


def status_message(status: StoreStatus, stamp: Time) -> MemoryStatusMessage:
    """Return the message of the store's status."""
    return MemoryStatusMessage(
        stamp=stamp,
        healthy=status.healthy,
        database_path=status.database_path,
        schema_version=status.schema_version,
        entities=status.entities,
        aliases=status.aliases,
        memories=status.memories,
        last_error=status.last_error,
    )


def _link_message(link: Link) -> MemoryLinkMessage:
    return MemoryLinkMessage(
        entity_id=entity_identity(link.entity_id), entity_name=link.entity_name, role=link.role
    )
