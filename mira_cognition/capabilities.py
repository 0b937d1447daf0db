# SPDX-License-Identifier: Apache-2.0
"""The three capabilities of an episode: their arguments, their strict schemas, their results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mira_cognition.bounds import Bounds
from mira_cognition.model import Tool, ToolCall

ARGUMENTS_MAX = 16_000


class _Arguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RecallMemory(_Arguments):
    """Look one name up in persistent memory. What comes back is remembered, and may be stale."""

    query: str = Field(description="One exact name or alias of a person, place or thing.")


class Observe(_Arguments):
    """Read one sensor now. Needed for any claim about the present."""

    sensor: str = Field(description="The name of a configured sensor.")


class Remember(_Arguments):
    """Propose one durable memory, only when the operator asks for it or clearly wants it kept.

    Copy subject, value and the shortest complete evidence clause from the current utterance.
    """

    kind: Literal["fact", "preference", "relationship"] = Field(
        description="A relationship joins two named entities."
    )
    subject: str = Field(description="Who or what it is about, copied from the utterance.")
    predicate: str = Field(description="A concise stable identifier, like favourite_snack.")
    value: str = Field(description="The value, copied from the utterance.")
    evidence: str = Field(
        description="The shortest complete clause that says it, copied from the utterance."
    )
    related_entity: str | None = Field(
        description="The other entity of a relationship, equal to the value; else null."
    )
    related_role: str | None = Field(
        description="The other entity's role in a relationship, like owner; else null."
    )


Call = RecallMemory | Observe | Remember
RECALL, OBSERVE, REMEMBER = "recall_memory", "observe", "remember"
_ARGUMENTS: dict[str, type[Call]] = {RECALL: RecallMemory, OBSERVE: Observe, REMEMBER: Remember}


@dataclass(frozen=True, slots=True)
class Acquired:
    """What an acquisition brought: a status code and the text that the model may read."""

    status: str
    text: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the memory node decided; the authority over every acknowledgement.

    `status` is `applied`, `rejected`, or `unknown` where no answer came in time.
    """

    status: Literal["applied", "rejected", "unknown"]
    admission: str = ""
    reason: str = ""
    error: str = ""
    entity_id: str = ""
    memory_id: str = ""
    conflicts: tuple[str, ...] = ()

    @property
    def applied(self) -> bool:
        """Tell whether the store now holds what was proposed."""
        return self.status == "applied"


class Capabilities(Protocol):
    """What an episode can do; every method answers within its bounds and never raises on time."""

    def recall_memory(self, call: RecallMemory, bounds: Bounds) -> Acquired:
        """Look a name up: `hit`, `miss`, `ambiguous`, `invalid` or `failure`."""
        ...

    def observe(self, call: Observe, bounds: Bounds) -> Acquired:
        """Read a sensor: `fresh`, `stale`, `no_data` or `invalid`."""
        ...

    def remember(self, turn_id: str, call: Remember, bounds: Bounds) -> Remembered:
        """Propose one memory, asking again for a lost answer."""
        ...


class CallMalformed(ValueError):
    """A call that cannot be carried out; the sentence tells the model what to mend."""


def checked_call(call: ToolCall, offered: Sequence[Tool]) -> Call:
    """Validate a model's call of one of the tools that were offered.

    Raises CallMalformed with a sentence that names fields and never repeats their content.
    """
    names = [tool.name for tool in offered]
    if call.name not in names:
        raise CallMalformed(f"There is no such tool; the tools are: {', '.join(names) or 'none'}.")
    arguments = _ARGUMENTS[call.name]
    if len(call.arguments) > ARGUMENTS_MAX:
        raise CallMalformed(f"The arguments are longer than {ARGUMENTS_MAX} characters.")
    try:
        return arguments.model_validate_json(call.arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        # The path of an unexpected property is text that the model made up.
        known = [str(part) for part in first["loc"] if part in arguments.model_fields]
        where = f"{'.'.join(known)}: " if known else ""
        raise CallMalformed(
            f"{where}{first['msg']}, as the schema of {call.name} has it."
        ) from None


def tools(*, memory: bool, remember: bool, sensors: Sequence[str]) -> tuple[Tool, ...]:
    """Offer what this episode may use; every property required, nothing else allowed."""
    return _offered(memory, remember, tuple(sensors))


@cache
def _offered(memory: bool, remember: bool, sensors: tuple[str, ...]) -> tuple[Tool, ...]:
    offered: list[Tool] = []
    if memory:
        offered.append(_tool(RECALL))
    if sensors:
        observe = _tool(OBSERVE)
        observe.parameters["properties"]["sensor"]["enum"] = list(sensors)
        offered.append(observe)
    if memory and remember:
        offered.append(_tool(REMEMBER))
    return tuple(offered)


def _tool(name: str) -> Tool:
    schema = _ARGUMENTS[name].model_json_schema()
    description = " ".join(str(schema.pop("description")).split())
    return Tool(name, description, _without_titles(schema))


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema["properties"]
    for field in properties.values():
        field.pop("title", None)
    return {key: value for key, value in schema.items() if key != "title"}


def quoted_acquisition(acquired: Acquired) -> str:
    """Hand an acquisition over as quoted data, so that its text cannot pose as anything else."""
    return json.dumps({"status": acquired.status, "quoted": acquired.text}, ensure_ascii=False)


def acquisition_from(text: str) -> Acquired:
    """Read back what quoted_acquisition wrote."""
    fields = json.loads(text)
    return Acquired(fields["status"], fields["quoted"])


def quoted_decision(remembered: Remembered, meaning: str) -> str:
    """Hand the memory node's decision over, with what it means for the acknowledgement."""
    return json.dumps({**asdict(remembered), "meaning": meaning}, ensure_ascii=False)


def decision_from(text: str) -> Remembered:
    """Read back what quoted_decision wrote."""
    fields = json.loads(text)
    fields.pop("meaning")
    return Remembered(**{**fields, "conflicts": tuple(fields["conflicts"])})
