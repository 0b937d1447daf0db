# SPDX-License-Identifier: Apache-2.0
"""The last value of each configured sensor, and how fresh it is (docs/cognition.md, "Sensors")."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass

from mira_cognition.bounds import Bounds, SteadyClock
from mira_cognition.capabilities import Acquired
from mira_cognition.fields import Value, as_text
from mira_cognition.grounding import SensorReading
from mira_cognition.sensor_config import SensorConfig

WAIT_S = 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    """The fields read from one message, and when it came on the steady clock."""

    at_s: float
    values: tuple[tuple[str, Value], ...]

    @property
    def text(self) -> str:
        """The fields as they are shown to a model."""
        return ", ".join(f"{field}={as_text(value)}" for field, value in self.values)


class Sensors:
    """Keep the last sample of each sensor; samples come from one thread, readers are others."""

    def __init__(self, configured: Iterable[SensorConfig], clock: SteadyClock) -> None:
        self._configured = {sensor.name: sensor for sensor in configured}
        self._clock = clock
        self._lock = threading.Lock()
        self._last: dict[str, Sample] = {}
        self._awaited: list[tuple[str, threading.Event]] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names in the order of the configuration."""
        return tuple(self._configured)

    def sampled(self, name: str, values: tuple[tuple[str, Value], ...]) -> None:
        """Take a new sample; one without any value is no data and changes nothing."""
        if not values:
            return
        with self._lock:
            self._last[name] = Sample(self._clock(), values)
            for awaited, event in self._awaited:
                if awaited == name:
                    event.set()

    def readings(self) -> tuple[SensorReading, ...]:
        """Return every sensor's last value and age, in the order of the configuration."""
        now = self._clock()
        with self._lock:
            last = dict(self._last)
        return tuple(_reading(name, last.get(name), now) for name in self._configured)

    def observe(self, name: str, bounds: Bounds) -> Acquired:
        """Return a fresh sample, waiting at most 2 s for one, or say that there is none."""
        configured = self._configured.get(name)
        if configured is None:
            return Acquired(
                "invalid", f"No such sensor. The sensors are: {', '.join(self.names)}."
            )
        arrived = threading.Event()
        with self._lock:
            self._awaited.append((name, arrived))
        try:
            sample = self._fresh(configured)
            if sample is None:
                bounds.wait(arrived, WAIT_S)
                sample = self._fresh(configured)
        finally:
            with self._lock:
                self._awaited.remove((name, arrived))
        if sample is not None:
            return Acquired("fresh", sample.text)
        with self._lock:
            last = self._last.get(name)
        if last is None:
            return Acquired("no_data", "No fresh data: this sensor has not said anything yet.")
        age_s = self._clock() - last.at_s
        return Acquired("stale", f"No fresh data. The last value, {age_s:.1f} s old: {last.text}")

    def _fresh(self, sensor: SensorConfig) -> Sample | None:
        with self._lock:
            last = self._last.get(sensor.name)
        if last is None or self._clock() - last.at_s > sensor.max_age_s:
            return None
        return last


def _reading(name: str, last: Sample | None, now: float) -> SensorReading:
    if last is None:
        return SensorReading(name, None, None)
    return SensorReading(name, last.text, now - last.at_s)
