# SPDX-License-Identifier: Apache-2.0
"""How the parameters name a model (docs/cognition.md, "Models")."""

from dataclasses import dataclass
from urllib.parse import urlsplit

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


def address_fault(address: str) -> str | None:
    """Return why `address` cannot be the address of a model's server, or None; "" is none.

    Parameters can be read by everybody on the graph, so an address may hold no secret.
    """
    if not address:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return "is no address; give one such as http://127.0.0.1:8080/v1"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "is no address; give one such as http://127.0.0.1:8080/v1"
    if "@" in parts.netloc or parts.query:
        return "may hold a user, password or key; give it without, and the key in the environment"
    return None
