# SPDX-License-Identifier: Apache-2.0
"""Backup, restore, inspection and speech, with the very commands of docs/operations.md."""

import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import yaml
from ament_index_python.packages import get_package_prefix
from documents import PAGES, ROOT, blocks
from heard_publisher import HeardPublisher
from mira import srv
from mira.msg import MemoryLink, OperatorUtterance
from mira.srv import AddMemory, RecallMemory
from probe import Probe
from proposals import add_entities
from robot_graph import NodeProcess, RobotGraph, wait_until
from std_msgs.msg import String

from mira_ros.qos import UTTERANCE_QOS


def commands(heading: str, start: str = "") -> list[str]:
    (page,) = (each for each in PAGES if each.name == "operations.md")
    return [
        command
        for block in blocks(page)
        if block.heading == heading
        for command in block.commands
        if command.startswith(start)
    ]


def run(graph: RobotGraph, command: str) -> str:
    """Run a shell command as the robot's user, whose home is the test's directory."""
    program = command.split()[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed on this machine")
    done = subprocess.run(
        ["bash", "-euc", command],
        env=graph.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30.0,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def note(probe: Probe, summary: str) -> None:
    links = [MemoryLink(entity_id="ENT1", role="subject")]
    written = probe.call(
        AddMemory, "memory/add_memory", resend_s=None, kind="note", summary=summary, links=links
    )
    assert written.success, written.error


def recalled(probe: Probe) -> list[str]:
    found = probe.call(RecallMemory, "recall_memory", resend_s=1.0, query="Gordon").entities
    return [memory.summary for memory in found[0].memories]


def test_a_backup_of_a_running_robot_is_restored_and_inspected(
    graph: RobotGraph, probe: Probe
) -> None:
    directory = graph.directory / "mira"
    directory.mkdir()
    file = directory / "memory.sqlite3"
    first = graph.start_memory(database_path=str(file))
    add_entities(probe, "Gordon")
    note(probe, "Kept.")
    for command in commands("Back up"):
        run(graph, command)
    note(probe, "Written later.")
    assert recalled(probe) == ["Kept.", "Written later."]
    tables, rows = commands("Inspect", "sqlite-utils")
    assert '"memories"' in run(graph, tables)
    assert "Written later." in run(graph, rows)
    # Not in good order: a log stays behind, which must not reach the restored file.
    first.send(signal.SIGKILL)
    first.wait()
    for command in commands("Restore"):
        run(graph, command)
    graph.start_memory(database_path=str(file))
    assert recalled(probe) == ["Kept."]


def test_service_calls_that_are_shown_are_answered(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    note(probe, "Kept.")
    shown = [*commands("Inspect", "ros2 service call"), *readme("ros2 service call")]
    assert len(shown) >= 5
    for command in shown:
        _, _, _, service, kind, *text = shlex.split(command)
        fields = yaml.safe_load(text[0]) if text else {}
        _, name = kind.rsplit("/", 1)
        response = probe.call(getattr(srv, name), service, **fields)
        assert not getattr(response, "error", ""), command


def readme(start: str) -> list[str]:
    return [
        command
        for block in blocks(ROOT / "README.md")
        for command in block.commands
        if command.startswith(start)
    ]


def test_topics_that_are_echoed_are_published(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    graph.start_cognition()
    for command in [*commands("Inspect", "ros2 topic echo"), *readme("ros2 topic echo")]:
        topic = shlex.split(command)[3]
        wait_until(lambda name=topic: probe.node.count_publishers(name), topic)


def start_as_shown(graph: RobotGraph, command: str) -> NodeProcess:
    """Start an executable with the arguments that `ros2 run` would hand on."""
    _, _, package, executable, *arguments = shlex.split(command)
    program = str(Path(get_package_prefix(package), "lib", package, executable))
    log = graph.directory / f"{executable}-{len(graph.processes)}.log"
    process = NodeProcess([program, *arguments], graph.environment, log)
    graph.processes.append(process)
    return process


def test_the_bridge_hears_what_it_is_remapped_to(graph: RobotGraph, probe: Probe) -> None:
    recogniser, voices = commands("Speech", "ros2 run mira speech_bridge")
    bridge = start_as_shown(graph, recogniser)
    heard = probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    publisher = HeardPublisher(
        probe.node, String, "/speech_recognition/final_result", UTTERANCE_QOS, readers=2
    )
    assert publisher.wait(20.0)
    publisher.publish(String(data="What do you know about Gordon?"))
    wait_until(lambda: heard, "the utterance")
    assert heard[0].text == "What do you know about Gordon?"
    assert probe.node.count_subscribers("/tts/status") == 2
    assert bridge.stop() == 0
    other = start_as_shown(graph, voices)
    topic = "/humans/voices/anonymous_speaker/speech"
    wait_until(
        lambda: probe.node.count_subscribers(topic) or "hri_msgs is not installed" in other.log(),
        "the voice to be listened to",
    )
    assert other.stop() == 0


def test_a_copy_for_another_namespace_names_it_alone(graph: RobotGraph) -> None:
    (command,) = commands("Two robots", "sed ")
    for name in ("diagnostics.yaml", "bag.yaml", "sros2/policy.xml"):
        text = run(graph, command.replace("diagnostics.yaml", name))
        assert "rosa" in text
        assert "mira/" not in text
