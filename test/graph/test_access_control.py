# SPDX-License-Identifier: Apache-2.0
"""The access control policy is what the running nodes need, and no more."""

import json
import os
import time
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from endpoints import POLICY, Endpoints, granted, used
from probe import Probe
from rclpy.node import Node
from robot_graph import RobotGraph, wait_until

BATTERY = {
    "name": "battery",
    "topic": "/battery_state",
    "type": "sensor_msgs/msg/BatteryState",
    "fields": ["percentage"],
}
NODES = ("memory", "cognition", "speech_bridge", "console")


@pytest.fixture
def everything(graph: RobotGraph, probe: Probe) -> Iterator[Node]:
    """Run all nodes in their enclaves, as far as they go without keys, and return an observer.

    The console is asked for the memory before there is one, so that it looks whether memory is
    switched off.
    """
    script = graph.directory / "lines"
    os.mkfifo(script)
    lines = os.open(script, os.O_RDWR)
    simulated = {"use_sim_time": True}
    started = (
        ("cognition_node", {"sensors": json.dumps([BATTERY])}, ()),
        ("speech_bridge", {}, ()),
        ("console", {}, ("--", "--script", str(script))),
    )
    for executable, parameters, arguments in started:
        name = executable.removesuffix("_node")
        graph.start(
            executable,
            simulated | parameters,
            arguments=("--enclave", f"/mira/{name}", *arguments),
        )
    console = graph.processes[-1]
    os.write(lines, b"memory persistent\n")
    wait_until(lambda: "error:" in console.log(), "the console to miss the memory")
    graph.start(
        "memory_node",
        {**simulated, "database_path": str(graph.directory / "memory.sqlite3")},
        arguments=("--enclave", "/mira/memory"),
    )
    wait_until(lambda: set(NODES) <= set(probe.node.get_node_names()), "all nodes")
    yield probe.node
    os.close(lines)


def test_the_policy_grants_what_the_running_nodes_use_and_no_more(everything: Node) -> None:
    policy = granted()
    end = time.monotonic() + 20.0
    for name in NODES:
        allowed = policy[f"/mira/{name}"]
        while used(everything, name) != allowed and time.monotonic() < end:
            time.sleep(0.05)
        assert used(everything, name) == allowed, name
    enclaves = {
        name: enclave
        for name, _, enclave in everything.get_node_names_and_namespaces_with_enclaves()
    }
    assert {name: enclaves[name] for name in NODES} == {name: f"/mira/{name}" for name in NODES}


def test_the_command_line_may_do_everything_but_speak_and_propose() -> None:
    policy = granted()
    admin = policy["/mira/admin"]
    memory, cognition, bridge = (
        policy[f"/mira/{name}"] for name in ("memory", "cognition", "speech_bridge")
    )
    services = memory.reply | cognition.reply | bridge.reply
    unneeded = {name for name in services if name.endswith("/get_type_description")}
    assert admin.request == services - unneeded - {"/mira/remember"}
    published = memory.publish | cognition.publish | bridge.publish
    assert admin.subscribe == published | {"/clock"}
    assert admin.publish == {"/parameter_events", "/rosout"}


def holders(policy: dict[str, Endpoints], kind: str, name: str) -> set[str]:
    return {path for path, allowed in policy.items() if name in getattr(allowed, kind)}


def test_only_console_and_bridge_speak_only_cognition_proposes() -> None:
    policy = granted()
    speakers = {"/mira/console", "/mira/speech_bridge"}
    assert holders(policy, "publish", "/mira/operator_utterance") == speakers
    assert holders(policy, "request", "/mira/remember") == {"/mira/cognition"}
    assert holders(policy, "publish", "/mira/reply") == {"/mira/cognition"}
    administration = {
        name
        for name in policy["/mira/memory"].reply
        if name.startswith("/mira/memory/") and "parameter" not in name
    } - {"/mira/memory/get_type_description"}
    assert len(administration) == 27
    for name in administration:
        assert holders(policy, "request", name) == {"/mira/console", "/mira/admin"}, name


def test_the_policy_has_the_form_of_its_version() -> None:
    root = ElementTree.parse(POLICY).getroot()
    assert (root.tag, root.attrib) == ("policy", {"version": "0.2.0"})
    paths = [enclave.get("path") for enclave in root.iterfind("enclaves/enclave")]
    assert sorted(paths) == sorted({*(f"/mira/{name}" for name in NODES), "/mira/admin"})
    for profile in root.iterfind("enclaves/enclave/profiles/profile"):
        assert profile.get("ns") == "/mira"
        for rule in profile:
            ((kind, qualifier),) = rule.attrib.items()
            item = {"publish": "topic", "subscribe": "topic"}.get(kind, "service")
            assert (rule.tag, qualifier) == (f"{item}s", "ALLOW")
            names = [str(each.text) for each in rule]
            assert {each.tag for each in rule} == {item}
            assert len(names) == len(set(names))
