# SPDX-License-Identifier: Apache-2.0
"""What the cognition node says of itself on /diagnostics: counts and durations, never words."""

from __future__ import annotations

import threading
from collections import Counter

from mira_cognition.asking import FALLBACK, MODEL_STEP, WITHOUT_TOOLS
from mira_cognition.endings import MODEL
from mira_cognition.reply import EpisodeReply
from mira_cognition.sensors import Sensors
from mira_cognition.steps import Step
from mira_ros.diagnostics import Level, Report


class Tally:
    """Count replies and steps; told by the worker's thread, read by the executor's."""

    def __init__(self, model_name: str) -> None:
        self._model_name = model_name
        self._lock = threading.Lock()
        self._outcomes: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._claims_replaced = 0
        self._last_request: Step | None = None

    def replied(self, reply: EpisodeReply) -> None:
        """Count a reply."""
        with self._lock:
            self._outcomes[reply.outcome] += 1
            self._claims_replaced += reply.claims_replaced
            if reply.remembered is not None and not reply.remembered.applied:
                self._refused[reply.remembered.reason or reply.remembered.status] += 1

    def stepped(self, step: Step) -> None:
        """Keep how the last model request went."""
        if step.action == MODEL_STEP and not step.outcome.startswith(FALLBACK):
            with self._lock:
                self._last_request = step

    def model(self) -> Report:
        """Report whether the model answers, and how fast."""
        with self._lock:
            last = self._last_request
        if last is None:
            level, message, latency = Level.OK, "Not asked yet.", "none"
            reachable = "not asked yet"
        else:
            latency = f"{last.duration_s:.3f}"
            reachable = "no" if last.outcome in MODEL else "yes"
            if last.outcome in MODEL:
                level, message = Level.ERROR, MODEL[last.outcome].said
            elif last.outcome == WITHOUT_TOOLS:
                level = Level.WARN
                message = "It answers, but takes no tools: it cannot use memory."
            else:
                level, message = Level.OK, "It answers."
        values = (
            ("Model", self._model_name),
            ("Reachable", reachable),
            ("Last latency (s)", latency),
        )
        return Report("model", level, message, values)

    def episodes(self, queue_depth: int) -> Report:
        """Report what came of the utterances so far."""
        with self._lock:
            values = (
                ("Queue depth", str(queue_depth)),
                *(
                    (f"Replies: {outcome}", str(n))
                    for outcome, n in sorted(self._outcomes.items())
                ),
                *((f"Not stored: {why}", str(n)) for why, n in sorted(self._refused.items())),
                ("Claims replaced", str(self._claims_replaced)),
            )
            total = self._outcomes.total()
        return Report("episodes", Level.OK, f"{total} replies since the start.", values)


def sensors_report(sensors: Sensors, problems: dict[str, str]) -> Report:
    """Report which sensors are heard, and how old their values are."""
    readings = sensors.readings()
    silent = [r.name for r in readings if r.age_s is None and r.name not in problems]
    if problems:
        level, message = Level.ERROR, f"Not heard: {', '.join(sorted(problems))}."
    elif silent:
        level, message = Level.WARN, f"No data yet from: {', '.join(silent)}."
    else:
        level = Level.OK
        message = "Every sensor has spoken." if readings else "No sensors are configured."
    values = tuple(
        (
            r.name,
            problems.get(r.name) or ("no data" if r.age_s is None else f"{r.age_s:.1f} s old"),
        )
        for r in readings
    )
    return Report("sensors", level, message, values)
