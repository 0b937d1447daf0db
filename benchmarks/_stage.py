# SPDX-License-Identifier: Apache-2.0
"""Set a scenario up on the real nodes, say its words, and collect what came of it."""

import json
import time
from typing import Any

from mira.msg import MemoryLink
from mira.srv import AddAlias, AddEntity, AddMemory, ListEntities, ListMemories
from rclpy.qos import qos_profile_sensor_data
from robot_graph import wait_until
from sensor_msgs.msg import BatteryState
from std_msgs.msg import String
from std_srvs.srv import Trigger
from talking import Talker

from benchmarks._scenarios import Observed, Scenario

SENSORS = [
    {
        "name": "battery",
        "topic": "battery",
        "type": "sensor_msgs/msg/BatteryState",
        "fields": ["percentage"],
        "max_age_s": 0.5,
    },
    {
        "name": "place",
        "topic": "place",
        "type": "std_msgs/msg/String",
        "fields": ["data"],
        "max_age_s": 0.5,
    },
]
# Until then a sensor's value of the scenario before is out of date, and the new one is there.
SETTLED_S = 0.6
CALLS = ("recall_memory", "observe", "remember")
REPLY_S = 60.0


class ScenarioStage:
    """One cognition node for all scenarios; a memory node with an empty file for each."""

    def __init__(self, graph: Any, probe: Any, parameters: dict[str, Any]) -> None:
        self._graph = graph
        self._probe = probe
        self._memory_enabled = parameters["memory_enabled"]
        self._files = 0
        self._turns = 0
        self._showing: dict[str, Any] = {}
        self._publishers = {
            "battery": probe.node.create_publisher(
                BatteryState, "battery", qos_profile_sensor_data
            ),
            "place": probe.node.create_publisher(String, "place", qos_profile_sensor_data),
        }
        probe.node.create_timer(0.1, self._show)
        graph.start_cognition(sensors=json.dumps(SENSORS), **parameters)
        self._talker = Talker(graph, probe)
        self._tell("Hello.")

    def run(self, scenario: Scenario) -> Observed:
        """Run one scenario from an empty store."""
        present = self._memory_enabled and scenario.memory != "absent"
        memory = self._start_memory(scenario) if present else None
        self._showing = {name: v for name, v in scenario.sensors.items() if v is not None}
        self._probe.call(Trigger, "cognition/clear_working_memory")
        for words in scenario.before:
            self._tell(words)
        time.sleep(SETTLED_S)
        known = set() if memory is None else self._stored()
        turn = self._tell(scenario.said)
        reply = self._talker.reply_to(turn)
        events = [event for event in self._talker.events if event.turn_id == turn]
        actions = [event.action for event in events]
        observed = Observed(
            reply=reply.text,
            outcome=reply.outcome,
            memory_status=reply.memory_status,
            memory_reason=reply.memory_reason,
            seconds=events[-1].duration_s,
            model_seconds=sum(e.duration_s for e in events if e.action == "model"),
            model_requests=actions.count("model"),
            calls=[action for action in actions if action in CALLS],
            stored=[]
            if memory is None
            else [value for _, value in sorted(self._stored() - known)],
        )
        if memory is not None:
            memory.stop()
        return observed

    def _tell(self, words: str) -> str:
        self._turns += 1
        turn = f"turn-{self._turns}"
        self._talker.tell(words, turn, REPLY_S)
        wait_until(
            lambda: "end" in [action for action, _ in self._talker.steps(turn)], "its last step"
        )
        return turn

    def _start_memory(self, scenario: Scenario) -> Any:
        self._files += 1
        memory = self._graph.start_memory(
            database_path=str(self._graph.directory / f"memory-{self._files}.sqlite3"),
            assertion_guard_languages=["en"],
            self_name="Mira",
        )
        identities: dict[str, str] = {}
        for entity in scenario.entities:
            added = self._change(
                AddEntity, "add_entity", entity_type=entity.type, canonical_name=entity.name
            )
            identities[entity.name] = added.entity.id
            for alias in entity.aliases:
                self._change(AddAlias, "add_alias", entity_id=added.entity.id, alias=alias)
        for subject, predicate, value, said in scenario.known:
            link = MemoryLink(entity_id=identities[subject], role="subject")
            self._change(
                AddMemory,
                "add_memory",
                kind="fact",
                summary=said,
                links=[link],
                predicate=predicate,
                value=value,
            )
        return memory

    def _change(self, srv_type: Any, name: str, **fields: Any) -> Any:
        response = self._probe.call(srv_type, f"memory/{name}", **fields)
        assert response.success, response.error
        return response

    def _stored(self) -> set[tuple[str, str]]:
        entities = self._change(ListEntities, "list_entities", limit=1000).entities
        return {
            (memory.id, memory.value)
            for entity in entities
            for memory in self._change(
                ListMemories, "list_memories", entity_id=entity.id, limit=1000
            ).memories
        }

    def _show(self) -> None:
        shown = self._showing
        if "battery" in shown:
            self._publishers["battery"].publish(BatteryState(percentage=shown["battery"]))
        if "place" in shown:
            self._publishers["place"].publish(String(data=shown["place"]))
