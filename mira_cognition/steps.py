# SPDX-License-Identifier: Apache-2.0
"""The steps of an episode as they are told to the outside: codes and durations, never words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mira_cognition.bounds import SteadyClock
from mira_cognition.trigger import Trigger, trigger_name, turn_of


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `action` and `outcome` are the codes of docs/cognition.md, "Events"."""

    episode_id: str
    turn_id: str
    trigger: str
    number: int
    action: str
    outcome: str
    duration_s: float


class Steps:
    """Number the steps of one episode and tell an observer of each."""

    def __init__(
        self,
        episode_id: str,
        trigger: Trigger,
        clock: SteadyClock,
        observer: Callable[[Step], None],
    ) -> None:
        self._episode_id = episode_id
        self._trigger = trigger
        self._clock = clock
        self._observer = observer
        self._began = clock()
        self._number = 0

    def tell(self, action: str, outcome: str, began: float | None = None) -> None:
        """Report a step that began at `began`, without one at this moment."""
        now = self._clock()
        self._number += 1
        self._observer(
            Step(
                self._episode_id,
                turn_of(self._trigger),
                trigger_name(self._trigger),
                min(self._number, 255),
                action,
                outcome,
                now - (now if began is None else began),
            )
        )

    def end(self, outcome: str) -> None:
        """Report the end, with the duration of the whole episode."""
        self.tell("end", outcome, self._began)
