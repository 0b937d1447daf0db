# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import threading
import time

import pytest

from mira_cognition.attention import Attention
from mira_cognition.bounds import Bounds, Cancellation
from mira_cognition.capabilities import Acquired
from mira_cognition.grounding import SensorReading
from mira_cognition.sensor_config import (
    AttentionConfig,
    SensorConfig,
    SensorsRefused,
    read_sensors,
)
from mira_cognition.sensors import Sensors
from mira_cognition.trigger import SensorEvent

BATTERY = """
- name: battery
  topic: /battery_state
  type: sensor_msgs/msg/BatteryState
  fields: [percentage]
  max_age_s: 5
  attention: {field: percentage, below: 0.2}
"""


class Clock:
    seconds = 100.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def sensors(clock):
    return Sensors(read_sensors(BATTERY), clock)


def bounds(seconds=0.0):
    return Bounds(seconds, time.monotonic, Cancellation())


def test_a_fresh_sample_is_observed_at_once(sensors, clock):
    sensors.sampled("battery", (("percentage", 0.83),))
    clock.seconds += 5.0
    assert sensors.observe("battery", bounds()) == Acquired("fresh", "percentage=0.83")


def test_an_old_sample_is_no_fresh_data(sensors, clock):
    sensors.sampled("battery", (("percentage", 0.83),))
    clock.seconds += 5.1
    assert sensors.observe("battery", bounds()) == Acquired(
        "stale", "No fresh data. The last value, 5.1 s old: percentage=0.83"
    )


def test_a_sensor_that_never_spoke_has_no_data(sensors):
    assert sensors.observe("battery", bounds()).status == "no_data"


def test_a_sample_without_values_is_no_data(sensors):
    sensors.sampled("battery", ())
    assert sensors.observe("battery", bounds()).status == "no_data"


def test_an_unknown_sensor_is_invalid_and_the_known_ones_are_named(sensors):
    assert sensors.observe("door", bounds()) == Acquired(
        "invalid", "No such sensor. The sensors are: battery."
    )


def test_observing_waits_for_the_next_sample(sensors):
    results = []
    waiting = threading.Thread(
        target=lambda: results.append(sensors.observe("battery", bounds(10.0)))
    )
    waiting.start()
    sensors.sampled("battery", (("percentage", 0.5),))
    waiting.join(5.0)
    assert results == [Acquired("fresh", "percentage=0.5")]


def test_readings_give_value_and_age_in_the_order_of_the_configuration(clock):
    sensors = Sensors(read_sensors(BATTERY + BATTERY.replace("battery", "door", 1)), clock)
    sensors.sampled("door", (("percentage", 1.0),))
    clock.seconds += 2.0
    assert sensors.readings() == (
        SensorReading("battery", None, None),
        SensorReading("door", "percentage=1", 2.0),
    )


def test_a_crossing_raises_one_event(clock):
    attention = Attention("battery", AttentionConfig(field="percentage", below=0.2), clock)
    samples = [0.5, 0.21, 0.19, 0.1, 0.19]
    raised = [attention.sampled((("percentage", value),)) for value in samples]
    event = SensorEvent("battery", "percentage=0.19, below 0.2")
    assert raised == [None, None, event, None, None]


def test_a_crossing_within_the_cool_down_raises_none(clock):
    config = AttentionConfig(field="percentage", above=30.0, cooldown_s=60.0)
    attention = Attention("heat", config, clock)

    def crossed():
        attention.sampled((("percentage", 20.0),))
        return attention.sampled((("percentage", 31.0),)) is not None

    assert crossed()
    clock.seconds += 59.0
    assert not crossed()
    clock.seconds += 1.0
    assert crossed()


def test_a_change_raises_an_event_and_the_first_value_does_not(clock):
    config = AttentionConfig(field="state", changes=True, cooldown_s=0.0)
    attention = Attention("door", config, clock)
    raised = [
        attention.sampled((("state", value),)) for value in ("open", "open", "closed", "open")
    ]
    assert [event is not None for event in raised] == [False, False, True, True]


def test_a_sample_without_the_watched_field_changes_nothing(clock):
    attention = Attention("battery", AttentionConfig(field="percentage", below=0.2), clock)
    assert attention.sampled((("voltage", 3.0),)) is None
    assert attention.sampled((("percentage", 0.1),)) is not None


def test_no_sensors_is_a_configuration_too():
    assert read_sensors("") == read_sensors("[]") == ()


def test_a_sensor_is_read_with_its_defaults():
    (sensor,) = read_sensors("[{name: a, topic: b, type: std_msgs/msg/String, fields: [data]}]")
    assert sensor == SensorConfig(
        name="a", topic="b", type="std_msgs/msg/String", fields=("data",), max_age_s=5.0
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[", "sensors is no YAML: "),
        ("[{name: 2026-13-45}]", "sensors is no YAML: month must be in 1..12"),
        ("[" * 5000, "sensors is no YAML: maximum recursion depth exceeded"),
        ("battery", "sensors: Input should be a valid tuple; expected a list of"),
        (BATTERY.replace("max_age_s: 5", "max_age_s: 0"), "sensors.0.max_age_s: "),
        (BATTERY.replace("topic", "topik"), "sensors.0.topic: Field required"),
        (BATTERY.replace("[percentage]", "[]"), "sensors.0.fields: "),
        (
            BATTERY.replace("below: 0.2", "below: 0.2, above: 1"),
            "give exactly one of below, above",
        ),
        (BATTERY.replace("field: percentage", "field: voltage"), "must be one of the fields"),
        (BATTERY + BATTERY, "sensors: has 2 sensors named battery; give each its own name"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused(text, sentence):
    with pytest.raises(SensorsRefused, match="sensors") as refused:
        read_sensors(text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
