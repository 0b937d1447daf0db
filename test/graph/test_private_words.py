# SPDX-License-Identifier: Apache-2.0
"""A whole session of all nodes: what was said is on no quiet topic and in no log."""

import subprocess
from pathlib import Path
from typing import Any

from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray
from heard_publisher import HeardPublisher
from mira.msg import (
    EpisodeEvent,
    MemoryEvent,
    MemoryStatus,
    OperatorUtterance,
    Reply,
    WorkingMemory,
)
from mira.srv import RecallMemory
from probe import Probe
from proposals import remember, snack
from rcl_interfaces.msg import Log, ParameterEvent
from robot_graph import RobotGraph, wait_until
from std_msgs.msg import String

from mira_ros.qos import EVENT_QOS, LATCHED_QOS, REPLY_QOS, UTTERANCE_QOS

QUIET = (
    (EpisodeEvent, "episode_events", EVENT_QOS),
    (MemoryEvent, "memory_events", EVENT_QOS),
    (MemoryStatus, "memory/status", LATCHED_QOS),
    (DiagnosticArray, "/diagnostics", 10),
    (Log, "/rosout", LATCHED_QOS),
    (ParameterEvent, "/parameter_events", 10),
)
WORDY = (
    (OperatorUtterance, "operator_utterance", UTTERANCE_QOS),
    (Reply, "reply", REPLY_QOS),
    (String, "say", REPLY_QOS),
    (WorkingMemory, "working_memory", LATCHED_QOS),
)
LINES = """\
memory entity add person "Quixley"
memory alias add ENT1 "Umbrage"
memory add note "Marzipan melts" --link ENT1:subject --value "nougat" --source-label "Zebulon"
memory entity add person "Quixley"
memory entity find "brandywine"
memory list "Thimble"
Remember that Quixley's favourite snack is herring.
Remember that Umbrage's favourite snack is halibut.
I don't think Quixley likes gooseberry.
Remember that Brandywine likes treacle.
What do you know about Quixley?
What do you know about Brandywine?
memory find "Umbrage"
memory persistent
memory
memory clear
"""
WORDS = (
    *("quixley", "umbrage", "marzipan", "nougat", "zebulon", "brandywine", "thimble"),
    *("herring", "halibut", "gooseberry", "treacle", "snack", "periwinkle", "lobster"),
)


def test_no_quiet_topic_and_no_log_repeats_what_was_said(graph: RobotGraph, probe: Probe) -> None:
    quiet, wordy = ([probe.listen(*topic) for topic in topics] for topics in (QUIET, WORDY))
    debug = ("--log-level", "debug")
    path = str(graph.directory / "memory.sqlite3")
    graph.start("memory_node", {"database_path": path}, arguments=debug)
    graph.start("cognition_node", arguments=debug)
    graph.start(
        "speech_bridge", {"say_s_per_character": 0.0, "mute_after_say_s": 0.0}, arguments=debug
    )
    speech = HeardPublisher(probe.node, String, "operator_text", UTTERANCE_QOS, readers=2)
    assert speech.wait(20.0)
    for topic in ("episode_events", "memory_events", "working_memory"):
        wait_until(lambda name=f"/mira/{topic}": probe.node.count_publishers(name), topic)
    talk = converse(graph)
    assert "[stored MEM2]" in talk.stdout
    hear(probe, speech, wordy)
    assert probe.call(RecallMemory, "recall_memory", query="Thimble\u202e").status == "invalid"
    refused = remember(probe, **snack("nobody's turn", "treacle", "Brandywine"))
    assert refused.status == "rejected"
    beats = quiet[3]
    seen = len(beats)
    wait_until(lambda: len(beats) >= seen + 3, "the diagnostics after the session")
    assert all(quiet[:5]), "a quiet topic said nothing"
    logs = [file.read_text() for file in graph.directory.glob("ros_log/**/*.log")]
    assert len(logs) >= 4
    everything = "\n".join([str(quiet), graph.logs(), talk.stderr, *logs]).casefold()
    assert "mem2" in everything
    assert [word for word in WORDS if word in everything] == []
    said = (str(wordy) + talk.stdout).casefold()
    assert [word for word in WORDS if word not in said] == []


def converse(graph: RobotGraph) -> subprocess.CompletedProcess[str]:
    """Have a person type all lines into the console."""
    console = str(Path(get_package_prefix("mira"), "lib", "mira", "console"))
    return subprocess.run(
        [console, "--ros-args", "-r", "__ns:=/mira", "--log-level", "debug"],
        input=LINES,
        text=True,
        capture_output=True,
        env=graph.environment,
        cwd=graph.directory,
        timeout=60.0,
        check=True,
    )


def hear(probe: Probe, speech: HeardPublisher, wordy: list[list[Any]]) -> None:
    """Have the bridge pass words on, and drop some."""
    utterances, replies = wordy[0], wordy[1]
    before = len(replies)
    speech.publish(String(data="Quixley's periwinkle is lobster."))
    speech.publish(String(data="Quixley's periwinkle is lobster."))
    wait_until(lambda: len(replies) > before, "the reply to what was heard")
    assert utterances[-1].text == "Quixley's periwinkle is lobster."
    speech.publish(String(data=replies[-1].text))
