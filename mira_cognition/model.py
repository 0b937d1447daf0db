# SPDX-License-Identifier: Apache-2.0
"""What every language model looks like to an episode, whether it runs here or behind a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Model(Protocol):
    """Give one answer to one request: words, or capability calls (docs/cognition.md, "Models")."""

    @property
    def name(self) -> str:
        """The name it was configured under."""
        ...

    def prepare(self) -> None:
        """Load what takes long; raise ModelUnavailable where it is missing."""
        ...

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer once, without retries of its own; raise ModelUnavailable where that fails."""
        ...


class Role(StrEnum):
    """Who speaks in a message; a network model maps these to the roles of its provider."""

    RUNTIME = "runtime"
    HISTORY = "history"
    OPERATOR = "operator"
    SENSOR = "sensor"
    MODEL = "model"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model wrote it; `arguments` is JSON text that nobody has checked yet."""

    identity: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request; `answers` names the call that a result belongs to."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A capability as it is offered: name, description and a strict JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """All that a model sees: rebuilt for every request, with the seconds that it may take."""

    messages: Sequence[Message]
    tools: Sequence[Tool]
    timeout_s: float


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What came back: text, calls, or both; an answer with neither is unusable.

    `without_tools` says that the model was asked without the tools, since it cannot take any.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    without_tools: bool = False


class ModelUnavailable(Exception):
    """The model gave no answer; `reason` is a stable code, the text a sentence to act on."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
