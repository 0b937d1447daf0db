# SPDX-License-Identifier: Apache-2.0
"""Deciding when a sensor's value is worth an episode (docs/cognition.md, "Sensors")."""

from mira_cognition.bounds import SteadyClock
from mira_cognition.fields import Value, as_text
from mira_cognition.sensor_config import AttentionConfig
from mira_cognition.trigger import SensorEvent


class Attention:
    """Watch one field; raise one event per crossing, and none within the cool-down after it."""

    def __init__(self, sensor: str, config: AttentionConfig, clock: SteadyClock) -> None:
        self._sensor = sensor
        self._config = config
        self._clock = clock
        self._met = False
        self._last_value: Value | None = None
        self._quiet_until = float("-inf")

    def sampled(self, values: tuple[tuple[str, Value], ...]) -> SensorEvent | None:
        """Take a sample's values; return the event that it raises, if any."""
        value = dict(values).get(self._config.field)
        if value is None:
            return None
        crossed = self._crossed(value)
        self._last_value = value
        now = self._clock()
        if not crossed or now < self._quiet_until:
            return None
        self._quiet_until = now + self._config.cooldown_s
        return SensorEvent(
            self._sensor, f"{self._config.field}={as_text(value)}, {self._condition}"
        )

    def _crossed(self, value: Value) -> bool:
        if self._config.changes:
            return self._last_value is not None and value != self._last_value
        before, self._met = self._met, self._meets(value)
        return self._met and not before

    def _meets(self, value: Value) -> bool:
        if isinstance(value, str):
            return False
        below, above = self._config.below, self._config.above
        return (below is not None and value < below) or (above is not None and value > above)

    @property
    def _condition(self) -> str:
        if self._config.below is not None:
            return f"below {self._config.below:g}"
        if self._config.above is not None:
            return f"above {self._config.above:g}"
        return "changed"
