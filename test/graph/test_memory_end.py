# SPDX-License-Identifier: Apache-2.0
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from mira.srv import AddEntity, RecallMemory, Remember
from probe import Probe
from proposals import add_entities, snack
from robot_graph import RobotGraph


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_answers_queued_requests_and_checkpoints_the_file(
    graph: RobotGraph, probe: Probe, number: signal.Signals
) -> None:
    process = graph.start_memory()
    add_entities(probe, "Gordon")
    requests = [
        AddEntity.Request(entity_type="person", canonical_name=f"Person {number}")
        for number in range(64)
    ]
    # Stopped, the node has all requests in its queue when it wakes up to the signal.
    process.send(signal.SIGSTOP)
    writes = probe.in_flight(AddEntity, "memory/add_entity", requests)
    recalls = probe.in_flight(
        RecallMemory, "recall_memory", [RecallMemory.Request(query="Gordon")] * 16
    )
    late = probe.in_flight(Remember, "remember", [Remember.Request(**snack("never heard"))] * 8)
    process.send(number)
    process.send(signal.SIGCONT)
    assert process.wait() == 0
    assert all(answer.success for answer in writes(within_s=1.0))
    assert {answer.status for answer in recalls(within_s=1.0)} == {"hit"}
    assert {answer.status for answer in late(within_s=1.0)} == {"rejected"}
    path = graph.directory / "memory.sqlite3"
    assert not Path(f"{path}-wal").exists()
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        assert connection.execute("SELECT count(*) FROM entities").fetchone() == (65,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert process.log().count("Closed") == 1


def test_a_steady_load_does_not_keep_the_node_from_ending(graph: RobotGraph, probe: Probe) -> None:
    process = graph.start_memory()
    caller = probe.caller(RecallMemory, "recall_memory")
    assert caller.call(RecallMemory.Request(query="Gordon"), 10.0).response.status == "miss"
    process.send(signal.SIGINT)
    began = time.monotonic()
    while process.running() and time.monotonic() - began < 10.0:
        caller.call(RecallMemory.Request(query="Gordon"), 0.1, resend_s=None)
    assert process.wait() == 0


def test_a_second_node_on_the_file_is_refused_and_the_first_goes_on(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    second = graph.start(
        "memory_node",
        {"database_path": str(graph.directory / "memory.sqlite3")},
        namespace="/second",
    )
    assert second.wait(20.0) == 1
    (line,) = second.log().splitlines()
    assert "memory.sqlite3 is already open in another memory node" in line
    assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "hit"


def test_what_was_stored_is_known_after_an_orderly_restart(
    graph: RobotGraph, probe: Probe
) -> None:
    first = graph.start_memory()
    add_entities(probe, "Gordon")
    before = probe.call(RecallMemory, "recall_memory", query="Gordon").text
    assert first.stop() == 0
    graph.start_memory()
    after = probe.call(RecallMemory, "recall_memory", resend_s=1.0, query="Gordon").text
    assert after == before


def write_text(path: Path) -> None:
    path.write_text("Gordon likes herring.\n" * 100)


def write_newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY)")
    connection.execute("PRAGMA user_version = 7")
    connection.close()


def make_directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (write_text, "is not an SQLite database"),
        (write_newer, "has schema version 7"),
        (make_directory, "is a directory"),
    ],
)
def test_a_refused_database_ends_the_start_with_its_own_line(
    graph: RobotGraph, make: object, sentence: str
) -> None:
    path = graph.directory / "refused.sqlite3"
    make(path)
    before = path.stat().st_mtime_ns, path.stat().st_size, path.stat().st_ino
    process = graph.start("memory_node", {"database_path": str(path)})
    assert process.wait(20.0) == 1
    (line,) = process.log().splitlines()
    assert line.startswith(f"{path} {sentence}")
    assert "database_path" in line
    assert (path.stat().st_mtime_ns, path.stat().st_size, path.stat().st_ino) == before


def test_a_missing_directory_is_not_created(graph: RobotGraph) -> None:
    path = graph.directory / "missing" / "memory.sqlite3"
    process = graph.start("memory_node", {"database_path": str(path)})
    assert process.wait(20.0) == 1
    (line,) = process.log().splitlines()
    assert "does not exist" in line
    assert not path.parent.exists()
