# SPDX-License-Identifier: Apache-2.0
"""A language model behind LiteLLM: on a local server or at a provider (docs/cognition.md)."""

from __future__ import annotations

import importlib
import logging
import os
import re
import threading
import warnings
from functools import cache
from typing import Any

from mira_cognition.litellm_messages import answer_from, chat_messages, chat_tools
from mira_cognition.model import ModelAnswer, ModelRequest, ModelUnavailable
from mira_cognition.model_settings import ModelSettings

# What servers and providers answer to a request with tools that they cannot serve.
_TOOLS_REFUSED = frozenset({400, 404, 405, 422, 500, 501})
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore")
_FAILURES = {
    "timed_out": "no answer came in time.",
    "unreachable": "the server cannot be reached, or broke off.",
    "unusable": "the answer is too long, or no chat completion.",
}


class LiteLLMModel:
    """Ask a model by its LiteLLM name, once for each request and without retries.

    The library is imported where `prepare` or the first request runs, never with this module.
    A server that refuses tools at first is asked without them from then on; one that has taken
    them is known to, whatever an error of its says later.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self.name = settings.name
        # Under `ollama/` LiteLLM uses Ollama's older interface, which takes no tools.
        self._model = re.sub("^ollama/", "ollama_chat/", settings.name)
        self._settings = settings
        self._takes_tools: bool | None = None
        self._lock = threading.Lock()
        self._litellm: Any = None
        self._transport: Any = None

    def prepare(self) -> None:
        """Import LiteLLM, which takes seconds; raises ModelUnavailable where it is missing."""
        with self._lock:
            if self._litellm is None:
                self._litellm, self._transport = _import_quietly()
                _list_as_free(self._litellm, self._model)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Return one answer; raises ModelUnavailable, whose text has no words of the request."""
        self.prepare()
        if not request.tools or self._takes_tools is False:
            return self._ask(request, with_tools=False)
        try:
            answer = self._ask(request, with_tools=True)
            self._takes_tools = True
        except _ToolsRefused:
            answer = self._ask(request, with_tools=False)
            self._takes_tools = False
        return answer

    def _ask(self, request: ModelRequest, *, with_tools: bool) -> ModelAnswer:
        settings = self._settings
        tools: dict[str, Any] = (
            {"tools": chat_tools(request.tools), "parallel_tool_calls": False}
            if with_tools
            else {}
        )
        self._transport.forget()
        try:
            completion = self._litellm.completion(
                model=self._model,
                messages=chat_messages(request.messages),
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
                timeout=request.timeout_s,
                max_retries=0,
                num_retries=0,
                drop_params=True,
                stream=False,
                **tools,
                **self._place(),
            )
        except Exception as error:
            if (
                with_tools
                and self._takes_tools is None
                and self._transport.exchange.status in _TOOLS_REFUSED
                and _names_tools(error)
            ):
                raise _ToolsRefused from None
            raise self._unavailable(error) from None
        return answer_from(completion, without_tools=bool(request.tools) and not with_tools)

    def _place(self) -> dict[str, str]:
        """Say where the model is; a local server that asks for no key still gets a word for it."""
        if not self._settings.api_base:
            return {}
        place = {"api_base": self._settings.api_base}
        if self.name.startswith("openai/") and not os.environ.get("OPENAI_API_KEY"):
            place["api_key"] = "none"
        return place

    def _unavailable(self, error: Exception) -> ModelUnavailable:
        """Name the reason in words of ours: the library's can hold prompts and keys."""
        exchange = self._transport.exchange
        failure, status = exchange.failure, exchange.status
        if failure is None and status is not None and status < 300:
            failure = "unusable"
        if failure is not None:
            return ModelUnavailable(failure, f"{self.name}: {_FAILURES[failure]}")
        if type(error).__name__ == "Timeout":
            return ModelUnavailable("timed_out", f"{self.name}: {_FAILURES['timed_out']}")
        code = status or getattr(error, "status_code", None) or type(error).__name__
        return ModelUnavailable(
            "error_status",
            f"{self.name}: the answer is an error, {code}; check model, api_base and the API key.",
        )


class _ToolsRefused(Exception):
    """The server cannot take the request because of its tools."""


@cache
def _import_quietly() -> tuple[Any, Any]:
    """Return LiteLLM and the transport that it sends by; both are one in a process."""
    # Of its own types, and of types in an answer, which are quoted then.
    warnings.filterwarnings("ignore", category=UserWarning, module="pydantic")
    # Else the import fetches a price list, and reads whatever .env file lies around.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    try:
        litellm: Any = importlib.import_module("litellm")
        httpx = importlib.import_module("httpx")
        bounded = importlib.import_module("mira_cognition.bounded_transport")
    except Exception as error:
        raise ModelUnavailable(
            "not_installed",
            f"LiteLLM cannot be imported ({type(error).__name__}); "
            "pip install -r requirements-litellm.txt.",
        ) from None
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    transport = bounded.BoundedTransport()
    litellm.sync_transport = transport
    litellm.client_session = httpx.Client(transport=transport)
    return litellm, transport


def _list_as_free(litellm: Any, model: str) -> None:
    """Enter an unlisted model into the price list.

    Else each request looks for it again: there, and for Ollama at a server of this machine.
    """
    provider, _, name = model.partition("/")
    free = {
        "litellm_provider": provider,
        "mode": "chat",
        "input_cost_per_token": 0.0,
        "output_cost_per_token": 0.0,
    }
    if model not in litellm.model_cost and name not in litellm.model_cost:
        litellm.model_cost |= {model: free, name: free}


def _names_tools(error: Exception) -> bool:
    return "tool" in str(error).lower()
