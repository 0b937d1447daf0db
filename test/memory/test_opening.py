# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory import errors, opening
from mira_memory.errors import OpeningError, StoreError
from mira_memory.store import Store

FIXTURES = Path(__file__).parent.parent / "fixtures" / "opening"
REPOSITORY = FIXTURES.parent.parent.parent

REFUSED = {
    "text_file": (
        errors.NotADatabase,
        "{} is not an SQLite database; name another database_path or move that file away.",
    ),
    "unversioned_tables": (
        errors.UnversionedTables,
        "{} is an SQLite database of another use (user_version 0, 1 table); "
        "name another database_path or move that file away.",
    ),
    "unversioned_empty": (
        errors.UnversionedTables,
        "{} is an SQLite database of another use (user_version 0, 0 tables); "
        "name another database_path or move that file away.",
    ),
    "newer_version": (
        errors.NewerSchema,
        "{} has schema version 3, which this release does not know; "
        "use the release that wrote it or name another database_path.",
    ),
    "negative_version": (
        errors.NewerSchema,
        "{} has schema version -1, which this release does not know; "
        "use the release that wrote it or name another database_path.",
    ),
    "missing_table": (errors.SchemaMismatch, "the table memory_payloads is missing"),
    "missing_column": (errors.SchemaMismatch, "the table memories has no column turn_id"),
    "different_column": (errors.SchemaMismatch, "the table entities has no column canonical_name"),
    "added_column": (errors.SchemaMismatch, "the table entities is different"),
    "missing_index": (errors.SchemaMismatch, "the index memories_slot is missing"),
    "missing_trigger": (errors.SchemaMismatch, "the trigger memories_after_status is missing"),
    "missing_total": (errors.SchemaMismatch, "the total of entities is missing"),
    "broken_check": (
        errors.Corrupt,
        "{} is damaged (CHECK constraint failed in memories); "
        "restore a backup, keeping that file for salvage.",
    ),
    "damaged_page": (errors.Corrupt, "restore a backup, keeping that file for salvage."),
    "truncated": (errors.Corrupt, "restore a backup, keeping that file for salvage."),
}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for entry in tmp_path.rglob("*"):
        entry.chmod(0o700) if entry.is_dir() else None


def contents(directory: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in directory.iterdir()
        if not path.name.endswith((".lock", "-shm"))
    }


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sound_store_is_refused_and_left_alone(name: str, tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    shutil.copy(FIXTURES / f"{name}.sqlite3", path)
    kind, sentence = REFUSED[name]
    before = contents(tmp_path)
    with pytest.raises(OpeningError) as refusal:
        Store.open(path)
    assert type(refusal.value) is kind
    if kind is errors.SchemaMismatch:
        sentence = (
            "{} says that it is a version 1 store, but " + sentence + "; "
            "restore a backup or name another database_path."
        )
    expected = sentence.format(path)
    said = str(refusal.value)
    assert said == expected if "{}" in sentence else said.endswith(expected)
    assert str(path) in said
    assert contents(tmp_path) == before


def test_the_sound_fixture_opens(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    shutil.copy(FIXTURES / "sound.sqlite3", path)
    with closing(Store.open(path)) as store:
        assert store.status().memories == 40
        assert [entity.canonical_name for entity in store.find_entities("gordon")] == ["Gordon"]


@pytest.mark.parametrize("name", ["newer_version", "broken_check", "missing_index"])
def test_the_log_of_a_refused_file_is_left_where_it_is(name: str, tmp_path: Path) -> None:
    made, path = tmp_path / "made", tmp_path / "robot.sqlite3"
    shutil.copy(FIXTURES / f"{name}.sqlite3", made)
    with closing(sqlite3.connect(made, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE memories SET summary = 'in the log' WHERE id = 3")
        shutil.copy(made, path)
        shutil.copy(f"{made}-wal", f"{path}-wal")
    before = contents(tmp_path)
    with pytest.raises(OpeningError):
        Store.open(path)
    assert contents(tmp_path) == before


def test_a_missing_file_becomes_a_private_store(tmp_path: Path, new_version: int) -> None:
    path = tmp_path / "robot.sqlite3"
    with closing(Store.open(path)) as store:
        store.add_entity("person", "Gordon")
        for name in ("robot.sqlite3", "robot.sqlite3-wal", "robot.sqlite3.lock"):
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600, name
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (new_version,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_empty_file_becomes_a_private_store(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    path.touch(0o644)
    with closing(Store.open(path)) as store:
        assert store.status().healthy
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_creation_that_was_cut_short_is_begun_again(tmp_path: Path) -> None:
    # A hot journal beside a half-written file, as SIGKILL in the middle of it leaves them.
    path = tmp_path / "robot.sqlite3"
    script = f"""
import os, sqlite3
from mira_memory import schema_v1
connection = sqlite3.connect({str(path)!r}, isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN EXCLUSIVE")
for statement in schema_v1.STATEMENTS:
    connection.execute(statement)
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, check=False, timeout=20)
    assert path.stat().st_size > 0
    assert Path(f"{path}-journal").exists()
    with closing(Store.open(path)) as store:
        store.add_entity("person", "Gordon")
        assert store.status().entities == 1


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.IsADirectory) as refusal:
        Store.open(tmp_path)
    assert str(refusal.value) == f"{tmp_path} is a directory; name a file in database_path."


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(errors.NotAFile, match="is no regular file"):
        Store.open(path)


def test_a_missing_directory_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "robot.sqlite3"
    with pytest.raises(errors.NoDirectory) as refusal:
        Store.open(path)
    assert str(refusal.value) == (
        f"The directory of {path} does not exist; create it or name another database_path."
    )
    assert not path.parent.exists()


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_an_impossible_path_is_refused_by_name(path: str) -> None:
    with pytest.raises(errors.NotReadable, match="can't be read"):
        Store.open(path)


def test_a_link_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(errors.NotReadable):
        Store.open(tmp_path / "a")


def open_as_nobody(path: Path) -> str:
    """Return what a process without privileges says when it opens the store."""
    script = f"""
import os, urllib.parse  # everything is imported while the interpreter's files are in reach
from mira_memory.store import Store
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    Store.open({str(path)!r}).close()
    print("opened")
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return done.stdout.strip()


@pytest.fixture
def public() -> Iterator[Path]:
    """Give a directory that every user may reach, as pytest's own is not."""
    directory = Path(os.environ.get("TMPDIR", "/tmp")) / f"mira-opening-{os.getpid()}"
    directory.mkdir(mode=0o777)
    directory.chmod(0o777)
    yield directory
    shutil.rmtree(directory)


@pytest.mark.parametrize(
    ("file_mode", "directory_mode", "said"),
    [
        (0o000, 0o777, "NotReadable {} can't be read (permission denied); give the robot's user "),
        (0o444, 0o777, "NotWritable {} can't be written (permission denied or read-only file "),
        (0o666, 0o555, "NotWritable {} can't be written (its directory is read-only); give "),
        (0o666, 0o777, "opened"),
    ],
)
def test_permissions_are_named(
    public: Path, file_mode: int, directory_mode: int, said: str
) -> None:
    path = public / "robot.sqlite3"
    shutil.copy(FIXTURES / "sound.sqlite3", path)
    path.chmod(file_mode)
    public.chmod(directory_mode)
    assert open_as_nobody(path).startswith(said.format(path))


def test_a_file_system_without_shared_memory_is_refused(tmp_path: Path) -> None:
    # The dot-file locking of SQLite stands for such a file system: it shares no memory either.
    path = tmp_path / "robot.sqlite3"
    shutil.copy(FIXTURES / "sound.sqlite3", path)
    uri = f"{path.as_uri()}?vfs=unix-dotfile"
    with (
        closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection,
        pytest.raises(errors.NoSharedMemory) as refusal,
    ):
        opening.enter_wal(connection, path)
    assert str(refusal.value) == (
        f"{path} is on a file system without shared-memory WAL (journal mode stayed delete); "
        "put the file on a local disk."
    )


def test_a_second_owner_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    with closing(Store.open(path)) as store:
        store.add_entity("person", "Gordon")
        with pytest.raises(errors.StoreInUse) as refusal:
            Store.open(path)
        assert str(refusal.value) == (
            f"{path} is already open in another memory node; "
            "stop that node or name another database_path."
        )
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
            assert reader.execute("SELECT canonical_name FROM entities").fetchall() == [
                ("Gordon",)
            ]
    Store.open(path).close()


def test_a_second_owner_by_another_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    (tmp_path / "link.sqlite3").symlink_to(path)
    with closing(Store.open(path)), pytest.raises(errors.StoreInUse):
        Store.open(tmp_path / "link.sqlite3")


def test_a_file_locked_by_another_program_is_refused_in_bounded_time(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    shutil.copy(FIXTURES / "sound.sqlite3", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(errors.StoreBusy, match="is locked by another program"):
            Store.open(path, busy_timeout_s=0.05)
    Store.open(path).close()


def test_a_change_after_an_orderly_end_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "robot.sqlite3"
    with closing(Store.open(path)) as store:
        for number in range(60):
            store.add_entity("thing", f"Thing number {number}")
    Store.open(path).close()
    state = path.stat()
    content = bytearray(path.read_bytes())
    place = content.index(b"Thing number 31") // 4096 * 4096
    content[place : place + 4096] = b"\xa5" * 4096
    # The kernel's clock for files moves in steps of some milliseconds.
    while path.stat().st_ctime_ns == state.st_ctime_ns:
        with path.open("r+b") as file:
            file.write(content)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(errors.Corrupt):
        Store.open(path)


def test_every_opening_error_has_a_sentence_with_the_file_and_a_remedy() -> None:
    for kind in [*OpeningError.__subclasses__(), *StoreError.__subclasses__()]:
        sentence = str(kind(Path("/data/robot.sqlite3"), "why"))
        assert "/data/robot.sqlite3" in sentence
        assert sentence.endswith(".")
        assert kind in (OpeningError,) or kind.sentence is not StoreError.sentence


def test_a_path_that_is_no_text_is_shown_as_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"robot\xff\n.sqlite3")
    with closing(Store.open(path)) as store:
        shown = store.status().database_path
        assert shown.encode("utf-8").decode("utf-8").isprintable()
        assert store.add_entity("person", "Gordon").entity.id == 1
