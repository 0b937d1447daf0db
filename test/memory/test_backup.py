# SPDX-License-Identifier: Apache-2.0
"""A backup taken while the robot writes is a sound store of one moment."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from mira_memory.records import MemoryDraft
from mira_memory.store import Store


def write_until(done: threading.Event, store: Store, written: list[int]) -> None:
    while not done.is_set():
        draft = MemoryDraft("note", f"Note {len(written) + 1}.", ((1, "subject"),))
        written.append(store.add_memory(draft).memory.id)


def test_an_online_backup_is_a_sound_store(store: Store, tmp_path: Path) -> None:
    store.add_entity("person", "Gordon")
    done, written = threading.Event(), list[int]()
    writer = threading.Thread(target=write_until, args=(done, store, written))
    writer.start()
    try:
        for number in range(3):
            path = tmp_path / f"backup{number}.sqlite3"
            before = len(written)
            with (
                closing(sqlite3.connect(f"{store.path.as_uri()}?mode=ro", uri=True)) as source,
                closing(sqlite3.connect(path)) as target,
            ):
                source.backup(target)
            with closing(Store.open(path)) as copy:
                memories = copy.status().memories
                assert before <= memories <= len(written) + 1
                (found,) = copy.find_memories("gordon", newest=memories)[0]
                assert [memory.id for memory in found.memories] == list(range(1, memories + 1))
                assert copy.add_memory(MemoryDraft("note", "More.")).memory.id == memories + 1
    finally:
        done.set()
        writer.join(10.0)
    assert store.status().memories == len(written)


def test_a_backup_put_in_place_is_the_store_of_that_moment(store: Store, tmp_path: Path) -> None:
    store.add_entity("person", "Gordon")
    store.add_memory(MemoryDraft("note", "Kept.", ((1, "subject"),)))
    backup = tmp_path / "backup.sqlite3"
    with closing(sqlite3.connect(store.path)) as source:
        source.execute("VACUUM INTO ?", (str(backup),))
    store.add_memory(MemoryDraft("note", "Written later.", ((1, "subject"),)))
    store.close()
    backup.rename(store.path)
    with closing(Store.open(store.path)) as restored:
        ((found,), _) = restored.find_memories("gordon")
        assert [memory.summary for memory in found.memories] == ["Kept."]
        assert restored.status().memories == 1
