# SPDX-License-Identifier: Apache-2.0
from typing import Any

import pytest
from probe import Probe
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import DescribeParameters, GetParameters, SetParameters
from rclpy.parameter import Parameter
from robot_graph import RobotGraph

TYPES = {
    "database_path": ParameterType.PARAMETER_STRING,
    "self_name": ParameterType.PARAMETER_STRING,
    "turn_ttl_s": ParameterType.PARAMETER_DOUBLE,
    "assertion_guard": ParameterType.PARAMETER_BOOL,
    "assertion_guard_languages": ParameterType.PARAMETER_STRING_ARRAY,
    "admin_services": ParameterType.PARAMETER_BOOL,
    "speakers": ParameterType.PARAMETER_STRING_ARRAY,
    "service_introspection": ParameterType.PARAMETER_STRING,
}


def test_every_parameter_describes_itself_and_is_read_only(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory(turn_ttl_s=60)
    described = probe.call(
        DescribeParameters, "memory/describe_parameters", names=list(TYPES)
    ).descriptors
    assert {each.name: each.type for each in described} == TYPES
    assert all(each.read_only and each.description.endswith(".") for each in described)
    (ttl,) = (each for each in described if each.name == "turn_ttl_s")
    (bounds,) = ttl.floating_point_range
    assert (bounds.from_value, bounds.to_value) == (1.0, 86400.0)
    values = probe.call(GetParameters, "memory/get_parameters", names=["turn_ttl_s"]).values
    assert values[0].double_value == 60.0


def test_a_change_that_could_not_take_effect_is_refused(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    changed = Parameter("self_name", value="Other").to_parameter_msg()
    (result,) = probe.call(SetParameters, "memory/set_parameters", parameters=[changed]).results
    assert not result.successful
    assert "read-only" in result.reason


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"database_path": ""}, "'database_path' of /mira/memory is empty, expected the absolute"),
        (
            {"database_path": "memory.sqlite3"},
            "'database_path' of /mira/memory is a relative path",
        ),
        (
            {"database_path": 7},
            "'database_path' of /mira/memory is a whole number, expected a text",
        ),
        (
            {"turn_ttl_s": 0},
            "'turn_ttl_s' of /mira/memory is 0, expected a number from 1 to 86400",
        ),
        ({"turn_ttl_s": "300"}, "'turn_ttl_s' of /mira/memory is a text, expected a number"),
        ({"assertion_guard": "on"}, "'assertion_guard' of /mira/memory is a text, expected true"),
        ({"assertion_guard_languages": ["tlh"]}, "'assertion_guard_languages' of /mira/memory"),
        ({"admin_services": 1}, "'admin_services' of /mira/memory is a whole number"),
        ({"speakers": "console"}, "'speakers' of /mira/memory is a text, expected a list"),
        ({"service_introspection": "on"}, "'service_introspection' of /mira/memory"),
    ],
)
def test_a_wrong_parameter_ends_the_start_with_one_line_and_no_file(
    graph: RobotGraph, parameters: dict[str, Any], sentence: str
) -> None:
    path = graph.directory / "memory.sqlite3"
    process = graph.start("memory_node", {"database_path": str(path)} | parameters)
    assert process.wait(20.0) == 1
    (line,) = process.log().splitlines()
    assert line.startswith(f"Parameter {sentence}")
    assert not path.exists()


@pytest.mark.parametrize("name", ["", "\u200b", "M" * 257])
def test_a_self_name_that_is_no_name_ends_the_start_with_one_line(
    graph: RobotGraph, name: str
) -> None:
    path = graph.directory / "memory.sqlite3"
    process = graph.start("memory_node", {"database_path": str(path), "self_name": name})
    assert process.wait(20.0) == 1
    (line,) = process.log().splitlines()
    assert "self_name" in line
    assert not path.exists()


def test_all_defaults_but_the_path_serve(graph: RobotGraph, probe: Probe) -> None:
    path = graph.directory / "memory.sqlite3"
    graph.start("memory_node", {"database_path": str(path)})
    values = probe.call(GetParameters, "memory/get_parameters", names=list(TYPES)).values
    given = dict(zip(TYPES, values, strict=True))
    assert given["self_name"].string_value == "Mira"
    assert given["turn_ttl_s"].double_value == 300.0
    assert given["assertion_guard_languages"].string_array_value == ["en", "de", "es", "fr"]
    assert (given["assertion_guard"].bool_value, given["admin_services"].bool_value) == (
        True,
        True,
    )
    assert given["service_introspection"].string_value == "off"
