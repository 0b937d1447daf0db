# SPDX-License-Identifier: Apache-2.0
"""What a line can ask for that corrects, dates, doubts, reviews or forgets, as values."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ChangeStatus:
    """Retract, archive, restore or forget a memory."""

    verb: Literal["retract", "archive", "restore", "forget"]
    memory_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Supersede:
    """Replace a memory by what holds since a time; empty: since now, without a value."""

    memory_id: str
    summary: str
    value: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class SetTrust:
    """Set how far a memory is trusted."""

    memory_id: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Annotate:
    """Write a note beside a memory."""

    memory_id: str
    note: str


@dataclass(frozen=True, slots=True)
class Relate:
    """State how a memory stands to another."""

    memory_id: str
    relation: str
    other_id: str


@dataclass(frozen=True, slots=True)
class RenameEntity:
    """Give an entity another canonical name."""

    entity_id: str
    canonical_name: str


@dataclass(frozen=True, slots=True)
class RemoveAlias:
    """Take an alias from an entity."""

    entity_id: str
    alias: str


@dataclass(frozen=True, slots=True)
class RecallAt:
    """Show what held at a time, as known at another; empty: as known now."""

    at: str
    name: str
    known: str = ""


@dataclass(frozen=True, slots=True)
class ShowHistory:
    """Show the life of a memory."""

    memory_id: str


@dataclass(frozen=True, slots=True)
class ListProposals:
    """Show the proposals that wait; ``after_id`` empty: from the first."""

    after_id: str


@dataclass(frozen=True, slots=True)
class ShowProposal:
    """Show one proposal."""

    proposal_id: str


@dataclass(frozen=True, slots=True)
class DecideProposal:
    """Approve or refuse a proposal."""

    proposal_id: str
    approve: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ShowAudit:
    """Show the audit log; empty: all of it, from the first event."""

    since: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class VerifyAudit:
    """Walk the audit log and the tables."""


@dataclass(frozen=True, slots=True)
class ExportMemories:
    """Write everything to a new file."""

    file: str


@dataclass(frozen=True, slots=True)
class ImportMemories:
    """Read an export."""

    file: str
    trusted: bool


Lifecycle = (
    ChangeStatus
    | Supersede
    | SetTrust
    | Annotate
    | Relate
    | RenameEntity
    | RemoveAlias
    | RecallAt
    | ShowHistory
    | ListProposals
    | ShowProposal
    | DecideProposal
    | ShowAudit
    | VerifyAudit
    | ExportMemories
    | ImportMemories
)
