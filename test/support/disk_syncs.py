# SPDX-License-Identifier: Apache-2.0
"""Count how often a process that writes memories has the disk synced."""

import re
import subprocess
import sys
from pathlib import Path

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


class NotTraced(Exception):
    """Nothing can be counted here; the text says why."""


def syncs(path: Path, writes: int) -> int:
    """Return the syncs of a process that creates a store at `path` and writes to it.

    Raises:
        NotTraced: strace is missing, or may not trace.
    """
    trace = path.with_suffix(".trace")
    command = ["strace", "-f", "-o", str(trace), "-e", "trace=fsync,fdatasync"]
    command += [sys.executable, "-c", SCRIPT, str(path), str(writes)]
    try:
        done = subprocess.run(
            command,
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    except FileNotFoundError:
        raise NotTraced("strace is not installed") from None
    if done.returncode != 0:
        raise NotTraced(f"strace can't trace here: {done.stderr.strip()[-80:]}")
    return len(re.findall(r"\bf(?:data)?sync\(", trace.read_text(encoding="utf-8")))
