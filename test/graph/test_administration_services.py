# SPDX-License-Identifier: Apache-2.0
from typing import Any

from mira.msg import MemoryLink
from mira.srv import (
    AddAlias,
    AddEntity,
    AddMemory,
    FindEntity,
    FindMemories,
    GetMemoryStatus,
    ListEntities,
    ListMemories,
    RecallMemory,
    ShowMemory,
)
from probe import Probe
from proposals import SNACK, add_entities, remember, snack
from robot_graph import RobotGraph, wait_until

SUBJECT = MemoryLink(entity_id="ENT1", role="subject")


def add_note(probe: Probe, **fields: Any) -> AddMemory.Response:
    fields = {"kind": "note", "summary": "It rains.", "links": [SUBJECT]} | fields
    return probe.call(AddMemory, "memory/add_memory", **fields)


def test_an_entity_is_created_with_its_display_form(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    added = probe.call(
        AddEntity, "memory/add_entity", entity_type="Person", canonical_name="  Gordon   Freeman "
    )
    assert (added.success, added.error, added.warning) == (True, "", "")
    entity = added.entity
    assert (entity.id, entity.entity_type, entity.canonical_name) == (
        "ENT1",
        "person",
        "Gordon Freeman",
    )
    assert entity.created_at.endswith("Z")


def test_an_entity_that_exists_is_refused_with_its_identity(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    same = probe.call(
        AddEntity, "memory/add_entity", entity_type="person", canonical_name="GORDON"
    )
    assert not same.success
    assert "ENT1" in same.error
    robot = probe.call(
        AddEntity, "memory/add_entity", entity_type="robot", canonical_name="Gordon"
    )
    assert robot.success
    assert "ENT1" in robot.warning


def test_a_look_alike_name_is_taken_with_a_warning(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Anna")
    cyrillic = probe.call(
        AddEntity, "memory/add_entity", entity_type="person", canonical_name="\u0410nna"
    )
    assert cyrillic.success
    assert "ENT1" in cyrillic.warning


def test_an_alias_is_added_once(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    first = probe.call(AddAlias, "memory/add_alias", entity_id="ENT1", alias="Boss")
    assert (first.success, first.entity.aliases) == (True, ["Boss"])
    again = probe.call(AddAlias, "memory/add_alias", entity_id="ENT1", alias="boss")
    assert not again.success
    assert "ENT1" in again.error
    nobody = probe.call(AddAlias, "memory/add_alias", entity_id="ENT7", alias="Boss")
    assert (nobody.success, nobody.entity.id) == (False, "")
    assert "ENT7" in nobody.error


def test_entities_are_found_by_exact_name_only(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    found = probe.call(FindEntity, "memory/find_entity", name="gordon")
    assert (found.success, [entity.id for entity in found.entities]) == (True, ["ENT1"])
    nobody = probe.call(FindEntity, "memory/find_entity", name="Gord")
    assert (nobody.success, nobody.entities, nobody.error) == (True, [], "")
    empty = probe.call(FindEntity, "memory/find_entity", name="")
    assert not empty.success
    assert "empty" in empty.error


def test_entities_are_listed_in_pages(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, *(f"Person {number}" for number in range(7)))
    probe.call(AddEntity, "memory/add_entity", entity_type="robot", canonical_name="Mira")

    def page(**fields: Any) -> tuple[list[str], int]:
        listed = probe.call(ListEntities, "memory/list_entities", **fields)
        assert listed.success, listed.error
        return [entity.id for entity in listed.entities], listed.left_out

    assert page() == ([f"ENT{number}" for number in range(1, 9)], 0)
    assert page(entity_type="robot") == (["ENT8"], 0)
    assert page(entity_type="person", limit=3) == (["ENT1", "ENT2", "ENT3"], 4)
    assert page(entity_type="person", limit=3, after_id="ENT6") == (["ENT7"], 0)
    refused = probe.call(ListEntities, "memory/list_entities", limit=1001)
    assert not refused.success
    assert "1000" in refused.error


def test_a_manual_memory_keeps_what_it_was_given(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Bert")
    added = add_note(
        probe,
        kind="observation",
        summary="Gordon was in the hallway.",
        links=[SUBJECT, MemoryLink(entity_id="ENT2", role="witness")],
        predicate="Seen_In",
        value="hallway",
        source_label="camera 2",
        has_confidence=True,
        confidence=0.25,
    )
    assert (added.success, added.error, added.warning) == (True, "", "")
    memory = added.memory
    assert (memory.id, memory.kind, memory.predicate) == ("MEM1", "observation", "seen_in")
    assert (memory.value, memory.source_kind, memory.source_label) == (
        "hallway",
        "manual",
        "camera 2",
    )
    assert (memory.has_confidence, memory.confidence, memory.status) == (True, 0.25, "active")
    assert [(link.entity_id, link.entity_name, link.role) for link in memory.links] == [
        ("ENT1", "Gordon", "subject"),
        ("ENT2", "Bert", "witness"),
    ]
    shown = probe.call(ShowMemory, "memory/show_memory", memory_id="MEM1")
    assert (shown.success, shown.memory) == (True, memory)
    assert shown.payload_texts == ["Gordon was in the hallway."]


def test_a_confidence_that_is_not_stated_is_none_and_not_zero(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    unstated, zero = add_note(probe, confidence=0.5), add_note(probe, has_confidence=True)
    assert unstated.memory.has_confidence is False
    assert (zero.memory.has_confidence, zero.memory.confidence) == (True, 0.0)


def test_a_manual_memory_that_does_not_fit_is_refused_and_not_written(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    for fields, part in (
        ({"kind": "two words"}, "kind"),
        ({"summary": " "}, "summary"),
        ({"links": [MemoryLink(entity_id="ENT9", role="subject")]}, "ENT9"),
        ({"links": [MemoryLink(entity_id="Gordon", role="subject")]}, "such as ENT3"),
        ({"links": [MemoryLink(entity_id="ENT1", role="")]}, "role"),
        ({"links": [MemoryLink(entity_id="ENT1", role=f"r{n}") for n in range(65)]}, "64"),
        ({"source_kind": "operator_statement"}, "reserved"),
        ({"has_confidence": True, "confidence": 1.5}, "0.0 to 1.0"),
        ({"has_confidence": True, "confidence": float("nan")}, "0.0 to 1.0"),
        ({"value": "x" * 501}, "value"),
    ):
        refused = add_note(probe, **fields)
        assert (refused.success, refused.memory.id) == (False, ""), fields
        assert part in refused.error
    assert add_note(probe).memory.id == "MEM1"


def test_a_manual_duplicate_or_conflict_is_written_with_a_warning(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    assert remember(probe, **snack("turn")).memory_id == "MEM1"
    fact = {"kind": "fact", "predicate": "favourite_snack"}
    conflict = add_note(probe, **fact, value="tuna")
    assert (conflict.success, conflict.memory.id) == (True, "MEM2")
    assert "MEM1" in conflict.warning


def test_memories_are_found_by_name_and_listed_in_pages(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    for number in range(1, 6):
        assert add_note(probe, summary=f"Note {number}").memory.id == f"MEM{number}"
    found = probe.call(FindMemories, "memory/find_memories", name="gordon")
    assert (found.success, [memory.id for memory in found.entities[0].memories]) == (
        True,
        [f"MEM{number}" for number in range(1, 6)],
    )

    def page(**fields: Any) -> tuple[list[str], int]:
        listed = probe.call(ListMemories, "memory/list_memories", entity_id="ENT1", **fields)
        assert listed.success, listed.error
        return [memory.id for memory in listed.memories], listed.left_out

    assert page(limit=2) == (["MEM5", "MEM4"], 3)
    assert page(limit=2, before_id="MEM4") == (["MEM3", "MEM2"], 1)
    assert page() == ([f"MEM{number}" for number in range(5, 0, -1)], 0)


def test_a_question_that_cannot_be_answered_is_refused_with_a_remedy(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    for srv_type, name, fields, part in (
        (FindMemories, "find_memories", {"name": "\u200b"}, "U+200B"),
        (ShowMemory, "show_memory", {"memory_id": "MEM9"}, "MEM9"),
        (ShowMemory, "show_memory", {"memory_id": "9"}, "such as MEM3"),
        (ListMemories, "list_memories", {"entity_id": "ENT9"}, "ENT9"),
        (ListMemories, "list_memories", {"entity_id": "MEM1"}, "such as ENT3"),
        (ListMemories, "list_memories", {"entity_id": "ENT1", "limit": 2**32 - 1}, "1000"),
        (ListMemories, "list_memories", {"entity_id": "ENT1", "before_id": "x"}, "such as MEM3"),
        (ListEntities, "list_entities", {"after_id": "ENT0"}, "such as ENT3"),
        (ListEntities, "list_entities", {"entity_type": "two words"}, "entity type"),
    ):
        refused = probe.call(srv_type, f"memory/{name}", **fields)
        assert not refused.success, (name, fields)
        assert part in refused.error
    assert probe.call(FindMemories, "memory/find_memories", name="Gordon").success


def test_the_status_counts_what_is_stored(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Bert")
    probe.call(AddAlias, "memory/add_alias", entity_id="ENT2", alias="Boss")
    add_note(probe)
    status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert (status.healthy, status.last_error, status.schema_version) == (True, "", 2)
    assert (status.entities, status.aliases, status.memories) == (2, 1, 1)
    assert status.database_path == str(graph.directory / "memory.sqlite3")


def test_without_admin_services_only_recall_and_remember_are_offered(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory(admin_services=False)
    assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "miss"
    names = {name for name, _ in probe.node.get_service_names_and_types()}
    assert "/mira/remember" in names
    assert not {name for name in names if name.startswith("/mira/memory/add_")}
    assert "/mira/memory/get_status" not in names


def test_sixteen_writes_in_flight_are_all_answered(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    requests = [
        AddEntity.Request(entity_type="person", canonical_name=f"Person {number}")
        for number in range(16)
    ]
    answers = probe.in_flight(AddEntity, "memory/add_entity", requests)()
    assert all(answer.success for answer in answers)
    assert len({answer.entity.id for answer in answers}) == 16
    wait_until(
        lambda: probe.call(GetMemoryStatus, "memory/get_status").status.entities == 16, "16"
    )
