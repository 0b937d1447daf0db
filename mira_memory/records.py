# SPDX-License-Identifier: Apache-2.0
"""The values that cross the store's border, and their identities.

Follows docs/memory.md, "Words". Texts are in display form; times are ISO 8601 UTC with six
decimals. `None` is a field that the memory does not have. What a recall makes by the dozen is a
named tuple, since a frozen dataclass of so many fields takes four times as long to make.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from mira_memory.errors import IdentityRefused

LINKS_MAX = 64
SUBJECT_ROLE = "subject"
_IDENTITY_MAX = 2**63 - 1


class Link(NamedTuple):
    """One entity that a memory hangs on, under a role."""

    entity_id: int
    entity_name: str
    role: str


class State(NamedTuple):
    """What is known of a memory beside its words, where the store keeps that (version 2).

    Times are when it held in the world, or happens, or ends to count; None is unknown. Follows
    docs/lifecycle.md, "Two times" and "Trust".
    """

    status: str = "active"
    trust: str = "accepted"
    trust_reason: str | None = None
    memory_system: str = "semantic"
    epistemic_kind: str = "fact"
    importance: float | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    happens_at: str | None = None
    expires_at: str | None = None


class Memory(NamedTuple):
    """One accepted piece of knowledge, without its payloads.

    `state` is None in a version 1 store, which keeps none.
    """

    id: int
    kind: str
    summary: str
    predicate: str | None
    value: str | None
    source_kind: str
    source_label: str | None
    confidence: float | None
    status: str
    created_at: str
    links: tuple[Link, ...]
    links_left_out: int
    state: State | None = None
    is_expired: bool = False


class Entity(NamedTuple):
    """A thing with a canonical name, a type and aliases in the order they were added."""

    id: int
    entity_type: str
    canonical_name: str
    aliases: tuple[str, ...]
    aliases_left_out: int
    created_at: str


class EntityMemories(NamedTuple):
    """An entity with its newest active memories in ascending ID order."""

    entity: Entity
    memories: tuple[Memory, ...]
    memories_left_out: int


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """A manual write as typed: not checked yet. `links` are (entity id, role)."""

    kind: str
    summary: str
    links: tuple[tuple[int, str], ...] = ()
    predicate: str | None = None
    value: str | None = None
    source_kind: str | None = None
    source_label: str | None = None
    confidence: float | None = None
    qualities: "Qualities | None" = None


@dataclass(frozen=True, slots=True)
class Qualities:
    """What a person says of a memory beside its words, as typed; empty is not stated."""

    memory_system: str = ""
    epistemic_kind: str = ""
    importance: float | None = None
    valid_from: str = ""
    valid_to: str = ""
    happens_at: str = ""
    expires_at: str = ""


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to insert: every text checked, in display form, every token folded.

    `state` is None where everything is as `default_state` says.
    """

    kind: str
    summary: str
    predicate: str | None
    value: str | None
    links: frozenset[tuple[int, str]]
    source_kind: str
    source_label: str | None = None
    confidence: float | None = None
    turn_id: str | None = None
    state: State | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """The entity after an administrative write, and a warning or an empty text."""

    entity: Entity
    warning: str


@dataclass(frozen=True, slots=True)
class AddedMemory:
    """The memory that a manual write created, and a warning or an empty text."""

    memory: Memory
    warning: str


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """The store's health and exact totals; sizes in bytes, times as stored.

    `clock_behind` says that the wall clock is earlier than the newest stored memory.
    """

    healthy: bool
    database_path: str
    schema_version: int
    entities: int
    aliases: int
    memories: int
    last_error: str
    size_bytes: int
    free_bytes: int
    last_write_at: str | None
    clock_behind: bool


def entity_identity(number: int) -> str:
    """Return the identity of an entity: ENT<n>."""
    return f"ENT{number}"


def memory_identity(number: int) -> str:
    """Return the identity of a memory: MEM<n>."""
    return f"MEM{number}"


def proposal_identity(number: int) -> str:
    """Return the identity of a proposal: PRP<n>."""
    return f"PRP{number}"


@lru_cache(maxsize=256)
def default_state(kind: str, source_kind: str, status: str = "active") -> State:
    """Return the state of a memory of which nothing else was said."""
    if source_kind == "operator_statement":
        epistemic_kind = "opinion" if kind == "preference" else "claim"
    else:
        epistemic_kind = "claim" if source_kind == "reviewed_proposal" else "fact"
    return State(status=status, epistemic_kind=epistemic_kind)


def credibility(source_kind: str) -> str:
    """Return how far the channel of a memory is believed; "operator" is the most.

    The order is operator, then user and system alike, then tool, then source.
    """
    if source_kind == "operator_statement":
        return "operator"
    return source_kind if source_kind in ("system", "tool", "source") else "user"


def parse_entity_identity(text: str) -> int:
    """Return the number of an ENT<n>.

    Raises:
        IdentityRefused: the text is no such identity.
    """
    return _parse(text, "ENT", "an entity")


def parse_memory_identity(text: str) -> int:
    """Return the number of a MEM<n>.

    Raises:
        IdentityRefused: the text is no such identity.
    """
    return _parse(text, "MEM", "a memory")


def parse_proposal_identity(text: str) -> int:
    """Return the number of a PRP<n>.

    Raises:
        IdentityRefused: the text is no such identity.
    """
    return _parse(text, "PRP", "a proposal")


def _parse(text: str, prefix: str, thing: str) -> int:
    match = re.fullmatch(rf"{prefix}([1-9][0-9]{{0,18}})", text)
    if match is None or int(match[1]) > _IDENTITY_MAX:
        raise IdentityRefused(f"Expected the identity of {thing}, such as {prefix}3.")
    return int(match[1])


def timestamp(moment: datetime) -> str:
    """Return the stored form of an aware moment: YYYY-MM-DDTHH:MM:SS.ffffffZ, in UTC."""
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    return naive.isoformat(timespec="microseconds") + "Z"
