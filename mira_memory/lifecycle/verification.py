# SPDX-License-Identifier: Apache-2.0
"""Walk the audit log's chain and play it through; every table must be what the log says.

Follows docs/lifecycle.md, "Audit". Everything is read; memory use grows with the number
of memories, entities and aliases, by a few dozen bytes for each.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from mira_memory import schema
from mira_memory.lifecycle import corrections, review, statements
from mira_memory.lifecycle.journal import (
    BEGINNING,
    Event,
    chained,
    digest_key,
    entity_digest,
    keyed_digest,
    row_digest,
    stored_content,
)
from mira_memory.records import State, entity_identity, memory_identity, proposal_identity

STATE_OPERATIONS = frozenset(
    {
        "memory_described",
        "memory_retracted",
        "memory_superseded",
        "memory_archived",
        "memory_restored",
        "memory_forgotten",
        "memory_trust_set",
    }
)


class Finding(NamedTuple):
    """The first thing that does not fit, or none: `sentence` is empty then."""

    events: int
    event_id: int | None
    sentence: str


class _Misfit(Exception):
    def __init__(self, event_id: int | None, sentence: str) -> None:
        super().__init__(sentence)
        self.event_id = event_id


@dataclass(slots=True)
class _Played:
    """What the store must hold after the events, by the event that says so."""

    events: int = 0
    memories: dict[int, Event] = field(default_factory=dict)
    forgotten: dict[int, Event] = field(default_factory=dict)
    states: dict[int, list[Event]] = field(default_factory=lambda: defaultdict(list))
    entities: dict[int, Event] = field(default_factory=dict)
    aliases: dict[int, Event] = field(default_factory=dict)
    relations: dict[int, Event] = field(default_factory=dict)
    notes: dict[int, Event] = field(default_factory=dict)
    proposals: dict[int, Event] = field(default_factory=dict)
    tombstones: dict[int, Event] = field(default_factory=dict)


def verify(connection: sqlite3.Connection) -> Finding:
    """Return how many events there are and the first that does not fit.

    The connection is in a transaction, so that everything is of one moment.
    """
    played = _Played()
    try:
        difference = schema.difference(connection, 2)
        if difference is not None:
            raise _Misfit(None, f"The tables are not those of version 2: {difference}.")
        _walk(connection, played)
        _check_names(connection, played)
        _check_memories(connection, played)
        _check_states(connection, played)
        _check_companions(connection, played)
        _check_review(connection, played)
        _check_counts(connection)
    except _Misfit as misfit:
        return Finding(played.events, misfit.event_id, str(misfit))
    return Finding(played.events, None, "")


def verify_end(connection: sqlite3.Connection, events: int) -> bool:
    """Return whether the chain holds for the newest events."""
    rows = connection.execute(statements.NEWEST_EVENTS, (events + 1,)).fetchall()
    ordered = [Event(*row) for row in reversed(rows)]
    before = BEGINNING
    if len(ordered) > events:
        before = ordered.pop(0).hash
    for event in ordered:
        if chained(before, event[:-1]) != event.hash:
            return False
        before = event.hash
    return True


def _walk(connection: sqlite3.Connection, played: _Played) -> None:
    before = BEGINNING
    for row in connection.execute(statements.ALL_EVENTS):
        event = Event(*row)
        played.events += 1
        if event.id != played.events:
            raise _Misfit(event.id, f"Event {played.events} is missing before {event.id}.")
        if chained(before, event[:-1]) != event.hash:
            raise _Misfit(event.id, f"Event {event.id} is not what was written after the last.")
        before = event.hash
        _play(event, played)
    given = connection.execute(statements.LAST_GIVEN_EVENT_ID).fetchone()
    if given is not None and given[0] != played.events:
        raise _Misfit(
            played.events + 1, f"Event {played.events + 1} and what followed it are missing."
        )


def _play(event: Event, played: _Played) -> None:
    memory, row = event.memory_id or 0, event.row_id or 0
    match event.operation:
        case "memory_created" | "memory_migrated":
            played.memories[memory] = event
        case "entity_added" | "entity_migrated" | "entity_renamed":
            played.entities[event.entity_id or 0] = event
        case "alias_added" | "alias_migrated":
            played.aliases[row] = event
        case "alias_removed":
            played.aliases.pop(row, None)
        case "memories_related":
            played.relations[event.id] = event
        case "memory_annotated":
            played.notes[event.id] = event
        case "proposal_made" | "proposal_approved" | "proposal_refused":
            played.proposals[row] = event
        case "tombstone_laid":
            played.tombstones[event.id] = event
    if event.operation in STATE_OPERATIONS:
        played.states[memory].append(event)
    if event.operation == "memory_forgotten":
        played.forgotten[memory] = event
        for number, note in list(played.notes.items()):
            if note.memory_id == memory:
                del played.notes[number]
    if event.operation == "memory_restored":
        for number, tombstone in list(played.tombstones.items()):
            if tombstone.memory_id == memory:
                del played.tombstones[number]


def _check_names(connection: sqlite3.Connection, played: _Played) -> None:
    found = {number for (number,) in connection.execute(statements.ALL_ENTITY_IDS)}
    _require_same(found, played.entities, entity_identity)
    for number, event in played.entities.items():
        if entity_digest(connection, number) != event.digest:
            raise _Misfit(event.id, _changed(entity_identity(number), event))
    rows = {
        row[0]: connection.execute(statements.ALIAS_ROW, row[1:]).fetchone()
        for row in connection.execute(statements.ALL_ALIAS_IDS).fetchall()
    }
    _require_same(rows.keys(), played.aliases, lambda number: f"Alias {number}")
    for number, event in played.aliases.items():
        if row_digest(rows[number]) != event.digest:
            raise _Misfit(
                event.id, _changed(f"An alias of {entity_identity(event.entity_id or 0)}", event)
            )


def _check_memories(connection: sqlite3.Connection, played: _Played) -> None:
    key = digest_key(connection)
    statuses = {row[0]: row[1] for row in connection.execute(statements.ALL_MEMORY_IDS)}
    _require_same(statuses.keys(), played.memories, memory_identity)
    for number, created in played.memories.items():
        event = created
        if number in played.forgotten:
            event = played.forgotten[number]
            row = connection.execute(statements.STATE_OF_EVENT, (event.id,)).fetchone()
            is_sound = (
                row is not None
                and not connection.execute(statements.CONTENT_PAYLOADS, (number,)).fetchone()
                and not connection.execute(statements.CONTENT_LINKS, (number,)).fetchone()
                and corrections.erased_digest(connection, number, State(*row)) == event.digest
            )
        else:
            content = stored_content(connection, number)
            is_sound = keyed_digest(content, key) == event.digest
        if not is_sound:
            raise _Misfit(event.id, _changed(memory_identity(number), event))
        if number not in played.states and statuses[number] != "active":
            raise _Misfit(event.id, f"No event gave {memory_identity(number)} its status.")


def _check_states(connection: sqlite3.Connection, played: _Played) -> None:
    key = digest_key(connection)
    rows: dict[int, list[tuple[object, ...]]] = defaultdict(list)
    for row in connection.execute(statements.ALL_STATES):
        rows[row[1]].append(row)
    for memory_id in rows.keys() - played.states.keys():
        raise _Misfit(None, f"{memory_identity(memory_id)} has a state that no event gave it.")
    for memory_id, events in sorted(played.states.items()):
        identity = memory_identity(memory_id)
        found = rows[memory_id]
        if [row[0] for row in found] != [event.id for event in events]:
            raise _Misfit(events[-1].id, f"The states of {identity} are not those of its events.")
        for index, (row, event) in enumerate(zip(found, events, strict=True)):
            after = found[index + 1][2] if index + 1 < len(found) else None
            is_sound = row[3] == after and (
                memory_id in played.forgotten or keyed_digest(row[4:], key) == event.digest
            )
            if not is_sound:
                raise _Misfit(event.id, _changed(f"The state of {identity}", event))
        (status,) = connection.execute(statements.STATUS, (memory_id,)).fetchone()
        if status != found[-1][4]:
            raise _Misfit(events[-1].id, _changed(f"The status of {identity}", events[-1]))


def _check_companions(connection: sqlite3.Connection, played: _Played) -> None:
    key = digest_key(connection)
    relations = {row[0]: row[1:] for row in connection.execute(statements.ALL_RELATIONS)}
    _require_same(relations.keys(), played.relations, lambda number: f"Relation {number}")
    for number, event in played.relations.items():
        if row_digest(relations[number]) != event.digest:
            raise _Misfit(number, f"The relation of event {number} is not as it was stated.")
    notes = {row[0]: row[1:] for row in connection.execute(statements.ALL_NOTES)}
    _require_same(notes.keys(), played.notes, lambda number: f"Note {number}")
    for number, event in played.notes.items():
        memory_id, note = notes[number]
        if memory_id != event.memory_id or keyed_digest(note, key) != event.digest:
            raise _Misfit(number, f"The note of event {number} is not as it was written.")


def _check_review(connection: sqlite3.Connection, played: _Played) -> None:
    rows = {row[0]: row for row in connection.execute(statements.ALL_PROPOSALS).fetchall()}
    _require_same(rows.keys(), played.proposals, proposal_identity)
    for number, event in played.proposals.items():
        _, state, content, statement, origin, memory_id, created_at = rows[number]
        expected = {"proposal_made": "open", "proposal_approved": "approved"}.get(
            event.operation, "refused"
        )
        row = (number, content, statement, origin, created_at)
        is_sound = state == expected and (
            review.content_digest(connection, row) == event.digest
            if state == "open"
            else state == "refused" or memory_id == event.memory_id
        )
        if not is_sound:
            raise _Misfit(event.id, _changed(proposal_identity(number), event))
    laid: dict[int, list[bytes]] = defaultdict(list)
    for event_id, statement, _ in connection.execute(statements.ALL_TOMBSTONES):
        laid[event_id].append(statement)
    _require_same(laid.keys(), played.tombstones, lambda number: f"Tombstone {number}")
    for number, event in played.tombstones.items():
        if row_digest(tuple(sorted(laid[number]))) != event.digest:
            raise _Misfit(number, f"The tombstone of event {number} is not as it was laid.")


def _check_counts(connection: sqlite3.Connection) -> None:
    for entity_id, kept, counted in connection.execute(statements.ALL_COUNTS):
        if kept != counted:
            raise _Misfit(None, f"{entity_identity(entity_id)} has a wrong count of its memories.")


def _changed(what: str, event: Event) -> str:
    return f"{what} is not as event {event.id} left it."


def _require_same(
    found: Set[int], played: Mapping[int, Event], named: Callable[[int], str]
) -> None:
    for number in sorted(found - played.keys()):
        raise _Misfit(None, f"{named(number)} is stored, but no event says so.")
    for number in sorted(played.keys() - found):
        event = played[number]
        raise _Misfit(event.id, f"{named(number)} is missing; event {event.id} says it is stored.")
