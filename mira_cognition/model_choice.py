# SPDX-License-Identifier: Apache-2.0
"""Choosing the model that the parameters name (docs/cognition.md, "Models")."""

from dataclasses import dataclass

from mira_cognition.model import Model
from mira_cognition.offline import OfflineModel

OFFLINE = "offline"
FALLBACKS = ("none", OFFLINE)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model is reached; API keys are not among it, they stay in the environment."""

    name: str = OFFLINE
    api_base: str = ""
    temperature: float = 0.0
    max_tokens: int = 512
    request_timeout_s: float = 20.0
    fallback: str = "none"


def chosen_model(settings: ModelSettings) -> Model:
    """Return the model of these settings."""
    return OfflineModel()
