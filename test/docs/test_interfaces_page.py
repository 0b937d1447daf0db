# SPDX-License-Identifier: Apache-2.0
"""docs/interfaces.md names what is on the running graph, all of it and nothing else."""

import ast
import configparser
import json
import re

import pytest
import yaml
from documents import PAGES, ROOT, code, table
from endpoints import granted, used
from probe import Probe
from rcl_interfaces.srv import GetParameters, ListParameters
from rclpy.parameter import parameter_value_to_python
from robot_graph import RobotGraph, wait_until

NODES = ("memory", "cognition", "speech_bridge", "console")
OF_ROS = {"/rosout", "/parameter_events", "/clock"}
PARAMETERS_OF_ROS = {"use_sim_time", "start_type_description_service"}
PARAMETERS = {
    "memory": ("interfaces.md", "memory"),
    "speech_bridge": ("interfaces.md", "speech_bridge"),
    "cognition": ("cognition.md", "Parameters"),
}


@pytest.fixture
def robot(graph: RobotGraph, probe: Probe) -> Probe:
    """Run all nodes with their defaults, and return an observer."""
    graph.start("memory_node", {"database_path": str(graph.directory / "memory.sqlite3")})
    graph.start("cognition_node")
    graph.start("speech_bridge")
    # A script that never ends: the console has found its robot and waits for a line.
    graph.start("console", arguments=("--", "--script", "/dev/ptmx"))
    wait_until(lambda: set(NODES) <= set(probe.node.get_node_names()), "all nodes")
    policy = granted()

    def discovered() -> bool:
        return all(
            used(probe.node, name).publish | {"/clock"} >= policy[f"/mira/{name}"].publish
            and used(probe.node, name).reply == policy[f"/mira/{name}"].reply
            for name in NODES
        )

    wait_until(discovered, "all endpoints")
    return probe


def full(name: str) -> str:
    return name if name.startswith("/") else f"/mira/{name}"


def cells(text: str) -> set[str]:
    return {name.strip() for name in text.split(",")} & set(NODES)


def documented_topics() -> dict[str, tuple[str, set[str], set[str]]]:
    return {
        full(code(topic)[0]): (code(kind)[0], cells(publishers), cells(readers))
        for topic, kind, publishers, readers, _ in table("interfaces.md", "Topics")
    }


def test_executables_are_those_of_the_package() -> None:
    scripts = configparser.ConfigParser()
    scripts.read(ROOT / "setup.cfg")
    lines = scripts["options.entry_points"]["console_scripts"].strip().splitlines()
    rows = table("interfaces.md", "Executables")
    assert {code(row[0])[0] for row in rows} == {line.split(" = ")[0] for line in lines}
    assert {code(row[1])[0] for row in rows if row[1] != "none"} == set(NODES)


def test_the_tables_are_the_graph(robot: Probe) -> None:
    node = robot.node
    endpoints = {name: used(node, name) for name in NODES}
    types = {
        name: kinds[0]
        for name, kinds in [*node.get_topic_names_and_types(), *node.get_service_names_and_types()]
    }
    topics = {
        name: (
            types[name],
            {who for who in NODES if name in endpoints[who].publish},
            {who for who in NODES if name in endpoints[who].subscribe},
        )
        for name in set().union(*(each.publish | each.subscribe for each in endpoints.values()))
        - OF_ROS
    }
    assert topics == documented_topics()
    services = {
        name: (types[name], who)
        for who in NODES
        for name in endpoints[who].reply
        if "parameter" not in name and not name.endswith("/get_type_description")
    }
    assert services == {
        full(code(name)[0]): (code(kind)[0], who)
        for name, kind, who in table("interfaces.md", "Services")
    }
    for who in PARAMETERS:
        assert_parameters_are_documented(robot, who)
    known = {*topics, *services, *OF_ROS, *(f"/mira/{who}" for who in NODES), *granted()}
    for page in PAGES:
        named = set(re.findall(r"(?<![\w~./])/mira/[a-z_/]+[a-z_]", page.read_text()))
        assert named - known == set(), page.name


def assert_parameters_are_documented(robot: Probe, who: str) -> None:
    rows = {code(name)[0]: default for name, default, _ in table(*PARAMETERS[who])}
    listed = robot.call(ListParameters, f"{who}/list_parameters").result.names
    own = [
        name for name in listed if name not in ("use_sim_time", "start_type_description_service")
    ]
    assert set(rows) == set(own), who
    values = robot.call(GetParameters, f"{who}/get_parameters", names=own).values
    for name, value in zip(own, map(parameter_value_to_python, values), strict=True):
        if name != "database_path":
            assert default_of(rows[name]) == plain(value), name


def plain(value: object) -> object:
    """Return an empty list for the list of one empty text, which is how ROS 2 holds one."""
    return [each for each in value if each] if isinstance(value, list) else value


def default_of(cell: str) -> object:
    """Return the value that a cell stands for."""
    if cell == "empty":
        return ""
    if cell == "none":
        return []
    if quoted := code(cell):
        return quoted[0]
    if "," in cell:
        return [each.strip() for each in cell.split(",")]
    return json.loads(cell)


def test_the_bag_profile_records_every_topic_without_words_and_none_with() -> None:
    rows = table("interfaces.md", "Topics")
    quiet = {full(code(row[0])[0]) for row in rows if row[4] == "no"}
    wordy = {code(row[0])[0] for row in rows if row[4] == "yes"}
    assert len(quiet) + len(wordy) == len(rows)
    text = (ROOT / "config" / "bag.yaml").read_text()
    recorded = yaml.safe_load(text)["/**"]["ros__parameters"]["record"]["topics"]
    assert set(recorded) == quiet | {"/rosout", "/parameter_events"}
    comments = " ".join(line for line in text.splitlines() if line.startswith("#"))
    assert all(name in comments for name in wordy)


def test_the_perspective_opens_known_plugins() -> None:
    perspective = json.loads((ROOT / "config" / "rqt" / "mira.perspective").read_text())
    running = perspective["groups"]["pluginmanager"]["keys"]["running-plugins"]
    assert running["type"] == "repr"
    plugins = ast.literal_eval(running["repr"])
    assert set(plugins) == {
        "rqt_robot_monitor/RobotMonitor",
        "rqt_topic/TopicPlugin",
        "rqt_service_caller/ServiceCaller",
        "rqt_console/Console",
    }
    assert all(serials == [1] for serials in plugins.values())
