# SPDX-License-Identifier: Apache-2.0
"""Let 1, 4 and 16 clients call at once, nine recalls to one remember.

./dev bench throughput
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from benchmarks._findings import Figure, Options, Section, progress, run
from benchmarks._floor import start_floor
from benchmarks._measuring import Times, quantiles
from benchmarks._robot import robot
from benchmarks._stores import spread

CLIENTS = (1, 4, 16)
SECONDS = 20.0
# A client that gets less than this part of its fair share is starved.
FAIR_SHARE = 0.5
TOLERANCE = 1.6
ANSWERS_S = 60.0
TOLD = """
Each client is a process and makes its next call when the last one is answered: nine
`recall_memory` of fifty names, then one `remember` that is committed to disk, for {seconds:g} s,
on a store of {memories:,} memories. *empty* makes calls of a service that does nothing, with
no disk and no utterances; it is what these clients can ask for on this machine. Every write makes
all kept answers unused. *least share* is the slowest client's calls compared with a fair share;
*repeated* were not answered within a second and made again, as every client of the package does.
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What a number of clients got done; times in microseconds, calls in a second."""

    calls_s: float
    times: Times
    longest_ms: float
    least_share: float
    repeated: int


def measure(options: Options) -> Section:
    """Run every number of clients on both services."""
    seconds = 3.0 if options.short else SECONDS
    memories = 1_000 if options.short else 1_000_000
    path = spread(options.directory, memories)
    found: dict[tuple[str, int], Load] = {}
    with robot() as (graph, _):
        graph.start_memory(database_path=str(path))
        start_floor(graph, options.directory)
        for clients in CLIENTS[: 2 if options.short else None]:
            for service in ("empty", "memory"):
                found[service, clients] = load(graph, service, clients, seconds)
                progress(f"{service}, {clients} clients: {found[service, clients]}")
    return section(found, TOLD.format(seconds=seconds, memories=memories))


def load(graph: Any, service: str, clients: int, seconds: float) -> Load:
    """Return what that many clients got done."""
    program = [sys.executable, "-m", "benchmarks._mixed_client", service]
    started = [
        subprocess.Popen(
            [*program, str(number), str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=graph.environment,
        )
        for number in range(clients)
    ]
    try:
        for client in started:
            assert client.stdout is not None
            assert client.stdout.readline() == "ready\n", "a client did not start"
        for client in started:
            assert client.stdin is not None
            client.stdin.write("go\n")
            client.stdin.flush()
        told = [json.loads(client.communicate(timeout=ANSWERS_S)[0]) for client in started]
    finally:
        for client in started:
            if client.poll() is None:
                client.kill()
                client.wait()
    taken = [client["taken"] for client in told]
    every = [time for times in taken for time in times]
    fair = len(every) / clients
    return Load(
        calls_s=len(every) / seconds,
        times=quantiles(every),
        longest_ms=max(every) / 1e6,
        least_share=min(map(len, taken)) / fair,
        repeated=sum(client["repeated"] for client in told),
    )


def section(found: dict[tuple[str, int], Load], told: str) -> Section:
    """Return the table; starvation is a share, so its figure is the missing part of it."""
    figures = []
    for (service, clients), kept in found.items():
        if service == "empty":
            continue
        empty = found["empty", clients]
        slower = round(empty.calls_s / kept.calls_s, 3)
        figures.append(
            Figure(f"{clients} clients: calls of empty to memory", slower, "x", None, TOLERANCE)
        )
        figures.append(
            Figure(
                f"{clients} clients: share the slowest lacks",
                round(max(0.0, 1.0 - kept.least_share), 3),
                "",
                1.0 - FAIR_SHARE,
            )
        )
    return Section(
        "throughput",
        "Throughput and fairness",
        told,
        (
            "service, clients",
            "calls/s",
            "p50 µs",
            "p99 µs",
            "longest ms",
            "least share",
            "repeated",
        ),
        tuple(
            (
                f"{service}, {clients}",
                f"{kept.calls_s:,.0f}",
                f"{kept.times.p50:,.0f}",
                f"{kept.times.p99:,.0f}",
                f"{kept.longest_ms:,.1f}",
                f"{kept.least_share:.2f}",
                str(kept.repeated),
            )
            for (service, clients), kept in found.items()
        ),
        tuple(figures),
    )


def main() -> int:
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
