# SPDX-License-Identifier: Apache-2.0
"""Run one memory library: write facts, look names up, try the hard names; print JSON.

    python _peer.py NAME DIRECTORY CASES FACTS SECONDS

Runs in the library's own environment, so it needs nothing else: CASES is a JSON file.
"""

import contextlib
import hashlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOOK_UPS = 1_000
# At least so many, so that what is written before does not show between two short runs.
PREPARED = 100


class BareSqlite:
    """One table and one index: what the disk and SQLite cost, and nothing else."""

    def __init__(self, directory: Path) -> None:
        self._connection = sqlite3.connect(directory / "bare.sqlite3", isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE facts (id INTEGER PRIMARY KEY, name TEXT, fact TEXT)",
            "CREATE INDEX facts_name ON facts (name)",
        ):
            self._connection.execute(statement)

    def write(self, name: str, _: list[str], fact: str) -> None:
        self._connection.execute("INSERT INTO facts (name, fact) VALUES (?, ?)", (name, fact))

    def look_up(self, name: str) -> list[str]:
        rows = self._connection.execute("SELECT fact FROM facts WHERE name = ?", (name,))
        return [fact for (fact,) in rows]


class Mira:
    """This package: the whole admission of a spoken sentence, the whole recall."""

    def __init__(self, directory: Path) -> None:
        from mira_memory.persistent import PersistentMemory
        from mira_memory.recall import recall
        from mira_memory.records import MemoryDraft

        self._memory = PersistentMemory.open(directory / "mira.sqlite3", self_name="Mira")
        self._recall = lambda name: recall(self._memory.store, name)
        self._draft = MemoryDraft
        self._turns = 0

    def prepare(self, names: list[str]) -> None:
        """Make the entities known, as an operator does before anything is said of them."""
        for name in names:
            self._memory.store.add_entity("thing", name)

    def write(self, name: str, aliases: list[str], fact: str) -> None:
        if not fact.startswith(name):
            entity = self._memory.store.add_entity("thing", name).entity.id
            for alias in aliases:
                self._memory.store.add_alias(entity, alias)
            self._memory.store.add_memory(self._draft("note", fact, ((entity, "subject"),)))
            return
        self._turns += 1
        turn = f"turn-{self._turns}"
        self._memory.hear(turn, f"Remember that {fact}.", "operator")
        result = self._memory.remember(
            turn,
            {
                "kind": "fact",
                "subject": name,
                "predicate": "number",
                "value": fact.rsplit(" ", 1)[1],
                "evidence": fact,
                "related_entity": None,
                "related_role": None,
            },
        )
        self._memory.end_turn(turn)
        assert result.admission == "created", result

    def look_up(self, name: str) -> list[str]:
        found = self._recall(name).entities
        return [memory.summary for entity in found for memory in entity.memories]


class RobotMem:
    """`robotmem` without its embedding model, which it would download."""

    def __init__(self, directory: Path) -> None:
        from robotmem.sdk import RobotMemory

        self._memory = RobotMemory(db_path=directory / "robotmem.db", embed_backend="none")

    def write(self, name: str, aliases: list[str], fact: str) -> None:
        self._memory.learn(f"{', '.join([name, *aliases])}: {fact}")

    def look_up(self, name: str) -> list[str]:
        return [found["content"] for found in self._memory.recall(name, n=5)]


class Emem:
    """`emem` without embeddings: its entities, asked for by name."""

    def __init__(self, directory: Path) -> None:
        from emem import SpatioTemporalMemory

        self._memory = SpatioTemporalMemory(db_path=str(directory / "emem.db"))

    def write(self, name: str, aliases: list[str], fact: str) -> None:
        for known in (name, *aliases):
            self._memory.add_entity(known, 0.0, 0.0, metadata={"fact": fact})

    def look_up(self, name: str) -> list[str]:
        found = self._memory.store.query_entities(name=name, n_results=5)
        return [entity.metadata["fact"] for entity in found]


class LangGraph:
    """The SQLite store of `langgraph`: one namespace for each name."""

    def __init__(self, directory: Path) -> None:
        from langgraph.store.sqlite import SqliteStore

        connection = sqlite3.connect(
            directory / "langgraph.sqlite3", isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        self._store = SqliteStore(connection)
        self._store.setup()

    def write(self, name: str, aliases: list[str], fact: str) -> None:
        for known in (name, *aliases):
            # A full stop separates the parts of a namespace and is refused in one.
            self._store.put(("facts",), known, {"fact": fact})

    def look_up(self, name: str) -> list[str]:
        found = self._store.get(("facts",), name)
        return [] if found is None else [found.value["fact"]]


class Mem0:
    """`mem0ai` with `infer=False`, a local Qdrant, and hashed words as embeddings."""

    SIZE = 64

    def __init__(self, directory: Path) -> None:
        os.environ |= {"OPENAI_API_KEY": "none", "MEM0_DIR": str(directory), "MEM0_TELEMETRY": "0"}
        from mem0 import Memory

        self._memory: Any = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "path": str(directory / "qdrant"),
                        "embedding_model_dims": self.SIZE,
                        "on_disk": True,
                    },
                },
                "history_db_path": str(directory / "history.db"),
            }
        )
        self._memory.embedding_model.embed = self._embed
        if hasattr(self._memory.embedding_model, "embed_batch"):
            self._memory.embedding_model.embed_batch = lambda texts, *_, **__: [
                self._embed(text) for text in texts
            ]

    def _embed(self, text: str, *_: Any, **__: Any) -> list[float]:
        vector = [0.0] * self.SIZE
        for word in text.casefold().split():
            vector[hashlib.sha256(word.encode()).digest()[0] % self.SIZE] += 1.0
        return vector

    def write(self, name: str, aliases: list[str], fact: str) -> None:
        self._memory.add(f"{', '.join([name, *aliases])}: {fact}", user_id="robot", infer=False)

    def look_up(self, name: str) -> list[str]:
        found = self._memory.search(name, filters={"user_id": "robot"}, top_k=5)
        return [memory["memory"] for memory in found["results"]]


PEERS: dict[str, Callable[[Path], Any]] = {
    "bare SQLite": BareSqlite,
    "mira": Mira,
    "robotmem": RobotMem,
    "emem": Emem,
    "langgraph": LangGraph,
    "mem0ai": Mem0,
}


def main() -> None:
    """Write, look up, try the names."""
    name, directory, cases, facts, seconds = sys.argv[1:]
    with contextlib.redirect_stdout(sys.stderr):
        peer = PEERS[name](subdirectory(directory, "many"))
        written = write(peer, int(facts), float(seconds))
        looked_up, alone, among = look_up(peer, len(written))
        names = hard_names(PEERS[name](subdirectory(directory, "names")), Path(cases))
    median = sorted(written)[len(written) // 2] / 1e3
    print(
        json.dumps(
            {
                "facts": len(written),
                "write_us": round(median, 1),
                "look_up_us": round(sorted(looked_up)[len(looked_up) // 2] / 1e3, 1),
                "alone": alone / len(looked_up),
                "among": among / len(looked_up),
                "names_right": sum(names),
                "names": len(names),
            }
        )
    )
    sys.stdout.flush()
    # Some leave threads behind that never end.
    os._exit(0)


def subdirectory(directory: str, name: str) -> Path:
    path = Path(directory, name)
    path.mkdir(parents=True)
    return path


def fact_of(number: int) -> tuple[str, str]:
    return f"Entity {number}", f"Entity {number}'s number is {number}"


def write(peer: Any, facts: int, seconds: float) -> list[int]:
    """Return the nanoseconds of each write, as many as there was time for."""
    if hasattr(peer, "prepare"):
        peer.prepare([fact_of(number)[0] for number in range(max(facts, PREPARED))])
    taken = []
    end = time.monotonic() + seconds
    for number in range(facts):
        name, fact = fact_of(number)
        begun = time.perf_counter_ns()
        peer.write(name, [], fact)
        taken.append(time.perf_counter_ns() - begun)
        if time.monotonic() > end:
            break
    return taken


def look_up(peer: Any, facts: int) -> tuple[list[int], int, int]:
    """Return the nanoseconds of each, how often that fact alone was found, how often among others.

    The last number holds the first.
    """
    taken, alone, among = [], 0, 0
    for count in range(LOOK_UPS):
        name, fact = fact_of(count * 37 % facts)
        begun = time.perf_counter_ns()
        found = peer.look_up(name)
        taken.append(time.perf_counter_ns() - begun)
        is_there = any(text.endswith(fact) or f"{fact}." in text for text in found)
        among += is_there
        alone += is_there and len(found) == 1
    return taken, alone, among


def hard_names(peer: Any, cases: Path) -> list[bool]:
    """Return for each question whether it was answered by the right facts and no other."""
    asked = json.loads(cases.read_text(encoding="utf-8"))
    for number, entity in enumerate(asked["entities"], start=1):
        peer.write(entity["name"], entity.get("aliases", []), f"the fact numbered <{number}>")
    right = []
    for probe in asked["probes"]:
        try:
            told = peer.look_up(probe["ask"])
        except Exception:
            told = ["a failure"] if probe["finds"] else []
        expected = {f"<{identity.removeprefix('ENT')}>" for identity in probe["finds"]}
        found = {text[text.find("<") : text.find(">") + 1] for text in told}
        right.append(found == expected)
    return right


if __name__ == "__main__":
    main()
