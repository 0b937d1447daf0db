# SPDX-License-Identifier: Apache-2.0
"""Carry out the commands that correct, date, doubt, review and forget.

Follows docs/lifecycle.md, "Commands".
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mira import srv

from mira_operator import lifecycle_commands as commands
from mira_operator.lines import entity_line, entity_memories_lines, memory_lines, proposal_lines
from mira_operator.memory_services import CommandFailed, MemoryServices
from mira_operator.printable import printable
from mira_operator.quoting import quote

ACTOR = "console"
LONG_S = 120.0
_CHANGES = {
    "retract": srv.Retract,
    "archive": srv.Archive,
    "restore": srv.Restore,
    "forget": srv.Forget,
}


def lifecycle_lines(services: MemoryServices, command: commands.Lifecycle) -> Iterator[str]:
    """
    Carry out a command and yield the lines to print.

    :raises CommandFailed: it was refused, or nobody could carry it out.
    """
    match command:
        case commands.ChangeStatus():
            yield from _status_changed(services, command)
        case commands.Supersede(memory_id, summary, value, since):
            done = _write(
                services,
                srv.Supersede,
                memory_id,
                summary=summary,
                value=value,
                valid_from=since,
            )
            yield f"{memory_id} is superseded by {done.memory.id}"
            yield from memory_lines(done.memory)
            if done.warning:
                yield f"warning: {printable(done.warning)}"
        case commands.SetTrust(memory_id, state, reason):
            _write(services, srv.SetTrust, memory_id, trust=state, reason=reason)
            yield f"{memory_id} is {state}"
        case commands.Annotate(memory_id, note):
            _write(services, srv.Annotate, memory_id, note=note)
            yield f"noted beside {memory_id}"
        case commands.Relate(memory_id, relation, other_id):
            fields: dict[str, Any] = {"relation": relation, "other_memory_id": other_id}
            _write(services, srv.Relate, memory_id, **fields)
            yield f"{memory_id} {relation} {other_id}"
        case commands.RenameEntity(entity_id, name):
            named: dict[str, Any] = {"entity_id": entity_id, "canonical_name": name}
            done = services.write(srv.RenameEntity, look=_look(name), actor=ACTOR, **named)
            yield entity_line(done.entity)
        case commands.RemoveAlias(entity_id, alias):
            called: dict[str, Any] = {"entity_id": entity_id, "alias": alias}
            done = services.write(srv.RemoveAlias, look=_look(alias), actor=ACTOR, **called)
            yield entity_line(done.entity)
        case commands.RecallAt(at, name, known):
            found = services.read(srv.RecallAt, name=name, valid_time=at, record_time=known)
            if not found.entities:
                yield f"no entity has the name {quote(printable(name))}"
            for entity in found.entities:
                yield from entity_memories_lines(entity)
        case commands.ShowHistory(memory_id):
            yield from _history(services, memory_id)
        case _:
            yield from _review_lines(services, command)


def _review_lines(services: MemoryServices, command: commands.Lifecycle) -> Iterator[str]:
    match command:
        case commands.ListProposals(after_id):
            proposals = services.read(srv.ListProposals, after_id=after_id).proposals
            for proposal in proposals:
                yield from proposal_lines(proposal)
            if not proposals:
                yield "no proposals wait"
            elif len(proposals) == 100:
                yield f"more may wait; go on with: memory review --after {proposals[-1].id}"
        case commands.ShowProposal(proposal_id):
            for proposal in services.read(srv.ListProposals, proposal_id=proposal_id).proposals:
                yield from proposal_lines(proposal)
                yield f"     made {proposal.created_at}, {proposal.state}"
        case commands.DecideProposal(proposal_id, approve, reason):
            fields: dict[str, Any] = {
                "proposal_id": proposal_id,
                "approve": approve,
                "reason": reason,
            }
            look = f"memory review show {proposal_id}"
            done = services.write(srv.DecideProposal, look=look, actor=ACTOR, **fields)
            yield (
                f"{proposal_id} is {done.memory.id} now"
                if approve
                else f"{proposal_id} is refused"
            )
        case commands.ShowAudit(since, after):
            page = services.read(srv.Audit, since=since, after_event=int(after or 0))
            yield from map(printable, page.lines)
            if not page.lines:
                yield "no more events" if after else "no events"
            elif len(page.lines) == 100:
                yield f"more may follow; go on with: memory audit --after {page.last_event}"
        case commands.VerifyAudit():
            done = services.read(srv.VerifyAudit, budget_s=LONG_S)
            if not done.sound:
                raise CommandFailed(f"The audit log does not verify: {printable(done.finding)}")
            yield f"the audit log verifies: {done.events} events, and everything is as they say"
        case commands.ExportMemories(file):
            done = services.write(
                srv.ExportMemories, look="the file", budget_s=LONG_S, path=_absolute(file)
            )
            yield f"exported {done.memories} memories; the file keeps what is forgotten later"
        case commands.ImportMemories(file, trusted):
            yield from _imported(services, _absolute(file), trusted)


def _status_changed(services: MemoryServices, command: commands.ChangeStatus) -> Iterator[str]:
    done = _write(
        services,
        _CHANGES[command.verb],
        command.memory_id,
        budget_s=LONG_S,
        reason=command.reason,
    )
    if command.verb == "forget":
        yield f"{command.memory_id} is forgotten"
        yield f"warning: {printable(done.warning)}"
    else:
        yield f"{done.memory.id} is {done.memory.status}"


def _history(services: MemoryServices, memory_id: str) -> Iterator[str]:
    told = services.read(srv.History, memory_id=memory_id)
    yield from map(printable, told.lines)
    for relation in told.relations:
        yield f"{relation.memory_id} {relation.relation} {relation.other_memory_id}"
    for note in told.notes:
        yield f"note of {note.noted_at} ({note.author}): {quote(printable(note.note))}"


def _imported(services: MemoryServices, path: str, trusted: bool) -> Iterator[str]:
    done = services.write(
        srv.ImportMemories,
        look="memory review",
        budget_s=LONG_S,
        path=path,
        trusted=trusted,
        actor=ACTOR,
    )
    yield f"{done.written} written, {done.proposed} proposed, {done.left_out} left out"
    yield from (f"  {printable(reason)}" for reason in done.reasons)


def _write(services: MemoryServices, srv_type: Any, memory_id: str, **fields: Any) -> Any:
    look = f"memory history {memory_id}"
    return services.write(srv_type, look=look, actor=ACTOR, memory_id=memory_id, **fields)


def _look(name: str) -> str:
    return f"memory entity find {quote(printable(name))}"


def _absolute(file: str) -> str:
    return str(Path(file).expanduser().absolute())
