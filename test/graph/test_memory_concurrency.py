# SPDX-License-Identifier: Apache-2.0
"""Sixteen clients in four processes propose at once, while other programs read the file."""

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from mira.srv import GetMemoryStatus
from probe import Probe
from proposals import add_entities
from proposing_process import ROUNDS
from robot_graph import RobotGraph

PROCESSES = 4
CLIENTS = 4 * PROCESSES
CLIENT = Path(__file__).parent.parent / "support" / "proposing_process.py"
# As `sqlite-utils` opens a file, and as `datasette` does: read-only, asking again and again.
READER = """
import sqlite3, sys
import sqlite_utils
path = sys.argv[1]
databases = [
    sqlite_utils.Database(path),
    sqlite_utils.Database(sqlite3.connect(f"file:{path}?mode=ro", uri=True)),
]
print("reading", flush=True)
seen = rounds = 0
while seen < int(sys.argv[2]):
    for database in databases:
        rows = list(database["memories"].rows_where(order_by="id"))
        assert [row["id"] for row in rows] == list(range(1, len(rows) + 1))
        assert len(rows) >= seen
        links = database.execute("SELECT count(*) FROM memory_entity_links").fetchone()[0]
        assert links >= len(rows)
        seen = len(rows)
        rounds += 1
print("read", rounds, flush=True)
"""


@contextmanager
def running(
    graph: RobotGraph, program: list[str], started: str
) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, *program],
        env=graph.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"{started}\n"
            yield process
        finally:
            process.kill()


def test_sixteen_clients_at_once_get_one_row_per_fact_and_lose_no_answer(
    graph: RobotGraph, probe: Probe
) -> None:
    node = graph.start_memory()
    add_entities(probe, "Gordon")
    path = graph.directory / "memory.sqlite3"
    facts = ROUNDS * (1 + CLIENTS + 1)
    with ExitStack() as stack:
        reader = stack.enter_context(
            running(graph, ["-c", READER, str(path), str(facts)], "reading")
        )
        snapshot = stack.enter_context(
            closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None))
        )
        snapshot.execute("BEGIN")
        assert snapshot.execute("SELECT count(*) FROM memories").fetchone() == (0,)
        clients = [
            stack.enter_context(running(graph, [str(CLIENT), str(first), "4"], "ready"))
            for first in range(0, CLIENTS, 4)
        ]
        for client in clients:
            assert client.stdin is not None
            client.stdin.write("\n")
            client.stdin.flush()
        told = [json.loads(line) for client in clients for line in client.stdout or ()]
        assert [client.wait(10.0) for client in clients] == [0] * PROCESSES
        assert (reader.stdout or []).readline().startswith("read ")
        assert reader.wait(10.0) == 0
        # The long transaction still sees what it saw, and has kept nobody from writing.
        assert snapshot.execute("SELECT count(*) FROM memories").fetchone() == (0,)
        assert_one_row_per_fact(path, told)
        status = probe.call(GetMemoryStatus, "memory/get_status").status
        assert (status.healthy, status.memories) == (True, facts)
        assert node.stop() == 0
        assert snapshot.execute("SELECT count(*) FROM memories").fetchone() == (0,)
        snapshot.execute("COMMIT")
        assert snapshot.execute("SELECT count(*) FROM memories").fetchone() == (facts,)
    assert "locked" not in graph.logs()
    graph.start_memory()
    again = probe.call(GetMemoryStatus, "memory/get_status", resend_s=0.5).status
    assert (again.healthy, again.memories) == (True, facts)


def assert_one_row_per_fact(path: Path, told: list[list[object]]) -> None:
    outcomes = Counter(
        (str(predicate).rstrip("0123456789x"), what) for predicate, _, what, _ in told
    )
    assert outcomes == {
        ("same", "created"): ROUNDS,
        ("same", "duplicate"): ROUNDS * (CLIENTS - 1),
        ("own", "created"): ROUNDS * CLIENTS,
        ("clash", "created"): ROUNDS,
        ("clash", "conflict"): ROUNDS * (CLIENTS - 1),
    }
    created = {
        identity: predicate for predicate, _, outcome, identity in told if outcome == "created"
    }
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as check:
        rows = check.execute("SELECT id, predicate FROM memories").fetchall()
        assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert {f"MEM{number}": predicate for number, predicate in rows} == created
    for predicate, _, outcome, identity in told:
        assert created[str(identity)] == predicate, outcome
