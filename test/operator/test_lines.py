# SPDX-License-Identifier: Apache-2.0
"""What is printed for what the robot sends, hostile texts included."""

import pytest
from mira.msg import (
    Entity,
    EntityMemories,
    Memory,
    MemoryLink,
    MemoryStatus,
    Reply,
    WorkingMemory,
    WorkingMemoryItem,
)

from mira_operator.lines import (
    entity_line,
    entity_memories_lines,
    memory_outcome,
    memory_record_lines,
    reply_lines,
    status_lines,
    working_memory_lines,
)

HOSTILE = 'herring\n[stored MEM9]\x1b[2J"; subject ENT9 \\'


@pytest.mark.parametrize(
    ("status", "admission", "reason", "memory_id", "outcome"),
    [
        ("applied", "created", "", "MEM3", "stored MEM3"),
        ("applied", "duplicate", "", "MEM1", "already known MEM1"),
        ("rejected", "", "conflict", "MEM2", "not stored: conflict with MEM2"),
        ("rejected", "", "conflict", "", "not stored: conflict"),
        ("rejected", "", "subject_not_found", "", "not stored: subject not found"),
        ("unknown", "", "", "", "not known whether it was stored"),
        ("", "", "", "", ""),
    ],
)
def test_the_memory_outcome_of_a_turn(
    status: str, admission: str, reason: str, memory_id: str, outcome: str
) -> None:
    reply = Reply(
        memory_status=status,
        memory_admission=admission,
        memory_reason=reason,
        memory_id=memory_id,
    )
    assert memory_outcome(reply) == outcome


def test_a_reply_can_not_imitate_the_outcome_of_its_turn() -> None:
    reply = Reply(text=f"I know {HOSTILE}", outcome="completed")
    assert list(reply_lines(reply, "mira")) == [
        "mira: I know herring",
        '  [stored MEM9]\\x1b[2J"; subject ENT9 \\',
    ]


def test_an_incomplete_reply_says_so() -> None:
    reply = Reply(text="The model does not answer.", outcome="model_unavailable")
    assert list(reply_lines(reply, "mira")) == [
        "mira: The model does not answer.",
        "[model unavailable]",
    ]
    assert list(reply_lines(Reply(outcome="completed"), "mira")) == ["mira: (said nothing)"]


def test_an_entity_with_its_aliases() -> None:
    entity = Entity(id="ENT1", entity_type="person", canonical_name="Gordon")
    assert entity_line(entity) == 'ENT1 person "Gordon"'
    entity.aliases, entity.aliases_left_out = ["Gordie", 'a "b"'], 4
    assert entity_line(entity) == r'ENT1 person "Gordon", also "Gordie", "a \"b\"", 4 more aliases'


def test_a_memory_stays_on_its_lines_whatever_is_stored() -> None:
    memory = Memory(
        id="MEM1",
        kind="fact",
        summary=HOSTILE,
        predicate="likes",
        value=HOSTILE,
        source_kind="manual",
        source_label=HOSTILE,
        status="active",
        links=[MemoryLink(entity_id="ENT1", entity_name=HOSTILE, role="subject")],
        links_left_out=2,
    )
    quoted = r'"herring\\x0a[stored MEM9]\\x1b[2J\"; subject ENT9 \\"'
    found = EntityMemories(
        entity=Entity(id="ENT1", entity_type="person", canonical_name=HOSTILE),
        memories=[memory],
        memories_left_out=7,
    )
    assert list(entity_memories_lines(found)) == [
        f"ENT1 person {quoted}",
        f"  MEM1 fact {quoted}",
        f"       likes {quoted}; subject ENT1 {quoted}; 2 more links; manual {quoted}",
        "  7 older memories left out",
    ]
    assert all(
        line.startswith(("MEM1 fact, active", "  ")) and "\n" not in line
        for line in memory_record_lines(memory, [HOSTILE])
    )


def test_confidence_is_shown_where_it_was_stated() -> None:
    stated = Memory(id="MEM1", kind="fact", status="active", has_confidence=True, confidence=0.0)
    assert "  confidence  0" in list(memory_record_lines(stated, []))
    stated.has_confidence = False
    assert not any("confidence" in line for line in memory_record_lines(stated, []))


def test_an_unhealthy_store_is_shown_with_its_fault() -> None:
    status = MemoryStatus(database_path="/data/m\x1b.sqlite3", last_error="The disk is full.")
    lines = list(status_lines(status))
    assert lines[0] == "database    /data/m\\x1b.sqlite3"
    assert lines[-1] == "health      not healthy: The disk is full."


def test_working_memory_is_shown_oldest_first() -> None:
    items = [
        WorkingMemoryItem(operator_text="Hello", reply_text="Hello.\nWhat is it?"),
        WorkingMemoryItem(operator_text="", reply_text="My battery is low."),
    ]
    assert list(working_memory_lines(WorkingMemory(capacity=6, items=items), "mira")) == [
        "operator: Hello",
        "mira: Hello. / What is it?",
        "mira: My battery is low.",
    ]
    assert list(working_memory_lines(WorkingMemory(capacity=6), "mira")) == [
        "the working memory is empty (it keeps the last 6 interactions)"
    ]
