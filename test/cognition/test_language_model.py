# SPDX-License-Identifier: Apache-2.0
"""Episodes over a real HTTP connection: whatever the server does, one reply, in time."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
import time
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise

import pytest
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

from mira_cognition import litellm_model
from mira_cognition.endings import MODEL, Outcome
from mira_cognition.litellm_model import LiteLLMModel
from mira_cognition.model import ModelUnavailable
from mira_cognition.model_settings import ModelSettings
from mira_cognition.offline import OfflineModel
from mira_cognition.working_memory import WorkingMemory

# To import it here would be to import it without what the model sets before.
pytestmark = [
    pytest.mark.skipif(
        find_spec("litellm") is None,
        reason="LiteLLM is missing: pip install -r requirements-litellm.txt",
    ),
    # Filtered by the model itself, but pytest sets its own filters for each test.
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),
    pytest.mark.filterwarnings("ignore:.*ReadOnly. qualifier"),
]

SECRET = "herring-and-tuna"
KEY = "sk-the-secret-key"
RECALL = call("recall_memory", {"query": "Gordon"})
# Far more than any answer takes, also on a machine that is busy with something else.
AMPLE_S = 10.0


class PassingClock:
    """The clock of the stage, passing as time does."""

    def __call__(self) -> float:
        return time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic()


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def server():
    with OpenAIServer(words("Fine.")) as server:
        yield server


@pytest.fixture
def model(server):
    return LiteLLMModel(ModelSettings("openai/local", server.api_base))


@pytest.fixture
def timed(stage, model):
    """Run one episode in real time against a script, within its bounds; then check the next."""
    stage.clock = PassingClock()
    model.prepare()

    def run(
        server, *script, trigger="Good morning.", deadline_s=AMPLE_S, request_timeout_s=AMPLE_S
    ):
        server.follow(*script)
        reply = within(deadline_s, request_timeout_s, trigger)
        server.follow(words("Fine."))
        told = list(stage.steps)
        assert within(AMPLE_S, AMPLE_S, "Good morning.").text == "Fine."
        stage.steps[:] = told
        return reply

    def within(deadline_s, request_timeout_s, trigger):
        stage.settings = replace(stage.settings, deadline_s=deadline_s)
        stage.request_timeout_s = request_timeout_s
        began = time.monotonic()
        reply = stage.run(model, trigger)
        assert time.monotonic() - began < deadline_s + AMPLE_S
        return reply

    return run


def test_words_are_the_reply(server, timed):
    reply = timed(server, words("Good morning, Ada."))
    assert (reply.text, reply.outcome) == ("Good morning, Ada.", Outcome.COMPLETED)


def test_calls_run_one_after_the_other_and_their_results_come_back(server, timed, stage, say):
    seen = []

    def last(asked):
        seen.extend(asked.results)
        return words("Stored.")

    remember = call("remember", say.proposal)
    reply = timed(server, RECALL, remember, thinking(last))
    assert (reply.text, reply.outcome) == ("Stored.", Outcome.COMPLETED)
    assert (reply.acquisitions, reply.remembered.memory_id) == (1, "MEM1")
    assert [result["status"] for result in seen] == ["miss", "applied"]


def test_of_several_calls_at_once_the_first_runs(server, timed, stage):
    several = calls(
        ("recall_memory", {"query": "Gordon"}),
        ("recall_memory", {"query": "Mira"}),
        ("observe", {"sensor": "battery"}),
    )
    seen = []

    def last(asked):
        seen.extend(asked.results)
        return words("Nothing is known of Gordon.")

    assert timed(server, several, thinking(last)).acquisitions == 1
    assert [call.query for call in stage.capabilities.calls] == ["Gordon"]
    assert [list(result) for result in seen] == [["status", "quoted"], ["error"]]


UNUSABLE_CALLS = {
    "an unknown tool": call("delete_memory", {"id": "MEM1"}),
    "truncated arguments": call("recall_memory", '{"query": "Gor'),
    "arguments that are no JSON": call("recall_memory", "query=Gordon"),
    "arguments of the wrong type": call("recall_memory", {"query": ["Gordon"]}),
    "an argument too many": call("recall_memory", {"query": "Gordon", "limit": 10**400}),
    "arguments that are no text": message(
        {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {}}]}
    ),
    "a call without a name": message(
        {
            "role": "assistant",
            "tool_calls": [
                {"id": None, "type": "function", "function": {"name": None, "arguments": None}}
            ],
        }
    ),
    "arguments of a megabyte": call("recall_memory", {"query": "x" * 900_000}),
    "an empty answer": words(""),
    "no content": message({"role": "assistant", "content": None}),
}


@pytest.mark.parametrize("name", UNUSABLE_CALLS)
def test_an_unusable_call_gets_one_repair(server, timed, stage, name):
    assert timed(server, UNUSABLE_CALLS[name], words("Well.")).text == "Well."
    assert stage.capabilities.calls == []


@pytest.mark.parametrize("name", UNUSABLE_CALLS)
def test_after_the_repair_it_is_an_unusable_answer(server, timed, stage, name):
    reply = timed(server, UNUSABLE_CALLS[name])
    assert reply.outcome is Outcome.MODEL_UNAVAILABLE
    assert reply.text.startswith(MODEL["unusable"].said)
    assert stage.capabilities.calls == []


UNUSABLE_ANSWERS = {
    "truncated JSON": body(b'{"choices": [{"message": {"role": "assi'),
    "no JSON": body(b"<html>It works!</html>"),
    "no UTF-8": body(b'{"choices": "\xff\xfe"}'),
    "a list": body([1, 2]),
    "no choices": body({"choices": []}),
    "choices of the wrong type": body({"choices": 7}),
    "a message of the wrong type": message("hello"),
    "content of the wrong type": message({"role": "assistant", "content": 7}),
    "calls of the wrong type": message({"role": "assistant", "tool_calls": "recall_memory"}),
    "very deep JSON": body(b"[" * 100_000),
    "more than a megabyte": words("x" * 1_100_000),
    "a body without an end": endless(),
}


@pytest.mark.parametrize("name", UNUSABLE_ANSWERS)
def test_an_answer_that_is_no_completion_ends_the_episode(server, timed, name):
    reply = timed(server, UNUSABLE_ANSWERS[name])
    assert (reply.outcome, reply.text) == (
        Outcome.MODEL_UNAVAILABLE,
        MODEL["unusable"].said,
    )


def test_a_long_answer_is_cut_for_speech(server, timed):
    reply = timed(server, words("All right. " * 80_000))
    assert reply.outcome is Outcome.COMPLETED
    assert len(reply.text) == 2000


@pytest.mark.parametrize("status", [301, 400, 401, 404, 422, 429, 500, 503])
def test_an_error_status_is_said_and_never_tried_again(server, timed, stage, status):
    requests = []

    def refuse(asked):
        requests.append(asked)
        return error(status, SECRET)

    reply = timed(server, thinking(refuse))
    assert (reply.outcome, reply.text) == (
        Outcome.MODEL_UNAVAILABLE,
        MODEL["error_status"].said,
    )
    assert len(requests) == 1
    assert str(stage.failures[0]) == (
        f"openai/local: the answer is an error, {status}; check model, api_base and the API key."
    )


@pytest.mark.parametrize("after", [0, 300], ids=["before the answer", "in mid-answer"])
def test_a_reset_connection_is_an_unreachable_model(server, timed, after):
    reply = timed(server, reset({"choices": "x" * 1000}, after))
    assert (reply.outcome, reply.text) == (Outcome.MODEL_UNAVAILABLE, MODEL["unreachable"].said)


def test_a_refused_connection_is_an_unreachable_model(stage):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        reply = stage.run(LiteLLMModel(ModelSettings("openai/local", nobody)))
    assert (reply.outcome, reply.text) == (Outcome.MODEL_UNAVAILABLE, MODEL["unreachable"].said)


@pytest.mark.parametrize("name", ["openai/", "no/such/provider", "gpt"])
def test_a_name_that_means_nothing_is_an_error_of_the_set_up(stage, name):
    reply = stage.run(LiteLLMModel(ModelSettings(name, "http://127.0.0.1:9/v1")))
    assert reply.outcome is Outcome.MODEL_UNAVAILABLE


SLOW = {
    "a server that never answers": silence(),
    "a byte a second": trickle({"choices": []}),
}


@pytest.mark.parametrize("name", SLOW)
def test_the_deadline_holds_against(server, timed, name):
    reply = timed(server, SLOW[name], deadline_s=0.5)
    assert reply.outcome is Outcome.DEADLINE_EXCEEDED


@pytest.mark.parametrize("name", SLOW)
def test_a_request_takes_no_longer_than_its_time_out(server, timed, name):
    reply = timed(server, SLOW[name], request_timeout_s=0.3)
    assert (reply.outcome, reply.text) == (Outcome.MODEL_UNAVAILABLE, MODEL["timed_out"].said)


def test_a_body_that_trickles_holds_no_thread_for_long(server, timed):
    def drip(handler, stopping):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
        while not stopping.wait(0.05):
            handler.wfile.write(b" ")

    assert timed(server, drip, request_timeout_s=0.3).outcome is Outcome.MODEL_UNAVAILABLE
    waiting = [t for t in threading.enumerate() if t.name == "model request"]
    for thread in waiting:
        thread.join(2.0)
    assert not any(thread.is_alive() for thread in waiting)


def test_a_model_that_proposes_again_and_again_writes_once(server, timed, stage, say):
    reply = timed(server, call("remember", say.proposal))
    assert len(stage.capabilities.calls) == 1
    assert reply.outcome is Outcome.COMPLETED
    assert "I have stored that as MEM1." in reply.text


def test_a_model_that_ignores_every_refusal_gets_a_reply_of_the_runtime(server, timed, stage):
    reply = timed(server, RECALL)
    assert len(stage.capabilities.calls) == 2
    assert (reply.outcome, reply.acquisitions) == (Outcome.COMPLETED, 2)


def test_a_model_without_tools_still_answers_and_it_is_told(server, timed, stage):
    def refuse_tools(asked):
        if asked.tools:
            return error(400, "registry/local does not support tools")
        return words("I have saved that.")

    reply = timed(server, thinking(refuse_tools), trigger="Remember that Gordon likes herring.")
    assert (reply.text, reply.outcome) == ("I have not stored anything.", Outcome.COMPLETED)
    assert stage.told[0] == ("model", "text_without_tools")
    server.follow(thinking(refuse_tools))
    stage.run(LiteLLMModel(ModelSettings("openai/local", server.api_base)))
    assert [bool(asked.tools) for asked in server.asked] == [True, False]


def test_once_tools_are_refused_they_are_not_offered_again(server, stage, model):
    server.follow(error(400, "no tools"), words("One."), words("Two."))
    assert [stage.run(model).text for _ in range(2)] == ["One.", "Two."]
    assert [bool(asked.tools) for asked in server.asked] == [True, False, False]


def test_a_server_that_took_tools_keeps_them_whatever_an_error_says(server, stage, model):
    server.follow(words("One."), error(500, "failed to parse the tool call"), words("Three."))
    outcomes = [stage.run(model).outcome for _ in range(3)]
    assert outcomes == [Outcome.COMPLETED, Outcome.MODEL_UNAVAILABLE, Outcome.COMPLETED]
    assert all(asked.tools for asked in server.asked)


def test_the_fallback_answers_for_the_rest_of_the_episode(server, timed, stage):
    stage.fallback = OfflineModel()
    reply = timed(server, error(500), trigger="Remember that Gordon's favourite snack is herring.")
    assert (reply.text, reply.outcome) == ("I have stored that as MEM1.", Outcome.COMPLETED)
    assert [told for told in stage.told if told[0] == "model"] == [
        ("model", "error_status"),
        ("model", "fallback_call"),
        ("model", "fallback_text"),
    ]


def test_the_next_episode_asks_the_model_again(server, stage, model):
    stage.fallback = OfflineModel()
    server.follow(error(500), words("Back again."))
    assert stage.run(model, "Hello!").outcome is Outcome.COMPLETED
    assert stage.run(model, "Hello!").text == "Back again."


def test_a_request_carries_what_was_configured(server, stage, model):
    model = LiteLLMModel(ModelSettings("openai/local", server.api_base, 0.25, 77))
    stage.settings = replace(stage.settings, sensors=("battery",))
    stage.run(model, "Good morning.")
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert (asked.body["model"], asked.body["temperature"], asked.body["max_tokens"]) == (
        "local",
        0.25,
        77,
    )
    assert asked.body["parallel_tool_calls"] is False
    assert asked.tools == ["recall_memory", "observe", "remember"]
    for tool in asked.body["tools"]:
        function = tool["function"]
        assert function["strict"] is True
        assert function["parameters"]["additionalProperties"] is False
        assert function["parameters"]["required"] == list(function["parameters"]["properties"])


def test_one_system_message_in_front_and_no_two_of_the_user_in_a_row(server, stage, model):
    memory = WorkingMemory()
    memory.add(stage.surroundings().now, "Hello.", "Good morning.")
    server.follow(RECALL, words(""), words("Well."))
    stage.run(model, "Who is Gordon?", history=memory.items)
    for asked in server.asked:
        roles = [message["role"] for message in asked.messages]
        assert roles[:2] == ["system", "user"]
        assert "system" not in roles[1:]
        assert all(pair != ("user", "user") for pair in pairwise(roles))
    first = server.asked[0].messages[1]["content"]
    assert first.endswith("The operator's current words:\nWho is Gordon?")
    assert "Note of the runtime: Your answer was empty." in server.asked[2].messages[-1]["content"]


def test_the_key_comes_from_the_environment(server, stage, model, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    stage.run(LiteLLMModel(ModelSettings("openai/local", server.api_base)))
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_neither_words_nor_keys_get_into_logs_or_errors(server, stage, monkeypatch, caplog, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = LiteLLMModel(ModelSettings("openai/local", server.api_base))
    model.prepare()
    caplog.set_level(logging.DEBUG)
    answers = [*UNUSABLE_ANSWERS.values(), *(error(code, SECRET) for code in (400, 401, 429, 500))]
    spoiled = message({"role": "assistant", "tool_calls": SECRET, "content": [SECRET]})
    for answer in [words(SECRET), spoiled, *answers]:
        server.follow(answer)
        stage.run(model, f"Gordon likes {SECRET}.")
    assert len(stage.failures) == len(answers) + 1
    printed = capfd.readouterr()
    said = json.dumps(
        [
            caplog.text,
            printed.out,
            printed.err,
            [repr(failure) for failure in stage.failures],
            [f"{failure.__cause__}" for failure in stage.failures],
        ]
    )
    assert SECRET not in said
    assert KEY not in said


def test_a_thinking_model_s_thoughts_are_not_spoken(server, stage, model):
    server.follow(words("<think>They want a greeting.</think>Good morning."))
    assert stage.run(model).text == "Good morning."


def test_without_litellm_the_reply_says_so(stage, monkeypatch):
    litellm_model._import_quietly.cache_clear()
    monkeypatch.setitem(sys.modules, "litellm", None)
    model = LiteLLMModel(ModelSettings("openai/local"))
    with pytest.raises(
        ModelUnavailable, match=r"LiteLLM cannot be imported .*; pip install -r requirements"
    ):
        model.prepare()
    reply = stage.run(model)
    assert (reply.outcome, reply.text) == (
        Outcome.MODEL_UNAVAILABLE,
        MODEL["not_installed"].said,
    )


OLLAMA = {"model": "m", "created_at": "2026-11-30T00:00:00Z", "done": True}


@pytest.mark.parametrize("prefix", ["ollama", "ollama_chat"])
def test_ollama_is_asked_over_its_chat_interface(server, stage, prefix):
    model = LiteLLMModel(ModelSettings(f"{prefix}/m", server.api_base.removesuffix("/v1")))
    called = {"function": {"name": "recall_memory", "arguments": {"query": "Gordon"}}}
    server.follow(
        body({**OLLAMA, "message": {"role": "assistant", "content": "", "tool_calls": [called]}}),
        body({**OLLAMA, "message": {"role": "assistant", "content": "Nothing is known."}}),
    )
    assert stage.run(model).text == "Nothing is known."
    assert [asked.path for asked in server.asked] == ["/api/chat", "/api/chat"]
    assert [call.query for call in stage.capabilities.calls] == ["Gordon"]
    server.follow(error(500))
    assert stage.run(model).text == MODEL["error_status"].said
    server.follow(endless())
    assert stage.run(model).text == MODEL["unusable"].said


def test_a_hosted_provider_is_asked_with_its_key(server, stage, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    model = LiteLLMModel(ModelSettings("anthropic/m", server.api_base.removesuffix("/v1")))
    answer = {"id": "1", "type": "message", "role": "assistant", "model": "m"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    server.follow(
        body(
            {
                **answer,
                "content": [
                    {
                        "type": "tool_use",
                        "id": "a",
                        "name": "recall_memory",
                        "input": {"query": "Gordon"},
                    }
                ],
                "stop_reason": "tool_use",
                "usage": usage,
            }
        ),
        body(
            {
                **answer,
                "content": [{"type": "text", "text": "Nothing is known."}],
                "stop_reason": "end_turn",
                "usage": usage,
            }
        ),
    )
    assert stage.run(model).text == "Nothing is known."
    assert [call.query for call in stage.capabilities.calls] == ["Gordon"]
    assert {asked.headers["x-api-key"] for asked in server.asked} == {KEY}
