# SPDX-License-Identifier: Apache-2.0
"""Every statement that runs on an open store, in one place.

None of them scans a main table: a test reads the plan of each. Follows docs/memory.md,
"The store".
"""

from typing import NamedTuple

# Look-up by name.
RESOLVE = """SELECT id FROM entities WHERE name_key = :key
UNION SELECT entity_id FROM entity_aliases WHERE alias_key = :key ORDER BY 1"""
ENTITY = """SELECT id, entity_type, canonical_name, created_at, active_memory_count
FROM entities WHERE id = ?"""
ENTITY_NAME_KEY = "SELECT name_key FROM entities WHERE id = ?"
ENTITY_OF_NAME_AND_TYPE = "SELECT id FROM entities WHERE name_key = ? AND entity_type = ?"
ALIASES = "SELECT alias FROM entity_aliases WHERE entity_id = ? ORDER BY id LIMIT ?"
ALIAS_COUNT = "SELECT count(*) FROM entity_aliases WHERE entity_id = ?"
ALIAS_OF_ENTITY = "SELECT 1 FROM entity_aliases WHERE entity_id = ? AND alias_key = ?"

# Pages of entities.
ENTITIES_AFTER = "SELECT id FROM entities WHERE id > ? ORDER BY id LIMIT ?"
ENTITIES_AFTER_COUNT = "SELECT count(*) FROM entities WHERE id > ?"
ENTITIES_OF_TYPE_AFTER = """SELECT id FROM entities
WHERE entity_type = ? AND id > ? ORDER BY id LIMIT ?"""
ENTITIES_OF_TYPE_AFTER_COUNT = "SELECT count(*) FROM entities WHERE entity_type = ? AND id > ?"
NAMES_AFTER = "SELECT id, id, canonical_name FROM entities WHERE id > ? ORDER BY id LIMIT ?"
ALIAS_NAMES_AFTER = """SELECT id, entity_id, alias FROM entity_aliases
WHERE id > ? ORDER BY id LIMIT ?"""

# Memories and what hangs on them. A version 2 store withholds some that are active.
_NOT_WITHHELD = """ AND NOT EXISTS (SELECT 1 FROM memory_states AS s
    WHERE s.memory_id = l.memory_id AND s.known_to IS NULL AND s.trust = 'withheld')"""
_STATE_COLUMNS = """s.status, s.trust, s.trust_reason, s.memory_system, s.epistemic_kind,
    s.importance, s.valid_from, s.valid_to, s.happens_at, s.expires_at"""
_WITH_STATES = """
LEFT JOIN memory_states AS s ON s.memory_id = l.memory_id AND s.known_to IS NULL"""
_MEMORY_COLUMNS = """m.id, m.kind, m.summary, m.predicate, m.value_text, m.source_kind,
    m.source_label, m.confidence, m.status, m.created_at"""
MEMORY = f"SELECT {_MEMORY_COLUMNS} FROM memories AS m WHERE m.id = ?"
MEMORY_OF_TURN = f"SELECT {_MEMORY_COLUMNS} FROM memories AS m WHERE m.turn_id = ?"
_MEMORIES_OF_ENTITY = f"""SELECT {_MEMORY_COLUMNS}{{columns}}
FROM memory_entity_links AS l CROSS JOIN memories AS m ON m.id = l.memory_id{{states}}
WHERE l.entity_id = ? AND l.memory_id < ? AND m.status = 'active'{{more}}
ORDER BY l.memory_id DESC"""
_MEMORIES_COUNT = """SELECT count(*) FROM (SELECT l.memory_id
    FROM memory_entity_links AS l CROSS JOIN memories AS m ON m.id = l.memory_id
    WHERE l.entity_id = ? AND l.memory_id {side} ? AND m.status = 'active'{more}
    GROUP BY l.memory_id)"""


class Visible(NamedTuple):
    """The one place that decides which memories of an entity are seen, in each schema version.

    In version 2 `of_entity` also gives the state of each, and `state` that of one memory.
    """

    of_entity: str
    before_count: str
    from_count: str
    state: str


VISIBLE = {
    1: Visible(
        _MEMORIES_OF_ENTITY.format(columns="", states="", more=""),
        _MEMORIES_COUNT.format(side="<", more=""),
        _MEMORIES_COUNT.format(side=">=", more=""),
        "",
    ),
    2: Visible(
        _MEMORIES_OF_ENTITY.format(
            columns=f", {_STATE_COLUMNS}",
            states=_WITH_STATES,
            more=" AND (s.trust IS NULL OR s.trust <> 'withheld')",
        ),
        _MEMORIES_COUNT.format(side="<", more=_NOT_WITHHELD),
        _MEMORIES_COUNT.format(side=">=", more=_NOT_WITHHELD),
        f"SELECT {_STATE_COLUMNS} FROM memory_states AS s "
        "WHERE s.memory_id = ? AND s.known_to IS NULL",
    ),
}
NEWEST_MEMORY_ID = "SELECT max(id) FROM memories"
LINKS_BATCH = 8
LINKS = """SELECT l.memory_id, l.entity_id, e.canonical_name, l.role
FROM memory_entity_links AS l CROSS JOIN entities AS e ON e.id = l.entity_id
WHERE l.memory_id IN (?, ?, ?, ?, ?, ?, ?, ?)"""
PAYLOAD_TEXTS = """SELECT text_content FROM memory_payloads
WHERE memory_id = ? AND payload_kind = 'text' ORDER BY id"""
NEWEST_MEMORY = """SELECT created_at FROM memories
WHERE id = (SELECT max(id) FROM memories)"""
DATA_VERSION = "PRAGMA data_version"
TOTALS = "SELECT name, seq FROM sqlite_sequence"

# The slot (subject, predicate): facts and preferences share it.
_OTHER_VALUES = """SELECT id FROM (SELECT id FROM memories WHERE status = 'active'
    AND subject_entity_id = :subject AND predicate_key = :predicate
    AND kind = '{kind}' AND value_key {order} :value LIMIT 8)"""
SLOT_CONFLICTS = "\nUNION ALL ".join(
    _OTHER_VALUES.format(kind=kind, order=order)
    for kind in ("fact", "preference")
    for order in ("<", ">")
)
SAME_VALUE = """SELECT id FROM memories WHERE status = 'active' AND subject_entity_id = ?
AND predicate_key = ? AND kind = ? AND value_key IS ?"""
SAME_PREDICATE = """SELECT id FROM memories WHERE status = 'active' AND subject_entity_id = ?
AND predicate_key = ? AND kind = ?"""
LINKED = "SELECT memory_id FROM memory_entity_links WHERE entity_id = ? AND role = ?"
SLOT_OF_MEMORY = "SELECT kind, predicate_key, value_key, status FROM memories WHERE id = ?"
LINKS_OF_MEMORY = "SELECT entity_id, role FROM memory_entity_links WHERE memory_id = ?"

# Writes.
BEGIN_WRITE = "BEGIN IMMEDIATE"
BEGIN_READ = "BEGIN"
COMMIT = "COMMIT"
ROLLBACK = "ROLLBACK"
WRITE_ANEW = "VACUUM"
INSERT_ENTITY = """INSERT INTO entities (entity_type, canonical_name, name_key, created_at)
VALUES (?, ?, ?, ?)"""
INSERT_ALIAS = """INSERT INTO entity_aliases (entity_id, alias, alias_key, created_at)
VALUES (?, ?, ?, ?)"""
INSERT_MEMORY = """INSERT INTO memories (kind, summary, predicate, predicate_key, value_text,
    value_key, source_kind, source_label, confidence, status, turn_id, subject_entity_id,
    created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?)"""
INSERT_LINK = "INSERT INTO memory_entity_links (memory_id, entity_id, role) VALUES (?, ?, ?)"
INSERT_TEXT_PAYLOAD = """INSERT INTO memory_payloads
    (memory_id, payload_kind, media_type, text_content)
VALUES (?, 'text', 'text/plain', ?)"""
