# SPDX-License-Identifier: Apache-2.0
"""SIGKILL in the middle of a change: all of it or none; MIRA_FULL=1 makes it 100 times each."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory.lifecycle.migration import migrate
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

KILLS = 100 if os.environ.get("MIRA_FULL") == "1" else 5
PROGRAM = Path(__file__).parent / "changing_process.py"
REPOSITORY = PROGRAM.parent.parent.parent
LONGEST_LIFE_S = 0.3


def killed_after(what: str, path: Path, life_s: float) -> None:
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), what, str(path)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        timer = threading.Timer(life_s, process.send_signal, (signal.SIGKILL,))
        timer.start()
        process.wait()
        timer.cancel()
    assert process.returncode in (-signal.SIGKILL, 0)


HALVES = {
    # A memory that was superseded has its successor, and each successor its predecessor.
    "supersede": """SELECT count(*) FROM memories AS m WHERE (m.status = 'superseded') <>
        EXISTS (SELECT 1 FROM memory_relations AS r WHERE r.other_memory_id = m.id)""",
    # What is forgotten has neither words nor payload, and what is not has both.
    "forget": """SELECT count(*) FROM memories AS m WHERE
        (m.status = 'forgotten') <> (m.summary = '')
        OR (m.status = 'forgotten') = (m.id IN (SELECT memory_id FROM memory_payloads))""",
    # An approved proposal has its memory, and a memory here comes from one.
    "approve": """SELECT (SELECT count(*) FROM memories)
        <> (SELECT count(*) FROM proposals WHERE state = 'approved')""",
}


@pytest.mark.parametrize("what", HALVES)
def test_a_killed_change_is_whole_or_not_there(tmp_path: Path, what: str) -> None:
    path = tmp_path / "robot.sqlite3"
    chance = random.Random(KILLS)
    for _ in range(KILLS):
        killed_after(what, path, chance.uniform(0.0, LONGEST_LIFE_S))
        with closing(Store.open(path)) as store:
            assert store.lifecycle.verify_audit().sentence == ""
            store.self_test()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute(HALVES[what]).fetchone() == (0,)
            (changes,) = connection.execute("SELECT count(*) FROM audit_events").fetchone()
    assert changes > KILLS


def test_a_killed_migration_leaves_version_1_or_a_whole_version_2(tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite3"
    with closing(Store.open(old, schema_version=1)) as store:
        store.add_entity("person", "Gordon")
        with store.admission_transaction():
            pass
        for number in range(300):
            store.add_memory(MemoryDraft("note", f"Note {number}", ((1, "subject"),)))
    chance = random.Random(KILLS)
    versions = set()
    for number in range(KILLS):
        path = tmp_path / f"{number}.sqlite3"
        shutil.copy(old, path)
        killed_after("migrate", path, chance.uniform(0.0, 0.15))
        with closing(Store.open(path)) as store:
            version = store.status().schema_version
            versions.add(version)
            assert store.find_memories("Gordon")[0][0].memories_left_out == 200
            if version == 2:
                assert store.lifecycle.verify_audit().sentence == ""
        if version == 1:
            for backup in tmp_path.glob(f"{number}.sqlite3.version-1.*"):
                backup.unlink()
            migrate(path)
            with closing(Store.open(path)) as store:
                assert store.lifecycle.verify_audit().sentence == ""
    assert versions <= {1, 2}
