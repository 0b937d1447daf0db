# SPDX-License-Identifier: Apache-2.0
"""Every statement that runs on the tables of schema version 2, in one place.

None of them scans a main table, apart from those of a verification and an export, which read
everything. Follows docs/lifecycle.md, "The store".
"""

# The audit log.
LAST_EVENT = """SELECT id, hash FROM audit_events
WHERE id = (SELECT max(id) FROM audit_events)"""
_EVENT_COLUMNS = """id, at, operation, memory_id, other_memory_id, entity_id, row_id, actor,
    reason, digest, hash"""
INSERT_EVENT = f"""INSERT INTO audit_events ({_EVENT_COLUMNS})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
EVENTS_SINCE = f"""SELECT {_EVENT_COLUMNS} FROM audit_events
WHERE id > ? AND at >= ? ORDER BY id LIMIT ?"""
EVENTS_OF_MEMORY = f"""SELECT {_EVENT_COLUMNS} FROM audit_events WHERE memory_id = :memory
UNION SELECT {_EVENT_COLUMNS} FROM audit_events WHERE other_memory_id = :memory ORDER BY 1"""
EVENT_TIMES = "SELECT at, actor, reason FROM audit_events WHERE id = ?"

# States: what is known of a memory beside its words.
STATE_COLUMNS = """status, trust, trust_reason, memory_system, epistemic_kind, importance,
    valid_from, valid_to, happens_at, expires_at"""
CURRENT_STATE = f"""SELECT event_id, known_from, {STATE_COLUMNS} FROM memory_states
WHERE memory_id = ? AND known_to IS NULL"""
END_STATE = "UPDATE memory_states SET known_to = ? WHERE event_id = ?"
INSERT_STATE = f"""INSERT INTO memory_states (event_id, memory_id, known_from, {STATE_COLUMNS})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
ERASE_TRUST_REASONS = """UPDATE memory_states SET trust_reason = NULL
WHERE memory_id = ? AND trust_reason IS NOT NULL"""

# Status. A withheld memory is not counted among what is known of an entity.
SET_STATUS = "UPDATE memories SET status = ? WHERE id = ?"
COUNT_ENTITIES = """UPDATE entities SET active_memory_count = active_memory_count + ?
WHERE id IN (SELECT entity_id FROM memory_entity_links WHERE memory_id = ?)"""

# What a memory says, as its digest covers it.
CONTENT = """SELECT id, kind, summary, predicate, predicate_key, value_text, value_key,
    source_kind, source_label, confidence, turn_id, subject_entity_id, created_at
FROM memories WHERE id = ?"""
CONTENT_LINKS = """SELECT entity_id, role FROM memory_entity_links WHERE memory_id = ?
ORDER BY entity_id, role"""
CONTENT_PAYLOADS = """SELECT payload_kind, media_type, text_content, object_ref, sha256
FROM memory_payloads WHERE memory_id = ? ORDER BY id"""
ENTITY_ROW = (
    "SELECT id, entity_type, canonical_name, name_key, created_at FROM entities WHERE id = ?"
)
ALIAS_ROW = """SELECT id, entity_id, alias, alias_key, created_at FROM entity_aliases
WHERE entity_id = ? AND alias_key = ?"""

# Erasure.
ERASE_MEMORY = """UPDATE memories SET status = 'forgotten', summary = '', predicate = NULL,
    predicate_key = NULL, value_text = NULL, value_key = NULL, source_label = NULL,
    confidence = NULL, subject_entity_id = NULL WHERE id = ?"""
ERASE_PAYLOADS = "DELETE FROM memory_payloads WHERE memory_id = ?"
ERASE_LINKS = "DELETE FROM memory_entity_links WHERE memory_id = ?"
ERASE_NOTES = "DELETE FROM memory_annotations WHERE memory_id = ?"

# Names.
RENAME_ENTITY = "UPDATE entities SET canonical_name = ?, name_key = ? WHERE id = ?"
DELETE_ALIAS = "DELETE FROM entity_aliases WHERE entity_id = ? AND alias_key = ?"
ENTITY_TYPE = "SELECT entity_type, canonical_name FROM entities WHERE id = ?"

# Tombstones.
DIGEST_KEY = "SELECT digest_key FROM store_keys WHERE id = 1"
INSERT_TOMBSTONE = """INSERT INTO tombstones (event_id, statement, memory_id)
VALUES (?, ?, ?)"""
TOMBSTONE = "SELECT event_id, memory_id FROM tombstones WHERE statement = ? LIMIT 1"
LIFT_TOMBSTONES = "DELETE FROM tombstones WHERE memory_id = ?"

# Relations and annotations.
INSERT_RELATION = """INSERT INTO memory_relations (event_id, memory_id, relation, other_memory_id)
VALUES (?, ?, ?, ?)"""
RELATION = """SELECT event_id FROM memory_relations
WHERE memory_id = ? AND relation = ? AND other_memory_id = ?"""
RELATIONS_OF_MEMORY = """SELECT event_id, memory_id, relation, other_memory_id
FROM memory_relations WHERE memory_id = :memory
UNION SELECT event_id, memory_id, relation, other_memory_id
FROM memory_relations WHERE other_memory_id = :memory ORDER BY 1"""
INSERT_NOTE = "INSERT INTO memory_annotations (event_id, memory_id, note) VALUES (?, ?, ?)"
NOTES_OF_MEMORY = """SELECT event_id, note FROM memory_annotations
WHERE memory_id = ? ORDER BY event_id"""

# Proposals.
INSERT_PROPOSAL = """INSERT INTO proposals (state, content, statement, origin, created_at)
VALUES ('open', ?, ?, ?, ?)"""
PROPOSAL = "SELECT id, state, content, statement, origin, created_at FROM proposals WHERE id = ?"
OPEN_PROPOSALS = """SELECT id, state, content, statement, origin, created_at
FROM proposals WHERE state = 'open' AND id > ? ORDER BY id LIMIT ?"""
OPEN_PROPOSALS_SAYING = "SELECT id FROM proposals WHERE statement = ? AND state = 'open'"
CLOSE_PROPOSAL = """UPDATE proposals SET state = ?, content = NULL, memory_id = ?
WHERE id = ?"""

# What held at one time, as known at another.
MEMORIES_AT = """SELECT m.id, s.event_id
FROM memory_entity_links AS l CROSS JOIN memories AS m ON m.id = l.memory_id
LEFT JOIN memory_states AS s ON s.event_id = (SELECT t.event_id FROM memory_states AS t
    WHERE t.memory_id = m.id AND t.known_from <= :known
    ORDER BY t.known_from DESC, t.event_id DESC LIMIT 1)
WHERE l.entity_id = :entity AND m.created_at <= :known AND m.status <> 'forgotten'
    AND coalesce(s.status, 'active') IN ('active', 'superseded')
    AND coalesce(s.trust, 'accepted') <> 'withheld'
    AND (s.valid_from IS NULL OR s.valid_from <= :at)
    AND (s.valid_to IS NULL OR s.valid_to > :at)
ORDER BY l.memory_id DESC"""
STATE_OF_EVENT = f"SELECT {STATE_COLUMNS} FROM memory_states WHERE event_id = ?"

# Reading all of a table, row by row: verification, migration and export.
ALL_EVENTS = f"SELECT {_EVENT_COLUMNS} FROM audit_events ORDER BY id"
ALL_MEMORY_IDS = "SELECT id, status, created_at FROM memories ORDER BY id"
ALL_ENTITY_IDS = "SELECT id FROM entities ORDER BY id"
ALL_ALIAS_IDS = "SELECT id, entity_id, alias_key FROM entity_aliases ORDER BY id"
ALL_STATES = f"""SELECT event_id, memory_id, known_from, known_to, {STATE_COLUMNS}
FROM memory_states ORDER BY event_id"""
ALL_RELATIONS = """SELECT event_id, memory_id, relation, other_memory_id FROM memory_relations
ORDER BY event_id"""
ALL_NOTES = "SELECT event_id, memory_id, note FROM memory_annotations ORDER BY event_id"
ALL_PROPOSALS = """SELECT id, state, content, statement, origin, memory_id, created_at
FROM proposals ORDER BY id"""
ALL_TOMBSTONES = (
    "SELECT event_id, statement, memory_id FROM tombstones ORDER BY event_id, statement"
)
ALL_COUNTS = """SELECT e.id, e.active_memory_count, (SELECT count(DISTINCT l.memory_id)
    FROM memory_entity_links AS l CROSS JOIN memories AS m ON m.id = l.memory_id
    WHERE l.entity_id = e.id AND m.status = 'active' AND NOT EXISTS (SELECT 1
        FROM memory_states AS s WHERE s.memory_id = m.id AND s.known_to IS NULL
            AND s.trust = 'withheld'))
FROM entities AS e ORDER BY e.id"""
STATUS = "SELECT status FROM memories WHERE id = ?"
NEWEST_EVENTS = f"""SELECT {_EVENT_COLUMNS} FROM audit_events
WHERE id > (SELECT max(id) FROM audit_events) - ? ORDER BY id DESC"""
LAST_GIVEN_EVENT_ID = "SELECT seq FROM sqlite_sequence WHERE name = 'audit_events'"
CHANGE_LAST_EVENT = """UPDATE audit_events SET reason = 'changed'
WHERE id = (SELECT max(id) FROM audit_events)"""
FILL_TOMBSTONES = "DELETE FROM tombstones WHERE memory_id = 0"
DROP_KEY = "DELETE FROM store_keys WHERE id = 1"
WITHHELD_ACTIVE = """SELECT s.memory_id FROM memory_states AS s
WHERE s.known_to IS NULL AND s.trust = 'withheld' AND s.status = 'active'"""
_ORDERS = {
    "memory_entity_links": "entity_id, memory_id, role",
    "tombstones": "statement, event_id",
}


def whole(table: str) -> str:
    """Return the statement that reads a table row by row in the order of its key."""
    return f"SELECT * FROM {table} ORDER BY {_ORDERS.get(table, 'rowid')}"


def insert_row(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that inserts a row with these columns, which the table has."""
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
