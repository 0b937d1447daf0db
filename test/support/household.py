# SPDX-License-Identifier: Apache-2.0
"""A robot that knows a few people and things, and what somebody says to it."""

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from mira_memory.persistent import PersistentMemory
from mira_memory.result import AdmissionResult

ENTITIES = (
    ("robot", "Mira", ("the robot",)),
    ("person", "Gordon", ()),
    ("person", "Priya", ()),
    ("person", "Ada Lovelace", ("Ada",)),
    ("person", "Alex Kim", ("Alex",)),
    ("person", "Alex Novak", ("Alex",)),
    ("thing", "charging dock", ("the dock", "dock")),
    ("thing", "red toolbox", ("the red toolbox",)),
    ("place", "hallway", ("the hallway",)),
)
SNACK = "Gordon's favourite snack is herring"


def fact(**changed: Any) -> dict[str, Any]:
    """Return the arguments of a proposal that is grounded in `SNACK`, with some changed."""
    arguments: dict[str, Any] = {
        "kind": "fact",
        "subject": "Gordon",
        "predicate": "favourite_snack",
        "value": "herring",
        "evidence": SNACK,
        "related_entity": None,
        "related_role": None,
    }
    return arguments | changed


def ownership(**changed: Any) -> dict[str, Any]:
    """Return a relationship that is grounded in "the red toolbox belongs to Priya"."""
    arguments = fact(
        kind="relationship",
        subject="the red toolbox",
        predicate="belongs_to",
        value="Priya",
        evidence="the red toolbox belongs to Priya",
        related_entity="Priya",
        related_role="owner",
    )
    return arguments | changed


class Household:
    """One persistent memory with a real file, its entities, and the turns of its operator."""

    def __init__(
        self,
        directory: Path,
        *,
        entities: Sequence[tuple[str, str, Sequence[str]]] = ENTITIES,
        guard_languages: Sequence[str] = (),
        steady_clock: Callable[[], float] | None = None,
        **settings: Any,
    ) -> None:
        if steady_clock is not None:
            settings["steady_clock"] = steady_clock
        self.path = directory / "memory.sqlite3"
        self.guard_languages = guard_languages
        self.settings = settings
        self._turns = count(1)
        self.ids: dict[str, int] = {}
        self.memory = self._opened()
        for entity_type, name, aliases in entities:
            entity = self.memory.store.add_entity(entity_type, name).entity
            self.ids[name] = entity.id
            for alias in aliases:
                self.memory.store.add_alias(entity.id, alias)

    def _opened(self) -> PersistentMemory:
        return PersistentMemory.open(
            self.path, self_name="Mira", guard_languages=self.guard_languages, **self.settings
        )

    def restart(self) -> None:
        """Close the file and open it again: all turns are forgotten."""
        self.memory.close()
        self.memory = self._opened()

    def hear(self, text: str, turn_id: str | None = None, speaker: str = "operator") -> str:
        """Say something to the robot and return the turn's identity."""
        turn_id = f"turn-{next(self._turns)}" if turn_id is None else turn_id
        self.memory.hear(turn_id, text, speaker)
        return turn_id

    def tell(self, text: str, arguments: object) -> AdmissionResult:
        """Say something in a turn of its own and propose to remember it."""
        return self.memory.remember(self.hear(text), arguments)

    def memories(self) -> int:
        """Return how many memories are stored."""
        return self.memory.store.status().memories

    def close(self) -> None:
        """Close the file."""
        self.memory.close()
