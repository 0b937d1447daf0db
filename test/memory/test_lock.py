# SPDX-License-Identifier: Apache-2.0
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory.errors import NotWritable, StoreInUse
from mira_memory.lock import OwnershipLock
from mira_memory.store import Store

REPOSITORY = Path(__file__).parent.parent.parent


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "robot.sqlite3"
    path.write_bytes(b"content")
    return path


def sealed(database: Path) -> bool:
    lock = OwnershipLock(database)
    try:
        return lock.take_seal()
    finally:
        lock.release()


def seal(database: Path) -> None:
    lock = OwnershipLock(database)
    lock.seal()
    lock.release()


def test_a_lock_is_held_until_it_is_released(database: Path) -> None:
    lock = OwnershipLock(database)
    with pytest.raises(StoreInUse):
        OwnershipLock(database)
    lock.release()
    OwnershipLock(database).release()
    mode = stat.S_IMODE((database.parent / "robot.sqlite3.lock").stat().st_mode)
    assert mode == 0o600


def test_a_lock_dies_with_its_process(database: Path) -> None:
    script = f"""
import pathlib, sys
from mira_memory.lock import OwnershipLock
lock = OwnershipLock(pathlib.Path({str(database)!r}))
print("held", flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(StoreInUse):
            OwnershipLock(database)
        process.send_signal(signal.SIGKILL)
    OwnershipLock(database).release()


def test_a_lock_that_is_a_link_is_not_followed(database: Path, tmp_path: Path) -> None:
    (tmp_path / "robot.sqlite3.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotWritable, match="its lock file"):
        OwnershipLock(database)
    assert not (tmp_path / "elsewhere").exists()


def test_a_seal_holds_once(database: Path) -> None:
    assert not sealed(database)
    seal(database)
    assert sealed(database)
    assert not sealed(database)


def replaced(database: Path) -> None:
    other = database.with_name("other")
    other.write_bytes(database.read_bytes())
    os.replace(other, database)


def changed_back_in_time(database: Path) -> None:
    state = database.stat()
    # The kernel's clock for files moves in steps of some milliseconds.
    while database.stat().st_ctime_ns == state.st_ctime_ns:
        database.write_bytes(b"CONTENT")
        os.utime(database, ns=(state.st_atime_ns, state.st_mtime_ns))


@pytest.mark.parametrize(
    "touch",
    [
        replaced,
        changed_back_in_time,
        lambda database: database.write_bytes(b"longer content"),
        lambda database: Path(f"{database}-wal").write_bytes(b"left over"),
        lambda database: database.unlink(),
    ],
)
def test_whatever_touches_the_file_breaks_the_seal(
    database: Path, touch: Callable[[Path], object]
) -> None:
    seal(database)
    touch(database)
    assert not sealed(database)


def test_an_empty_log_does_not_break_it(database: Path) -> None:
    Path(f"{database}-wal").touch()
    seal(database)
    assert sealed(database)


def test_a_store_seals_at_an_orderly_end_only(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    with closing(Store.open(path)) as store:
        store.add_entity("person", "Gordon")
        assert (tmp_path / "robot.sqlite3.lock").read_bytes() == b""
    assert sealed(path)
    script = f"""
import os
from mira_memory.store import Store
Store.open({str(path)!r}).add_entity("person", "Anna")
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, check=True, timeout=20)
    assert not sealed(path)
    with closing(Store.open(path)) as again:
        assert again.status().entities == 2


def test_looking_for_room_leaves_nothing_and_a_look_cut_short_is_no_seal(database: Path) -> None:
    lock = OwnershipLock(database)
    assert lock.has_room()
    assert lock.has_room()
    place = database.with_name("robot.sqlite3.lock")
    assert place.read_bytes() == b""
    lock.release()
    seal(database)
    assert sealed(database)
    place.write_bytes(bytes(1 << 18))
    assert not sealed(database)


def test_there_is_no_room_where_the_disk_takes_no_bytes(database: Path) -> None:
    script = """
import pathlib, resource, sys
from mira_memory.lock import OwnershipLock
lock = OwnershipLock(pathlib.Path(sys.argv[1]))
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
for limit in (hard, 0, 1 << 12, hard):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    print(lock.has_room(), end=" ")
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(database)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert done.stdout.split() == ["True", "False", "False", "True"]
    assert database.with_name("robot.sqlite3.lock").read_bytes() == b""
