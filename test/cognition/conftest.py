# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from mira_cognition.bounds import Bounds, Cancellation
from mira_cognition.capabilities import Acquired, Observe, RecallMemory, Remember, Remembered
from mira_cognition.claims import ClaimGuard
from mira_cognition.episode import Episode, Equipment
from mira_cognition.grounding import SensorReading, Surroundings
from mira_cognition.model import Model, ModelAnswer, ModelRequest, ModelUnavailable, ToolCall
from mira_cognition.model_thread import ModelThreads
from mira_cognition.reply import EpisodeReply
from mira_cognition.settings import EpisodeSettings
from mira_cognition.steps import Step, Steps
from mira_cognition.trigger import OperatorTurn, Trigger
from mira_cognition.working_memory import Interaction

PROPOSAL = {
    "kind": "preference",
    "subject": "Gordon",
    "predicate": "favourite_snack",
    "value": "herring",
    "evidence": "Gordon's favourite snack is herring",
    "related_entity": None,
    "related_role": None,
}
CREATED = Remembered("applied", "created", entity_id="ENT1", memory_id="MEM1")
MISS = Acquired("miss", "Nothing is known under that name.")
FRESH = Acquired("fresh", "percentage=0.5")

Answer = ModelAnswer | Exception | Callable[[ModelRequest], ModelAnswer]


class SteadyClock:
    """A steady clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds

    def advance(self, seconds: float) -> None:
        self.seconds += seconds


class ScriptedModel:
    """Answer from a script, and keep every request for the test to read."""

    name = "scripted"

    def __init__(self, *script: Answer) -> None:
        self.script = list(script)
        self.requests: list[ModelRequest] = []

    def prepare(self) -> None:
        pass

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, ModelAnswer) else step(request)


@dataclass
class PresetCapabilities:
    """Give preset results, and keep every call."""

    recalled: Acquired | Exception = MISS
    observed: Acquired = FRESH
    remembered: Remembered | Exception = CREATED
    calls: list[Any] = field(default_factory=list)

    def recall_memory(self, call: RecallMemory, bounds: Bounds) -> Acquired:
        self.calls.append(call)
        if isinstance(self.recalled, Exception):
            raise self.recalled
        return self.recalled

    def observe(self, call: Observe, bounds: Bounds) -> Acquired:
        self.calls.append(call)
        return self.observed

    def remember(self, turn_id: str, call: Remember, bounds: Bounds) -> Remembered:
        self.calls.append((turn_id, call))
        if isinstance(self.remembered, Exception):
            raise self.remembered
        return self.remembered


@dataclass
class Stage:
    """One episode's surroundings, and everything that it let the outside see."""

    clock: SteadyClock = field(default_factory=SteadyClock)
    capabilities: PresetCapabilities = field(default_factory=PresetCapabilities)
    cancellation: Cancellation = field(default_factory=Cancellation)
    settings: EpisodeSettings = field(default_factory=EpisodeSettings)
    steps: list[Step] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    sensors: tuple[SensorReading, ...] = ()
    request_timeout_s: float = 20.0
    fallback: Model | None = None
    failures: list[ModelUnavailable] = field(default_factory=list)

    def run(
        self,
        model: Model,
        trigger: Trigger | str = "Good morning.",
        history: tuple[Interaction, ...] = (),
    ) -> EpisodeReply:
        if isinstance(trigger, str):
            trigger = OperatorTurn("turn-1", trigger)
        equipment = Equipment(
            ModelThreads(
                model,
                request_timeout_s=self.request_timeout_s,
                fallback=self.fallback,
                unavailable=self.failures.append,
            ),
            self.capabilities,
            self.surroundings,
            ClaimGuard(),
            self.settings,
            self.clock,
            self.faults.append,
        )
        bounds = Bounds(self.settings.deadline_s, self.clock, self.cancellation)
        steps = Steps("episode-1", trigger, self.clock, self.steps.append)
        return Episode(trigger, equipment, bounds, history, steps).run()

    def surroundings(self) -> Surroundings:
        return Surroundings(
            "Mira",
            datetime(2026, 11, 30, 12, 0, tzinfo=UTC),
            self.clock.seconds,
            self.sensors,
            "available" if self.settings.memory_enabled else "switched off",
        )

    @property
    def told(self) -> list[tuple[str, str]]:
        return [(step.action, step.outcome) for step in self.steps]


def _call(name: str, arguments: dict[str, Any] | str, identity: str = "call-1") -> ToolCall:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(identity, name, text)


@dataclass(frozen=True)
class Say:
    """Shorthand for the answers of a scripted model."""

    proposal = PROPOSAL

    def words(self, text: str) -> ModelAnswer:
        return ModelAnswer(text)

    def calls(self, *calls: ToolCall) -> ModelAnswer:
        return ModelAnswer(calls=calls)

    def call(self, name: str, arguments: dict[str, Any] | str) -> ModelAnswer:
        return ModelAnswer(calls=(_call(name, arguments),))

    def recall(self, query: str = "Gordon") -> ModelAnswer:
        return self.call("recall_memory", {"query": query})

    def remember(self, **changes: Any) -> ModelAnswer:
        return self.call("remember", PROPOSAL | changes)


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.fixture
def say() -> Say:
    return Say()


@pytest.fixture
def tool_call() -> Callable[..., ToolCall]:
    return _call


@pytest.fixture
def scripted() -> Callable[..., ScriptedModel]:
    return ScriptedModel
