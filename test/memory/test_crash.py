# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at random moments under a writing load; MIRA_FULL=1 makes it 200 times."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

from mira_memory.store import Store

KILLS = 200 if os.environ.get("MIRA_FULL") == "1" else 15
WRITER = Path(__file__).parent / "writing_process.py"
REPOSITORY = WRITER.parent.parent.parent
LONGEST_LIFE_S = 0.4


def killed_after(path: Path, life_s: float) -> list[int]:
    """Return what a writer acknowledged before SIGKILL."""
    with subprocess.Popen(
        [sys.executable, str(WRITER), str(path)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        timer = threading.Timer(life_s, process.send_signal, (signal.SIGKILL,))
        timer.start()
        lines = process.stdout.read().splitlines(keepends=True)
        timer.join()
    assert process.returncode == -signal.SIGKILL
    # A line that was cut short by the kill was not acknowledged.
    return [int(line) for line in lines if line.endswith("\n")]


def half_memories(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute(
        """SELECT count(*) FROM memories AS m WHERE
        (SELECT count(*) FROM memory_entity_links WHERE memory_id = m.id) <> 2
        OR (SELECT count(*) FROM memory_payloads
            WHERE memory_id = m.id AND text_content = m.summary) <> 1"""
    ).fetchone()
    return int(count)


def test_nothing_acknowledged_is_lost_and_nothing_is_half_there(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    chance = random.Random(KILLS)
    acknowledged: list[int] = []
    for kills in range(1, KILLS + 1):
        acknowledged += killed_after(path, chance.uniform(0.0, LONGEST_LIFE_S))
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as check:
            assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert check.execute("PRAGMA foreign_key_check").fetchall() == []
            assert half_memories(check) == 0
            stored = [number for (number,) in check.execute("SELECT id FROM memories ORDER BY id")]
            counts = check.execute("SELECT active_memory_count FROM entities").fetchall()
        assert stored == list(range(1, len(stored) + 1))
        assert set(acknowledged) <= set(stored)
        # What is there unacknowledged is at most the one write that each kill met under way.
        assert len(stored) - len(acknowledged) <= kills
        assert counts == [(len(stored),)] * 2
    assert len(acknowledged) > KILLS
    with closing(Store.open(path)) as store:
        assert store.status().memories == len(stored)
        assert store.add_entity("person", "Zoë").entity.id == 3
