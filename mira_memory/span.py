# SPDX-License-Identifier: Apache-2.0
"""A place in what was heard, in indices of its folded text."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Mark a half-open range [start, end) of an utterance's folded text."""

    start: int
    end: int

    def within(self, other: Span) -> bool:
        """Tell whether this span lies inside `other`."""
        return other.start <= self.start and self.end <= other.end
