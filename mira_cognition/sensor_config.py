# SPDX-License-Identifier: Apache-2.0
"""The configuration of sensors, as the parameter `sensors` and the profile have it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

_Text = Annotated[str, Field(min_length=1, max_length=256)]


class AttentionConfig(BaseModel):
    """When a sensor's field is worth attention: below or above a limit, or whenever it changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: _Text
    below: float | None = None
    above: float | None = None
    changes: bool = False
    cooldown_s: float = Field(default=300.0, ge=0.0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _one_condition(self) -> AttentionConfig:
        given = [self.below is not None, self.above is not None, self.changes]
        if sum(given) != 1:
            raise ValueError("give exactly one of below, above and changes")
        return self


class SensorConfig(BaseModel):
    """One sensor: where it is heard, which fields are read, and how old a value may be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: _Text
    topic: _Text
    type: _Text
    fields: tuple[_Text, ...] = Field(min_length=1)
    max_age_s: float = Field(default=5.0, gt=0.0, allow_inf_nan=False)
    attention: AttentionConfig | None = None

    @model_validator(mode="after")
    def _watched_field_is_read(self) -> SensorConfig:
        if self.attention is not None and self.attention.field not in self.fields:
            raise ValueError(f"attention.field must be one of the fields {list(self.fields)}")
        return self


def _named_apart(sensors: tuple[SensorConfig, ...]) -> tuple[SensorConfig, ...]:
    for name, count in Counter(sensor.name for sensor in sensors).items():
        if count > 1:
            raise ValueError(f"has {count} sensors named {name}; give each its own name")
    return sensors


SensorConfigs = Annotated[tuple[SensorConfig, ...], AfterValidator(_named_apart)]


class SensorsRefused(ValueError):
    """The sensors' configuration cannot be used; the sentence says where and why."""


def read_sensors(text: str) -> tuple[SensorConfig, ...]:
    """Read the parameter `sensors`: a YAML list, empty for none; raise SensorsRefused."""
    try:
        loaded = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SensorsRefused(f"sensors is no YAML: {' '.join(str(error).split())}") from None
    try:
        return TypeAdapter(SensorConfigs).validate_python(loaded or ())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SensorsRefused(
            f"sensors{'.' if where else ''}{where}: {first['msg'].removeprefix('Value error, ')}; "
            "expected a list of {name, topic, type, fields, max_age_s, attention}"
        ) from None
