# SPDX-License-Identifier: Apache-2.0
"""Time pieces of work side by side, and say on which machine."""

import os
import platform
import random
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from itertools import chain

Work = Callable[[], object]

PACKAGES = ("rclpy", "ros-jazzy-rmw-fastrtps-cpp", "pydantic", "regex")


@dataclass(frozen=True, slots=True)
class Times:
    """Quantiles of one operation in microseconds."""

    p50: float
    p95: float
    p99: float


def timed(work: Work, times: int) -> Times:
    """Time `times` calls, after as many to warm up."""
    return interleaved({"": work}, times, warm_up=times)[""]


def interleaved(
    works: Mapping[str, Work],
    times: int,
    *,
    warm_up: int = 0,
    in_a_row: int = 1,
    before: Work | None = None,
) -> dict[str, Times]:
    """Time pieces of work turn by turn, so that a busy machine disturbs all of them alike.

    The order changes from round to round: what runs after what matters. In a round each is done
    `in_a_row` times, `times` in all. `before` prepares each round, untimed.
    """
    chance = random.Random(1)
    order = list(works.items())
    taken: dict[str, list[int]] = {name: [] for name in works}
    for _ in range(0, warm_up + times, in_a_row):
        if before is not None:
            before()
        chance.shuffle(order)
        for name, work in order:
            kept = taken[name]
            for _ in range(in_a_row):
                begun = time.perf_counter_ns()
                work()
                kept.append(time.perf_counter_ns() - begun)
    return {name: quantiles(kept[warm_up:]) for name, kept in taken.items()}


def quantiles(nanoseconds: list[int]) -> Times:
    """Return the quantiles of what was timed."""
    ordered = sorted(nanoseconds)
    last = len(ordered) - 1
    return Times(*(round(ordered[last * part // 100] / 1e3, 1) for part in (50, 95, 99)))


def machine() -> str:
    """Return what the machine and the software on it are."""
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()}; {versions()}"


def processor() -> str:
    """Return the processor's name."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = (line.partition(":")[2].strip() for line in lines if "model name" in line)
        return next(chain(names, [platform.machine()]))


def versions() -> str:
    """Return the versions of Python, SQLite, the middleware and the packages that matter."""
    found = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)
