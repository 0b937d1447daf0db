# SPDX-License-Identifier: Apache-2.0
"""What happens to the file of a running memory node: bounded answers, red, and well again."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from mira import srv
from probe import Probe
from robot_graph import NodeProcess, RobotGraph, wait_until
from watched_memory import WRITES, WatchedMemory


def stored(path: Path) -> list[tuple[int, str]]:
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("SELECT id, turn_id FROM memories ORDER BY id").fetchall()
    finally:
        connection.close()


@pytest.fixture
def path(graph: RobotGraph) -> Path:
    return graph.directory / "memory.sqlite3"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Have another process hold the strongest lock there is on the file."""
    holder = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.readline()
"""
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "locked\n"
        yield
        process.stdin.close()


def test_a_lock_of_another_program_fails_writes_alone_and_passes(
    graph: RobotGraph, probe: Probe, path: Path
) -> None:
    watched = WatchedMemory(probe, graph.start_memory())
    with locked(path):
        watched.assert_writes_fail("locked by another program")
        watched.assert_reads_work()
    watched.assert_healthy()


def test_a_file_that_was_moved_away_is_neither_read_nor_written_until_it_is_back(
    graph: RobotGraph, probe: Probe, path: Path
) -> None:
    watched = WatchedMemory(probe, graph.start_memory())
    away = path.with_name("away.sqlite3")
    path.rename(away)
    watched.assert_writes_fail("deleted or replaced")
    watched.assert_reads_fail("deleted or replaced")
    assert not path.exists()
    away.rename(path)
    watched.assert_healthy()
    assert [turn for _, turn in stored(path)] == ["turn 1", "turn 3"]


def test_a_file_put_in_its_place_is_served_after_a_restart_and_untouched_before(
    graph: RobotGraph, probe: Probe, path: Path
) -> None:
    process = graph.start_memory()
    watched = WatchedMemory(probe, process)
    backup = path.with_name("backup.sqlite3")
    with sqlite3.connect(path) as source, sqlite3.connect(backup) as target:
        source.backup(target)
    source.close()
    target.close()
    content = backup.read_bytes()
    backup.replace(path)
    watched.assert_writes_fail("deleted or replaced")
    watched.assert_reads_fail("deleted or replaced")
    assert path.read_bytes() == content
    assert process.stop() == 0
    assert path.read_bytes() == content
    graph.start_memory()
    again = probe.call(srv.Remember, "remember", resend_s=1.0, **watched.proposal)
    assert (again.admission, again.memory_id) == ("created", "MEM1")


def test_a_file_that_is_emptied_is_never_a_miss(
    graph: RobotGraph, probe: Probe, path: Path
) -> None:
    process = graph.start_memory()
    watched = WatchedMemory(probe, process)
    os.truncate(path, 0)
    assert watched.recalled("Nobody") == "failure"
    watched.assert_writes_fail("is damaged")
    watched.assert_reads_fail("is damaged")
    watched.assert_stays_red()
    assert process.stop() == 0


def test_a_disk_that_refuses_every_byte_stays_red_until_it_takes_them(
    graph: RobotGraph, probe: Probe, path: Path
) -> None:
    # A file system that the kernel made read-only looks like this to a program: transactions
    # begin, and no byte can be written.
    process = graph.start_memory()
    watched = WatchedMemory(probe, process)
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    watched.assert_writes_fail("can't be written any more (SQLITE_IOERR_WRITE)")
    watched.assert_reads_work()
    watched.assert_stays_red()
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
    watched.assert_healthy()
    assert [turn for _, turn in stored(path)] == ["turn 1", "turn 3"]


def start_on_a_small_disk(graph: RobotGraph, size: str) -> tuple[NodeProcess, Path]:
    """Start a memory node on a tmpfs that only it sees; return where the test finds that."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("unshare is not installed")
    place = graph.directory / "disk"
    place.mkdir()
    program = str(Path(get_package_prefix("mira"), "lib", "mira", "memory_node"))
    mount = f'mount -t tmpfs -o size={size} none "{place}" && exec "$0" "$@"'
    process = graph.start_program(
        [unshare, "--mount", "--map-root-user", "sh", "-c", mount, program],
        {"database_path": str(place / "memory.sqlite3")},
    )
    wait_until(lambda: "Opened" in process.log() or not process.running(), "the node to open")
    if not process.running():
        assert "mount" in process.log() or "unshare" in process.log(), process.log()
        pytest.skip("mounting is not allowed here")
    inside = Path(f"/proc/{process.pid}/root{place}")
    if not os.access(inside, os.W_OK):
        pytest.skip("what a mounted namespace holds can't be reached from outside here")
    return process, inside


def test_a_full_disk_loses_nothing_and_is_well_when_there_is_room(
    graph: RobotGraph, probe: Probe
) -> None:
    process, disk = start_on_a_small_disk(graph, "2m")
    watched = WatchedMemory(probe, process)
    filler = disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    noted = 0
    while watched.administered(srv.AddMemory, *WRITES[srv.AddMemory]) == "":
        noted += 1
        assert noted < 1000
    watched.assert_writes_fail("no room left")
    watched.assert_reads_work()
    watched.assert_stays_red()
    filler.unlink()
    watched.assert_healthy()
    status = probe.call(srv.GetMemoryStatus, "memory/get_status").status
    assert process.stop() == 0
    assert status.memories == 2 + noted
