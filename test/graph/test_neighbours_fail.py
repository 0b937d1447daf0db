# SPDX-License-Identifier: Apache-2.0
"""One node goes on while the other one is stopped, killed, or flooded."""

import signal
import time

from mira.srv import RecallMemory
from probe import Probe
from proposals import SNACK, add_entities, remember, snack
from robot_graph import RobotGraph, wait_until
from talking import Talker

BURST = 64


def test_memory_serves_while_cognition_is_stopped_and_after_it_was_killed(
    graph: RobotGraph, probe: Probe, talker: Talker
) -> None:
    _, cognition = graph.start_robot()
    add_entities(probe, "Gordon", "Priya")
    assert talker.tell("What do you know about Gordon?").outcome == "completed"
    cognition.send(signal.SIGSTOP)
    began = time.monotonic()
    turn = talker.say(SNACK)
    assert remember(probe, **snack(turn)).admission == "created"
    assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "hit"
    assert time.monotonic() - began < 5.0
    cognition.send(signal.SIGCONT)
    # The same proposal in the same turn is decided once, whoever made it first.
    reply = talker.reply_to(turn)
    assert (reply.memory_status, reply.memory_id) == ("applied", "MEM1")
    cognition.send(signal.SIGKILL)
    cognition.wait()
    probe.say("meanwhile", "Remember that Priya's favourite snack is tuna.")
    assert remember(probe, **snack("meanwhile", "tuna", "Priya")).admission == "created"
    graph.start_cognition()
    began = time.monotonic()
    wait_until(
        lambda: "MEM2" in talker.tell("What do you know about Priya?").text,
        "an answer from the restarted cognition node",
    )
    assert time.monotonic() - began < 5.0


def test_a_burst_of_64_utterances_is_answered_or_refused_to_the_last(
    graph: RobotGraph, probe: Probe, talker: Talker
) -> None:
    graph.start_robot()
    add_entities(probe, "Gordon")
    assert talker.tell("Hello.").outcome == "completed"
    turns = [talker.say("What do you know about Gordon?") for _ in range(BURST)]
    replies = [talker.reply_to(turn) for turn in turns]
    outcomes = {reply.outcome for reply in replies}
    assert outcomes <= {"completed", "refused"}
    # The one that is served and the eight that may wait.
    assert [reply.outcome for reply in replies[:8]] == ["completed"] * 8
    assert talker.tell(SNACK).memory_id == "MEM1"
    assert len(talker.replies) == BURST + 2
