# SPDX-License-Identifier: Apache-2.0
"""Find names of other entities that look like a new one.

Follows docs/memory.md, "Identity and text".
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator

from mira_memory import statements
from mira_memory.skeleton import skeleton
from mira_memory.text import key

_PAGE = 1000


class LookAlikes:
    """Know the skeleton of every name in the store, from the first question on.

    The tables have no column for it, since it is a warning and never an identity. A robot knows
    thousands of entities rather than millions: reading 100,000 names takes about two seconds,
    once, and keeps some 30 MB. Names that another program wrote meanwhile are noticed.
    """

    def __init__(self) -> None:
        self._entities: defaultdict[str, set[int]] | None = None
        self._version = 0

    def of(self, connection: sqlite3.Connection, name: str) -> frozenset[int]:
        """Return the entities of which a name looks like `name`, or is it."""
        known = self._known(connection)
        return frozenset().union(*(known.get(form, set()) for form in _skeletons(name)))

    def add(self, name: str, entity_id: int) -> None:
        """Take in a name that was just committed."""
        if self._entities is not None:
            for form in _skeletons(name):
                self._entities[form].add(entity_id)

    def _known(self, connection: sqlite3.Connection) -> dict[str, set[int]]:
        (version,) = connection.execute(statements.DATA_VERSION).fetchone()
        if self._entities is None or version != self._version:
            self._entities = defaultdict(set)
            for statement in (statements.NAMES_AFTER, statements.ALIAS_NAMES_AFTER):
                for entity_id, name in _all_names(connection, statement):
                    self.add(name, entity_id)
            self._version = version
        return self._entities


def _skeletons(name: str) -> set[str]:
    # As written and as compared: "GORDON" with a Cyrillic O looks like the other in both cases.
    return {skeleton(name), skeleton(key(name))}


def _all_names(connection: sqlite3.Connection, statement: str) -> Iterator[tuple[int, str]]:
    last = 0
    while rows := connection.execute(statement, (last, _PAGE)).fetchall():
        for _, entity_id, name in rows:
            yield entity_id, name
        last = rows[-1][0]
