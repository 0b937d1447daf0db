# SPDX-License-Identifier: Apache-2.0
"""A memory node whose health is watched while something happens to its file."""

import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from mira import srv
from mira.msg import MemoryLink, MemoryStatus
from probe import Probe
from proposals import add_entities, remember
from robot_graph import NodeProcess, wait_until

from mira_ros.qos import LATCHED_QOS

BOUND_S = 6.0
SUBJECT = MemoryLink(entity_id="ENT1", role="subject")
READS: dict[Any, tuple[str, dict[str, Any]]] = {
    srv.FindEntity: ("find_entity", {"name": "Gordon"}),
    srv.FindMemories: ("find_memories", {"name": "Gordon"}),
    srv.ListEntities: ("list_entities", {}),
    srv.ListMemories: ("list_memories", {"entity_id": "ENT1"}),
    srv.ShowMemory: ("show_memory", {"memory_id": "MEM1"}),
}
WRITES: dict[Any, tuple[str, dict[str, Any]]] = {
    srv.AddEntity: ("add_entity", {"entity_type": "person", "canonical_name": "Zoë"}),
    srv.AddAlias: ("add_alias", {"entity_id": "ENT1", "alias": "Boss"}),
    srv.AddMemory: ("add_memory", {"kind": "note", "summary": "x" * 1000, "links": [SUBJECT]}),
}


class WatchedMemory:
    """A memory node with one entity and one memory, whose health is watched."""

    def __init__(self, probe: Probe, process: NodeProcess) -> None:
        self._probe = probe
        self._process = process
        self._statuses = probe.listen(MemoryStatus, "memory/status", LATCHED_QOS)
        self._arrays = probe.listen(DiagnosticArray, "/diagnostics")
        self._turns = 0
        add_entities(probe, "Gordon")
        self.proposal = self._new_proposal()
        assert remember(probe, **self.proposal).memory_id == "MEM1"

    def assert_healthy(self) -> None:
        """Check that health turns green unasked, and that everything works."""
        wait_until(lambda: self._is("healthy"), "a healthy status")
        assert remember(self._probe, **self._new_proposal()).admission == "created"
        assert self.recalled("Gordon") == "hit"
        assert self.recalled("Nobody") == "miss"
        for verb, fields in READS.items():
            assert self.administered(verb, *fields) == ""

    def assert_writes_fail(self, said: str) -> None:
        """Check that nothing can be written and that health and diagnostics say so."""
        proposal = self._new_proposal()
        answer = self._bounded(srv.Remember, "remember", proposal)
        assert (answer.status, answer.reason) == ("rejected", "backend_failure")
        assert (answer.memory_id, answer.admission) == ("", "")
        for verb, fields in WRITES.items():
            assert said in self.administered(verb, *fields)
        wait_until(lambda: self._is("red"), "a red status and red diagnostics")
        assert said in self._statuses[-1].last_error
        assert self._process.running(), self._process.log()

    def assert_reads_fail(self, said: str) -> None:
        """Check that nothing looks like a miss, whether it was asked before or not."""
        for query in ("Gordon", "Nobody", "Never asked"):
            answer = self._bounded(srv.RecallMemory, "recall_memory", {"query": query})
            assert (answer.status, answer.entities) == ("failure", [])
            assert said in answer.error
            assert said in answer.text
        for verb, fields in READS.items():
            assert said in self.administered(verb, *fields)

    def assert_reads_work(self) -> None:
        """Check that what is stored is known all the same."""
        assert self.recalled("Gordon") == "hit"
        assert self.recalled("Nobody") == "miss"
        for verb, fields in READS.items():
            assert self.administered(verb, *fields) == ""

    def assert_stays_red(self) -> None:
        """Check that the next two reports are red."""
        seen = len(self._arrays)
        wait_until(lambda: len(self._arrays) >= seen + 2, "two reports")
        levels = {
            status.level
            for array in self._arrays[seen:]
            for status in array.status
            if status.name == "mira/memory: store"
        }
        assert levels == {DiagnosticStatus.ERROR}
        assert not self._statuses[-1].healthy
        assert not self._probe.call(srv.GetMemoryStatus, "memory/get_status").status.healthy

    def recalled(self, query: str) -> str:
        return str(self._bounded(srv.RecallMemory, "recall_memory", {"query": query}).status)

    def administered(self, srv_type: Any, verb: str, fields: dict[str, Any]) -> str:
        """Call an administration service and return its error, empty on success."""
        answer = self._bounded(srv_type, f"memory/{verb}", fields)
        assert answer.success == (answer.error == "")
        return str(answer.error)

    def _bounded(self, srv_type: Any, name: str, fields: dict[str, Any]) -> Any:
        began = time.monotonic()
        answer = self._probe.call(srv_type, name, **fields)
        assert time.monotonic() - began < BOUND_S, name
        return answer

    def _new_proposal(self) -> dict[str, str]:
        self._turns += 1
        evidence = f"Gordon's wish number {self._turns} is herring"
        self._probe.say(f"turn {self._turns}", f"Remember that {evidence}.")
        return {
            "turn_id": f"turn {self._turns}",
            "kind": "fact",
            "subject": "Gordon",
            "predicate": f"wish_{self._turns}",
            "value": "herring",
            "evidence": evidence,
        }

    def _is(self, colour: str) -> bool:
        red = [
            status.level == DiagnosticStatus.ERROR
            for array in self._arrays[-1:]
            for status in array.status
            if status.name == "mira/memory: store"
        ]
        if not red or not self._statuses:
            return False
        is_red, is_healthy = red[0], self._statuses[-1].healthy
        return is_red and not is_healthy if colour == "red" else is_healthy and not is_red
