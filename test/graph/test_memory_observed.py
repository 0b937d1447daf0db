# SPDX-License-Identifier: Apache-2.0
import sqlite3
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from mira.msg import MemoryEvent, MemoryStatus
from mira.srv import AddAlias, AddMemory, FindMemories, RecallMemory, Remember
from probe import Probe
from proposals import SNACK, add_entities, remember, snack
from rcl_interfaces.msg import Log, ParameterEvent
from robot_graph import RobotGraph, wait_until
from service_msgs.msg import ServiceEventInfo

from mira_ros.qos import EVENT_QOS, LATCHED_QOS


def diagnostics_of(arrays: list[DiagnosticArray], name: str) -> DiagnosticStatus | None:
    for array in reversed(arrays):
        for status in array.status:
            if status.name == name:
                return status
    return None


def values_of(arrays: list[DiagnosticArray], name: str) -> dict[str, str]:
    status = diagnostics_of(arrays, name)
    return {} if status is None else {value.key: value.value for value in status.values}


def test_a_late_subscriber_gets_the_status_as_it_is(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    statuses = probe.listen(MemoryStatus, "memory/status", LATCHED_QOS)
    wait_until(lambda: statuses and statuses[-1].entities == 1, "the latched status")
    status = statuses[-1]
    assert (status.healthy, status.schema_version, status.last_error) == (True, 2, "")
    assert status.database_path == str(graph.directory / "memory.sqlite3")
    assert status.stamp.sec > 0
    heard = len(statuses)
    probe.say("turn", SNACK)
    remember(probe, **snack("turn"))
    wait_until(lambda: statuses[-1].memories == 1, "the status after a write")
    assert len(statuses) == heard + 1


def test_every_change_and_decision_is_one_event(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    events = probe.listen(MemoryEvent, "memory_events", EVENT_QOS)
    wait_until(lambda: probe.node.count_publishers("/mira/memory_events"), "the publisher")
    add_entities(probe, "Gordon")
    probe.call(AddAlias, "memory/add_alias", entity_id="ENT1", alias="Boss")
    for turn in ("first", "second"):
        probe.say(turn, SNACK)
        assert remember(probe, **snack(turn)) == remember(probe, **snack(turn))
    probe.say("third", "Remember that Gordon's favourite snack is tuna.")
    remember(probe, **snack("third", "tuna"))
    probe.call(AddMemory, "memory/add_memory", kind="note", summary="It rains.")
    wait_until(lambda: len(events) >= 6, "six events")
    assert [
        (each.operation, each.reason, each.entity_ids, each.memory_ids, each.source_kind)
        for each in events
    ] == [
        ("entity_added", "", ["ENT1"], [], ""),
        ("alias_added", "", ["ENT1"], [], ""),
        ("memory_created", "", ["ENT1"], ["MEM1"], "operator_statement"),
        ("proposal_duplicate", "", ["ENT1"], ["MEM1"], "operator_statement"),
        ("proposal_rejected", "conflict", [], ["MEM1"], "operator_statement"),
        ("memory_created", "", [], ["MEM2"], "manual"),
    ]
    assert all(each.stamp.sec > 0 for each in events)


def test_an_answer_repeated_after_a_restart_is_no_event(graph: RobotGraph, probe: Probe) -> None:
    first = graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    before = remember(probe, **snack("turn"))
    assert first.stop() == 0
    graph.start_memory()
    events = probe.listen(MemoryEvent, "memory_events", EVENT_QOS)
    wait_until(lambda: probe.node.count_publishers("/mira/memory_events"), "the publisher")
    again = probe.call(Remember, "remember", resend_s=1.0, **snack("turn"))
    assert again == before
    remember(probe, **snack("never heard"))
    wait_until(lambda: events, "an event")
    assert [event.operation for event in events] == ["proposal_rejected"]


def test_a_locked_file_delays_no_recall_and_heals(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    statuses = probe.listen(MemoryStatus, "memory/status", LATCHED_QOS)
    locking = sqlite3.connect(graph.directory / "memory.sqlite3", isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    probe.say("turn", SNACK)
    written = probe.in_flight(Remember, "remember", [Remember.Request(**snack("turn"))])
    for _ in range(20):
        assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "hit"
    (refused,) = written()
    assert (refused.status, refused.reason) == ("rejected", "backend_failure")
    wait_until(lambda: not statuses[-1].healthy, "the red status")
    assert "locked by another program" in statuses[-1].last_error
    locking.execute("ROLLBACK")
    locking.close()
    assert remember(probe, **snack("turn")).admission == "created"
    wait_until(lambda: statuses[-1].healthy, "the healthy status")


def test_diagnostics_tell_health_counts_and_decisions(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory(self_name="Rover")
    arrays = probe.listen(DiagnosticArray, "/diagnostics")
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    remember(probe, **snack("turn"))
    remember(probe, **snack(""))
    wait_until(lambda: values_of(arrays, "mira/memory: store").get("Memories") == "1", "the count")
    store = diagnostics_of(arrays, "mira/memory: store")
    assert store is not None
    assert (store.level, store.hardware_id) == (DiagnosticStatus.OK, "Rover")
    values = values_of(arrays, "mira/memory: store")
    assert (values["Schema version"], values["Entities"], values["Aliases"]) == ("2", "1", "0")
    assert int(values["Size (bytes)"]) > 0
    assert int(values["Free disk (bytes)"]) > 0
    assert values["Last write"].endswith("Z")
    wait_until(
        lambda: "Proposals: created" in values_of(arrays, "mira/memory: admission"),
        "the decisions",
    )
    decisions = values_of(arrays, "mira/memory: admission")
    assert decisions["Proposals: created"] == "1"
    assert decisions["Proposals: evidence_not_in_utterance"] == "1"
    assert decisions["Utterances: opened"] == "1"
    services = diagnostics_of(arrays, "mira/memory: services")
    assert services is not None
    assert services.level == DiagnosticStatus.OK


def test_a_deleted_file_turns_the_health_red_and_nothing_is_acknowledged(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    statuses = probe.listen(MemoryStatus, "memory/status", LATCHED_QOS)
    arrays = probe.listen(DiagnosticArray, "/diagnostics")
    wait_until(lambda: statuses and statuses[-1].healthy, "the healthy status")
    Path(graph.directory, "memory.sqlite3").unlink()
    probe.say("turn", SNACK)
    answer = remember(probe, **snack("turn"))
    assert (answer.status, answer.reason) == ("rejected", "backend_failure")
    wait_until(lambda: not statuses[-1].healthy, "the red status")
    assert "deleted or replaced" in statuses[-1].last_error

    def is_red() -> bool:
        status = diagnostics_of(arrays, "mira/memory: store")
        return status is not None and status.level == DiagnosticStatus.ERROR

    wait_until(is_red, "the red diagnostics")


def test_quiet_topics_and_logs_carry_no_words(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    quiet: list[Any] = []
    for msg_type, topic, qos in (
        (MemoryEvent, "memory_events", EVENT_QOS),
        (MemoryStatus, "memory/status", LATCHED_QOS),
        (DiagnosticArray, "/diagnostics", 10),
        (Log, "/rosout", LATCHED_QOS),
        (ParameterEvent, "/parameter_events", 10),
    ):
        probe.node.create_subscription(msg_type, topic, quiet.append, qos)
    add_entities(probe, "Quixley", "Brandywine")
    probe.call(AddAlias, "memory/add_alias", entity_id="ENT1", alias="Umbrage")
    probe.call(AddMemory, "memory/add_memory", kind="note", summary="Marzipan", value="Nougat")
    said = "Remember that Quixley's favourite snack is herring."
    probe.say("turn", said, speaker="Zebulon")
    assert remember(probe, **snack("turn", subject="Quixley")).admission == "created"
    assert remember(probe, **snack("turn", "tuna", "Quixley")).status == "rejected"
    probe.say("void", "Quixley is fond of Brandywine.")
    probe.say("void", "Umbrage is fond of Brandywine.")
    assert remember(probe, **snack("void", subject="Umbrage")).status == "rejected"
    assert probe.call(RecallMemory, "recall_memory", query="Quixley").status == "hit"
    assert probe.call(RecallMemory, "recall_memory", query="Umbrage\u200b").status == "invalid"
    assert probe.call(FindMemories, "memory/find_memories", name="Umbrage").success
    probe.reply("turn")
    seen = len(quiet)
    wait_until(
        lambda: sum(isinstance(each, DiagnosticArray) for each in quiet[seen:]) >= 2,
        "the diagnostics after the session",
    )
    kinds = {type(each) for each in quiet}
    assert {MemoryEvent, MemoryStatus, DiagnosticArray} <= kinds
    ros_log = "".join(file.read_text() for file in graph.directory.glob("ros_log/**/*.log"))
    everything = (str(quiet) + graph.logs() + ros_log).casefold()
    assert "mem2" in everything
    words = "quixley brandywine umbrage marzipan nougat herring tuna snack fond zebulon"
    assert [word for word in words.split() if word in everything] == []


def test_introspection_is_off_unless_a_parameter_turns_it_on(
    graph: RobotGraph, probe: Probe
) -> None:
    event_topic = "/mira/recall_memory/_service_event"
    first = graph.start_memory()
    assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "miss"
    assert probe.node.count_publishers(event_topic) == 0
    assert first.stop() == 0
    graph.start_memory(service_introspection="metadata")
    events = probe.listen(RecallMemory.Event, event_topic, EVENT_QOS)
    wait_until(lambda: probe.node.count_publishers(event_topic) == 1, "the event publisher")
    answer = probe.call(RecallMemory, "recall_memory", resend_s=1.0, query="Gordon")
    assert answer.status == "miss"

    def is_watched() -> bool:
        # The node may know the caller before it knows who listens to the events.
        probe.call(RecallMemory, "recall_memory", query="Gordon")
        return bool(events)

    wait_until(is_watched, "an event")
    kinds = {ServiceEventInfo.REQUEST_RECEIVED, ServiceEventInfo.RESPONSE_SENT}
    assert events[-1].info.event_type in kinds
    assert list(events[-1].request) == []


def test_a_simulated_clock_that_stands_still_stops_neither_diagnostics_nor_answers(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory(use_sim_time=True)
    arrays = probe.listen(DiagnosticArray, "/diagnostics")
    assert remember(probe, **snack("never heard")).reason == "evidence_not_in_utterance"
    add_entities(probe, "Gordon")
    (found,) = probe.call(RecallMemory, "recall_memory", query="Gordon").entities
    assert found.entity.created_at > "2026"
    wait_until(lambda: len(arrays) >= 2, "diagnostics")
    assert {array.header.stamp.sec for array in arrays} == {0}
