# SPDX-License-Identifier: Apache-2.0
"""Hear an operator's utterance once: every later look-up works on this one normalized form.

Follows docs/memory.md, "Identity and text", and docs/grounding.md, "The utterance".
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from mira_memory.alignment import align
from mira_memory.edges import find_edges
from mira_memory.heard_text import Ungroundable, heard_text
from mira_memory.sentences import split
from mira_memory.span import Span
from mira_memory.text import fold_typography, key

__all__ = ["Ungroundable", "Utterance", "fold", "hear"]


@dataclass(frozen=True, slots=True)
class Utterance:
    """Hold what the operator said, in the operator's own form and in the form for comparison.

    `display` is the display form. `folded` is its key with typographic variants folded; every
    index and span elsewhere counts in `folded`. `origin[i]` is the index into `display` of the
    character that `folded[i]` came from, and `origin[len(folded)]` is `len(display)`.
    `edges[i]` is 1 where an occurrence may start or end. `sentences` are in order, do not
    overlap, and leave out the white space between them; a closing quotation mark or bracket
    belongs to the sentence before it. A sentence may lack a terminator: a line break ends it too.
    """

    display: str
    folded: str
    origin: Sequence[int]
    edges: bytes
    sentences: tuple[Span, ...]

    def said(self, span: Span) -> str:
        """Return the operator's own words under `span`, in display form."""
        return self.display[self.origin[span.start] : self.origin[span.end]].strip()

    def sentence_at(self, index: int) -> int | None:
        """Return the position in `sentences` of the one that contains `index`, or None."""
        found = bisect_right(self.sentences, index, key=lambda span: span.start) - 1
        if found >= 0 and index < self.sentences[found].end:
            return found
        return None


def hear(raw: str) -> Utterance:
    """Return the normalized form of an utterance as it arrived.

    Raises:
        Ungroundable: it is too long, or has a character that no stored text may hold.
    """
    text = heard_text(raw)
    aligned = align(text)
    return Utterance(
        display=aligned.display.replace("\n", " "),
        folded=fold_typography(aligned.key).replace("\n", " "),
        origin=aligned.origin,
        edges=find_edges(aligned),
        sentences=split(aligned),
    )


def fold(text: str) -> str:
    """Return a text as it is compared with `Utterance.folded`: its key, typography folded."""
    return fold_typography(key(text))
