# SPDX-License-Identifier: Apache-2.0
"""The scenarios of the cognition benchmark, and the score of what was observed in one."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from mira_cognition.claims import ClaimGuard

FILE = Path(__file__).parent / "scenarios" / "cognition.yaml"
_GUARD = ClaimGuard()


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Expected(_Data):
    """What must have happened."""

    stores: int = 0
    value: str | None = None
    reason: str | None = None
    calls: tuple[str, ...] = ()
    says: tuple[str, ...] = ()


class KnownEntity(_Data):
    """An entity of every scenario."""

    type: str
    name: str
    aliases: tuple[str, ...]


class Scenario(_Data):
    """One thing said to the robot, what is known then, and what to expect."""

    name: str
    kind: str
    said: str
    expect: Expected
    answer: str
    before: tuple[str, ...] = ()
    known: tuple[tuple[str, str, str, str], ...] = ()
    sensors: dict[str, Any] = {}
    memory: str = "present"
    stale: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    query: str | None = None
    sensor: str | None = None
    proposal: tuple[str, ...] | None = None
    obeys: tuple[str, ...] | None = None
    entities: tuple[KnownEntity, ...] = ()


class Score(StrEnum):
    """What a run is worth."""

    PASS = "PASS"
    MISS = "MISS"
    STALE = "STALE"
    INVENTED = "INVENTED"


@dataclass(frozen=True)
class Observed:
    """The facts of one run: reply, steps, and the values of what was newly stored."""

    reply: str
    outcome: str
    memory_status: str
    memory_reason: str
    seconds: float
    model_seconds: float
    model_requests: int
    calls: list[str] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)


def load_scenarios() -> list[Scenario]:
    """Return the scenarios, each with the entities and sensors that all of them share."""
    shared = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return [
        Scenario(**{"sensors": shared["sensors"], "entities": shared["entities"]} | scenario)
        for scenario in shared["scenarios"]
    ]


def score(scenario: Scenario, observed: Observed) -> tuple[Score, str]:
    """Return the score and, unless it is PASS, why."""
    expect = scenario.expect
    said = [word for word in expect.says if word.casefold() in observed.reply.casefold()]
    complete = len(said) == len(expect.says)
    if len(observed.stored) > expect.stores or (
        expect.value is not None and observed.stored not in ([], [expect.value])
    ):
        return Score.INVENTED, f"stored {observed.stored}"
    if observed.memory_status != "applied" and _GUARD.claims(observed.reply):
        return Score.INVENTED, "claims a write"
    if words := _within(scenario.invented, observed.reply):
        return Score.INVENTED, f"says {words}"
    if not (complete and expect.says) and (words := _within(scenario.stale, observed.reply)):
        return Score.STALE, f"says {words}"
    if observed.outcome != "completed":
        return Score.MISS, observed.outcome
    if len(observed.stored) < expect.stores:
        return Score.MISS, f"not stored {observed.memory_reason}"
    if missing := set(expect.calls) - set(observed.calls):
        return Score.MISS, f"no call of {sorted(missing)}"
    if expect.reason is not None and observed.memory_reason != expect.reason:
        return Score.MISS, f"rejected as {observed.memory_reason or 'nothing'}"
    if not complete:
        return Score.MISS, f"does not say {sorted(set(expect.says) - set(said))}"
    return Score.PASS, ""


def _within(words: tuple[str, ...], reply: str) -> list[str]:
    return [word for word in words if word.casefold() in reply.casefold()]
