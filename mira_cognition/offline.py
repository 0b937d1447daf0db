# SPDX-License-Identifier: Apache-2.0
"""The offline model: a deterministic policy over a documented set of plain sentences."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from mira_cognition.acknowledgement import plain_statement
from mira_cognition.capabilities import (
    OBSERVE,
    RECALL,
    REMEMBER,
    Remember,
    acquisition_from,
    decision_from,
)
from mira_cognition.grounding import REMEMBER_LINE, ROBOT_LINE
from mira_cognition.model import Message, ModelAnswer, ModelRequest, Role, ToolCall
from mira_cognition.offline_words import (
    GREETING,
    HELP,
    MEMORY_OFF,
    NOT_CARRIED_OUT,
    NOT_UNDERSTOOD,
    bare_answer,
    recalled_answer,
)
from mira_cognition.questions import (
    Question,
    is_call_for_help,
    is_greeting,
    read_question,
    without_article,
)
from mira_cognition.statements import Bare, read_statement
from mira_memory.text import key
from mira_memory.utterance import Ungroundable, hear

# No plain sentence is longer, and the patterns take cubic time.
SENTENCE_MAX = 300


class OfflineModel:
    """Answer as a language model would, from the same messages, with the same tools.

    It keeps nothing between requests, and says so where it does not understand
    (docs/cognition.md, "Offline").
    """

    name = "offline"

    def prepare(self) -> None:
        """Need nothing."""

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Return a call, or the words that follow from what came back so far."""
        trigger = next(m for m in request.messages if m.role in (Role.OPERATOR, Role.SENSOR))
        if trigger.role is Role.SENSOR:
            return ModelAnswer(_sensor_news(trigger.text))
        if request.messages[-1].role is Role.RUNTIME and len(request.messages) > 2:
            return ModelAnswer(NOT_CARRIED_OUT)
        exchanges = _exchanges(request.messages)
        offered = {tool.name: tool for tool in request.tools}
        for call, result in exchanges:
            if call.name == REMEMBER:
                return ModelAnswer(plain_statement(decision_from(result)))
        robot_name = json.loads(_grounded(request.messages, ROBOT_LINE) or '""')
        understood = _understand(trigger.text, robot_name)
        if isinstance(understood, Remember):
            if REMEMBER not in offered:
                return ModelAnswer(_grounded(request.messages, REMEMBER_LINE) or MEMORY_OFF)
            return _call(REMEMBER, understood.model_dump())
        if isinstance(understood, Question):
            sensors = (
                offered[OBSERVE].parameters["properties"]["sensor"]["enum"]
                if (OBSERVE in offered)
                else ()
            )
            return _pursue(understood, exchanges, sensors, recall=RECALL in offered)
        return ModelAnswer(understood)


def _understand(text: str, robot_name: str) -> Remember | Question | str:
    """Return what the first understood sentence asks for, or the words to answer with."""
    if is_greeting(text, robot_name):
        return GREETING
    if is_call_for_help(text):
        return HELP
    try:
        heard = hear(text)
    except Ungroundable:
        return NOT_UNDERSTOOD
    bare: Bare | None = None
    sentences = map(heard.said, heard.sentences)
    for sentence in (plain for plain in sentences if len(plain) <= SENTENCE_MAX):
        understood = read_question(sentence, robot_name) or read_statement(sentence, robot_name)
        if isinstance(understood, Bare):
            bare = bare or understood
        elif understood is not None:
            return understood
    return bare_answer(bare) if bare else NOT_UNDERSTOOD


def _pursue(
    question: Question,
    exchanges: Sequence[tuple[ToolCall, str]],
    sensors: Sequence[str],
    *,
    recall: bool,
) -> ModelAnswer:
    """Answer a question from what came back, or take the next step towards its answer."""
    bare_name = without_article(question.name) or question.name
    sensor = next((s for s in sensors if key(s.replace("_", " ")) == key(bare_name)), None)
    if not exchanges:
        if sensor is not None and question.label is None:
            return _call(OBSERVE, {"sensor": sensor})
        if not recall:
            return ModelAnswer(MEMORY_OFF)
        return _call(RECALL, {"query": question.name})
    call, result = exchanges[-1]
    acquired = acquisition_from(result)
    if call.name == OBSERVE:
        return ModelAnswer(f"{sensor}: {acquired.text}")
    if acquired.status == "miss" and len(exchanges) == 1 and bare_name != question.name:
        return _call(RECALL, {"query": bare_name}, 2)
    return ModelAnswer(recalled_answer(question, acquired))


def _exchanges(messages: Sequence[Message]) -> list[tuple[ToolCall, str]]:
    """Return the calls that were carried out, each with its result."""
    return [
        (asked.calls[0], result.text)
        for asked, result in pairwise(messages)
        if asked.role is Role.MODEL and asked.calls and result.role is Role.RESULT
    ]


def _grounded(messages: Sequence[Message], prefix: str) -> str | None:
    lines = (line for m in messages if m.role is Role.RUNTIME for line in m.text.splitlines())
    return next((line.removeprefix(prefix) for line in lines if line.startswith(prefix)), None)


def _sensor_news(text: str) -> str:
    told = json.loads(text[text.index("{") :])
    return f"Attention, {told['sensor']}: {told['quoted']}."


def _call(name: str, arguments: dict[str, str | None], number: int = 1) -> ModelAnswer:
    return ModelAnswer(calls=(ToolCall(f"call-{number}", name, json.dumps(arguments)),))
