# SPDX-License-Identifier: Apache-2.0
"""Many at once: each fact one row, nothing lost, nobody starved, nobody told "locked"."""

import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from mira_memory.admission_transaction import comparison_key
from mira_memory.recall import recall
from mira_memory.records import NewMemory
from mira_memory.store import Store
from mira_memory.turnstile import Turnstile

CLIENTS = 16
SUBJECT = frozenset({(1, "subject")})


def propose(store: Store, predicate: str, value: str) -> tuple[str, int]:
    """Admit as the node does: compare and insert in one transaction."""
    with store.admission_transaction() as transaction:
        key = comparison_key(value)
        conflicts = transaction.slot_conflicts(1, predicate, key)
        if conflicts:
            return "conflict", conflicts[0]
        same = transaction.duplicate("fact", predicate, key, SUBJECT)
        if same is not None:
            return "duplicate", same
        memory = NewMemory("fact", "said", predicate, value, SUBJECT, "operator_statement")
        return "created", transaction.insert(memory)


def test_sixteen_threads_with_the_same_different_and_conflicting_facts(store: Store) -> None:
    store.add_entity("person", "Gordon")
    start = threading.Barrier(CLIENTS)

    def client(number: int) -> list[tuple[str, int]]:
        start.wait(timeout=10)
        answers = [propose(store, f"same{n}", "yes") for n in range(20)]
        answers += [propose(store, f"own{number}x{n}", "yes") for n in range(20)]
        answers += [propose(store, f"clash{n}", f"value {number}") for n in range(20)]
        return answers

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = [answer for result in pool.map(client, range(CLIENTS)) for answer in result]
    created = [number for outcome, number in answers if outcome == "created"]
    assert len(created) == len(set(created)) == 20 + 20 * CLIENTS + 20
    assert store.status().memories == len(created)
    assert sum(outcome == "duplicate" for outcome, _ in answers) == 20 * (CLIENTS - 1)
    assert sum(outcome == "conflict" for outcome, _ in answers) == 20 * (CLIENTS - 1)
    with closing(sqlite3.connect(store.path)) as check:
        (rows,) = check.execute(
            "SELECT count(DISTINCT predicate_key || value_key) FROM memories"
        ).fetchone()
        assert rows == len(created)
        assert check.execute("SELECT active_memory_count FROM entities").fetchone() == (rows,)


def test_readers_and_a_writer_do_not_disturb_each_other(store: Store) -> None:
    store.add_entity("person", "Gordon")
    done = threading.Event()

    def read() -> int:
        asked = 0
        while not done.is_set():
            result = recall(store, "gordon")
            assert result.status == "hit"
            (found,) = result.entities
            shown = [memory.id for memory in found.memories]
            assert shown == sorted(shown)
            assert len(shown) + found.memories_left_out == max(shown, default=0)
            asked += 1
        return asked

    with ThreadPoolExecutor(5) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        try:
            for number in range(200):
                assert propose(store, f"predicate{number}", "yes") == ("created", number + 1)
        finally:
            done.set()
        assert min(reader.result(timeout=10) for reader in readers) > 0


def test_sqlite_utils_reads_meanwhile_undisturbed(store: Store) -> None:
    store.add_entity("person", "Gordon")
    script = """
import sqlite3, sys
import sqlite_utils
database = sqlite_utils.Database(sys.argv[1])
seen = 0
for turn in range(30):
    rows = list(database["memories"].rows_where(order_by="id"))
    assert [row["id"] for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= seen
    seen = len(rows)
print("read", seen)
"""
    command = [sys.executable, "-c", script, str(store.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        number = 0
        while other.poll() is None:
            number += 1
            assert propose(store, f"predicate{number}", "yes") == ("created", number)
        assert other.stdout is not None
        assert other.stdout.read().startswith("read ")
    assert other.returncode == 0
    assert store.status().memories == number


def test_writers_are_served_in_order_of_arrival() -> None:
    turnstile = Turnstile()
    assert turnstile.acquire(1.0)
    served: list[int] = []
    arrived = [threading.Event() for _ in range(8)]

    def come(number: int) -> None:
        arrived[number].set()
        assert turnstile.acquire(10.0)
        served.append(number)
        turnstile.release()

    threads = [threading.Thread(target=come, args=(number,)) for number in range(8)]
    for number, thread in enumerate(threads):
        thread.start()
        assert arrived[number].wait(5.0)
        deadline = time.monotonic() + 5.0
        while len(turnstile._waiting) <= number and time.monotonic() < deadline:
            time.sleep(0.001)
    assert not turnstile.acquire(0.01)
    turnstile.release()
    for thread in threads:
        thread.join(timeout=5.0)
    assert served == list(range(8))
    assert turnstile.acquire(0.0)


def test_no_writer_starves(store: Store) -> None:
    store.add_entity("person", "Gordon")
    written = [0] * 8
    end = time.monotonic() + 1.0

    def client(number: int) -> None:
        while time.monotonic() < end:
            propose(store, f"of{number}x{written[number]}", "yes")
            written[number] += 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(client, range(8)))
    assert min(written) > 0
    assert min(written) * 2 >= max(written)


def test_closing_waits_for_the_write_under_way(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "robot.sqlite3")
    store.add_entity("person", "Gordon")
    inside, closing_begun = threading.Event(), threading.Event()

    def slow_write() -> None:
        with store.admission_transaction() as transaction:
            inside.set()
            assert closing_begun.wait(5.0)
            memory = NewMemory("fact", "said", None, None, SUBJECT, "manual")
            transaction.insert(memory)

    writer = threading.Thread(target=slow_write)
    writer.start()
    assert inside.wait(5.0)
    closer = threading.Thread(target=store.close)
    closer.start()
    closing_begun.set()
    writer.join(5.0)
    closer.join(5.0)
    with closing(Store.open(store.path)) as again:
        assert again.status().memories == 1
