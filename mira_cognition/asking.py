# SPDX-License-Identifier: Apache-2.0
"""One episode's way to a model, and to the fallback once the model has failed in it."""

from mira_cognition.bounds import Bounds, Interrupted, SteadyClock
from mira_cognition.model import ModelAnswer, ModelRequest, ModelUnavailable
from mira_cognition.model_thread import ModelThreads
from mira_cognition.steps import Steps

MODEL_STEP = "model"
FALLBACK = "fallback_"
WITHOUT_TOOLS = "text_without_tools"


class Asking:
    """Ask the configured model, tell how it went, and fall back for the rest of the episode.

    A model that failed is not tried again before the next episode: a server that hangs would
    cost each request its time-out.
    """

    def __init__(
        self, models: ModelThreads, bounds: Bounds, steps: Steps, clock: SteadyClock
    ) -> None:
        self._models = models
        self._bounds = bounds
        self._steps = steps
        self._clock = clock
        self._fallen_back = False

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Return one answer; raises ModelUnavailable where no fallback is set, or Interrupted."""
        fallback = self._models.fallback
        if not self._fallen_back:
            try:
                return self._configured(request)
            except ModelUnavailable:
                if fallback is None:
                    raise
                self._fallen_back = True
        assert fallback is not None
        began = self._clock()
        answer = fallback.answer(request)
        self._steps.tell(MODEL_STEP, FALLBACK + _kind_of(answer), began)
        return answer

    def _configured(self, request: ModelRequest) -> ModelAnswer:
        began = self._clock()
        try:
            answer = self._models.answer(request, self._bounds)
        except ModelUnavailable as unavailable:
            self._steps.tell(MODEL_STEP, unavailable.reason, began)
            raise
        except Interrupted as interruption:
            self._steps.tell(MODEL_STEP, interruption.cause, began)
            raise
        self._steps.tell(MODEL_STEP, _kind_of(answer), began)
        return answer


def _kind_of(answer: ModelAnswer) -> str:
    if len(answer.calls) > 1:
        return "several_calls"
    if answer.calls:
        return "call"
    if not answer.text.strip():
        return "empty"
    return WITHOUT_TOOLS if answer.without_tools else "text"
