# SPDX-License-Identifier: Apache-2.0
"""A model server that plays a scenario as its data says: the benchmark's own control."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from openai_server import OpenAIServer, call, thinking, words

from benchmarks._scenarios import Scenario

_FIELDS = (
    "kind",
    "subject",
    "predicate",
    "value",
    "evidence",
    "related_entity",
    "related_role",
)


class Player:
    """Turn a scenario into the script of a server."""

    def __init__(self, server: Any) -> None:
        self.api_base: str = server.api_base
        self._server = server

    def play(self, scenario: Scenario) -> None:
        """Answer what is said before with thanks, then do what the scenario says."""
        steps: list[tuple[str, dict[str, Any]]] = []
        if scenario.query:
            steps.append(("recall_memory", {"query": scenario.query}))
        if scenario.sensor:
            steps.append(("observe", {"sensor": scenario.sensor}))
        steps += [
            ("remember", arguments(proposal))
            for proposal in (scenario.proposal, scenario.obeys)
            if proposal is not None
        ]

        def decide(asked: Any) -> Any:
            if not asked.said.endswith(scenario.said):
                return words("Thank you.")
            offered = [step for step in steps if step[0] in asked.tools]
            done = len(asked.results)
            return call(*offered[done]) if done < len(offered) else words(scenario.answer)

        self._server.follow(thinking(decide))


def arguments(proposal: tuple[str, ...]) -> dict[str, str | None]:
    """Return the arguments of a call of remember."""
    padded = (*proposal, *(None,) * (len(_FIELDS) - len(proposal)))
    return dict(zip(_FIELDS, padded, strict=True))


@contextmanager
def scripted_server() -> Iterator[Player]:
    """Run the server while the context lasts."""
    with OpenAIServer(words("Hello.")) as server:
        yield Player(server)
