# SPDX-License-Identifier: Apache-2.0
"""The lines that the console prints for the messages it receives."""

from collections.abc import Iterator

from mira.msg import (
    Entity,
    EntityMemories,
    Memory,
    MemoryLink,
    MemoryStatus,
    Proposal,
    Reply,
    WorkingMemory,
)

from mira_operator.printable import printable, printable_lines
from mira_operator.quoting import quote


def reply_lines(reply: Reply, robot: str) -> Iterator[str]:
    """Yield what the robot said, then the memory outcome of the turn in brackets."""
    said = printable_lines(reply.text) or ("(said nothing)",)
    yield f"{robot}: {said[0]}"
    # Indented, so that no reply can imitate the outcome's own line.
    yield from (f"  {line}" for line in said[1:])
    if outcome := memory_outcome(reply):
        yield f"[{outcome}]"
    if reply.outcome != "completed":
        yield f"[{_words(reply.outcome)}]"


def memory_outcome(reply: Reply) -> str:
    """Return what the turn did to the persistent memory; empty where nothing was proposed."""
    match reply.memory_status, reply.memory_admission, reply.memory_reason:
        case "applied", "created", _:
            return f"stored {printable(reply.memory_id)}"
        case "applied", _, _:
            return f"already known {printable(reply.memory_id)}"
        case "rejected", _, "conflict" if reply.memory_id:
            return f"not stored: conflict with {printable(reply.memory_id)}"
        case "rejected", _, reason:
            return f"not stored: {_words(reason)}"
        case "unknown", _, _:
            return "not known whether it was stored"
    return ""


def entity_line(entity: Entity) -> str:
    """Return one entity with its aliases."""
    line = f"{entity.id} {entity.entity_type} {_quoted(entity.canonical_name)}"
    aliases = [_quoted(alias) for alias in entity.aliases]
    if entity.aliases_left_out:
        aliases.append(f"{entity.aliases_left_out} more aliases")
    return f"{line}, also {', '.join(aliases)}" if aliases else line


def memory_lines(memory: Memory) -> Iterator[str]:
    """Yield one memory of a list: what is known, then labels, links and source."""
    yield f"{memory.id} {memory.kind} {_quoted(memory.summary)}"
    details = [_slot(memory)] if memory.predicate or memory.value else []
    details += _links(memory)
    details.append(_source(memory))
    details += _marks(memory)
    yield f"     {'; '.join(details)}"


def memory_record_lines(memory: Memory, payload_texts: list[str]) -> Iterator[str]:
    """Yield one memory in full, a field to a line."""
    yield f"{memory.id} {memory.kind}, {memory.status}"
    yield f"  summary     {_quoted(memory.summary)}"
    if memory.predicate:
        yield f"  predicate   {memory.predicate}"
    if memory.value:
        yield f"  value       {_quoted(memory.value)}"
    for link in _links(memory):
        yield f"  link        {link}"
    yield f"  source      {_source(memory)}"
    if memory.has_confidence:
        yield f"  confidence  {memory.confidence:g}"
    if memory.trust:
        yield f"  knowledge   {memory.epistemic_kind}, {memory.memory_system}"
        yield f"  channel     {memory.credibility}"
    if memory.has_importance:
        yield f"  importance  {memory.importance:g}"
    for mark in _marks(memory):
        yield f"  mark        {mark}"
    yield f"  recorded    {memory.created_at}"
    for text in payload_texts:
        yield f"  text        {_quoted(text)}"


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """Yield one proposal: what it says, then labels, links and origin."""
    if not proposal.summary:
        yield f"{proposal.id} {proposal.state}, from {_quoted(proposal.origin)}"
        return
    yield f"{proposal.id} {proposal.kind} {_quoted(proposal.summary)}"
    details = [_slot(proposal)] if proposal.predicate or proposal.value else []
    details += [_link(link) for link in proposal.links]
    yield f"     {'; '.join([*details, f'from {_quoted(proposal.origin)}'])}"


def entity_memories_lines(found: EntityMemories) -> Iterator[str]:
    """Yield an entity, then its memories, then how many older ones are not shown."""
    yield entity_line(found.entity)
    if not found.memories:
        yield "  nothing is known about it"
    for memory in found.memories:
        yield from (f"  {line}" for line in memory_lines(memory))
    if found.memories_left_out:
        yield f"  {found.memories_left_out} older memories left out"


def status_lines(status: MemoryStatus) -> Iterator[str]:
    """Yield the state of the persistent memory."""
    yield f"database    {printable(status.database_path)}"
    yield f"schema      version {status.schema_version}"
    yield f"entities    {status.entities} with {status.aliases} aliases"
    yield f"memories    {status.memories}"
    health = "healthy" if status.healthy else "not healthy"
    yield f"health      {health}{': ' if status.last_error else ''}{printable(status.last_error)}"


def working_memory_lines(working: WorkingMemory, robot: str) -> Iterator[str]:
    """Yield the conversation of this run, oldest first."""
    if not working.items:
        yield f"the working memory is empty (it keeps the last {working.capacity} interactions)"
    for item in working.items:
        if item.operator_text:
            yield f"operator: {' / '.join(printable_lines(item.operator_text))}"
        yield f"{robot}: {' / '.join(printable_lines(item.reply_text))}"


def _marks(memory: Memory) -> Iterator[str]:
    if memory.valid_from:
        yield f"since {memory.valid_from}"
    if memory.valid_to:
        yield f"until {memory.valid_to}"
    if memory.happens_at:
        yield f"happens at {memory.happens_at}"
    if memory.expires_at:
        yield f"{'expired' if memory.is_expired else 'expires'} at {memory.expires_at}"
    if memory.trust in ("disputed", "withheld"):
        yield f"{memory.trust}: {_quoted(memory.trust_reason)}"


def _slot(memory: Memory | Proposal) -> str:
    return f"{memory.predicate or 'value'} {_quoted(memory.value)}"


def _links(memory: Memory) -> list[str]:
    links = [_link(link) for link in memory.links]
    if memory.links_left_out:
        links.append(f"{memory.links_left_out} more links")
    return links


def _link(link: MemoryLink) -> str:
    return f"{link.role} {link.entity_id} {_quoted(link.entity_name)}"


def _source(memory: Memory) -> str:
    if not memory.source_label:
        return str(memory.source_kind)
    return f"{memory.source_kind} {_quoted(memory.source_label)}"


def _quoted(text: str) -> str:
    return quote(printable(text))


def _words(code: str) -> str:
    return printable(code).replace("_", " ")
