# SPDX-License-Identifier: Apache-2.0
"""Keep answers to questions for as long as nobody has written to the store."""

from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

CAPACITY = 64


class Answers(Generic[Answer]):
    """Remember the answers to the latest questions; safe for several threads.

    `version` returns a number that changes with every commit, whoever makes it. Each answer is
    kept with the version read before it was worked out: a commit in between can make it unused,
    and never stale.
    """

    def __init__(self, version: Callable[[], int]) -> None:
        self._version = version
        self._kept: dict[str, tuple[int, Answer]] = {}

    def of(
        self,
        question: str,
        answer: Callable[[], Answer],
        still_holds: Callable[[Answer], bool] = lambda _: True,
    ) -> Answer:
        """Return the answer that is kept for this question, or work it out and keep it.

        What no longer holds, though nobody wrote, is worked out again.
        """
        version = self._version()
        kept = self._kept.get(question)
        if kept is not None and kept[0] == version and still_holds(kept[1]):
            return kept[1]
        worked_out = answer()
        self._kept.pop(question, None)
        self._kept[question] = (version, worked_out)
        while len(self._kept) > CAPACITY:
            self._kept.pop(next(iter(self._kept), ""), None)
        return worked_out
