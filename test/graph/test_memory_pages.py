# SPDX-License-Identifier: Apache-2.0
"""Pages of entities and memories walked from end to end, and what names are warned about."""

import signal
from collections.abc import Callable, Iterator
from typing import Any

from mira import srv
from mira.msg import MemoryLink
from probe import Probe
from proposals import add_entities
from robot_graph import RobotGraph

SUBJECT = MemoryLink(entity_id="ENT1", role="subject")


def note_requests(count: int) -> list[srv.AddMemory.Request]:
    return [
        srv.AddMemory.Request(kind="note", summary=f"Note {number}.", links=[SUBJECT])
        for number in range(count)
    ]


def add_notes(probe: Probe, count: int) -> None:
    for begin in range(0, count, 50):
        requests = note_requests(min(50, count - begin))
        answers = probe.in_flight(srv.AddMemory, "memory/add_memory", requests)()
        assert all(answer.success for answer in answers)


def pages(
    ask: Callable[[str], tuple[list[str], int]], meanwhile: Callable[[], object]
) -> Iterator[tuple[list[str], int]]:
    """Walk from the first page to the last; something is written between two of them."""
    last, left_out = "", 1
    while left_out:
        page, left_out = ask(last)
        yield page, left_out
        last = page[-1]
        meanwhile()


def test_all_memories_of_an_entity_are_met_once_while_others_are_written(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Anna")
    add_notes(probe, 203)

    def ask(last: str) -> tuple[list[str], int]:
        fields = {"entity_id": "ENT1", "before_id": last, "limit": 0 if last else 3}
        listed = probe.call(srv.ListMemories, "memory/list_memories", **fields)
        assert listed.success, listed.error
        return [memory.id for memory in listed.memories], listed.left_out

    walked = list(pages(ask, lambda: add_notes(probe, 1)))
    assert [(len(page), left_out) for page, left_out in walked] == [(3, 200), (100, 100), (100, 0)]
    met = [identity for page, _ in walked for identity in page]
    assert met == [f"MEM{number}" for number in range(203, 0, -1)]
    assert ask("")[0] == ["MEM206", "MEM205", "MEM204"]
    assert ask("MEM1") == ([], 0)
    nothing = probe.call(srv.ListMemories, "memory/list_memories", entity_id="ENT2")
    assert (nothing.success, nothing.memories, nothing.left_out) == (True, [], 0)
    found = probe.call(srv.FindMemories, "memory/find_memories", name="Gordon")
    (gordon,) = found.entities
    assert [memory.id for memory in gordon.memories] == [f"MEM{n}" for n in range(107, 207)]
    assert gordon.memories_left_out == 106


def test_all_entities_are_met_once_while_others_are_added(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    people = [f"Person {number}" for number in range(12)]
    things = [f"Thing {number}" for number in range(4)]
    for kind, names in (("person", people), ("thing", things)):
        for name in names:
            added = probe.call(
                srv.AddEntity, "memory/add_entity", entity_type=kind, canonical_name=name
            )
            assert added.success, added.error

    def ask(last: str, **fields: Any) -> tuple[list[str], int]:
        listed = probe.call(
            srv.ListEntities, "memory/list_entities", after_id=last, limit=5, **fields
        )
        assert listed.success, listed.error
        return [entity.canonical_name for entity in listed.entities], listed.left_out

    def identity(name: str) -> str:
        (entity,) = probe.call(srv.FindEntity, "memory/find_entity", name=name).entities
        return str(entity.id)

    met: list[str] = []
    lengths = []
    left_out = 1
    while left_out:
        page, left_out = ask(identity(met[-1]) if met else "", entity_type="PERSON")
        lengths.append((len(page), left_out))
        met += page
        if len(lengths) == 1:
            add_entities(probe, "Latecomer")
    assert met == [*people, "Latecomer"]
    assert lengths == [(5, 7), (5, 3), (3, 0)]
    assert ask("") == (people[:5], 12)
    assert ask("ENT16") == (["Latecomer"], 0)
    assert ask("ENT17") == ([], 0)


def test_a_name_that_is_ambiguous_or_looks_like_another_is_taken_with_a_warning(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Anna", "Gordon")

    def entity(kind: str, name: str) -> Any:
        return probe.call(
            srv.AddEntity, "memory/add_entity", entity_type=kind, canonical_name=name
        )

    def alias(identity: str, name: str) -> Any:
        return probe.call(srv.AddAlias, "memory/add_alias", entity_id=identity, alias=name)

    ambiguous = "That name is ambiguous now: it also names {}."
    alike = "That name looks like a name of {}, but is another name."
    assert alias("ENT2", "Boss").warning == ""
    assert entity("robot", "ANNA").warning == ambiguous.format("ENT1")
    assert entity("robot", "\u0410nna").warning == alike.format("ENT1, ENT3")
    assert alias("ENT1", "BOSS").warning == ambiguous.format("ENT2")
    assert alias("ENT1", "B\u043ess").warning == alike.format("ENT2")
    both = alias("ENT2", "\u0410nna")
    assert both.warning == f"{ambiguous.format('ENT4')} {alike.format('ENT1, ENT3')}"
    assert (both.success, both.entity.aliases) == (True, ["Boss", "\u0410nna"])
    found = probe.call(srv.FindEntity, "memory/find_entity", name="boss")
    assert [each.id for each in found.entities] == ["ENT1", "ENT2"]
    recalled = probe.call(srv.RecallMemory, "recall_memory", query="anna")
    assert recalled.status == "ambiguous"
    assert [each.entity.id for each in recalled.entities] == ["ENT1", "ENT3"]
    assert probe.call(srv.RecallMemory, "recall_memory", query="\u0410nna").status == "ambiguous"


def test_a_repeated_or_contradicting_manual_memory_names_the_other(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")

    def add(**fields: Any) -> str:
        fields = {"kind": "fact", "summary": "Said.", "links": [SUBJECT]} | fields
        added = probe.call(srv.AddMemory, "memory/add_memory", **fields)
        assert added.success, added.error
        return str(added.warning)

    assert add(predicate="size", value="tall") == ""
    assert add(predicate="size", value="TALL") == "It says the same as MEM1."
    assert add(predicate="size", value="short") == "It conflicts with MEM1, MEM2."
    assert add(predicate="size", value="tall", kind="preference") == (
        "It conflicts with MEM3. It says the same as MEM1."
    )
    assert add(predicate="size", value="tall", kind="remark") == ""
    assert add() == ""


def test_a_recall_gives_the_same_bytes_after_a_restart_and_after_a_crash(
    graph: RobotGraph, probe: Probe
) -> None:
    process = graph.start_memory()
    add_entities(probe, "Gordon", "Anna")
    probe.call(srv.AddAlias, "memory/add_alias", entity_id="ENT1", alias="Go\u0308rdy")
    probe.call(srv.AddAlias, "memory/add_alias", entity_id="ENT2", alias="Gordon")
    for number in range(12):
        added = probe.call(
            srv.AddMemory,
            "memory/add_memory",
            kind="fact",
            summary=f'"Note" {number} — שלום \\ ENT1 "Gordon"',
            links=[
                MemoryLink(entity_id=entity, role=role)
                for entity in ("ENT2", "ENT1")
                for role in ("witness", "subject", "aunt")
            ],
            predicate=f"note_{number}",
            value="y" * 400,
        )
        assert added.success, added.error

    def recalled(query: str) -> Any:
        return probe.call(srv.RecallMemory, "recall_memory", resend_s=0.5, query=query)

    queries = ("gordon", "Anna", "nobody", "\u200b")
    first = [recalled(query) for query in queries]
    assert [answer.status for answer in first] == ["ambiguous", "hit", "miss", "invalid"]
    assert [recalled(query) for query in queries] == first
    assert process.stop() == 0
    process = graph.start_memory()
    assert [recalled(query) for query in queries] == first
    process.send(signal.SIGKILL)
    process.wait()
    graph.start_memory()
    assert [recalled(query) for query in queries] == first
