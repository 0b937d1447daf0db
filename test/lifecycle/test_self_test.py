# SPDX-License-Identifier: Apache-2.0
"""The self test finds what would be seen and must not be, and leaves nothing behind."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory import statements as core
from mira_memory.errors import SelfTestFailure
from mira_memory.lifecycle import statements
from mira_memory.store import Store


def contents(path: Path) -> dict[str, bytes]:
    return {
        each.name: each.read_bytes()
        for each in path.parent.glob(f"{path.name}*")
        if not each.name.endswith("-shm")
    }


def test_it_passes_and_changes_no_byte(store: Store, add: Callable[..., int]) -> None:
    store.lifecycle.retract(add("Leeds"), "a mistake")
    before = contents(store.path)
    store.self_test()
    assert contents(store.path) == before
    assert add("herring", "eats") == 2
    assert not store.lifecycle.verify_audit().sentence


def test_it_passes_on_an_empty_store_and_on_version_1(tmp_path: Path) -> None:
    for version in (1, 2):
        with closing(Store.open(tmp_path / f"{version}.sqlite3", schema_version=version)) as store:
            store.self_test()


def test_it_takes_little_time(store: Store) -> None:
    store.self_test()
    times = []
    for _ in range(5):
        began = time.perf_counter()
        store.self_test()
        times.append(time.perf_counter() - began)
    assert min(times) < 0.05


@pytest.mark.parametrize(
    ("condition", "finding"),
    [
        (" AND m.status = 'active'", "a memory that is retracted is recalled"),
        ("s.trust <> 'withheld'", "a memory that is withheld is recalled"),
    ],
)
def test_a_read_path_that_leaks_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch, condition: str, finding: str
) -> None:
    visible = core.VISIBLE[2]
    replacement = " AND m.status <> ''" if condition.startswith(" AND") else "s.trust <> ''"
    leaking = visible.of_entity.replace(condition, replacement)
    assert leaking != visible.of_entity
    monkeypatch.setitem(core.VISIBLE, 2, visible._replace(of_entity=leaking))
    with pytest.raises(SelfTestFailure, match=finding):
        store.self_test()
    monkeypatch.undo()
    store.self_test()


def test_a_read_path_that_hides_everything_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    visible = core.VISIBLE[2]
    hiding = visible.of_entity.replace("m.status = 'active'", "m.status = ''")
    monkeypatch.setitem(core.VISIBLE, 2, visible._replace(of_entity=hiding))
    with pytest.raises(SelfTestFailure, match="an active memory is not recalled"):
        store.self_test()


def test_a_log_that_can_be_changed_is_found(store: Store) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER audit_events_before_update")
    with pytest.raises(SelfTestFailure, match="an event of the audit log was changed"):
        store.self_test()


def test_a_broken_end_of_the_chain_is_found(store: Store) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER audit_events_before_update")
        connection.execute("UPDATE audit_events SET reason = 'x' WHERE id = 2")
    with pytest.raises(SelfTestFailure, match="the end of the audit log's chain"):
        store.self_test()


def test_a_reader_that_can_write_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "FILL_TOMBSTONES", "SELECT 1")
    with pytest.raises(SelfTestFailure, match="the reading connection wrote"):
        store.self_test()
