# SPDX-License-Identifier: Apache-2.0
"""The parameters of the cognition node (docs/cognition.md, "Parameters")."""

from __future__ import annotations

from dataclasses import dataclass

from mira_cognition.claims import LANGUAGES, ClaimGuard
from mira_cognition.model_settings import FALLBACKS, OFFLINE, ModelSettings, address_fault
from mira_cognition.phrases import UnknownLanguage
from mira_cognition.sensor_config import SensorConfig, SensorsRefused, read_sensors
from mira_cognition.settings import EpisodeSettings
from mira_ros import parameters
from mira_ros.serving import ServedNode

_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What the cognition node was started with; nothing of it can change while it runs."""

    self_name: str
    model: ModelSettings
    episode: EpisodeSettings
    sensors: tuple[SensorConfig, ...]
    guard: ClaimGuard
    queue_size: int
    working_memory_size: int

    @classmethod
    def declared(cls, node: ServedNode) -> Settings:
        """Declare the parameters on `node` and read them; raises `ParameterRefused`."""
        sensors = _sensors(node)
        return cls(
            self_name=parameters.text(
                node, "self_name", "Mira", "The robot's name, as operators say it."
            ),
            model=_model(node),
            episode=_episode(node, tuple(sensor.name for sensor in sensors)),
            sensors=sensors,
            guard=_guard(node),
            queue_size=parameters.whole(
                node, "queue_size", 8, 1, 1000, "Utterances that may wait; more are refused."
            ),
            working_memory_size=parameters.whole(
                node, "working_memory_size", 6, 0, 100, "Interactions that the model sees again."
            ),
        )


def _model(node: ServedNode) -> ModelSettings:
    settings = ModelSettings(
        name=parameters.text(
            node,
            "model",
            OFFLINE,
            "offline, or a LiteLLM model name such as ollama/qwen3, openai/local, anthropic/...",
        ),
        api_base=_api_base(node),
        temperature=parameters.number(
            node, "temperature", 0.0, 0.0, 2.0, "Sampling temperature of a language model."
        ),
        max_tokens=parameters.whole(
            node, "max_tokens", 512, 1, 1_000_000, "Tokens that one model answer may have."
        ),
        request_timeout_s=parameters.number(
            node,
            "request_timeout_s",
            20.0,
            0.01,
            _DAY_S,
            "Seconds that one model request may take.",
        ),
        fallback=parameters.choice(
            node,
            "fallback",
            "none",
            FALLBACKS,
            "What answers when the model cannot be reached: none, or the offline policy.",
        ),
    )
    if not settings.name.strip():
        raise parameters.refused(
            node, "model", f"is empty, expected {OFFLINE} or a LiteLLM model name."
        )
    return settings


def _episode(node: ServedNode, sensors: tuple[str, ...]) -> EpisodeSettings:
    return EpisodeSettings(
        deadline_s=parameters.number(
            node, "deadline_s", 30.0, 0.01, _DAY_S, "Seconds after which an episode must end."
        ),
        acquisitions=parameters.whole(
            node, "acquisitions", 2, 0, 255, "Attempts to recall or observe in one episode."
        ),
        model_requests=parameters.whole(
            node, "model_requests", 4, 1, 255, "Model requests in one episode, repairs included."
        ),
        memory_timeout_s=parameters.number(
            node, "memory_timeout_s", 3.0, 0.01, _DAY_S, "Seconds to wait for the memory node."
        ),
        memory_enabled=parameters.flag(
            node, "memory_enabled", True, "Offer recall_memory and remember to the model."
        ),
        sensors=sensors,
    )


def _api_base(node: ServedNode) -> str:
    address = parameters.text(
        node, "api_base", "", "Address of the model's server; empty: the provider's own."
    )
    fault = address_fault(address)
    if fault is not None:
        raise parameters.refused(node, "api_base", f"{fault}.")
    return address


def _sensors(node: ServedNode) -> tuple[SensorConfig, ...]:
    given = parameters.text(
        node,
        "sensors",
        "",
        "Sensors as one YAML text: a list of {name, topic, type, fields, max_age_s, attention}.",
    )
    try:
        return read_sensors(given)
    except SensorsRefused as refusal:
        raise parameters.refused(node, "sensors", f"cannot be used: {refusal}.") from None


def _guard(node: ServedNode) -> ClaimGuard:
    languages = parameters.texts(
        node,
        "claim_guard_languages",
        LANGUAGES,
        "Languages in which a reply is kept from claiming that something was stored.",
    )
    try:
        return ClaimGuard(languages)
    except UnknownLanguage as unknown:
        raise parameters.refused(
            node, "claim_guard_languages", f"cannot be used: {unknown}."
        ) from None
