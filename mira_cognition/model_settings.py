# SPDX-License-Identifier: Apache-2.0
"""How the parameters name a model (docs/cognition.md, "Models")."""

from dataclasses import dataclass

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
