# SPDX-License-Identifier: Apache-2.0
"""Sensors of real message types, heard and watched by the real cognition node."""

import json
import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import qos_profile_sensor_data
from robot_graph import wait_until
from sensor_msgs.msg import BatteryState, Range

BATTERY = {
    "name": "battery",
    "topic": "battery_state",
    "type": "sensor_msgs/msg/BatteryState",
    "fields": ["percentage"],
    "max_age_s": 60.0,
}


class Source:
    """Publish a sensor's present value twenty times a second, as a driver does."""

    def __init__(self, probe, msg_type, topic):
        self._publisher = probe.node.create_publisher(msg_type, topic, qos_profile_sensor_data)
        self._present = None
        probe.node.create_timer(0.05, self._publish)

    def shows(self, message):
        self._present = message

    def _publish(self):
        if self._present is not None:
            self._publisher.publish(self._present)


@pytest.fixture
def battery(probe):
    return Source(probe, BatteryState, "battery_state")


def start(graph, *sensors):
    return graph.start_cognition(sensors=json.dumps(sensors), memory_enabled=False)


def diagnosed(probe, title):
    arrays = probe.listen(DiagnosticArray, "/diagnostics", 10)

    def found():
        return [
            status
            for array in arrays
            for status in array.status
            if status.name == f"mira/cognition: {title}"
        ]

    wait_until(found, f"the diagnostics of {title}")
    return found()[-1]


def test_a_sensor_is_observed_by_its_name(graph, battery, talker):
    start(graph, BATTERY)
    battery.shows(BatteryState(percentage=0.5))
    reply = talker.tell("What is the battery?")
    assert (reply.text, reply.acquisitions) == ("battery: percentage=0.5", 1)
    assert ("observe", "fresh") in talker.steps(reply.turn_id)


def test_nan_is_no_data(graph, battery, talker):
    start(graph, BATTERY)
    battery.shows(BatteryState(percentage=math.nan))
    reply = talker.tell("What is the battery?")
    assert "No fresh data" in reply.text
    assert ("observe", "no_data") in talker.steps(reply.turn_id)


def test_a_crossing_raises_one_attention_episode_without_a_turn(graph, battery, talker):
    start(graph, {**BATTERY, "attention": {"field": "percentage", "below": 0.2}})
    battery.shows(BatteryState(percentage=0.5))
    assert talker.tell("What is the battery?").text == "battery: percentage=0.5"
    battery.shows(BatteryState(percentage=0.125))
    wait_until(lambda: talker.replies_to(""), "the robot's own words")
    battery.shows(BatteryState(percentage=0.0625))
    assert talker.tell("What is the battery?").text.startswith("battery: percentage=0.")
    attention = [reply for reply in talker.replies if not reply.turn_id]
    assert [(reply.text, reply.outcome, reply.memory_status) for reply in attention] == [
        ("Attention, battery: percentage=0.125, below 0.2.", "completed", "")
    ]
    assert {event.trigger for event in talker.events if not event.turn_id} == {"attention"}
    assert attention[0].text in [said.data for said in talker.spoken]


def test_a_sensor_that_cannot_be_heard_is_reported_and_the_node_runs_on(graph, probe, talker):
    process = start(
        graph,
        {**BATTERY, "name": "nowhere", "type": "nothing_msgs/msg/Nothing"},
        {**BATTERY, "name": "no_type", "type": "BatteryState"},
        {**BATTERY, "name": "no_field", "fields": ["charge_left"]},
        {**BATTERY, "name": "no_topic", "topic": "not a topic"},
        {**BATTERY, "name": "silent", "type": "sensor_msgs/msg/Range", "fields": ["range"]},
    )
    for name in ("nowhere", "no_type", "no_field", "no_topic"):
        assert f"Sensor {name} is not heard: " in process.log()
    assert "the message type nothing_msgs/msg/Nothing is not installed" in process.log()
    assert "there is no field 'charge_left' in BatteryState" in process.log()
    status = diagnosed(probe, "sensors")
    assert status.message == "Not heard: no_field, no_topic, no_type, nowhere."
    assert status.hardware_id == "Mira"
    assert {value.key: value.value for value in status.values}["silent"] == "no data"
    assert talker.tell("Hello.").outcome == "completed"


def test_diagnostics_count_replies_and_tell_how_the_model_does(graph, probe, talker):
    start(graph)
    assert talker.tell("Hello.").outcome == "completed"
    status = diagnosed(probe, "model")
    assert status.message == "It answers."
    values = {value.key: value.value for value in status.values}
    assert (values["Model"], values["Reachable"]) == ("offline", "yes")
    assert float(values["Last latency (s)"]) >= 0.0
    episodes = diagnosed(probe, "episodes")
    assert ("Replies: completed", "1") in [(v.key, v.value) for v in episodes.values]
    assert ("Queue depth", "0") in [(v.key, v.value) for v in episodes.values]


def test_a_fresh_value_is_waited_for(graph, probe, talker):
    sonar = Source(probe, Range, "sonar")
    sensor = {
        "name": "sonar",
        "topic": "sonar",
        "type": "sensor_msgs/msg/Range",
        "fields": ["range"],
    }
    start(graph, sensor)
    turn = talker.say("What is the sonar?")
    wait_until(lambda: talker.steps(turn), "the question")
    sonar.shows(Range(range=2.5))
    assert talker.reply_to(turn).text == "sonar: range=2.5"
