# SPDX-License-Identifier: Apache-2.0
"""A fresh store for each example of a property test."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mira_memory.store import Store

ENTITIES = (1, 2, 3)


@contextmanager
def three_entities() -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as directory:
        store = Store.open(Path(directory) / "robot.sqlite3")
        for number in ENTITIES:
            store.add_entity("thing", f"Thing {number}")
        yield store
        store.close()
