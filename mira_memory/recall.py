# SPDX-License-Identifier: Apache-2.0
"""Recall what is remembered about the things of one exact name; read only, and it never raises.

Follows docs/memory.md, "Recall".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from mira_memory.answers import Answers
from mira_memory.errors import StoreError, TextRefused
from mira_memory.records import EntityMemories
from mira_memory.render import render
from mira_memory.store import Store

ENTITIES_MAX = 5
MEMORIES_MAX = 8
ALIASES_MAX = 16
LINKS_MAX = 16

RecallStatus = Literal["hit", "miss", "ambiguous", "invalid", "failure"]

_MISS = (
    "No entity in persistent memory has exactly that name or alias. Similar names were not "
    "looked for."
)


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What a recall found, as values and as text; `error` is empty unless it is no answer.

    `next_expiry` is when the next of its memories expires, and the text with it.
    """

    status: RecallStatus
    text: str
    entities: tuple[EntityMemories, ...] = ()
    entities_left_out: int = 0
    text_truncated: bool = False
    error: str = ""
    next_expiry: str | None = None


class Recollection:
    """Recall from one store, keeping the latest answers for as long as nobody writes to it.

    An answer that is kept is the same value, so that it can be known again.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._answers: Answers[RecallResult] = Answers(store.version)

    def recall(self, query: str) -> RecallResult:
        """Return what `recall` returns."""
        return _told(
            lambda: self._answers.of(
                query, lambda: _looked_up(self._store, query), self._still_holds
            )
        )

    def _still_holds(self, result: RecallResult) -> bool:
        return result.next_expiry is None or result.next_expiry > self._store.now()


def recall(store: Store, query: str) -> RecallResult:
    """Return every entity whose canonical name or alias is exactly `query`, with its memories.

    At most five entities, in ID order, each with its eight newest active memories. A failure is
    its own status and never a miss.
    """
    return _told(lambda: _looked_up(store, query))


def _looked_up(store: Store, query: str) -> RecallResult:
    found, left_out = store.find_memories(
        query,
        what="query",
        newest=MEMORIES_MAX,
        aliases=ALIASES_MAX,
        links=LINKS_MAX,
        entities=ENTITIES_MAX,
    )
    if not found:
        return RecallResult("miss", _MISS)
    text, is_cut = render(found, left_out)
    status: RecallStatus = "hit" if len(found) + left_out == 1 else "ambiguous"
    return RecallResult(status, text, found, left_out, is_cut, next_expiry=_next_expiry(found))


def _next_expiry(found: Sequence[EntityMemories]) -> str | None:
    expiries = [
        memory.state.expires_at
        for each in found
        for memory in each.memories
        if memory.state is not None and memory.state.expires_at and not memory.is_expired
    ]
    return min(expiries, default=None)


def _told(answer: Callable[[], RecallResult]) -> RecallResult:
    try:
        return answer()
    except TextRefused as error:
        return RecallResult("invalid", f"Nothing was looked up. {error}", error=str(error))
    except StoreError as error:
        return _failure(str(error))
    except Exception as error:  # a recall has no caller who could do more about it
        return _failure(f"The recall ended in an unexpected {type(error).__name__}; try again.")


def _failure(sentence: str) -> RecallResult:
    text = f"Persistent memory could not answer; what it holds stays unknown. {sentence}"
    return RecallResult("failure", text, error=sentence)
