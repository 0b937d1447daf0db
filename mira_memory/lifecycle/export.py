# SPDX-License-Identifier: Apache-2.0
"""Write a store as JSON lines, and read such a file (docs/lifecycle.md, "Export and import").

The first line names the format; every other is a row of a table: its name and the columns.
Bytes are written as {"hex": "..."}.
"""

import json
import os
import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

from mira_memory.errors import ExportRefused, shown_path
from mira_memory.lifecycle import statements

FORMAT = 1
TABLES = (
    "entities",
    "entity_aliases",
    "memories",
    "memory_entity_links",
    "memory_payloads",
    "audit_events",
    "memory_states",
    "memory_relations",
    "memory_annotations",
    "proposals",
    "tombstones",
    "store_keys",
)

Rows = dict[str, list[dict[str, Any]]]


def export(connection: sqlite3.Connection, path: Path) -> int:
    """Write every row to a new file that only its owner may read; return the memories' number.

    Raises:
        ExportRefused: the file exists or can't be written.
    """
    if not path.is_absolute():
        raise ExportRefused("The file is no absolute path; give its whole path.")
    memories = 0
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps({"mira_export": FORMAT}) + "\n")
            for table in TABLES:
                cursor = connection.execute(statements.whole(table))
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    memories += table == "memories"
                    line = {"table": table, "row": dict(zip(names, row, strict=True))}
                    file.write(json.dumps(line, ensure_ascii=False, default=_hex) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ExportRefused(
            f"{shown_path(path)} can't be written ({error.strerror}); name a new file in a "
            "directory that the robot's user may write to."
        ) from None
    return memories


def read(path: Path) -> Rows:
    """Return the rows of an export by table.

    Raises:
        ExportRefused: it is none, and the line is named.
    """
    rows: Rows = defaultdict(list)
    number = 0
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                content = json.loads(line)
                if number == 1:
                    if content["mira_export"] != FORMAT:
                        raise ValueError
                    continue
                if content["table"] not in TABLES:
                    raise ValueError
                row = dict(content["row"])
                rows[content["table"]].append({k: _bytes(v) for k, v in row.items()})
    except OSError as error:
        raise ExportRefused(
            f"{shown_path(path)} can't be read ({error.strerror}); name a file that memory "
            "export wrote."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        number = max(number, 1)
        raise ExportRefused(
            f"Line {number} of {shown_path(path)} is not as memory export writes it; export anew."
        ) from None
    if number == 0:
        raise ExportRefused(f"{shown_path(path)} is empty; name a file that memory export wrote.")
    return rows


def _hex(content: bytes) -> dict[str, str]:
    return {"hex": content.hex()}


def _bytes(content: Any) -> Any:
    return bytes.fromhex(content["hex"]) if isinstance(content, dict) else content
