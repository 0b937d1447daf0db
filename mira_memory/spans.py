# SPDX-License-Identifier: Apache-2.0
"""Find where a name, value or evidence occurs without cutting a word, number or character.

Follows docs/grounding.md, "Occurrences"; UAX #29 for grapheme clusters.
"""

from collections.abc import Iterator

from mira_memory.span import Span
from mira_memory.utterance import Utterance


def occurrences(utterance: Utterance, sought: str, within: Span) -> Iterator[Span]:
    """Yield the occurrences of the folded text `sought` inside `within`, in order.

    Both ends of an occurrence are edges of the utterance, so none of them cuts a word, a number
    or a character in two. Occurrences may overlap.
    """
    text, edges = utterance.folded, utterance.edges
    start = text.find(sought, within.start, within.end) if sought else -1
    while start >= 0:
        end = start + len(sought)
        if edges[start] and edges[end]:
            yield Span(start, end)
        # A hit that starts at no edge is never needed: skipping to the next edge keeps a
        # search through "aaaa..." linear.
        following = edges.find(1, start + 1)
        start = text.find(sought, following, within.end) if following >= 0 else -1


def last_occurrence(utterance: Utterance, sought: str, within: Span) -> Span | None:
    """Return the last of the occurrences inside `within`, or None."""
    text, edges = utterance.folded, utterance.edges
    start = text.rfind(sought, within.start, within.end) if sought else -1
    while start >= 0:
        end = start + len(sought)
        if edges[start] and edges[end]:
            return Span(start, end)
        earlier = edges.rfind(1, within.start, end)
        start = text.rfind(sought, within.start, earlier) if earlier >= 0 else -1
    return None
