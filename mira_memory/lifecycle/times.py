# SPDX-License-Identifier: Apache-2.0
"""Read a moment as a person writes it: ISO 8601 with a zone, or a date in the robot's zone."""

import re
from datetime import datetime

from mira_memory.errors import TimeRefused
from mira_memory.records import timestamp

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_EXAMPLE = "2026-11-30, or 2026-11-30T18:00:00+01:00"


def moment(text: str, what: str) -> str:
    """Return the stored form of a moment; a date stands for its first moment.

    Raises:
        TimeRefused: it is neither a date nor a time with its zone.
    """
    text = text.strip()
    try:
        at = datetime.fromisoformat(text)
        if _DATE.fullmatch(text):
            return timestamp(at.astimezone())
        if "T" in text and at.tzinfo is not None:
            return timestamp(at)
    except (ValueError, OverflowError):
        pass
    raise TimeRefused(f"The {what} is no date and no time with a zone; write it as {_EXAMPLE}.")
