# SPDX-License-Identifier: Apache-2.0
"""What schema version 2 adds beside the tables of version 1, which stay as they are.

Follows docs/lifecycle.md, "The store". A released statement never changes, white space aside.

`memory_states` has a row for every change of a memory after its creation, with the time from
which, and until which, the store said so; a memory without one is as it was created: accepted,
and nothing known about its times.
"""

from mira_memory.schema_v1 import UTC

_IDENTITY = "INTEGER PRIMARY KEY AUTOINCREMENT"
_MEMORY = "INTEGER NOT NULL REFERENCES memories (id)"

TABLES = (
    f"""CREATE TABLE audit_events (
    id {_IDENTITY},
    at TEXT NOT NULL CHECK (at {UTC}),
    operation TEXT NOT NULL CHECK (operation <> ''),
    memory_id INTEGER,
    other_memory_id INTEGER,
    entity_id INTEGER,
    row_id INTEGER,
    actor TEXT NOT NULL CHECK (actor <> ''),
    reason TEXT NOT NULL,
    digest BLOB CHECK (length(digest) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT""",
    f"""CREATE TABLE memory_states (
    event_id INTEGER PRIMARY KEY REFERENCES audit_events (id),
    memory_id {_MEMORY},
    known_from TEXT NOT NULL CHECK (known_from {UTC}),
    known_to TEXT CHECK (known_to {UTC}),
    status TEXT NOT NULL
        CHECK (status IN ('active', 'retracted', 'superseded', 'archived', 'forgotten')),
    trust TEXT NOT NULL CHECK (trust IN ('accepted', 'disputed', 'withheld')),
    trust_reason TEXT CHECK (length(trust_reason) BETWEEN 1 AND 500),
    memory_system TEXT NOT NULL CHECK
        (memory_system IN ('semantic', 'episodic', 'procedural', 'autobiographical')),
    epistemic_kind TEXT NOT NULL CHECK (epistemic_kind IN ('observation', 'fact', 'memory',
        'claim', 'hypothesis', 'belief', 'prediction', 'assumption', 'inference', 'opinion')),
    importance REAL CHECK (importance BETWEEN 0.0 AND 1.0),
    valid_from TEXT CHECK (valid_from {UTC}),
    valid_to TEXT CHECK (valid_to {UTC}),
    happens_at TEXT CHECK (happens_at {UTC}),
    expires_at TEXT CHECK (expires_at {UTC})
) STRICT""",
    f"""CREATE TABLE memory_relations (
    event_id INTEGER PRIMARY KEY REFERENCES audit_events (id),
    memory_id {_MEMORY},
    relation TEXT NOT NULL CHECK (relation IN
        ('supports', 'contradicts', 'derived_from', 'related_to', 'supersedes')),
    other_memory_id {_MEMORY},
    UNIQUE (memory_id, relation, other_memory_id)
) STRICT""",
    f"""CREATE TABLE memory_annotations (
    event_id INTEGER PRIMARY KEY REFERENCES audit_events (id),
    memory_id {_MEMORY},
    note TEXT NOT NULL CHECK (length(note) BETWEEN 1 AND 1000)
) STRICT""",
    f"""CREATE TABLE proposals (
    id {_IDENTITY},
    state TEXT NOT NULL CHECK (state IN ('open', 'approved', 'refused')),
    content TEXT,
    statement BLOB NOT NULL CHECK (length(statement) = 32),
    origin TEXT NOT NULL CHECK (length(origin) BETWEEN 1 AND 256),
    memory_id INTEGER REFERENCES memories (id),
    created_at TEXT NOT NULL CHECK (created_at {UTC}),
    CHECK ((state = 'open') = (content IS NOT NULL)),
    CHECK ((state = 'approved') = (memory_id IS NOT NULL))
) STRICT""",
    """CREATE TABLE tombstones (
    event_id INTEGER NOT NULL REFERENCES audit_events (id),
    statement BLOB NOT NULL CHECK (length(statement) = 32),
    memory_id INTEGER REFERENCES memories (id),
    PRIMARY KEY (statement, event_id)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE store_keys (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    digest_key BLOB NOT NULL CHECK (length(digest_key) = 32)
) STRICT""",
)

INDEXES = (
    """CREATE INDEX audit_events_memory ON audit_events (memory_id)
    WHERE memory_id IS NOT NULL""",
    """CREATE INDEX audit_events_other_memory ON audit_events (other_memory_id)
    WHERE other_memory_id IS NOT NULL""",
    "CREATE INDEX memory_states_memory ON memory_states (memory_id, known_from, event_id)",
    """CREATE UNIQUE INDEX memory_states_current ON memory_states (memory_id)
    WHERE known_to IS NULL""",
    """CREATE UNIQUE INDEX memory_states_withheld ON memory_states (memory_id)
    WHERE known_to IS NULL AND trust = 'withheld'""",
    "CREATE INDEX memory_relations_other ON memory_relations (other_memory_id)",
    "CREATE INDEX memory_annotations_memory ON memory_annotations (memory_id)",
    "CREATE INDEX proposals_open ON proposals (id) WHERE state = 'open'",
    "CREATE INDEX proposals_statement ON proposals (statement) WHERE state = 'open'",
    "CREATE INDEX tombstones_memory ON tombstones (memory_id)",
)

TRIGGERS = tuple(
    f"""CREATE TRIGGER audit_events_before_{event} BEFORE {event} ON audit_events BEGIN
    SELECT RAISE(ABORT, 'the audit log is only ever added to');
END"""
    for event in ("update", "delete")
)

STATEMENTS = (*TABLES, *INDEXES, *TRIGGERS)
