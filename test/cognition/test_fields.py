# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from mira_cognition.fields import TEXT_MAX, NoSuchField, as_text, read_fields

geometry = pytest.importorskip("geometry_msgs.msg", reason="needs the message packages")
sensor = pytest.importorskip("sensor_msgs.msg", reason="needs the message packages")


def test_fields_are_read_by_dotted_paths():
    pose = geometry.Pose()
    pose.position.x = 1.5
    assert read_fields(pose, ["position.x", "orientation.w"]) == (
        ("position.x", 1.5),
        ("orientation.w", 1.0),
    )


def test_an_element_of_a_list_is_read_by_its_number():
    scan = sensor.LaserScan(ranges=[1.0, 2.5])
    assert read_fields(scan, ["ranges.1", "ranges.7"]) == (("ranges.1", 2.5),)


def test_nan_is_no_data():
    battery = sensor.BatteryState(percentage=math.nan, voltage=12.5)
    assert read_fields(battery, ["percentage", "voltage"]) == (("voltage", 12.5),)


def test_nan_within_a_list_is_no_data():
    scan = sensor.LaserScan(ranges=[math.nan, 2.5])
    assert read_fields(scan, ["ranges"]) == (("ranges", "[2.5]"),)
    assert read_fields(sensor.LaserScan(ranges=[math.nan]), ["ranges"]) == ()


def test_a_long_list_is_shown_by_its_first_elements():
    scan = sensor.LaserScan(ranges=[float(n) for n in range(100)])
    ((_, text),) = read_fields(scan, ["ranges"])
    assert text == "[0, 1, 2, 3, 4, 5, 6, 7, … 100 in all]"


def test_a_message_within_is_shown_field_by_field():
    assert read_fields(geometry.PointStamped(), ["point"]) == (("point", "x=0, y=0, z=0"),)


@pytest.mark.parametrize(
    "path", ["charging", "percentage.value", "__class__", "header.stamp.hours"]
)
def test_a_path_that_leads_nowhere_is_named(path):
    with pytest.raises(NoSuchField, match="there is no field") as missing:
        read_fields(sensor.BatteryState(), [path])
    assert path in str(missing.value)


def test_text_is_shown_on_one_bounded_line():
    assert as_text("two\nlines") == "two lines"
    assert len(as_text("x" * 1000)) == TEXT_MAX
