# SPDX-License-Identifier: Apache-2.0
"""The profile: one YAML file that says who the robot is, what it remembers with and senses."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mira_bringup.lined_yaml import LinedYaml, YamlRefused, read_lined
from mira_bringup.sections import DIRECTORY, CognitionSection, MemorySection, RobotSection, Section
from mira_cognition.sensor_config import SensorConfigs


class Profile(Section):
    """What a profile file says; every part may be left out.

    `memory.database_path` is absolute: a relative one was resolved against the profile's
    directory. See docs/operations.md, "The profile".
    """

    robot: RobotSection = RobotSection()
    memory: MemorySection = MemorySection()
    cognition: CognitionSection = CognitionSection()
    sensors: SensorConfigs = ()


class ProfileRefused(ValueError):
    """A profile that cannot be used; the sentence names file, line and key, and the remedy."""


def load_profile(path: Path) -> Profile:
    """Read and check the profile file; raises `ProfileRefused`."""
    text = _text_of(path)
    try:
        document = read_lined(text)
    except YamlRefused as error:
        raise ProfileRefused(f"{path}:{error.line}: the profile {error}.") from error
    value = {} if document.value is None else document.value
    if not isinstance(value, dict):
        raise ProfileRefused(
            f"{path}:1: the profile must be a mapping with the sections {_known(Profile)}."
        )
    try:
        return Profile.model_validate(value, context={DIRECTORY: path.parent.resolve()})
    except ValidationError as error:
        raise ProfileRefused(_sentence(path, document, error)) from error


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ProfileRefused(f"{path}: the profile is not UTF-8; save it as UTF-8.") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ProfileRefused(
            f"{path}: the profile cannot be read ({reason}); name a YAML file that can."
        ) from error


def _sentence(path: Path, document: LinedYaml, error: ValidationError) -> str:
    """Tell the first fault in the file's order, and how many more there are."""
    faults = sorted(
        error.errors(include_url=False), key=lambda fault: document.line_of(fault["loc"])
    )
    fault = faults[0]
    more = f" ({len(faults) - 1} more after this one)" if len(faults) > 1 else ""
    line = document.line_of(fault["loc"])
    return f"{path}:{line}: {_dotted(fault['loc'])}{_expectation(fault)}.{more}"


_EXPECTATIONS: Mapping[str, str] = {
    "missing": "is missing; add it",
    "string_type": "must be text; put its value in quotes",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
    "tuple_type": "must be a list, such as [a, b]",
    "model_type": "must be a section of keys with values",
    "model_attributes_type": "must be a section of keys with values",
}


def _expectation(fault: ErrorDetails) -> str:
    kind = fault["type"]
    if kind == "extra_forbidden":
        return _unknown_key(fault["loc"])
    if kind in ("value_error", "assertion_error"):
        return f": {fault['ctx']['error']}".rstrip(".")
    return " " + _EXPECTATIONS.get(kind, fault["msg"].replace("Input should be", "must be", 1))


def _unknown_key(location: Sequence[str | int]) -> str:
    *parents, key = location
    section = _section_at(parents)
    close = difflib.get_close_matches(str(key), section.model_fields, n=1)
    hint = f"; did you mean {close[0]}?" if close else "."
    return f" is not a key of the profile{hint} Known here: {_known(section)}"


def _section_at(location: Sequence[str | int]) -> type[BaseModel]:
    section: type[BaseModel] = Profile
    for step in location:
        if isinstance(step, str):
            section = _section_in(section.model_fields[step].annotation)
    return section


def _section_in(annotation: Any) -> type[BaseModel]:
    """Find the section class in an annotation such as `tuple[SensorConfig, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(_section_in(part) for part in annotation.__args__ if part not in (..., type(None)))


def _known(section: type[BaseModel]) -> str:
    return ", ".join(section.model_fields)


def _dotted(location: Sequence[str | int]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return text.removeprefix(".") or "the profile"
