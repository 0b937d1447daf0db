# SPDX-License-Identifier: Apache-2.0
"""Every statement finds its rows by index: none of the plans scans a main table."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mira_memory import schema, schema_v1, statements
from mira_memory.lifecycle import statements as lifecycle_statements

MODULES = Path(statements.__file__).parent
READ_WHOLE = ("ALL_", "WITHHELD_ACTIVE")
TABLES = {
    "audit_events",
    "memory_states",
    "memory_relations",
    "memory_annotations",
    "proposals",
    "tombstones",
    "entities",
    "entity_aliases",
    "memories",
    "memory_entity_links",
    "memory_payloads",
}
TRANSACTION = {"BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "VACUUM"}
REGISTRY = {
    name: text
    for name, text in (*vars(lifecycle_statements).items(), *vars(statements).items())
    if name.isupper()
    and not name.startswith(("_", *READ_WHOLE))
    and isinstance(text, str)
    and text not in TRANSACTION
    and not name.endswith("COLUMNS")
}
REGISTRY |= {
    f"VISIBLE_{version}_{name}": text
    for version, visible in statements.VISIBLE.items()
    for name, text in visible._asdict().items()
    if text
}


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.create(connection)
        yield connection


def plan(connection: sqlite3.Connection, statement: str) -> list[str]:
    count = len(re.findall(r"\?", statement))
    names = re.findall(r":([a-z]+)", statement)
    values = dict.fromkeys(names, 1) if names else (1,) * count
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]


def scans(steps: list[str]) -> list[str]:
    aliases = TABLES | {"m", "l", "e", "s", "t"}
    return [step for step in steps if (m := re.match(r"SCAN (\w+)", step)) and m[1] in aliases]


@pytest.mark.parametrize("name", REGISTRY)
def test_no_statement_scans_a_main_table(connection: sqlite3.Connection, name: str) -> None:
    steps = plan(connection, REGISTRY[name])
    assert scans(steps) == []


def test_the_check_sees_a_scan(connection: sqlite3.Connection) -> None:
    assert scans(plan(connection, "SELECT id FROM memories WHERE summary = ?"))
    assert scans(plan(connection, "SELECT m.id FROM memories AS m WHERE m.value_key > ?"))


@pytest.mark.parametrize("trigger", schema_v1.TRIGGERS)
def test_no_trigger_scans_a_main_table(connection: sqlite3.Connection, trigger: str) -> None:
    body = trigger[trigger.index("BEGIN") + len("BEGIN") : trigger.rindex("END")]
    body = re.sub(r"\b(NEW|OLD)\.\w+", "1", body)
    for statement in filter(None, map(str.strip, body.split(";"))):
        if not statement.startswith("SELECT RAISE"):
            assert scans(plan(connection, statement)) == []


def test_lists_come_out_of_their_index_in_order(connection: sqlite3.Connection) -> None:
    of_entity = ("VISIBLE_1_of_entity", "VISIBLE_2_of_entity")
    for name in (*of_entity, "ALIASES", "ENTITIES_AFTER", "ENTITIES_OF_TYPE_AFTER"):
        assert not [step for step in plan(connection, REGISTRY[name]) if "TEMP B-TREE" in step]


def test_the_slot_is_found_by_its_index(connection: sqlite3.Connection) -> None:
    for name in ("SLOT_CONFLICTS", "SAME_VALUE", "SAME_PREDICATE"):
        steps = plan(connection, REGISTRY[name])
        assert [step for step in steps if "memories_slot (subject_entity_id=? AND" in step]


def test_no_module_runs_a_statement_of_its_own() -> None:
    # What the opening reads before the store is open, and pragmas, are no part of the registry.
    own = re.compile(r"execute(?:many|script)?\(\s*f?\"+(?!PRAGMA)(\w+)")
    found = {
        path.name: own.findall(path.read_text(encoding="utf-8"))
        for path in MODULES.rglob("*.py")
        if path.name not in {"schema.py", "opening.py", "migration.py"}
    }
    assert {name: texts for name, texts in found.items() if texts} == {}
