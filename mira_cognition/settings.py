# SPDX-License-Identifier: Apache-2.0
"""The bounds of episodes, as the cognition node's parameters set them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpisodeSettings:
    """Budgets and time limits of one episode; times in seconds on the steady clock."""

    deadline_s: float = 30.0
    acquisitions: int = 2
    model_requests: int = 4
    memory_timeout_s: float = 3.0
    memory_enabled: bool = True
    sensors: tuple[str, ...] = ()
