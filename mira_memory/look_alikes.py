# SPDX-License-Identifier: Apache-2.0
"""Find names of other entities that look like a new one.

Follows docs/memory.md, "Identity and text".
"""

import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager

from mira_memory import statements
from mira_memory.skeleton import skeleton
from mira_memory.text import key

NAMES_MAX = 200_000
_PAGE = 1000


class LookAlikes:
    """Know the skeletons of all names, read page by page when first asked.

    The tables have no column for a skeleton, since it serves a warning and never an identity. A
    robot knows thousands of entities: 100,000 names take about two seconds, once, without holding
    up other questions, and some 40 MB. Later questions read only the names that were added since,
    by whatever program.
    """

    def __init__(self, snapshot: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        self._snapshot = snapshot
        self._lock = threading.Lock()
        self._names: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
        self._count = 0
        self._last = {statements.NAMES_AFTER: 0, statements.ALIAS_NAMES_AFTER: 0}

    def of(self, name: str, own_id: int) -> frozenset[int] | None:
        """Return which other entities have another name that looks like `name`.

        None says that the store has more than NAMES_MAX names, which are not looked at.

        Raises:
            StoreError: the names could not be read.
        """
        own = own_id, key(name)
        with self._lock:
            if not self._catch_up():
                return None
            alike = set().union(*(self._names.get(form, ()) for form in _skeletons(name, own[1])))
        return frozenset(number for number, other in alike if number != own_id and other != own[1])

    def _catch_up(self) -> bool:
        for statement in self._last:
            while self._count <= NAMES_MAX and (rows := self._page_of(statement)):
                for _, entity_id, name in rows:
                    name_key = key(name)
                    for form in _skeletons(name, name_key):
                        self._names[form].add((entity_id, name_key))
                self._count += len(rows)
                self._last[statement] = rows[-1][0]
        if self._count > NAMES_MAX:
            self._names.clear()
        return self._count <= NAMES_MAX

    def _page_of(self, statement: str) -> list[tuple[int, int, str]]:
        with self._snapshot() as connection:
            return connection.execute(statement, (self._last[statement], _PAGE)).fetchall()


def _skeletons(name: str, name_key: str) -> set[str]:
    # As written and as compared: "GORDON" with a Cyrillic O looks like the other in both cases.
    return {skeleton(name), skeleton(name_key)}
