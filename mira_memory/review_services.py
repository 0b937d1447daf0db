# SPDX-License-Identifier: Apache-2.0
"""The services under memory/ that review, look back, audit, export and import.

Follows docs/lifecycle.md. What reads or writes everything has a thread of its own, so that
neither a recall nor a statement of the operator waits for it.
"""

from pathlib import Path
from typing import Any

from mira import srv
from rclpy.callback_groups import CallbackGroup

from mira_memory.administration_services import offer, page_size, succeeded
from mira_memory.announcements import Announcements
from mira_memory.errors import ExportRefused
from mira_memory.lifecycle.review import Proposed
from mira_memory.lifecycle_services import actor
from mira_memory.messages import (
    entity_memories_message,
    memory_message,
    note_message,
    proposal_message,
    relation_message,
)
from mira_memory.records import parse_memory_identity, parse_proposal_identity
from mira_memory.store import Store
from mira_ros.serving import ServedNode
from mira_ros.waiting import AwaitedThread


class ReviewServices:
    """Decide proposals, and look at what was and who changed it."""

    def __init__(
        self,
        node: ServedNode,
        store: Store,
        writer: AwaitedThread,
        long_reads: AwaitedThread,
        announcements: Announcements,
        group: CallbackGroup,
    ) -> None:
        self._store = store
        self._writer = writer
        self._long_reads = long_reads
        self._announcements = announcements
        offer(
            node,
            group,
            (srv.ListProposals, "list_proposals", self._list_proposals),
            (srv.DecideProposal, "decide_proposal", self._decide_proposal),
            (srv.History, "history", self._history),
            (srv.RecallAt, "recall_at", self._recall_at),
            (srv.Audit, "audit", self._audit),
            (srv.VerifyAudit, "verify_audit", self._verify_audit),
            (srv.ExportMemories, "export", self._export),
            (srv.ImportMemories, "import", self._import),
        )

    def _list_proposals(self, request: Any, response: Any) -> Any:
        lifecycle = self._store.lifecycle
        if request.proposal_id:
            found: tuple[Proposed, ...] = (
                lifecycle.proposal(parse_proposal_identity(request.proposal_id)),
            )
        else:
            after = parse_proposal_identity(request.after_id) if request.after_id else 0
            found = lifecycle.proposals(after, page_size(request.limit))
        response.proposals = [proposal_message(proposed) for proposed in found]
        return succeeded(response)

    async def _decide_proposal(self, request: Any, response: Any) -> Any:
        lifecycle = self._store.lifecycle
        number, by = parse_proposal_identity(request.proposal_id), actor(request)
        if not request.approve:
            await self._writer.run(lambda: lifecycle.refuse(number, request.reason, by))
            self._announcements.event("proposal_refused")
            return succeeded(response)
        memory = await self._writer.run(lambda: lifecycle.approve(number, request.reason, by))
        self._announcements.event(
            "proposal_approved",
            entities=tuple(link.entity_id for link in memory.links),
            memories=(memory.id,),
            source_kind=memory.source_kind,
        )
        response.memory = memory_message(memory)
        return succeeded(response)

    def _history(self, request: Any, response: Any) -> Any:
        number = parse_memory_identity(request.memory_id)
        response.lines = list(self._store.lifecycle.history(number))
        relations, notes = self._store.lifecycle.companions(number)
        response.relations = [relation_message(relation) for relation in relations]
        response.notes = [note_message(note) for note in notes]
        return succeeded(response)

    def _recall_at(self, request: Any, response: Any) -> Any:
        found = self._store.lifecycle.recall_at(
            request.name, request.valid_time, request.record_time
        )
        response.entities = [entity_memories_message(each) for each in found]
        return succeeded(response)

    def _audit(self, request: Any, response: Any) -> Any:
        events = self._store.lifecycle.audit(
            request.since, request.after_event, page_size(request.limit)
        )
        response.lines = [line for _, line in events]
        response.last_event = events[-1][0] if events else 0
        return succeeded(response)

    async def _verify_audit(self, request: Any, response: Any) -> Any:
        finding = await self._long_reads.run(self._store.lifecycle.verify_audit)
        response.events = finding.events
        response.finding = finding.sentence
        response.sound = not finding.sentence
        return succeeded(response)

    async def _export(self, request: Any, response: Any) -> Any:
        lifecycle, path = self._store.lifecycle, _absolute(request.path)
        response.memories = await self._long_reads.run(lambda: lifecycle.export(path))
        return succeeded(response)

    async def _import(self, request: Any, response: Any) -> Any:
        lifecycle, path, by = self._store.lifecycle, _absolute(request.path), actor(request)
        done = await self._writer.run(
            lambda: lifecycle.import_file(path, trusted=request.trusted, actor=by)
        )
        self._announcements.event("memories_imported")
        response.written = done.written
        response.proposed = done.proposed
        response.left_out = done.left_out
        response.reasons = list(done.reasons)
        return succeeded(response)


def _absolute(text: str) -> Path:
    path = Path(text)
    if not path.is_absolute() or "\0" in text:
        raise ExportRefused("The file is no absolute path; give its whole path.")
    return path
