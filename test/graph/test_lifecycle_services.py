# SPDX-License-Identifier: Apache-2.0
"""Each lifecycle service on real nodes: what it answers, what it refuses, what it announces."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mira import srv
from mira.msg import MemoryEvent, MemoryLink
from probe import Probe
from proposals import add_entities, remember, snack
from robot_graph import RobotGraph, wait_until

from mira_memory.store import Store
from mira_ros.qos import EVENT_QOS

SUBJECT = MemoryLink(entity_id="ENT1", role="subject")


@pytest.fixture
def robot(graph: RobotGraph, probe: Probe) -> Probe:
    graph.start_memory(assertion_guard=False)
    add_entities(probe, "Gordon")
    return probe


def add(probe: Probe, value: str, predicate: str = "lives_in", **fields: Any) -> str:
    added = probe.call(
        srv.AddMemory,
        "memory/add_memory",
        kind="fact",
        summary=f"Gordon {predicate} {value}",
        links=[SUBJECT],
        predicate=predicate,
        value=value,
        **fields,
    )
    assert added.success, added.error
    return str(added.memory.id)


def recalled(probe: Probe) -> str:
    return str(probe.call(srv.RecallMemory, "recall_memory", query="Gordon").text)


def done(probe: Probe, srv_type: Any, verb: str, **fields: Any) -> Any:
    response = probe.call(srv_type, f"memory/{verb}", **fields)
    assert (response.success, response.error) == (True, "")
    return response


def refused(probe: Probe, srv_type: Any, verb: str, **fields: Any) -> str:
    response = probe.call(srv_type, f"memory/{verb}", **fields)
    assert not response.success
    return str(response.error)


def test_a_conflict_is_corrected_and_its_past_stays_known(robot: Probe) -> None:
    robot.say("t1", "Remember that Gordon's favourite snack is herring.")
    assert remember(robot, **snack("t1")).memory_id == "MEM1"
    robot.say("t2", "Remember that Gordon's favourite snack is tuna.")
    conflict = remember(robot, **snack("t2", "tuna"))
    assert conflict.reason == "conflict"
    assert "memory supersede MEM1" in conflict.error
    corrected = done(
        robot,
        srv.Supersede,
        "supersede",
        memory_id="MEM1",
        summary="Gordon's favourite snack is tuna.",
        value="tuna",
        valid_from="2026-10-01",
        actor="console",
    )
    assert (corrected.memory.id, corrected.memory.status) == ("MEM2", "active")
    assert corrected.memory.valid_from.startswith("2026-")
    assert "herring" not in recalled(robot)
    assert "since 2026-" in recalled(robot)
    held = done(robot, srv.RecallAt, "recall_at", name="Gordon", valid_time="2026-01-01")
    assert [memory.id for memory in held.entities[0].memories] == ["MEM1"]
    story = done(robot, srv.History, "history", memory_id="MEM1")
    assert "by the operator's words in a turn" in story.lines[0]
    assert "superseded by MEM2, at the console" in story.lines[1]
    assert [relation.relation for relation in story.relations] == ["supersedes"]


def test_each_status_by_its_service(robot: Probe) -> None:
    heard = robot.listen(MemoryEvent, "memory_events", EVENT_QOS)
    number = add(robot, "Leeds")
    add(robot, "tea", "drinks")
    reason = {"memory_id": number, "reason": "a reason"}
    for srv_type, verb, status in (
        (srv.Retract, "retract", "retracted"),
        (srv.Restore, "restore", "active"),
        (srv.Archive, "archive", "archived"),
    ):
        assert done(robot, srv_type, verb, **reason).memory.status == status
        assert ("Leeds" in recalled(robot)) == (status == "active")
        assert "tea" in recalled(robot)
    assert "earlier still have it" in done(robot, srv.Forget, "forget", **reason).warning
    assert "is forgotten, so you can't restore" in refused(robot, srv.Restore, "restore", **reason)
    shown = done(robot, srv.ShowMemory, "show_memory", memory_id=number)
    assert (shown.memory.status, shown.memory.summary, shown.payload_texts) == (
        "forgotten",
        "",
        [],
    )
    expected = ["memory_retracted", "memory_restored", "memory_archived", "memory_forgotten"]
    wait_until(
        lambda: [e.operation for e in heard if e.operation != "memory_created"] == expected,
        "the events of the changes",
    )
    assert all(not event.reason for event in heard)


def test_trust_notes_and_relations(robot: Probe) -> None:
    one, other = add(robot, "Leeds"), add(robot, "tea", "drinks")
    done(robot, srv.SetTrust, "set_trust", memory_id=one, trust="disputed", reason="unclear")
    assert 'disputed: "unclear"' in recalled(robot)
    shown = done(robot, srv.ShowMemory, "show_memory", memory_id=one).memory
    assert (shown.trust, shown.trust_reason, shown.credibility) == ("disputed", "unclear", "user")
    assert (shown.epistemic_kind, shown.memory_system) == ("fact", "semantic")
    done(robot, srv.SetTrust, "set_trust", memory_id=one, trust="withheld", reason="unclear")
    assert "Leeds" not in recalled(robot)
    assert "tea" in recalled(robot)
    done(robot, srv.Annotate, "annotate", memory_id=other, note="Anna said so.", actor="console")
    fields = {"memory_id": one, "relation": "supports", "other_memory_id": other}
    done(robot, srv.Relate, "relate", **fields)
    beside = done(robot, srv.History, "history", memory_id=other)
    assert [(note.note, note.author) for note in beside.notes] == [("Anna said so.", "console")]
    assert [relation.stated_by for relation in beside.relations] == ["service"]
    assert "has that relation already" in refused(robot, srv.Relate, "relate", **fields)


def test_names(robot: Probe) -> None:
    renamed = done(
        robot, srv.RenameEntity, "rename_entity", entity_id="ENT1", canonical_name="Gordon Smith"
    )
    assert (renamed.entity.canonical_name, renamed.entity.aliases) == ("Gordon Smith", ["Gordon"])
    removed = done(robot, srv.RemoveAlias, "remove_alias", entity_id="ENT1", alias="Gordon")
    assert removed.entity.aliases == []
    assert robot.call(srv.RecallMemory, "recall_memory", query="Gordon").status == "miss"


def test_an_export_is_imported_as_proposals_and_decided(robot: Probe, tmp_path: Path) -> None:
    number = add(robot, "Leeds")
    file = str(tmp_path / "export.jsonl")
    assert done(robot, srv.ExportMemories, "export", path=file).memories == 1
    done(robot, srv.Archive, "archive", memory_id=number, reason="old")
    imported = done(robot, srv.ImportMemories, "import", path=file)
    assert (imported.written, imported.proposed, imported.left_out) == (0, 1, 0)
    (waiting,) = done(robot, srv.ListProposals, "list_proposals").proposals
    assert (waiting.id, waiting.state, waiting.origin) == ("PRP1", "open", "export.jsonl")
    assert "Leeds" not in recalled(robot)
    approved = done(robot, srv.DecideProposal, "decide_proposal", proposal_id="PRP1", approve=True)
    assert approved.memory.source_kind == "reviewed_proposal"
    assert "Leeds" in recalled(robot)
    done(robot, srv.Retract, "retract", memory_id=approved.memory.id, reason="wrong")
    again = done(robot, srv.ImportMemories, "import", path=file, trusted=True)
    assert (again.written, again.left_out) == (0, 1)
    assert "was taken back with MEM2" in again.reasons[0]
    assert "no absolute path" in refused(robot, srv.ExportMemories, "export", path="x.jsonl")


def test_the_audit_log_is_listed_and_verified(robot: Probe) -> None:
    add(robot, "Leeds")
    listed = done(robot, srv.Audit, "audit", limit=1)
    assert (len(listed.lines), listed.last_event) == (1, 1)
    assert "ENT1 was added, through a service" in listed.lines[0]
    rest = done(robot, srv.Audit, "audit", after_event=1)
    assert [line.partition("  ")[2] for line in rest.lines] == [
        "MEM1 was stored, through a service"
    ]
    verified = done(robot, srv.VerifyAudit, "verify_audit")
    assert (verified.sound, verified.events, verified.finding) == (True, 2, "")


def test_odd_requests_are_refused_in_a_sentence(robot: Probe) -> None:
    number = add(robot, "Leeds")
    for fields, part in (
        ({"memory_id": "MEM9", "reason": "x"}, "There is no memory MEM9"),
        ({"memory_id": "nine", "reason": "x"}, "Expected the identity of a memory"),
        ({"memory_id": number, "reason": ""}, "The reason is empty"),
        ({"memory_id": number, "reason": "a\u200bb"}, "The reason contains U+200B"),
        ({"memory_id": number, "reason": "not Leeds"}, "give the reason without it"),
        ({"memory_id": number, "reason": "x", "actor": "nobody"}, "The actor is unknown"),
    ):
        assert part in refused(robot, srv.Retract, "retract", **fields)
    assert "write it as 2026-11-30" in refused(
        robot, srv.RecallAt, "recall_at", name="Gordon", valid_time="yesterday"
    )
    assert "Leeds" in recalled(robot)


def test_a_version_1_store_is_served_and_says_how_to_upgrade(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory(schema_version=1)
    add_entities(probe, "Gordon")
    number = add(probe, "Leeds")
    assert "Leeds" in recalled(probe)
    sentence = refused(probe, srv.Retract, "retract", memory_id=number, reason="wrong")
    assert "ros2 run mira migrate" in sentence
    for srv_type, verb, fields in (
        (srv.History, "history", {"memory_id": number}),
        (srv.Audit, "audit", {}),
        (srv.VerifyAudit, "verify_audit", {}),
        (srv.ListProposals, "list_proposals", {}),
    ):
        assert refused(probe, srv_type, verb, **fields) == sentence
    shown = done(probe, srv.ShowMemory, "show_memory", memory_id=number).memory
    assert (shown.status, shown.trust, shown.credibility) == ("active", "", "")


def test_a_store_that_fails_the_self_test_is_not_served(graph: RobotGraph) -> None:
    path = graph.directory / "broken.sqlite3"
    with closing(Store.open(path)) as store:
        store.add_entity("person", "Gordon")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER audit_events_before_update")
        connection.execute("UPDATE audit_events SET reason = 'x'")
        connection.execute(
            "CREATE TRIGGER audit_events_before_update BEFORE update ON audit_events BEGIN "
            "SELECT RAISE(ABORT, 'the audit log is only ever added to'); END"
        )
    process = graph.start("memory_node", {"database_path": str(path)})
    assert process.wait() == 1
    (line,) = [line for line in process.log().splitlines() if "self test" in line]
    assert "failed the self test: the end of the audit log's chain does not verify;" in line
