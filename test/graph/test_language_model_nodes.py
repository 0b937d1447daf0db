# SPDX-License-Identifier: Apache-2.0
"""The real nodes with a language model behind a real HTTP server that may do anything."""

import time
from importlib.util import find_spec

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from mira.srv import AddEntity, FindMemories
from openai_server import (
    OpenAIServer,
    body,
    call,
    calls,
    endless,
    error,
    message,
    reset,
    silence,
    thinking,
    trickle,
    words,
)
from robot_graph import wait_until
from std_srvs.srv import Trigger

pytestmark = pytest.mark.skipif(
    find_spec("litellm") is None,
    reason="LiteLLM is missing: pip install -r requirements-litellm.txt",
)

SLOW_DEADLINE_S = 2.0
# An import of LiteLLM takes seconds, and many where the machine has other work.
IMPORT_S = 120.0
SECRET = "herring-and-tuna"
KEY = "sk-the-secret-key"
HERRING = "Remember that Gordon's favourite snack is herring."
PROPOSAL = {
    "kind": "preference",
    "subject": "Gordon",
    "predicate": "favourite_snack",
    "value": "herring",
    "evidence": "Gordon's favourite snack is herring",
    "related_entity": None,
    "related_role": None,
}
RECALL = call("recall_memory", {"query": "Gordon"})
REMEMBER = call("remember", PROPOSAL)

# Case: what is answered to an utterance of small talk, and the outcome of the reply to it.
CASES = {
    "words": ((words("Hello."),), "completed"),
    "a call, then words": ((RECALL, words("Nothing.")), "completed"),
    "several calls at once": (
        (calls(("recall_memory", {"query": "Gordon"}), ("remember", PROPOSAL)), words("Well.")),
        "completed",
    ),
    "an unknown tool, again and again": ((call("format_disk", {}),), "model_unavailable"),
    "a truncated call, then words": ((call("recall_memory", '{"qu'), words("Well.")), "completed"),
    "a call of the wrong type": ((call("recall_memory", {"query": 7}),), "model_unavailable"),
    "truncated JSON": ((body(b'{"choices": [{"mess'),), "model_unavailable"),
    "no JSON": ((body(b"<html>"),), "model_unavailable"),
    "types that are wrong": (
        (message({"role": "assistant", "content": [SECRET], "tool_calls": SECRET}),),
        "model_unavailable",
    ),
    "nearly a megabyte": ((words("All right. " * 80_000),), "completed"),
    "more than a megabyte": ((words("x" * 1_100_000),), "model_unavailable"),
    "no end": ((endless(),), "model_unavailable"),
    "429": ((error(429, SECRET),), "model_unavailable"),
    "500": ((error(500, SECRET),), "model_unavailable"),
    "a reset in mid-answer": ((reset({"choices": "x" * 1000}, 300),), "model_unavailable"),
    "calls without an end": ((RECALL,), "completed"),
    "proposals without an end": ((REMEMBER,), "completed"),
}
SLOW = {"no answer": silence(), "a byte a second": trickle({"choices": []})}


@pytest.fixture
def server(monkeypatch):
    with OpenAIServer(words("Fine.")) as server:
        yield server


@pytest.fixture
def start(graph, probe, talker, server):
    """Start both nodes with Gordon known, the model imported, and the graph discovered."""

    def started(**parameters):
        graph.start_memory()
        cognition = graph.start(
            "cognition_node",
            {"model": "openai/local", "api_base": server.api_base, "self_name": "Mira"}
            | parameters,
            environment={"OPENAI_API_KEY": KEY},
        )
        added = probe.call(
            AddEntity, "memory/add_entity", entity_type="person", canonical_name="Gordon"
        )
        assert added.success
        wait_until(lambda: "Listening" in cognition.log(), "the cognition node to listen")
        talker.tell("Hello?", within_s=IMPORT_S)
        return talker

    return started


def memories(probe):
    found = probe.call(FindMemories, "memory/find_memories", name="Gordon")
    return [memory.id for memory in found.entities[0].memories]


def ended(talker, turn):
    def last():
        return [e for e in talker.events if (e.turn_id, e.action) == (turn, "end")]

    wait_until(last, "the last step")
    return last()[0]


def test_whatever_the_server_answers_there_is_one_reply_and_the_next_turn_works(
    start, server, probe, graph
):
    talker = start()
    wrong = []
    for case, (script, outcome) in CASES.items():
        server.follow(*script)
        reply = talker.tell("Good morning, robot.", within_s=30.0)
        server.follow(words("Fine."))
        following = talker.tell("And now?", within_s=30.0)
        if reply.outcome != outcome or following.text != "Fine.":
            wrong.append((case, reply.outcome, reply.text, following.text))
        assert len(talker.replies_to(reply.turn_id)) == 1
    assert not wrong
    # Gordon's snack was proposed while the operator wished a good morning.
    assert memories(probe) == []
    server.follow(REMEMBER, words("Stored."))
    assert talker.tell(HERRING).memory_id == "MEM1"
    assert memories(probe) == ["MEM1"]
    for told in (graph.logs(), repr(talker.events)):
        assert SECRET not in told
        assert KEY not in told
        assert "herring" not in told


def test_a_server_that_does_not_answer_in_time_costs_one_turn(start, server):
    talker = start(deadline_s=SLOW_DEADLINE_S)
    for slow in SLOW.values():
        server.follow(slow)
        reply = talker.tell("Good morning, robot.")
        assert reply.outcome == "deadline_exceeded"
        assert ended(talker, reply.turn_id).duration_s < SLOW_DEADLINE_S + 1.0
        server.follow(words("Fine."))
        wait_until(lambda: talker.tell("And now?").text == "Fine.", "an answer")


def test_a_model_that_hangs_disturbs_nobody(start, server, probe, graph):
    talker = start()
    beats = probe.listen(DiagnosticArray, "/diagnostics")
    server.follow(silence())
    turn = talker.say("Good morning, robot.")
    wait_until(lambda: server.asked, "the request")
    heard = len(beats)
    for _ in range(20):
        began = time.monotonic()
        probe.call(Trigger, "cognition/clear_working_memory")
        memories(probe)
        assert time.monotonic() - began < 5.0
    # Two nodes, once a second each.
    wait_until(lambda: len(beats) >= heard + 4, "diagnostics that go on")
    assert not talker.replies_to(turn)
    assert probe.call(Trigger, "cognition/cancel").success
    assert talker.reply_to(turn).outcome == "cancelled"
    server.follow(words("Fine."))
    assert talker.tell("And now?").text == "Fine."


def test_a_model_without_tools_answers_and_diagnostics_say_so(start, server, probe):
    refusing = thinking(
        lambda asked: error(400, "it does not support tools") if asked.tools else words("Saved!")
    )
    server.follow(refusing)
    talker = start()
    beats = probe.listen(DiagnosticArray, "/diagnostics")
    reply = talker.tell(HERRING)
    assert (reply.outcome, reply.memory_status) == ("completed", "")
    assert reply.text == "I have not stored anything."
    assert memories(probe) == []
    said = "It answers, but takes no tools: it cannot use memory."
    wait_until(
        lambda: any(status.message == said for beat in beats for status in beat.status),
        "diagnostics that say so",
    )


def test_the_offline_policy_answers_in_the_place_of_a_model_out_of_reach(start, probe, graph):
    talker = start(api_base="http://127.0.0.1:9/v1", fallback="offline")
    reply = talker.tell(HERRING)
    assert (reply.outcome, reply.memory_id) == ("completed", "MEM1")
    assert reply.text == "I have stored that as MEM1."
    assert memories(probe) == ["MEM1"]
    assert "The model gives no answer: openai/local: the server cannot be reached" in graph.logs()
