# SPDX-License-Identifier: Apache-2.0
"""One reply per turn whatever happens around the cognition node, over the real graph."""

import signal
import time

import pytest
from mira.srv import AddEntity, FindMemories
from robot_graph import wait_until
from std_srvs.srv import Trigger

HERRING = "Remember that Gordon's favourite snack is herring."
UNKNOWN = "I could not find out whether that was stored."


def add_gordon(probe):
    added = probe.call(
        AddEntity, "memory/add_entity", entity_type="person", canonical_name="Gordon"
    )
    assert added.success


def stored(probe):
    found = probe.call(FindMemories, "memory/find_memories", resend_s=1.0, name="Gordon")
    return [memory.id for memory in found.entities[0].memories]


@pytest.fixture
def memory(graph, probe):
    process = graph.start_memory()
    add_gordon(probe)
    return process


def test_a_burst_of_utterances_is_answered_to_the_last(graph, memory, talker):
    graph.start_cognition(memory_timeout_s=0.3)
    memory.send(signal.SIGSTOP)
    turns = [talker.say("What do you know about Gordon?") for _ in range(30)]
    replies = [talker.reply_to(turn) for turn in turns]
    outcomes = [reply.outcome for reply in replies]
    assert outcomes.count("refused") >= 15
    assert set(outcomes) == {"refused", "completed"}
    # Served in order, and refused only once the queue was full.
    assert outcomes[:8] == ["completed"] * 8
    served = [reply.turn_id for reply in talker.replies if reply.outcome == "completed"]
    assert served == [turn for turn in turns if turn in served]


def test_without_a_memory_node_the_reply_says_so_and_a_later_one_is_found(graph, probe, talker):
    graph.start_cognition(memory_timeout_s=0.5)
    asked = talker.tell("What do you know about Gordon?")
    assert asked.text == "I could not look into my memory just now. Please try again."
    told = talker.tell(HERRING)
    assert (told.outcome, told.memory_status, told.text) == ("completed", "unknown", UNKNOWN)
    graph.start_memory()
    add_gordon(probe)
    began = time.monotonic()
    wait_until(lambda: talker.tell(HERRING).memory_id == "MEM1", "the memory node to be found")
    assert time.monotonic() - began < 5.0


def test_a_memory_node_that_is_restarted_is_found_again(graph, memory, probe, talker):
    graph.start_cognition()
    assert talker.tell(HERRING).memory_id == "MEM1"
    memory.send(signal.SIGKILL)
    memory.wait()
    graph.start_memory()
    began = time.monotonic()
    wait_until(
        lambda: "MEM1" in talker.tell("What do you know about Gordon?").text,
        "an answer from the restarted memory node",
    )
    assert time.monotonic() - began < 5.0


def test_a_late_answer_is_asked_for_again_with_the_same_proposal(graph, memory, probe, talker):
    graph.start_cognition(memory_timeout_s=15.0)
    memory.send(signal.SIGSTOP)
    turn = talker.say(HERRING)
    wait_until(lambda: ("model", "call") in talker.steps(turn), "the proposal")
    memory.send(signal.SIGCONT)
    reply = talker.reply_to(turn)
    assert (reply.memory_status, reply.memory_admission) == ("applied", "created")
    assert stored(probe) == ["MEM1"]


def test_an_answer_that_stays_out_is_unknown_and_the_reply_says_so(graph, memory, talker):
    graph.start_cognition(memory_timeout_s=0.5)
    memory.send(signal.SIGSTOP)
    reply = talker.tell(HERRING)
    assert (reply.outcome, reply.memory_status, reply.memory_id) == ("completed", "unknown", "")
    assert reply.text == UNKNOWN


def test_the_deadline_holds_while_the_memory_is_silent(graph, memory, talker):
    graph.start_cognition(memory_timeout_s=60.0, deadline_s=1.0)
    memory.send(signal.SIGSTOP)
    reply = talker.tell(HERRING, within_s=10.0)
    assert (reply.outcome, reply.memory_status) == ("deadline_exceeded", "unknown")
    assert reply.text.endswith(UNKNOWN)
    memory.send(signal.SIGCONT)
    assert talker.tell("Hello.").outcome == "completed"


def hung(graph, memory, talker):
    """Have an episode that waits for a silent memory, and one behind it in the queue."""
    process = graph.start_cognition(memory_timeout_s=60.0)
    memory.send(signal.SIGSTOP)
    running = talker.say("What do you know about Gordon?")
    wait_until(lambda: talker.steps(running), "the episode to begin")
    return process, running, talker.say("Hello.")


def test_cancelling_ends_the_running_episode_and_empties_the_queue(graph, memory, probe, talker):
    _, running, waiting = hung(graph, memory, talker)
    cancelled = probe.call(Trigger, "cognition/cancel", within_s=2.0)
    assert (cancelled.success, cancelled.message) == (True, "Ended 2 episodes.")
    for turn in (running, waiting):
        assert talker.reply_to(turn, 5.0).outcome == "cancelled"
    assert talker.tell("Hello.").outcome == "completed"


def test_a_spoken_stop_does_the_same(graph, memory, talker):
    _, running, waiting = hung(graph, memory, talker)
    stop = talker.tell("Mira, stop!", within_s=5.0)
    assert (stop.outcome, stop.text) == ("completed", "I have stopped.")
    for turn in (running, waiting):
        assert talker.reply_to(turn, 5.0).outcome == "cancelled"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_episode_with_a_reply(graph, memory, talker, number):
    process, running, waiting = hung(graph, memory, talker)
    assert process.stop(number) == 0
    for turn in (running, waiting):
        reply = talker.reply_to(turn, 5.0)
        assert (reply.outcome, reply.text) == (
            "cancelled",
            "I am shutting down, so I did not finish that.",
        )


def test_an_utterance_without_a_turn_id_is_answered_and_stores_nothing(
    graph, memory, probe, talker
):
    graph.start_cognition()
    reply = talker.tell(HERRING, turn_id="")
    assert (reply.outcome, reply.memory_status) == ("completed", "")
    assert reply.text == "Nothing can be stored from this, because it came without a turn id."
    assert stored(probe) == []
    assert talker.tell(HERRING).memory_id == "MEM1"


def test_a_turn_id_used_before_with_another_text_is_refused(graph, memory, probe, talker):
    graph.start_cognition()
    assert talker.tell("Hello.", "turn-a").outcome == "completed"
    talker.say(HERRING, "turn-a")
    wait_until(lambda: len(talker.replies_to("turn-a")) == 2, "the second reply")
    assert talker.replies_to("turn-a")[1].outcome == "refused"
    assert stored(probe) == []


def test_an_utterance_over_the_limit_is_refused(graph, talker):
    graph.start_cognition()
    assert talker.tell("x" * 4000).outcome == "completed"
    reply = talker.tell("x" * 10_000)
    assert reply.outcome == "refused"
    assert reply.text == "That was too long for me. Please say it in at most 4000 characters."
    assert talker.tell("Hello.").outcome == "completed"


def test_with_memory_switched_off_nothing_is_asked_of_it(graph, memory, probe, talker):
    graph.start_cognition(memory_enabled=False)
    reply = talker.tell(HERRING)
    assert reply.text == "Nothing can be stored, because persistent memory is switched off."
    assert talker.tell("Who is Gordon?").acquisitions == 0
    assert stored(probe) == []


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"sensors": "[{name: door}]"}, "Parameter 'sensors' of /mira/cognition cannot be used:"),
        ({"fallback": "cloud"}, "Parameter 'fallback' of /mira/cognition is unknown, expected"),
        ({"model": ""}, "Parameter 'model' of /mira/cognition is empty, expected offline or"),
        ({"claim_guard_languages": ["xx"]}, "there are no word lists for the language 'xx'"),
        ({"deadline_s": "soon"}, "Parameter 'deadline_s' of /mira/cognition is a text"),
        ({"api_base": "http://me:s3cret@host/v1"}, "Parameter 'api_base' of /mira/cognition may"),
        ({"api_base": "localhost"}, "Parameter 'api_base' of /mira/cognition is no address; give"),
        ({"acquisitions": 1000}, "Parameter 'acquisitions' of /mira/cognition is 1000, expected"),
    ],
)
def test_a_parameter_that_cannot_be_used_stops_the_node_with_one_line(graph, parameters, sentence):
    process = graph.start("cognition_node", parameters)
    assert process.wait() == 1
    assert sentence in process.log()
    assert len(process.log().splitlines()) == 1
    assert "s3cret" not in process.log()
