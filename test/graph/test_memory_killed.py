# SPDX-License-Identifier: Apache-2.0
"""SIGKILL of the memory node at random moments under load; MIRA_FULL=1 makes it 200 times."""

import itertools
import os
import random
import signal
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from mira.msg import MemoryLink
from mira.srv import AddMemory, GetMemoryStatus, Remember
from probe import Probe
from proposals import add_entities
from robot_graph import NodeProcess, RobotGraph, wait_until

from mira_ros.calls import CallOutcome

KILLS = 200 if os.environ.get("MIRA_FULL") == "1" else 8
LONGEST_LOAD_S = 0.3
ASKED_AGAIN = 12
LINKS = [MemoryLink(entity_id="ENT1", role="subject"), MemoryLink(entity_id="ENT2", role="friend")]


class Load:
    """Two clients, one that proposes and one that writes by hand, and what they were told."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._numbers = itertools.count(1)
        self.proposed: dict[str, dict[str, str]] = {}
        self.answers: dict[str, Any] = {}
        self.noted: list[str] = []

    def run(self, ended: threading.Event) -> list[threading.Thread]:
        """Start both; they end with the call under way when `ended` is set."""
        threads = [
            threading.Thread(target=self._until, args=(ended, step))
            for step in (self._propose, self._note)
        ]
        for thread in threads:
            thread.start()
        return threads

    def _until(self, ended: threading.Event, step: Any) -> None:
        while not ended.is_set():
            step(ended)

    def _propose(self, ended: threading.Event) -> None:
        number = next(self._numbers)
        turn = f"turn {number}"
        evidence = f"Gordon's friend number {number} is Anna"
        self.proposed[turn] = {
            "turn_id": turn,
            "kind": "relationship",
            "subject": "Gordon",
            "predicate": f"friend_{number}",
            "value": "Anna",
            "evidence": evidence,
            "related_entity": "Anna",
            "related_role": "friend",
        }
        self._probe.say(turn, f"Remember that {evidence}.")
        answer = self._answer(Remember, "remember", self.proposed[turn], ended)
        if answer is not None and answer.status == "applied":
            self.answers[turn] = answer
            self._probe.reply(turn)

    def _note(self, ended: threading.Event) -> None:
        fields = {"kind": "note", "summary": "They met.", "links": LINKS}
        answer = self._answer(AddMemory, "memory/add_memory", fields, ended)
        if answer is not None:
            assert answer.success, answer.error
            self.noted.append(answer.memory.id)

    def _answer(
        self, srv_type: Any, name: str, fields: dict[str, Any], ended: threading.Event
    ) -> Any:
        call = self._probe.caller(srv_type, name).call(
            srv_type.Request(**fields), 5.0, resend_s=0.5, cancelled=ended
        )
        return call.response if call.outcome is CallOutcome.ANSWERED else None


def stored(path: Path) -> tuple[set[str], dict[str, str]]:
    """Check that the file is whole, and return its memories and which turn made which."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)

    def ask(question: str) -> list[Any]:
        return connection.execute(question).fetchall()

    assert ask("PRAGMA integrity_check") == [("ok",)]
    assert ask("PRAGMA foreign_key_check") == []
    assert (
        ask(
            """SELECT m.id FROM memories AS m WHERE
        (SELECT count(*) FROM memory_entity_links WHERE memory_id = m.id) <> 2
        OR (SELECT count(*) FROM memory_payloads
            WHERE memory_id = m.id AND text_content = m.summary) <> 1"""
        )
        == []
    ), "half memories"
    rows = ask("SELECT id, turn_id FROM memories ORDER BY id")
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    assert ask("SELECT active_memory_count FROM entities") == [(len(rows),)] * 2
    assert ask("SELECT seq FROM sqlite_sequence WHERE name = 'total of memories'") == [
        (len(rows),)
    ]
    connection.close()
    return {f"MEM{number}" for number, _ in rows}, {
        turn: f"MEM{number}" for number, turn in rows if turn is not None
    }


def killed_under_load(process: NodeProcess, load: Load, seconds: float) -> None:
    """Run the load, kill the node `seconds` after an acknowledgement of each kind."""
    before = len(load.answers), len(load.noted)
    ended = threading.Event()
    clients = load.run(ended)
    try:
        wait_until(
            lambda: len(load.answers) > before[0] and len(load.noted) > before[1],
            "an acknowledgement of each kind",
        )
        ended.wait(seconds)
    finally:
        process.send(signal.SIGKILL)
        ended.set()
        for client in clients:
            client.join(10.0)
    assert process.wait() == -signal.SIGKILL


def asked_again(probe: Probe, load: Load) -> dict[str, Any]:
    """Return the answers to the latest proposals, sent once more and all at once."""

    def ask(turn: str) -> Any:
        return probe.call(Remember, "remember", resend_s=1.0, **load.proposed[turn])

    turns = list(load.proposed)[-ASKED_AGAIN:]
    probe.caller(Remember, "remember")
    with ThreadPoolExecutor(ASKED_AGAIN) as pool:
        return dict(zip(turns, pool.map(ask, turns), strict=True))


def test_killed_at_random_moments_it_keeps_every_acknowledged_memory_whole(
    graph: RobotGraph, probe: Probe
) -> None:
    path = graph.directory / "memory.sqlite3"
    chance = random.Random(KILLS)
    process = graph.start_memory(assertion_guard=False)
    add_entities(probe, "Gordon", "Anna")
    load = Load(probe)
    for _ in range(KILLS):
        killed_under_load(process, load, chance.uniform(0.0, LONGEST_LOAD_S))
        memories, by_turn = stored(path)
        assert set(load.noted) <= memories
        assert {(turn, answer.memory_id) for turn, answer in load.answers.items()} <= set(
            by_turn.items()
        )
        process = graph.start_memory(assertion_guard=False)
        # On a crowded machine it can take long until a restarted node is found again.
        status = probe.call(
            GetMemoryStatus, "memory/get_status", within_s=60.0, resend_s=0.5
        ).status
        assert (status.healthy, status.memories) == (True, len(memories))
        for turn, again in asked_again(probe, load).items():
            if turn in load.answers:
                assert again == load.answers[turn]
            else:
                assert again.memory_id == by_turn.get(turn, "")
                assert again.admission == ("created" if turn in by_turn else "")
        assert stored(path) == (memories, by_turn), "an answer given again wrote something"
