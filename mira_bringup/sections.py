# SPDX-License-Identifier: Apache-2.0
"""The sections of a profile: which keys exist and which values they take."""

import os.path
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationInfo, field_validator

from mira_cognition.model_settings import address_fault
from mira_memory.text import NAME_MAX, OPERATOR_WORDS, SELF_WORDS, SOURCE_LABEL_MAX, checked, key

DIRECTORY = "directory"
"""Validation context key: the directory that relative paths of the profile resolve against."""

SCHEMA_VERSIONS = (1, 2)

Flag = Annotated[bool, Strict()]
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Seconds = Annotated[Number, Field(ge=0.01, le=86_400)]
Language = Literal["en", "de", "es", "fr"]
LANGUAGES: tuple[Language, ...] = ("en", "de", "es", "fr")


class Section(BaseModel):
    """A part of the profile: immutable, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RobotSection(Section):
    """Who the robot is."""

    name: str = "Mira"

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, value: str) -> str:
        name = checked(value, "name", NAME_MAX)
        if key(name) in SELF_WORDS | OPERATOR_WORDS:
            raise ValueError("must be a proper name, not a word for the speaker or the listener")
        return name


class MemorySection(Section):
    """What is remembered with; off unless enabled and given a database."""

    enabled: Flag = False
    database_path: str = ""
    schema_version: Whole = SCHEMA_VERSIONS[-1]
    audit_reads: Flag = False
    turn_ttl_s: Annotated[Seconds, Field(ge=1)] = 300.0
    assertion_guard: Flag = True
    assertion_guard_languages: Annotated[tuple[Language, ...], Field(min_length=1)] = LANGUAGES
    admin_services: Flag = True
    speakers: tuple[str, ...] = ()

    @property
    def on(self) -> bool:
        """Tell whether there is persistent memory at all."""
        return self.enabled and self.database_path != ""

    @field_validator("database_path")
    @classmethod
    def _resolved(cls, value: str, info: ValidationInfo) -> str:
        if not value.strip():
            return ""
        if "\0" in value:
            raise ValueError("must not contain a null character; name a file")
        # Unlike Path.expanduser, it leaves the name of a user who is unknown as it is.
        path = os.path.expanduser(value)
        return os.path.normpath(_directory(info.context) / path)

    @field_validator("schema_version")
    @classmethod
    def _is_known(cls, value: int) -> int:
        if value not in SCHEMA_VERSIONS:
            known = " or ".join(map(str, SCHEMA_VERSIONS))
            raise ValueError(f"is {value}, which this mira does not know; use {known}")
        return value

    @field_validator("speakers")
    @classmethod
    def _are_labels(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(checked(label, "speaker", SOURCE_LABEL_MAX) for label in value)


class CognitionSection(Section):
    """What thinks, and within which bounds; what is left out keeps the node's default."""

    model: Annotated[str, Field(min_length=1)] = "offline"
    api_base: str = ""
    temperature: Annotated[Number, Field(ge=0, le=2)] = 0.0
    max_tokens: Annotated[Whole, Field(ge=1, le=1_000_000)] = 512
    request_timeout_s: Seconds = 20.0
    fallback: Literal["none", "offline"] = "none"
    deadline_s: Seconds = 30.0
    acquisitions: Annotated[Whole, Field(ge=0, le=255)] = 2
    model_requests: Annotated[Whole, Field(ge=1, le=255)] = 4
    queue_size: Annotated[Whole, Field(ge=1, le=1000)] = 8
    working_memory_size: Annotated[Whole, Field(ge=0, le=100)] = 6
    memory_timeout_s: Seconds = 3.0
    claim_guard_languages: tuple[Language, ...] = LANGUAGES

    @field_validator("api_base")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        fault = address_fault(value)
        if fault is not None:
            raise ValueError(fault)
        return value


def _directory(context: Any) -> Path:
    return Path(context[DIRECTORY]) if context else Path()
