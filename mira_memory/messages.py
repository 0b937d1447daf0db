# SPDX-License-Identifier: Apache-2.0
"""Turn the records of the core into the package's messages (docs/interfaces.md)."""

from builtin_interfaces.msg import Time
from mira.msg import Entity as EntityMessage
from mira.msg import EntityMemories as EntityMemoriesMessage
from mira.msg import Memory as MemoryMessage
from mira.msg import MemoryLink as MemoryLinkMessage
from mira.msg import MemoryNote as NoteMessage
from mira.msg import MemoryRelation as RelationMessage
from mira.msg import MemoryStatus as MemoryStatusMessage
from mira.msg import Proposal as ProposalMessage

from mira_memory.lifecycle.relations import Note, Relation
from mira_memory.lifecycle.review import Proposed
from mira_memory.records import (
    Entity,
    EntityMemories,
    Link,
    Memory,
    State,
    StoreStatus,
    credibility,
    entity_identity,
    memory_identity,
    proposal_identity,
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
    state = memory.state or State("", "", "", "", "")
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
        memory_system=state.memory_system,
        epistemic_kind=state.epistemic_kind,
        trust=state.trust,
        trust_reason=state.trust_reason or "",
        credibility=credibility(memory.source_kind) if memory.state else "",
        has_importance=state.importance is not None,
        importance=state.importance or 0.0,
        valid_from=state.valid_from or "",
        valid_to=state.valid_to or "",
        happens_at=state.happens_at or "",
        expires_at=state.expires_at or "",
        is_expired=memory.is_expired,
    )


def proposal_message(proposed: Proposed) -> ProposalMessage:
    """Return the message of a proposal; what it says is empty once it is decided."""
    said = proposed.memory
    return ProposalMessage(
        id=proposal_identity(proposed.id),
        state=proposed.state,
        origin=proposed.origin,
        created_at=proposed.created_at,
        kind=said.kind if said else "",
        summary=said.summary if said else "",
        predicate=(said.predicate or "") if said else "",
        value=(said.value or "") if said else "",
        links=[_link_message(link) for link in proposed.links],
    )


def relation_message(relation: Relation) -> RelationMessage:
    """Return the message of a relation between memories."""
    return RelationMessage(
        memory_id=memory_identity(relation.memory_id),
        relation=relation.relation,
        other_memory_id=memory_identity(relation.other_memory_id),
        stated_by=relation.stated_by,
        stated_at=relation.at,
    )


def note_message(note: Note) -> NoteMessage:
    """Return the message of a note beside a memory."""
    return NoteMessage(note=note.note, author=note.author, noted_at=note.at)


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
