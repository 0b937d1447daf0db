# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from mira_bringup.plan import Arguments, Plan, PlannedNode, PlanRefused, plan
from mira_bringup.profile import Profile

ON = "memory: {enabled: true, database_path: /var/lib/mira/m.sqlite3}\n"


def parameters(planned: Plan, name: str) -> dict[str, object]:
    return dict(next(node for node in planned.nodes if node.name == name).parameters)


def test_both_nodes_run_and_memory_starts_first(read: Callable[[str], Profile]) -> None:
    planned = plan(read(ON + "robot: {name: Rosa}"), Arguments())
    assert [node.executable for node in planned.nodes] == ["memory_node", "cognition_node"]
    assert planned.database == Path("/var/lib/mira/m.sqlite3")
    assert planned.nodes[0] == PlannedNode(
        "memory_node",
        "memory",
        (("database_path", "/var/lib/mira/m.sqlite3"), ("self_name", "Rosa")),
    )
    assert parameters(planned, "cognition") == {"self_name": "Rosa", "memory_enabled": True}


def test_without_memory_there_is_no_memory_node_and_no_database(
    read: Callable[[str], Profile],
) -> None:
    planned = plan(read(ON.replace("true", "false")), Arguments())
    assert [node.name for node in planned.nodes] == ["cognition"]
    assert planned.database is None
    assert parameters(planned, "cognition")["memory_enabled"] is False
    assert planned.notices == ()


def test_memory_enabled_without_a_file_is_off_and_said(read: Callable[[str], Profile]) -> None:
    planned = plan(read("memory: {enabled: true}"), Arguments())
    assert [node.name for node in planned.nodes] == ["cognition"]
    assert planned.notices == (
        "Persistent memory is off: memory.enabled is true but database_path is empty.",
    )


def test_only_what_the_profile_says_becomes_a_parameter(read: Callable[[str], Profile]) -> None:
    planned = plan(
        read(
            "memory: {enabled: true, database_path: /m, schema_version: 1, turn_ttl_s: 60,"
            " speakers: [console], assertion_guard: false}\n"
            "cognition: {model: ollama/qwen3, temperature: 0, claim_guard_languages: []}\n"
        ),
        Arguments(),
    )
    assert parameters(planned, "memory") == {
        "database_path": "/m",
        "self_name": "Mira",
        "schema_version": 1,
        "turn_ttl_s": 60.0,
        "assertion_guard": False,
        "speakers": ("console",),
    }
    assert parameters(planned, "cognition") == {
        "self_name": "Mira",
        "memory_enabled": True,
        "model": "ollama/qwen3",
        "temperature": 0.0,
        "claim_guard_languages": (),
    }


def test_sensors_are_one_text_that_says_the_same(read: Callable[[str], Profile]) -> None:
    sensors = (
        "[{name: akku, topic: /b, type: sensor_msgs/msg/BatteryState, fields: [percentage],"
        " max_age_s: 2.5, attention: {field: percentage, below: 0.2}}]"
    )
    text = parameters(plan(read(f"sensors: {sensors}"), Arguments()), "cognition")["sensors"]
    assert isinstance(text, str)
    (sensor,) = yaml.safe_load(text)
    assert sensor["fields"] == ["percentage"]
    assert sensor["max_age_s"] == 2.5
    assert sensor["attention"]["below"] == 0.2


@pytest.mark.parametrize(
    ("given", "absolute"),
    [("mira", "/mira"), ("/mira", "/mira"), ("fleet/r2/", "/fleet/r2"), ("", "/"), ("/", "/")],
)
def test_a_namespace_is_made_absolute(
    read: Callable[[str], Profile], given: str, absolute: str
) -> None:
    planned = plan(read(ON), Arguments(namespace=given))
    assert planned.namespace == absolute
    assert planned.full_name(planned.nodes[0]) == f"{absolute.rstrip('/')}/memory"


@pytest.mark.parametrize("namespace", ["2nd", "a b", "a//b", "mira;rm", "röbel", "~x"])
def test_what_is_no_namespace_is_refused(read: Callable[[str], Profile], namespace: str) -> None:
    with pytest.raises(PlanRefused, match="is no ROS namespace; use letters, digits and _"):
        plan(read(ON), Arguments(namespace=namespace))


def test_a_log_level_is_one_of_ros_2(read: Callable[[str], Profile]) -> None:
    assert plan(read(""), Arguments(log_level="DEBUG")).log_level == "debug"
    with pytest.raises(PlanRefused, match="log_level 'loud' is unknown; use one of debug, info"):
        plan(read(""), Arguments(log_level="loud"))


def test_a_database_in_the_install_tree_is_refused(read: Callable[[str], Profile]) -> None:
    inside = read("memory: {enabled: true, database_path: /ws/install/mira/m.sqlite3}")
    assert plan(inside, Arguments(), install_prefix=Path("/ws/install/other")).database
    with pytest.raises(PlanRefused, match="lies in the install tree /ws/install/mira, which"):
        plan(inside, Arguments(), install_prefix=Path("/ws/install/mira"))
