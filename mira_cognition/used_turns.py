# SPDX-License-Identifier: Apache-2.0
"""The turn ids of the last utterances, to tell a repetition from a reuse."""

import hashlib
from collections import OrderedDict
from typing import Literal

from mira_cognition.trigger import OperatorTurn

CAPACITY = 1024


class UsedTurns:
    """Remember which turn id came with which text; texts are kept as digests only."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._digests: OrderedDict[str, bytes] = OrderedDict()

    def seen(self, turn: OperatorTurn) -> Literal["new", "repeated", "reused"]:
        """Compare a turn with those kept: never seen, the same again, or with another text."""
        known = self._digests.get(turn.turn_id)
        if known is None:
            return "new"
        return "repeated" if known == _digest(turn.text) else "reused"

    def keep(self, turn: OperatorTurn) -> None:
        """Keep a turn that has an id; the oldest one makes room."""
        if turn.turn_id:
            self._digests[turn.turn_id] = _digest(turn.text)
            if len(self._digests) > self._capacity:
                self._digests.popitem(last=False)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
