# SPDX-License-Identifier: Apache-2.0
"""The tables of schema version 1, as they are written into every new store.

Follows docs/memory.md, "The store". The text of these statements is compared with that of a file
when it is opened: a released statement never changes, white space aside.

Two things look unusual. Links are WITHOUT ROWID and begin with the entity, so that the newest
memories of an entity are one walk backwards through neighbouring rows, however many it has. The
totals live as rows of `sqlite_sequence`, the table in which SQLite itself keeps a number per
AUTOINCREMENT table: ordinary, transactional, copied by backup and dump, and no sixth table.
"""

UTC = (
    "GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
    "T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z'"
)

TABLES = (
    f"""CREATE TABLE entities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_type TEXT NOT NULL CHECK (length(entity_type) BETWEEN 1 AND 64),
    canonical_name TEXT NOT NULL CHECK (length(canonical_name) BETWEEN 1 AND 256),
    name_key TEXT NOT NULL CHECK (name_key <> ''),
    active_memory_count INTEGER NOT NULL DEFAULT 0 CHECK (active_memory_count >= 0),
    created_at TEXT NOT NULL CHECK (created_at {UTC}),
    UNIQUE (name_key, entity_type)
) STRICT""",
    f"""CREATE TABLE entity_aliases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_id INTEGER NOT NULL REFERENCES entities (id),
    alias TEXT NOT NULL CHECK (length(alias) BETWEEN 1 AND 256),
    alias_key TEXT NOT NULL CHECK (alias_key <> ''),
    created_at TEXT NOT NULL CHECK (created_at {UTC}),
    UNIQUE (entity_id, alias_key)
) STRICT""",
    f"""CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
    summary TEXT NOT NULL CHECK (length(summary) <= 1000),
    predicate TEXT CHECK (length(predicate) BETWEEN 1 AND 64),
    predicate_key TEXT CHECK (predicate_key <> ''),
    value_text TEXT CHECK (length(value_text) BETWEEN 1 AND 500),
    value_key TEXT CHECK (value_key <> ''),
    source_kind TEXT NOT NULL CHECK (length(source_kind) BETWEEN 1 AND 64),
    source_label TEXT CHECK (length(source_label) BETWEEN 1 AND 256),
    confidence REAL CHECK (confidence BETWEEN 0.0 AND 1.0),
    status TEXT NOT NULL DEFAULT 'active'
        CHECK (status IN ('active', 'retracted', 'superseded', 'archived', 'forgotten')),
    turn_id TEXT CHECK (turn_id <> ''),
    subject_entity_id INTEGER REFERENCES entities (id),
    created_at TEXT NOT NULL CHECK (created_at {UTC}),
    CHECK (summary <> '' OR status = 'forgotten'),
    CHECK ((predicate IS NULL) = (predicate_key IS NULL)),
    CHECK ((value_text IS NULL) = (value_key IS NULL))
) STRICT""",
    """CREATE TABLE memory_entity_links (
    memory_id INTEGER NOT NULL REFERENCES memories (id),
    entity_id INTEGER NOT NULL REFERENCES entities (id),
    role TEXT NOT NULL CHECK (length(role) BETWEEN 1 AND 64),
    PRIMARY KEY (entity_id, memory_id, role)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE memory_payloads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id INTEGER NOT NULL REFERENCES memories (id),
    payload_kind TEXT NOT NULL CHECK (payload_kind IN ('text', 'object')),
    media_type TEXT NOT NULL CHECK (media_type <> ''),
    text_content TEXT,
    object_ref TEXT CHECK (object_ref <> ''),
    sha256 TEXT CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
    CHECK ((payload_kind = 'text') = (text_content IS NOT NULL)),
    CHECK ((payload_kind = 'object') = (object_ref IS NOT NULL)),
    CHECK (payload_kind = 'text' OR sha256 IS NOT NULL)
) STRICT""",
)

INDEXES = (
    "CREATE INDEX entities_type ON entities (entity_type)",
    "CREATE INDEX entity_aliases_key ON entity_aliases (alias_key, entity_id)",
    "CREATE INDEX entity_aliases_entity ON entity_aliases (entity_id)",
    "CREATE UNIQUE INDEX memories_turn ON memories (turn_id) WHERE turn_id IS NOT NULL",
    """CREATE INDEX memories_slot ON memories
    (subject_entity_id, predicate_key, kind, value_key) WHERE status = 'active'""",
    "CREATE INDEX memory_entity_links_memory ON memory_entity_links (memory_id)",
    "CREATE INDEX memory_payloads_memory ON memory_payloads (memory_id)",
)

TOTALS = {
    "entities": "total of entities",
    "entity_aliases": "total of entity_aliases",
    "memories": "total of memories",
}

_TOTAL_ROWS = tuple(
    f"INSERT INTO sqlite_sequence (name, seq) VALUES ('{name}', 0)" for name in TOTALS.values()
)

_TOTAL_TRIGGERS = tuple(
    f"""CREATE TRIGGER {table}_total_after_{event} AFTER {event} ON {table} BEGIN
    UPDATE sqlite_sequence SET seq = seq {step} WHERE name = '{name}';
END"""
    for table, name in TOTALS.items()
    for event, step in (("insert", "+ 1"), ("delete", "- 1"))
)

# A memory that hangs on an entity under two roles counts once.
_LINK_TRIGGERS = tuple(
    f"""CREATE TRIGGER memory_entity_links_after_{event} AFTER {event} ON memory_entity_links
WHEN (SELECT status FROM memories WHERE id = {row}.memory_id) = 'active'
    AND NOT EXISTS (SELECT 1 FROM memory_entity_links
        WHERE entity_id = {row}.entity_id AND memory_id = {row}.memory_id
            AND role <> {row}.role)
BEGIN
    UPDATE entities SET active_memory_count = active_memory_count {step}
    WHERE id = {row}.entity_id;
END"""
    for event, row, step in (("insert", "NEW", "+ 1"), ("delete", "OLD", "- 1"))
)

TRIGGERS = (
    *_TOTAL_TRIGGERS,
    *_LINK_TRIGGERS,
    """CREATE TRIGGER memory_entity_links_before_update BEFORE UPDATE ON memory_entity_links BEGIN
    SELECT RAISE(ABORT, 'a link is never changed: delete it and insert another');
END""",
    """CREATE TRIGGER memories_after_status AFTER UPDATE OF status ON memories
WHEN (OLD.status = 'active') <> (NEW.status = 'active')
BEGIN
    UPDATE entities SET active_memory_count =
        active_memory_count + iif(NEW.status = 'active', 1, -1)
    WHERE id IN (SELECT entity_id FROM memory_entity_links WHERE memory_id = NEW.id);
END""",
)

STATEMENTS = (*TABLES, *INDEXES, *_TOTAL_ROWS, *TRIGGERS)
