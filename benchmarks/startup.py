# SPDX-License-Identifier: Apache-2.0
"""Time the start of the memory node on a large file, and watch the size of every node.

./dev bench startup
"""

import os
import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from mira.srv import RecallMemory
from rcl_interfaces.srv import GetParameters
from std_srvs.srv import Trigger

from benchmarks._calling import FOUND_S, Caller
from benchmarks._findings import Figure, Options, Section, progress, run
from benchmarks._floor import KNOWN, start_floor
from benchmarks._robot import robot
from benchmarks._stores import spread

START_AIM_S = 1.0
# A leak of 100 bytes a call would be 1 MB in all.
GROWTH_AIM_MB = 1.0
WARM_UP = 1_000
Start = Callable[[Any], Any]
NODES = ("memory_node", "cognition_node", "speech_bridge")
TOLD = """
Seconds from starting the process, on a file with {memories:,} memories: the median and the longest
of {starts} starts, in turn with a node that has only an empty service. The client starts when the
node has opened its file. One that has been *waiting* is slower to find either node: the middleware
announces it every three seconds. Resident size is read after {warm_up:,} calls, and again after
{calls:,} more: `recall_memory`, `cognition/clear_working_memory`, and a parameter of the speech
bridge.
"""
LOADED = """
import importlib, sys
importlib.import_module(sys.argv[1])
print("litellm" in sys.modules, len(sys.modules))
"""


def measure(options: Options) -> Section:
    """Start the memory node again and again, then all nodes once."""
    memories = 20_000 if options.short else 1_000_000
    starts, calls = (2, 1_000) if options.short else (10, 10_000)
    path = spread(options.directory, memories)
    nodes: dict[str, tuple[Start, str]] = {
        "memory node": (
            lambda graph: graph.start("memory_node", {"database_path": str(path)}),
            "/mira/recall_memory",
        ),
        "empty service": (
            lambda graph: start_floor(graph, options.directory),
            "/floor/shaped",
        ),
    }
    taken: dict[str, list[float]] = defaultdict(list)
    for _ in range(starts):
        for name, (start, service) in nodes.items():
            opened, answered = start_s(start, service, is_waiting=False)
            taken[f"{name}: launch to open"].append(opened)
            taken[f"{name}: launch to the first answer"].append(answered)
    for _ in range(starts // 2):
        for name, (start, service) in nodes.items():
            _, answered = start_s(start, service, is_waiting=True)
            taken[f"{name}: the same, for a client that waits"].append(answered)
    rows = [
        (name, seconds(statistics.median(kept)), seconds(max(kept)))
        for name, kept in taken.items()
    ]
    median = round(statistics.median(taken["memory node: launch to the first answer"]), 3)
    figures = [Figure("launch to first recall, median", median, "s", START_AIM_S)]
    for name, (idle, after) in sizes(path, calls).items():
        rows.append(
            (f"{name}: resident idle, after {calls:,} calls", f"{idle:.1f} MB", f"{after:.1f} MB")
        )
        figures.append(
            Figure(
                f"{name}: growth in {calls:,} calls", round(after - idle, 2), "MB", GROWTH_AIM_MB
            )
        )
        figures.append(Figure(f"{name}: size, to idle", round(after / idle, 3), "x", None, 1.1))
    for module in ("mira_memory.node", "mira_cognition.node"):
        has_litellm, modules = loaded(module)
        rows.append(
            (f"{module}: modules, of LiteLLM", str(modules), "yes" if has_litellm else "no")
        )
        figures.append(Figure(f"{module} imports LiteLLM", float(has_litellm), "", 0.0, 1.0))
    return Section(
        "startup",
        "Start and size",
        TOLD.format(memories=memories, starts=starts, calls=calls, warm_up=WARM_UP),
        ("what", "median, idle", "longest, after"),
        tuple(rows),
        tuple(figures),
    )


def start_s(start: Start, service: str, *, is_waiting: bool) -> tuple[float, float]:
    """Return the seconds from a start until the node has opened its file, and has answered.

    The client starts when the node has opened it, or has been there before.
    """
    with robot() as (graph, _), ExitStack() as stack:
        if is_waiting:
            client = stack.enter_context(Caller(int(os.environ["ROS_DOMAIN_ID"])))
            ready = client.expect(RecallMemory, service).service_is_ready
        begun = time.monotonic()
        node = start(graph)
        wait(lambda: "Opened" in node.log(), node)
        opened = time.monotonic() - begun
        if not is_waiting:
            client = stack.enter_context(Caller(int(os.environ["ROS_DOMAIN_ID"])))
            ready = client.expect(RecallMemory, service).service_is_ready
        wait(ready, node)
        response = client.call(RecallMemory, service, RecallMemory.Request(query=KNOWN))
        answered = time.monotonic() - begun
        assert response.status == "hit", response
        node.stop()
    progress(f"{service}: open after {opened:.3f} s, answered after {answered:.3f} s")
    return opened, answered


def wait(condition: Callable[[], bool], node: Any) -> None:
    """Wait for what a starting node does."""
    end = time.monotonic() + FOUND_S
    while not condition():
        assert node.running(), node.log()
        assert time.monotonic() < end, node.log()
        time.sleep(0.001)


def seconds(value: float) -> str:
    """Return a time to read."""
    return f"{value:.3f} s"


def sizes(path: Path, calls: int) -> dict[str, tuple[float, float]]:
    """Return each node's resident megabytes, idle and after that many calls."""
    found: dict[str, tuple[float, float]] = {}
    with robot() as (graph, _), Caller(int(os.environ["ROS_DOMAIN_ID"])) as caller:
        nodes = (
            graph.start_memory(database_path=str(path)),
            graph.start_cognition(),
            graph.start("speech_bridge"),
        )
        for name, node, call in zip(NODES, nodes, works(caller), strict=True):
            for number in range(WARM_UP):
                call(number)
            idle = resident_mb(node.pid)
            for number in range(calls):
                call(number)
            found[name] = idle, resident_mb(node.pid)
            progress(f"{name}: {found[name][0]:.1f} MB, then {found[name][1]:.1f} MB")
    return found


def works(caller: Caller) -> tuple[Callable[[int], Any], ...]:
    """Return a call of each node, by its number."""
    service = "/mira/recall_memory"
    clear = "/mira/cognition/clear_working_memory"
    parameters = "/mira/speech_bridge/get_parameters"
    # A hundred names: every second answer is no kept one.
    return (
        lambda number: caller.call(
            RecallMemory, service, RecallMemory.Request(query=f"Entity {number % 100 + 1}")
        ),
        lambda _: caller.call(Trigger, clear, Trigger.Request()),
        lambda _: caller.call(
            GetParameters, parameters, GetParameters.Request(names=["use_sim_time"])
        ),
    )


def resident_mb(pid: int) -> float:
    """Return the resident size of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s*(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def loaded(module: str) -> tuple[bool, int]:
    """Return whether importing a node imports LiteLLM, and how many modules it does import."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, module], capture_output=True, text=True, check=True
    )
    has_litellm, modules = done.stdout.split()
    return has_litellm == "True", int(modules)


def main() -> int:
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
