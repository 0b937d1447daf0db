# SPDX-License-Identifier: Apache-2.0
"""The reasons that people give: they stay in the audit log for ever, even after a memory."""

import re

from mira_memory.errors import ReasonRefused
from mira_memory.text import checked, fold_typography, key

REASON_MAX = 500


def checked_reason(reason: str, *about: str | None) -> str:
    """Return the display form of a reason; `about` is what the memory says.

    Raises:
        TextRefused: it is empty, too long, or has a refused character.
        ReasonRefused: it repeats what the memory says.
    """
    shown = checked(reason, "reason", REASON_MAX)
    folded = fold_typography(key(shown))
    for text in about:
        words = fold_typography(key(text or ""))
        if words and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", folded):
            raise ReasonRefused(
                "The reason repeats what the memory says, and would stay in the audit log when "
                "the memory is forgotten; give the reason without it."
            )
    return shown
