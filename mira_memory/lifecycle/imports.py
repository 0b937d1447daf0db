# SPDX-License-Identifier: Apache-2.0
"""Take in an export: as proposals, as memories, or whole into an empty store.

Follows docs/lifecycle.md, "Export and import".
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mira_memory import projection
from mira_memory import statements as core
from mira_memory.administration import Administration
from mira_memory.admission_transaction import AdmissionTransaction
from mira_memory.draft import OPERATOR_STATEMENT, checked_draft
from mira_memory.errors import ExportRefused, Refused
from mira_memory.lifecycle import review, statements, verification
from mira_memory.lifecycle.export import TABLES, Rows
from mira_memory.lifecycle.journal import Journal
from mira_memory.lifecycle.slots import require_room
from mira_memory.records import MemoryDraft, Qualities
from mira_memory.text import key

_SKIPPED_MAX = 20


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of an export: how many memories were written, proposed or left out, and why."""

    written: int
    proposed: int
    left_out: int
    reasons: tuple[str, ...]


def import_lines(
    journal: Journal,
    clock: Callable[[], datetime],
    rows: Rows,
    origin: str,
    *,
    trusted: bool,
) -> Imported:
    """Import the rows of an export inside the transaction of `journal`.

    Raises:
        ExportRefused: a whole restore whose audit log does not verify.
    """
    if trusted and journal.connection.execute(statements.LAST_EVENT).fetchone() is None:
        return _restore_whole(journal, rows)
    try:
        drafts = list(_drafts(rows))
    except (KeyError, TypeError):
        raise ExportRefused("The export lacks columns; export anew.") from None
    done: Counter[str] = Counter()
    reasons = []
    administration = Administration(journal.connection, projection.View(2, clock), journal)
    for exported_id, draft, entities in drafts:
        try:
            linked = _linked(journal, administration, draft, entities, trusted=trusted)
            memory = checked_draft(linked)
            if trusted:
                transaction = AdmissionTransaction(journal.connection, clock, journal)
                require_room(
                    transaction,
                    memory.kind,
                    memory.predicate,
                    memory.value,
                    memory.links,
                    "then import again",
                )
                administration.add_memory(memory)
                done["written"] += 1
            else:
                review.propose(journal, memory, origin)
                done["proposed"] += 1
        except Refused as refusal:
            done["left out"] += 1
            reasons.append(f"MEM{exported_id} of the export: {refusal}")
    return Imported(
        done["written"], done["proposed"], done["left out"], tuple(reasons[:_SKIPPED_MAX])
    )


def _restore_whole(journal: Journal, rows: Rows) -> Imported:
    connection = journal.connection
    connection.execute(statements.DROP_KEY)
    try:
        for table in TABLES:
            cursor = connection.execute(statements.whole(table))
            columns = [column[0] for column in cursor.description]
            cursor.close()
            for row in rows[table]:
                if list(row) != columns:
                    raise ValueError
                if table == "entities":
                    row = {**row, "active_memory_count": 0}
                connection.execute(statements.insert_row(table, tuple(row)), tuple(row.values()))
        for memory_id in connection.execute(statements.WITHHELD_ACTIVE).fetchall():
            connection.execute(statements.COUNT_ENTITIES, (-1, *memory_id))
    except (sqlite3.IntegrityError, sqlite3.OperationalError, ValueError):
        raise ExportRefused("The export's rows don't fit together; export anew.") from None
    finding = verification.verify(connection)
    if finding.sentence:
        raise ExportRefused(f"The export does not verify: {finding.sentence}")
    journal.append("store_imported")
    return Imported(len(rows["memories"]), 0, 0, ())


def _drafts(rows: Rows) -> Iterator[tuple[int, MemoryDraft, dict[int, tuple[str, str]]]]:
    names = {row["id"]: (row["entity_type"], row["canonical_name"]) for row in rows["entities"]}
    links: dict[int, list[tuple[int, str]]] = {}
    for row in rows["memory_entity_links"]:
        links.setdefault(row["memory_id"], []).append((row["entity_id"], row["role"]))
    states: dict[int, dict[str, Any]] = {
        row["memory_id"]: row for row in rows["memory_states"] if row["known_to"] is None
    }
    for row in rows["memories"]:
        state = states.get(row["id"], {})
        if row["status"] != "active" or state.get("trust") == "withheld":
            continue
        linked = links.get(row["id"], [])
        source_kind = row["source_kind"]
        draft = MemoryDraft(
            row["kind"],
            row["summary"],
            tuple(linked),
            row["predicate"],
            row["value_text"],
            "imported_statement" if source_kind == OPERATOR_STATEMENT else source_kind,
            row["source_label"],
            row["confidence"],
            Qualities(
                state.get("memory_system") or "",
                state.get("epistemic_kind") or "",
                state.get("importance"),
                *(
                    state.get(name) or ""
                    for name in ("valid_from", "valid_to", "happens_at", "expires_at")
                ),
            )
            if state
            else None,
        )
        yield row["id"], draft, {entity_id: names[entity_id] for entity_id, _ in linked}


def _linked(
    journal: Journal,
    administration: Administration,
    draft: MemoryDraft,
    entities: dict[int, tuple[str, str]],
    *,
    trusted: bool,
) -> MemoryDraft:
    """Return the draft with the links leading to this store's entities of the same names."""
    here: dict[int, int] = {}
    for exported_id, (entity_type, name) in entities.items():
        row = journal.connection.execute(
            core.ENTITY_OF_NAME_AND_TYPE, (key(name), entity_type)
        ).fetchone()
        if row is not None:
            here[exported_id] = row[0]
        elif trusted:
            here[exported_id] = administration.add_entity(entity_type, name).entity.id
        else:
            raise ExportRefused(
                f"it hangs on ENT{exported_id} of the export, whose type and name no entity "
                "here has; add that entity, then import again."
            )
    return MemoryDraft(
        draft.kind,
        draft.summary,
        tuple((here[entity_id], role) for entity_id, role in draft.links),
        draft.predicate,
        draft.value,
        draft.source_kind,
        draft.source_label,
        draft.confidence,
        draft.qualities,
    )
