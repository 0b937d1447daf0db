# SPDX-License-Identifier: Apache-2.0
"""Reading fields of any message by dotted paths, and showing their values."""

import math
from collections.abc import Sequence
from typing import Any

Value = bool | int | float | str

TEXT_MAX = 200
LISTED_MAX = 8


class NoSuchField(LookupError):
    """A path does not lead to a field of the message type."""


def read_fields(message: Any, paths: Sequence[str]) -> tuple[tuple[str, Value], ...]:
    """Return the values that are there, in the order of `paths`; NaN and empty lists are not.

    A path's parts are field names, or the numbers of list elements ("ranges.0"). Raises
    NoSuchField for a part that the message does not have.
    """
    values = ((path, _shown(_at(message, path))) for path in paths)
    return tuple((path, value) for path, value in values if value is not None)


def as_text(value: Value) -> str:
    """Show a value on one line, at most 200 characters."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"


def _at(message: Any, path: str) -> Any:
    found = message
    for part in path.split("."):
        if part.isdecimal() and hasattr(found, "__getitem__"):
            if int(part) >= len(found):
                return None
            found = found[int(part)]
        elif part in _names(found):
            found = getattr(found, part)
        else:
            raise NoSuchField(f"there is no field {path!r} in {type(message).__name__}")
    return found


def _names(message: Any) -> Sequence[str]:
    # Only what the interface defines is a field: no methods, no attributes of Python's.
    fields = getattr(message, "get_fields_and_field_types", None)
    return () if fields is None else tuple(fields())


def _shown(found: Any) -> Value | None:
    if found is None or (isinstance(found, float) and math.isnan(found)):
        return None
    if isinstance(found, bool | int | float | str):
        return found
    if isinstance(found, bytes) and len(found) == 1:
        return found[0]
    if hasattr(found, "__len__") and hasattr(found, "__getitem__"):
        shown = [
            as_text(value) for item in found[:LISTED_MAX] if (value := _shown(item)) is not None
        ]
        more = f", … {len(found)} in all" if len(found) > LISTED_MAX else ""
        return f"[{', '.join(shown)}{more}]" if shown else None
    if names := _names(found):
        parts = [(name, _shown(getattr(found, name))) for name in names]
        return ", ".join(f"{name}={as_text(value)}" for name, value in parts if value is not None)
    # A numpy scalar becomes the Python value that it holds.
    return _shown(found.item()) if hasattr(found, "item") else str(found)
