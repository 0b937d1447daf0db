# SPDX-License-Identifier: Apache-2.0
"""What goes wrong under an open store: bounded time, a named error, and well again after it."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreGone,
    StoreUnwritable,
)
from mira_memory.recall import Recollection, recall
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

BOUND_S = 5.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path / "robot.sqlite3", busy_timeout_s=0.1)
    store.add_entity("person", "Gordon")
    yield store
    store.close()


def write(store: Store, summary: str = "Said.") -> int:
    return store.add_memory(MemoryDraft("note", summary, ((1, "subject"),))).memory.id


def refused(store: Store, kind: type[StoreError]) -> str:
    before = store.status().memories
    begun = time.monotonic()
    with pytest.raises(kind) as refusal:
        write(store, "A secret. " + "x" * 900)
    assert time.monotonic() - begun < BOUND_S
    assert "secret" not in str(refusal.value)
    assert store.status().memories == before
    return str(refusal.value)


def assert_well(store: Store) -> None:
    status = store.status()
    assert (status.healthy, status.last_error) == (True, "")
    number = write(store)
    assert store.show_memory(number)[1] == ("Said.",)
    assert recall(store, "gordon").status == "hit"


def test_a_lock_of_another_program_is_waited_for_and_then_named(store: Store) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        said = refused(store, StoreBusy)
        assert said == (
            f"{store.path} is locked by another program (SQLITE_BUSY); "
            "end that program's transaction, then try again."
        )
        status = store.status()
        assert (status.healthy, status.last_error) == (False, said)
        assert recall(store, "gordon").status == "hit"
        other.execute("ROLLBACK")
    assert_well(store)


def test_a_lock_that_ends_in_time_is_not_seen(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    holder = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
"""
    with closing(Store.open(path, busy_timeout_s=BOUND_S)) as store:
        store.add_entity("person", "Gordon")
        with subprocess.Popen(
            [sys.executable, "-c", holder, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            assert process.stdout.readline() == "locked\n"
            process.stdin.write("\n")
            process.stdin.flush()
            assert write(store) == 1


def fill(store: Store) -> None:
    for number in range(1000):
        write(store, f"{number} {'x' * 900}")


def test_a_full_file_is_named_and_well_when_there_is_room(store: Store) -> None:
    connection = store._writer._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull):
        fill(store)
    said = refused(store, StoreFull)
    assert said == (
        f"There is no room left to write {store.path}; free disk space, then try again."
    )
    assert not store.status().healthy
    assert recall(store, "gordon").status == "hit"
    connection.execute(f"PRAGMA max_page_count = {pages * 100}")
    assert_well(store)
    store.close()
    with closing(sqlite3.connect(store.path)) as check:
        assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_deleted_file_takes_no_more_writes(store: Store) -> None:
    write(store)
    store.path.unlink()
    said = refused(store, StoreGone)
    assert said == (
        f"{store.path} was deleted or replaced while open, so it is neither read nor written; "
        "put the file back or restart the memory node."
    )
    status = store.status()
    assert (status.healthy, status.last_error, status.memories) == (False, said, 1)
    assert not store.path.exists()


def test_a_deleted_file_is_not_believed_either(store: Store) -> None:
    recollection = Recollection(store)
    assert recollection.recall("gordon").status == "hit"
    assert recollection.recall("anna").status == "miss"
    content = store.path.read_bytes()
    away = store.path.with_name("away.sqlite3")
    store.path.rename(away)
    store.path.write_bytes(content)
    for name in ("gordon", "anna", "never asked for"):
        assert recollection.recall(name).status == recall(store, name).status == "failure"
    with pytest.raises(StoreGone):
        store.list_entities()
    away.replace(store.path)
    assert recollection.recall("gordon").status == "hit"
    assert recollection.recall("anna").status == "miss"
    assert_well(store)


def test_health_notices_a_deleted_file_before_any_write(store: Store) -> None:
    assert store.status().healthy
    store.path.unlink()
    assert not store.status().healthy


def test_a_moved_file_is_well_again_when_it_is_back(store: Store, tmp_path: Path) -> None:
    away = tmp_path / "away.sqlite3"
    store.path.rename(away)
    refused(store, StoreGone)
    away.rename(store.path)
    assert_well(store)


def test_a_replaced_file_is_not_touched(store: Store, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    Store.open(other).close()
    content = other.read_bytes()
    os.replace(other, store.path)
    refused(store, StoreGone)
    assert not store.status().healthy
    assert store.path.read_bytes() == content


def test_a_deleted_log_takes_no_more_writes(store: Store) -> None:
    write(store)
    Path(f"{store.path}-wal").unlink()
    refused(store, StoreGone)


def test_a_file_that_goes_during_a_write_is_not_acknowledged(store: Store) -> None:
    def write_into_nothing() -> None:
        with store.admission_transaction() as transaction:
            assert transaction.resolve("gordon") == (1,)
            store.path.unlink()

    with pytest.raises(StoreGone):
        write_into_nothing()


def test_a_moved_directory_takes_no_more_writes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with closing(Store.open(home / "robot.sqlite3")) as store:
        store.add_entity("person", "Gordon")
        home.rename(tmp_path / "elsewhere")
        with pytest.raises(StoreGone):
            write(store)


def test_damage_found_while_open_stays_red_and_is_not_sealed(store: Store) -> None:
    for number in range(200):
        write(store, f"Note number {number}.")
    store.close()
    with closing(Store.open(store.path)) as again:
        content = bytearray(store.path.read_bytes())
        for page in range(4096 * 2, len(content), 4096):
            content[page : page + 4096] = b"\xa5" * 4096
        with store.path.open("r+b") as file:
            file.write(content)
        result = recall(again, "gordon")
        assert result.status == "failure"
        assert not again.status().healthy
        assert "is damaged" in again.status().last_error
        assert "is damaged" in again.status().last_error
        with pytest.raises(StoreDamaged):
            again.find_entities("gordon")
        refused(again, StoreDamaged)
    assert (store.path.parent / "robot.sqlite3.lock").read_bytes() == b""


def cut_short(path: Path) -> None:
    os.truncate(path, 0)


def cut_its_log_short(path: Path) -> None:
    os.truncate(f"{path}-wal", 0)


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\xa5" * 4096)


def drop_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE memory_payloads")


@pytest.mark.parametrize("damage", [cut_short, cut_its_log_short, overwrite, drop_a_table])
def test_after_damage_nothing_is_acknowledged_and_nothing_looks_like_a_miss(
    store: Store, damage: Callable[[Path], None]
) -> None:
    for _ in range(20):
        write(store)
    damage(store.path)
    found = recall(store, "nobody")
    if found.status == "miss":  # the damaged part was not read
        assert damage is drop_a_table
    with pytest.raises(StoreDamaged):
        write(store)
    for _ in range(3):
        assert recall(store, "nobody").status == recall(store, "gordon").status == "failure"
        assert not store.status().healthy
        refused(store, StoreDamaged)


def test_a_full_and_a_read_only_file_system_are_named(tmp_path: Path) -> None:
    # Needs the right to mount: a private mount namespace, as root or in a user namespace.
    script = """
import contextlib, os, subprocess, sys
from mira_memory.store import Store
from mira_memory.records import MemoryDraft
place = sys.argv[1]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", place], check=True)
print("mounted", flush=True)
with contextlib.closing(Store.open(place + "/robot.sqlite3")) as store:
    store.add_entity("person", "Gordon")
with open(place + "/filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
    while True:
        filler.write(bytes(4096))
try:
    Store.open(place + "/robot.sqlite3")
except Exception as error:
    print(type(error).__name__)
os.unlink(place + "/filler")
store = Store.open(place + "/robot.sqlite3")
try:
    while True:
        store.add_memory(MemoryDraft("note", "x" * 1000))
except Exception as error:
    print(type(error).__name__, store.status().healthy)
store.close()
subprocess.run(["mount", "-o", "remount,ro", place], check=True)
try:
    Store.open(place + "/robot.sqlite3")
except Exception as error:
    print(type(error).__name__)
"""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("unshare is not installed")
    place = tmp_path / "mounted"
    place.mkdir()
    done = subprocess.run(
        [unshare, "--mount", "--map-root-user", sys.executable, "-c", script, str(place)],
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.stdout == "":
        assert "unshare" in done.stderr or "'mount'" in done.stderr, done.stderr
        pytest.skip("mounting is not allowed here")
    assert done.stdout.splitlines() == [
        "mounted",
        "StoreFull",
        "StoreFull False",
        "NotWritable",
    ], done.stderr


@pytest.mark.parametrize("ask", [Store.status, lambda store: recall(store, "gordon")])
def test_reading_goes_on_while_another_program_writes(
    store: Store, ask: Callable[[Store], object]
) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        assert ask(store) is not None
        assert time.monotonic() - begun < BOUND_S
        other.execute("ROLLBACK")
    assert_well(store)


def test_a_read_only_file_is_named(store: Store) -> None:
    connection = store._writer._connection
    connection.execute("PRAGMA query_only = ON")
    refused(store, StoreUnwritable)
    connection.execute("PRAGMA query_only = OFF")
    assert_well(store)
