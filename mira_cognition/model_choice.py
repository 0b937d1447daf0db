# SPDX-License-Identifier: Apache-2.0
"""Choosing the model that the parameters name (docs/cognition.md, "Models")."""

from mira_cognition.litellm_model import LiteLLMModel
from mira_cognition.model import Model
from mira_cognition.model_settings import OFFLINE, ModelSettings
from mira_cognition.offline import OfflineModel


def chosen_model(settings: ModelSettings) -> Model:
    """Return the model of these settings; whether it can be reached only a request tells."""
    return OfflineModel() if settings.name == OFFLINE else LiteLLMModel(settings)


def chosen_fallback(settings: ModelSettings) -> Model | None:
    """Return what answers in the place of a model that cannot, if anything does."""
    offline = settings.fallback == OFFLINE and settings.name != OFFLINE
    return OfflineModel() if offline else None
