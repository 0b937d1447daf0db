# SPDX-License-Identifier: Apache-2.0
"""What a running process holds: from outside, and, asked by a signal, from inside."""

import gc
import json
import os
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from robot_graph import NodeProcess, wait_until

ASKED_BY = "MIRA_TEST_CENSUS"
_COUNTED = {"Client", "Future", "Guard", "Publisher", "Subscription", "Task", "Timer"}


@dataclass(frozen=True)
class Census:
    """Threads, file handles, resident bytes, and objects of rclpy by their class."""

    threads: int
    handles: int
    resident: int
    objects: dict[str, int]


def take_census(process: NodeProcess, directory: Path) -> Census:
    """Count what a process holds that was started with `ASKED_BY` set to `directory`."""
    answer = directory / f"census-{process.pid}.json"
    answer.unlink(missing_ok=True)
    process.send(signal.SIGUSR1)
    wait_until(answer.exists, "the census")
    proc = Path("/proc", str(process.pid))
    return Census(
        threads=len(list((proc / "task").iterdir())),
        handles=len(list((proc / "fd").iterdir())),
        resident=int((proc / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE"),
        objects=json.loads(answer.read_text()),
    )


def answer_signals() -> None:
    """Have SIGUSR1 write the objects of rclpy that this process holds into a file."""

    def asked(number: int, frame: FrameType | None) -> None:
        # A node freezes what it was built of, and frozen objects are not among all objects.
        gc.unfreeze()
        gc.collect()
        kinds = (type(each) for each in gc.get_objects())
        counts = Counter(
            kind.__name__
            for kind in kinds
            if kind.__name__ in _COUNTED and kind.__module__.startswith("rclpy.")
        )
        answer = Path(os.environ[ASKED_BY], f"census-{os.getpid()}.json")
        answer.with_suffix(".part").write_text(json.dumps(counts))
        answer.with_suffix(".part").rename(answer)

    signal.signal(signal.SIGUSR1, asked)
