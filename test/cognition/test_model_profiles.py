# SPDX-License-Identifier: Apache-2.0
"""The profiles that docs/cognition.md shows for language models are profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from mira_bringup.profile import load_profile
from mira_cognition.litellm_model import LiteLLMModel
from mira_cognition.model_choice import chosen_fallback, chosen_model
from mira_cognition.model_settings import ModelSettings
from mira_cognition.offline import OfflineModel

DOC = Path(__file__).parents[2] / "docs" / "cognition.md"
SHOWN = [
    line.strip()
    for line in DOC.read_text(encoding="utf-8").splitlines()
    if line.startswith("    cognition: {")
]


def test_every_kind_of_model_is_shown():
    text = "\n".join(SHOWN)
    for kind in ("ollama", "llama.cpp", "vLLM", "ANTHROPIC_API_KEY", "fallback: offline"):
        assert kind in text


@pytest.mark.parametrize("line", SHOWN)
def test_a_shown_profile_names_a_language_model(tmp_path, line):
    file = tmp_path / "profile.yaml"
    file.write_text(f"robot: {{name: Mira}}\n{line}\n", encoding="utf-8")
    cognition = load_profile(file).cognition
    settings = ModelSettings(
        name=cognition.model, api_base=cognition.api_base, fallback=cognition.fallback
    )
    assert isinstance(chosen_model(settings), LiteLLMModel)
    expected = OfflineModel if "fallback: offline" in line else type(None)
    assert isinstance(chosen_fallback(settings), expected)


def test_offline_is_the_offline_policy_and_needs_no_fallback():
    assert isinstance(chosen_model(ModelSettings()), OfflineModel)
    assert chosen_fallback(ModelSettings(fallback="offline")) is None
