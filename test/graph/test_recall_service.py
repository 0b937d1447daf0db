# SPDX-License-Identifier: Apache-2.0
from mira.msg import MemoryLink
from mira.srv import AddAlias, AddMemory, RecallMemory
from probe import Probe
from proposals import SNACK, add_entities, remember, snack
from robot_graph import RobotGraph


def recall(probe: Probe, query: str) -> RecallMemory.Response:
    return probe.call(RecallMemory, "recall_memory", query=query)


def test_recall_finds_by_name_and_alias_whatever_the_case(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.call(AddAlias, "memory/add_alias", entity_id="ENT1", alias="The Boss")
    probe.say("turn", SNACK)
    assert remember(probe, **snack("turn")).memory_id == "MEM1"
    by_name, by_alias = recall(probe, "gordon"), recall(probe, "THE  BOSS")
    assert by_name.status == by_alias.status == "hit"
    assert by_name.text == by_alias.text
    assert "Gordon's favourite snack is herring" in by_name.text
    (found,) = by_name.entities
    assert (found.entity.id, found.entity.aliases) == ("ENT1", ["The Boss"])
    (memory,) = found.memories
    assert (memory.id, memory.value, memory.source_kind) == (
        "MEM1",
        "herring",
        "operator_statement",
    )
    assert (memory.source_label, memory.has_confidence) == ("console", False)
    assert [(link.entity_id, link.entity_name, link.role) for link in memory.links] == [
        ("ENT1", "Gordon", "subject")
    ]
    assert by_name.error == ""


def test_a_miss_an_ambiguous_name_and_an_invalid_query_are_told_apart(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Bert")
    probe.call(AddAlias, "memory/add_alias", entity_id="ENT2", alias="Gordon")
    miss, ambiguous, invalid = recall(probe, "Gord"), recall(probe, "Gordon"), recall(probe, " ")
    assert (miss.status, miss.entities, miss.error) == ("miss", [], "")
    assert ambiguous.status == "ambiguous"
    assert [found.entity.id for found in ambiguous.entities] == ["ENT1", "ENT2"]
    assert (invalid.status, invalid.entities) == ("invalid", [])
    assert "give at least one visible character" in invalid.error
    assert all(response.text for response in (miss, ambiguous, invalid))


def test_only_the_newest_memories_are_shown_and_the_rest_is_counted(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    for number in range(20):
        added = probe.call(
            AddMemory,
            "memory/add_memory",
            kind="note",
            summary=f"Note {number}",
            links=[MemoryLink(entity_id="ENT1", role="subject")],
        )
        assert added.success, added.error
    (found,) = recall(probe, "Gordon").entities
    assert [memory.id for memory in found.memories] == [f"MEM{n}" for n in range(13, 21)]
    assert found.memories_left_out == 12


def test_sixteen_recalls_in_flight_are_all_answered(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    queries = ["Gordon", "nobody"] * 8
    answers = probe.in_flight(
        RecallMemory, "recall_memory", [RecallMemory.Request(query=query) for query in queries]
    )
    assert [answer.status for answer in answers()] == ["hit", "miss"] * 8


def test_two_robots_side_by_side_keep_their_memories_apart(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    graph.start_memory(namespace="/other", database_path=str(graph.directory / "other.sqlite3"))
    add_entities(probe, "Gordon")
    assert recall(probe, "Gordon").status == "hit"
    other = probe.call(RecallMemory, "/other/recall_memory", query="Gordon")
    assert other.status == "miss"
