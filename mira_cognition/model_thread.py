# SPDX-License-Identifier: Apache-2.0
"""Asking a model that may hang: each request in a thread that the episode can leave behind."""

import threading
from collections.abc import Callable
from dataclasses import replace

from mira_cognition.bounds import Bounds
from mira_cognition.model import Model, ModelAnswer, ModelRequest, ModelUnavailable


class ModelThreads:
    """Enforce time-outs on a model whatever it does (docs/cognition.md, "Models").

    A request that outlives its time is left behind in a daemon thread; while `limit` of them
    still hang, further requests are refused at once. `unavailable` is told of every failure.
    """

    def __init__(
        self,
        model: Model,
        *,
        request_timeout_s: float,
        limit: int = 4,
        fallback: Model | None = None,
        unavailable: Callable[[ModelUnavailable], None] = lambda failure: None,
    ) -> None:
        self.model = model
        self.fallback = fallback
        self._request_timeout_s = request_timeout_s
        self._limit = limit
        self._unavailable = unavailable
        self._left_behind: list[threading.Thread] = []

    def prepare(self) -> None:
        """Let the model load what takes long, before the first request does."""
        try:
            self.model.prepare()
        except ModelUnavailable as failure:
            self._unavailable(failure)
        except Exception as error:
            self._unavailable(_fault(error))

    def answer(self, request: ModelRequest, bounds: Bounds) -> ModelAnswer:
        """Return the model's answer; raise ModelUnavailable, or Interrupted by the bounds."""
        try:
            return self._answer(request, bounds)
        except ModelUnavailable as failure:
            self._unavailable(failure)
            raise

    def _answer(self, request: ModelRequest, bounds: Bounds) -> ModelAnswer:
        self._left_behind = [thread for thread in self._left_behind if thread.is_alive()]
        if len(self._left_behind) >= self._limit:
            raise ModelUnavailable("busy", f"{self._limit} earlier model requests still hang.")
        timeout_s = bounds.remaining(self._request_timeout_s)
        asked = _Asked(self.model, replace(request, timeout_s=timeout_s))
        asked.thread.start()
        bounds.wait(asked.done, timeout_s)
        if asked.answer is None and asked.failure is None:
            self._left_behind.append(asked.thread)
            bounds.check()
            raise ModelUnavailable("timed_out", f"No answer came within {timeout_s:.1f} s.")
        bounds.check()
        if asked.failure is not None:
            raise asked.failure
        assert asked.answer is not None
        return asked.answer


class _Asked:
    def __init__(self, model: Model, request: ModelRequest) -> None:
        self.done = threading.Event()
        self.answer: ModelAnswer | None = None
        self.failure: ModelUnavailable | None = None
        self._model = model
        self._request = request
        self.thread = threading.Thread(target=self._ask, name="model request", daemon=True)

    def _ask(self) -> None:
        try:
            self.answer = self._model.answer(self._request)
        except ModelUnavailable as error:
            self.failure = error
        except Exception as error:
            # A model is somebody else's code: whatever it raises is its unavailability.
            self.failure = _fault(error)
        finally:
            self.done.set()


def _fault(error: Exception) -> ModelUnavailable:
    return ModelUnavailable("fault", f"The model raised {type(error).__name__}.")
