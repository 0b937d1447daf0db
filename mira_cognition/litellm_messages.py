# SPDX-License-Identifier: Apache-2.0
"""Requests and answers of an episode in the form of the OpenAI chat protocol."""

from collections.abc import Sequence
from typing import Any

from mira_cognition.model import Message, ModelAnswer, ModelUnavailable, Role, Tool, ToolCall

_NOW = "The operator's current words:\n"


def chat_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Translate messages: one system message, in front, and no two of the user in a row.

    Chat templates of local models refuse other orders; what is said later in the name of the
    runtime therefore goes in the user's place, marked as a note.
    """
    chat: list[dict[str, Any]] = []
    for number, message in enumerate(messages):
        if message.role is Role.RUNTIME and number == 0:
            chat.append({"role": "system", "content": message.text})
        elif message.role is Role.MODEL:
            chat.append(
                {
                    "role": "assistant",
                    "content": message.text or None,
                    "tool_calls": [_chat_call(call) for call in message.calls],
                }
            )
        elif message.role is Role.RESULT:
            chat.append({"role": "tool", "tool_call_id": message.answers, "content": message.text})
        elif chat and chat[-1]["role"] == "user":
            chat[-1]["content"] += "\n\n" + _as_user(message, follows=True)
        else:
            chat.append({"role": "user", "content": _as_user(message, follows=False)})
    return chat


def chat_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Translate the capabilities on offer, with strict schemas."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "strict": True,
            },
        }
        for tool in tools
    ]


def answer_from(completion: Any, *, without_tools: bool) -> ModelAnswer:
    """Read a completion; raises ModelUnavailable where there is no message in it."""
    try:
        message = completion.choices[0].message
        calls = tuple(
            ToolCall(
                str(call.id or f"call-{number}"),
                str(call.function.name or ""),
                str(call.function.arguments or ""),
            )
            for number, call in enumerate(message.tool_calls or ())
        )
        text = message.content or ""
    except (AttributeError, IndexError, TypeError):
        raise ModelUnavailable("unusable", "The answer is no chat completion.") from None
    return ModelAnswer(text if isinstance(text, str) else "", calls, without_tools)


def _as_user(message: Message, *, follows: bool) -> str:
    if message.role is Role.RUNTIME:
        return f"Note of the runtime: {message.text}"
    return f"{_NOW}{message.text}" if follows and message.role is Role.OPERATOR else message.text


def _chat_call(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.identity,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
