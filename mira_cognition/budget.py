# SPDX-License-Identifier: Apache-2.0
"""The counted budgets of one episode."""

from dataclasses import dataclass

from mira_cognition.capabilities import REMEMBER


@dataclass(slots=True)
class Budget:
    """What is left; every attempt counts, whatever comes of it (docs/cognition.md, "Episode")."""

    acquisitions: int = 2
    model_requests: int = 4
    proposals: int = 1

    def allows(self, capability: str) -> bool:
        """Tell whether one more call of this capability may be carried out."""
        return (self.proposals if capability == REMEMBER else self.acquisitions) > 0

    def spend(self, capability: str) -> None:
        """Count one attempt."""
        if capability == REMEMBER:
            self.proposals -= 1
        else:
            self.acquisitions -= 1
