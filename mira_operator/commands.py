# SPDX-License-Identifier: Apache-2.0
"""What a line typed into the console can ask for, as values."""

from dataclasses import dataclass

from mira_operator.lifecycle_commands import Lifecycle


@dataclass(frozen=True, slots=True)
class Say:
    """Say a line to the robot."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowWorkingMemory:
    """Show the volatile conversation of this run."""


@dataclass(frozen=True, slots=True)
class ClearWorkingMemory:
    """Empty the volatile conversation of this run."""


@dataclass(frozen=True, slots=True)
class ShowPersistentMemory:
    """Show path, schema version, counts and health of the persistent memory."""


@dataclass(frozen=True, slots=True)
class AddEntity:
    """Create an entity."""

    entity_type: str
    canonical_name: str


@dataclass(frozen=True, slots=True)
class FindEntity:
    """Show every entity with an exact name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListEntities:
    """Show entities by identity; ``after_id`` empty: from the first."""

    after_id: str


@dataclass(frozen=True, slots=True)
class AddAlias:
    """Give an entity a further name."""

    entity_id: str
    alias: str


@dataclass(frozen=True, slots=True)
class FindMemories:
    """Show every entity with an exact name, and what is known about it."""

    name: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a manual memory: an ``ENT<n>`` under a role."""

    entity_id: str
    role: str


@dataclass(frozen=True, slots=True)
class AddMemory:
    """Write a memory by hand; empty text stands for an option not given."""

    kind: str
    summary: str
    links: tuple[Link, ...] = ()
    predicate: str = ""
    value: str = ""
    source_kind: str = ""
    source_label: str = ""
    confidence: float | None = None
    memory_system: str = ""
    epistemic_kind: str = ""
    importance: float | None = None
    valid_from: str = ""
    valid_to: str = ""
    happens_at: str = ""
    expires_at: str = ""


@dataclass(frozen=True, slots=True)
class ShowMemory:
    """Show one memory with its payload."""

    memory_id: str


@dataclass(frozen=True, slots=True)
class ListMemories:
    """Show the memories of an entity; ``before_id`` empty: the newest."""

    entity_id: str
    before_id: str


@dataclass(frozen=True, slots=True)
class Help:
    """Show the forms of all commands."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the session."""


Administration = (
    ShowWorkingMemory
    | ClearWorkingMemory
    | ShowPersistentMemory
    | AddEntity
    | FindEntity
    | ListEntities
    | AddAlias
    | FindMemories
    | AddMemory
    | ShowMemory
    | ListMemories
    | Lifecycle
)
Command = Say | Administration | Help | Quit
