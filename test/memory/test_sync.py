# SPDX-License-Identifier: Apache-2.0
"""One durable write syncs the disk exactly once."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WRITES = 50
SCRIPT = """
import sys
from mira_memory.records import NewMemory
from mira_memory.store import Store
store = Store.open(sys.argv[1])
store.add_entity("person", "Gordon")
links = frozenset({(1, "subject")})
for number in range(int(sys.argv[2])):
    with store.admission_transaction() as transaction:
        key = f"value {number}"
        transaction.slot_conflicts(1, f"p{number}", key)
        transaction.duplicate("fact", f"p{number}", key, links)
        transaction.insert(NewMemory("fact", "said", f"p{number}", key, links, "manual"))
import os
os._exit(0)
"""


def syncs(path: Path, writes: int) -> int:
    trace = path.with_suffix(".trace")
    command = ["strace", "-f", "-o", str(trace), "-e", "trace=fsync,fdatasync"]
    command += [sys.executable, "-c", SCRIPT, str(path), str(writes)]
    done = subprocess.run(
        command,
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if done.returncode != 0:
        pytest.skip(f"strace can't trace here: {done.stderr.strip()[-80:]}")
    return len(re.findall(r"\bf(?:data)?sync\(", trace.read_text(encoding="utf-8")))


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_each_write_is_synced_once(tmp_path: Path) -> None:
    without = syncs(tmp_path / "none.sqlite3", 0)
    assert without > 0
    assert syncs(tmp_path / "many.sqlite3", WRITES) - without == WRITES
