# SPDX-License-Identifier: Apache-2.0
"""A simulated clock that stops, runs fast or jumps back disturbs nothing that must last."""

import itertools
import json
import signal
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from mira.msg import MemoryEvent
from mira.srv import AddEntity, RecallMemory
from probe import Probe
from rclpy.duration import Duration
from rclpy.qos import qos_profile_sensor_data
from rclpy.time import Time
from robot_graph import RobotGraph, wait_until
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, Range
from talking import Talker

from mira_ros.qos import EVENT_QOS

TICK_S = 0.02
BATTERY = {
    "name": "battery",
    "topic": "battery_state",
    "type": "sensor_msgs/msg/BatteryState",
    "fields": ["percentage"],
    "max_age_s": 60.0,
}
SONAR = {
    "name": "sonar",
    "topic": "sonar",
    "type": "sensor_msgs/msg/Range",
    "fields": ["range"],
    "attention": {"field": "range", "changes": True, "cooldown_s": 0.01},
}


class SimulatedClock:
    """Publish /clock fifty times a second; `speed` simulated seconds pass in each real one."""

    def __init__(self, probe: Probe) -> None:
        self.now = Time(seconds=1000)
        self.speed = 1.0
        self._publisher = probe.node.create_publisher(Clock, "/clock", 10)
        probe.node.create_timer(TICK_S, self._tick)

    def _tick(self) -> None:
        self.now += Duration(seconds=self.speed * TICK_S)
        self._publisher.publish(Clock(clock=self.now.to_msg()))


@pytest.fixture
def clock(probe: Probe) -> SimulatedClock:
    return SimulatedClock(probe)


def test_stored_times_are_real_and_events_are_stamped_with_simulated_time(
    graph: RobotGraph, probe: Probe, clock: SimulatedClock
) -> None:
    graph.start_memory(use_sim_time=True)
    events = probe.listen(MemoryEvent, "memory_events", EVENT_QOS)
    wait_until(lambda: probe.node.count_publishers("/mira/memory_events"), "the publisher")
    began = datetime.now(UTC)
    for name, speed, simulated in (
        ("Usual", 1.0, 1000),
        ("Stopped", 0.0, 2000),
        ("Fast", 1000.0, 500_000),
        ("Back", 1.0, 50),
    ):
        clock.speed, clock.now = speed, Time(seconds=simulated)
        stamp = stamped_from(probe, events, name, simulated)
        assert simulated <= stamp < simulated + 100_000
        (found,) = probe.call(RecallMemory, "recall_memory", query=f"{name} 0").entities
        created = datetime.fromisoformat(found.entity.created_at)
        assert began - timedelta(seconds=1) <= created <= datetime.now(UTC)


def stamped_from(probe: Probe, events: list[Any], name: str, simulated: int) -> int:
    """Add entities until an event shows that the node has heard of the new simulated time."""
    seconds: list[int] = []

    def heard() -> bool:
        count = len(events)
        added = probe.call(
            AddEntity,
            "memory/add_entity",
            entity_type="thing",
            canonical_name=f"{name} {len(seconds)}",
        )
        assert added.success, added.error
        wait_until(lambda: len(events) > count, "the event")
        seconds.append(events[-1].stamp.sec)
        return simulated <= seconds[-1] < simulated + 100_000

    wait_until(heard, f"the simulated time {simulated}")
    return seconds[-1]


@pytest.mark.parametrize(("speed", "jump"), [(0.0, 0), (1000.0, 0), (1.0, -900)])
def test_a_deadline_is_kept_by_the_steady_clock(
    graph: RobotGraph, clock: SimulatedClock, talker: Talker, speed: float, jump: int
) -> None:
    memory = graph.start_memory(use_sim_time=True)
    graph.start_cognition(use_sim_time=True, deadline_s=1.5, memory_timeout_s=60.0)
    memory.send(signal.SIGSTOP)
    clock.speed = speed
    began = time.monotonic()
    turn = talker.say("What do you know about Gordon?")
    wait_until(lambda: talker.steps(turn), "the episode to begin")
    clock.now += Duration(seconds=jump)
    reply = talker.reply_to(turn, within_s=10.0)
    assert reply.outcome == "deadline_exceeded"
    assert time.monotonic() - began >= 1.4
    memory.send(signal.SIGCONT)
    assert talker.tell("Hello.").outcome == "completed"


@pytest.mark.parametrize(("cooldown_s", "raised"), [(300, 1), (0.01, 2)])
def test_a_cool_down_is_not_shortened_by_a_fast_clock(
    graph: RobotGraph,
    probe: Probe,
    clock: SimulatedClock,
    talker: Talker,
    cooldown_s: float,
    raised: int,
) -> None:
    watched = {**BATTERY, "attention": {"field": "percentage", "below": 0.2}}
    watched["attention"]["cooldown_s"] = cooldown_s
    graph.start_cognition(
        use_sim_time=True, memory_enabled=False, sensors=json.dumps([watched, SONAR])
    )
    battery = probe.node.create_publisher(BatteryState, "battery_state", qos_profile_sensor_data)
    sonar = probe.node.create_publisher(Range, "sonar", qos_profile_sensor_data)
    ranges = itertools.count()
    clock.speed = 100_000.0

    def alarms(sensor: str) -> int:
        return sum(f"{sensor}: " in reply.text for reply in talker.replies_to(""))

    def recovers() -> None:
        def seen() -> bool:
            battery.publish(BatteryState(percentage=0.5))
            return talker.tell("What is the battery?").text.endswith("=0.5")

        wait_until(seen, "the charged battery")

    def runs_low() -> None:
        """Publish, and wait for an alarm of the sensor that is heard after the battery."""
        heard = alarms("sonar")
        battery.publish(BatteryState(percentage=0.125))

        def told() -> bool:
            sonar.publish(Range(range=float(next(ranges))))
            return alarms("sonar") > heard

        wait_until(told, "the sonar's alarm")

    recovers()
    runs_low()
    assert alarms("battery") == 1
    recovers()
    began = clock.now
    wait_until(lambda: clock.now - began > Duration(seconds=1000), "a simulated cool-down")
    runs_low()
    assert alarms("battery") == raised
