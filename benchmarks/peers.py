# SPDX-License-Identifier: Apache-2.0
"""Write and look up the same facts in other memory libraries, on the same disk.

    ./dev bench peers [--short]

Each library is installed from PyPI into an environment of its own, which is thrown away, and runs
without a network.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks._findings import Figure, Options, Section, progress, run

ROOT = Path(__file__).parents[1]
NAMES = ROOT / "test" / "cases" / "names.yaml"
FACTS = 10_000
SECONDS = 120.0
RUN_S = 600.0
TOLERANCE = 2.0
TRACED_WRITES = 50
TOLD = """
The same {facts:,} facts, one call and one entity each, then 1,000 look-ups by exact name; a
library that is not done in {seconds:g} s stops there, and its facts are counted. *alone*: how
often the fact of that name was found and no other; *among*: how often it was found at all. *hard
names*: the questions of test/cases/names.yaml (accents, scripts, case, aliases, ambiguity, pieces
of names) answered with the right facts and no other. *syncs*: how often a write has the disk
synced, counted with strace; without a sync it may be lost with the power. Every library ran
without a network, in a process of its own.
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A library, what of it is installed, and what one operation of it does and does not do."""

    name: str
    requirement: str
    write: str
    look_up: str


PEERS = (
    Peer("mira", "", "hears, grounds, judges, checks", "every match, rendered"),
    Peer("bare SQLite", "", "one row", "one index, as typed"),
    Peer(
        "langgraph",
        "langgraph-checkpoint-sqlite==3.1.2",
        "one row by key",
        "by key, as typed",
    ),
    Peer(
        "robotmem",
        "robotmem==0.1.3",
        "classifies, looks for similar text",
        "full text, best five",
    ),
    Peer("emem", "emem==0.3.0", "a place with a name", "name contains"),
    Peer(
        "mem0ai",
        "mem0ai==2.2.1",
        "vector (of hashed words) and history",
        "nearest five",
    ),
)


def measure(options: Options) -> Section:
    """Install and run each library."""
    facts, seconds = (500, 20.0) if options.short else (FACTS, SECONDS)
    rows, found = [], {}
    with tempfile.TemporaryDirectory(prefix="mira-peers-", dir=options.directory) as directory:
        cases = Path(directory) / "names.json"
        cases.write_text(json.dumps(yaml.safe_load(NAMES.read_text(encoding="utf-8"))))
        for peer in PEERS:
            progress(f"running {peer.name}")
            work = Path(directory, peer.name.replace(" ", "-"))
            told = ran(peer, work, cases, facts, seconds)
            shutil.rmtree(work, ignore_errors=True)
            rows.append(row(peer, told))
            if isinstance(told, dict):
                found[peer.name] = told
    figures = []
    if {"mira", "bare SQLite"} <= found.keys():
        mira, bare = found["mira"], found["bare SQLite"]
        figures = [
            Figure("look-ups not right", round(1.0 - mira["alone"], 4), "", 0.0),
            Figure("hard names not right", float(mira["names"] - mira["names_right"]), "", 0.0),
            Figure(
                "write to bare SQLite's",
                round(mira["write_us"] / bare["write_us"], 2),
                "x",
                None,
                TOLERANCE,
            ),
        ]
    return Section(
        "peers",
        "Beside other memories",
        TOLD.format(facts=facts, seconds=seconds),
        (
            "library",
            "write µs",
            "look-up µs",
            "hard names",
            "alone / among",
            "facts",
            "syncs",
            "a write",
            "a look-up",
        ),
        tuple(rows),
        tuple(figures),
    )


def row(peer: Peer, told: dict[str, Any] | str) -> tuple[str, ...]:
    """Return what a library did, or why it did not."""
    name = peer.requirement.replace("==", " ") or peer.name
    if isinstance(told, str):
        return name, *["–"] * 6, told, ""
    return (
        name,
        f"{told['write_us']:,.0f}",
        f"{told['look_up_us']:,.0f}",
        f"{told['names_right']} of {told['names']}",
        f"{told['alone']:.0%} / {told['among']:.0%}",
        f"{told['facts']:,}",
        told["syncs"],
        peer.write,
        peer.look_up,
    )


def ran(peer: Peer, work: Path, cases: Path, facts: int, seconds: float) -> dict[str, Any] | str:
    """Return what the library told, or in a few words why it told nothing."""
    python = sys.executable
    if peer.requirement:
        venv.create(work / "venv", with_pip=True)
        python = str(work / "venv" / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", peer.requirement]
        if subprocess.run(install, env=plain(), capture_output=True, check=False).returncode:
            return "does not install"
    script = [*offline(), python, str(ROOT / "benchmarks" / "_peer.py"), peer.name]
    environment = plain(work) if peer.requirement else dict(os.environ)

    def told(count: int, trace: list[str]) -> dict[str, Any]:
        done = subprocess.run(
            [*trace, *script, str(work / f"{count}"), str(cases), str(count), str(seconds)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=RUN_S,
        )
        try:
            return dict(json.loads(done.stdout.splitlines()[-1]))
        except (IndexError, ValueError):
            progress(done.stderr[-2000:])
            raise DoesNotRun from None

    try:
        return told(facts, []) | {"syncs": synced(told, work / "trace")}
    except subprocess.TimeoutExpired:
        return f"not done in {RUN_S:g} s"
    except DoesNotRun:
        return "does not run without a network"


class DoesNotRun(Exception):
    """A library ended without telling anything."""


def synced(told: Callable[[int, list[str]], object], trace: Path) -> str:
    """Return the syncs of a write: those of many writes less those of one."""
    if shutil.which("strace") is None:
        return "–"
    counted = []
    for writes in (1, 1 + TRACED_WRITES):
        told(writes, ["strace", "-f", "-o", str(trace), "-e", "trace=fsync,fdatasync,msync"])
        counted.append(len(re.findall(r"\b(?:f(?:data)?|m)sync\(", trace.read_text())))
    return f"{(counted[1] - counted[0]) / TRACED_WRITES:.1f}"


def offline() -> list[str]:
    """Return what cuts a command off from the network, where that is allowed."""
    cut = ["unshare", "--net", "--map-root-user"]
    try:
        allowed = subprocess.run([*cut, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return []
    return cut if allowed else []


def plain(home: Path | None = None) -> dict[str, str]:
    """Return an environment without this project's, in which nothing is downloaded."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return kept | pip | {"HOME": str(home or Path.home()), "HF_HUB_OFFLINE": "1"}


def main() -> int:
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
