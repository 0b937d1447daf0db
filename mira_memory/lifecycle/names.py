# SPDX-License-Identifier: Apache-2.0
"""Give an entity another name, or take one away (docs/lifecycle.md, "Status")."""

from mira_memory import statements as core
from mira_memory.administration import require_entity
from mira_memory.errors import AlreadyExists, NotFound, StatusRefused
from mira_memory.lifecycle import statements
from mira_memory.lifecycle.journal import Journal
from mira_memory.records import entity_identity
from mira_memory.text import key


def rename_entity(journal: Journal, entity_id: int, name: str) -> None:
    """Give an entity a checked canonical name; the old one stays as an alias.

    Raises:
        NotFound: there is no such entity.
        AlreadyExists: another entity has that type and name, or this one has that name.
    """
    connection = journal.connection
    require_entity(connection, entity_id)
    entity_type, old = connection.execute(statements.ENTITY_TYPE, (entity_id,)).fetchone()
    other = connection.execute(core.ENTITY_OF_NAME_AND_TYPE, (key(name), entity_type)).fetchone()
    if other is not None and (other[0] != entity_id or old == name):
        identity = entity_identity(other[0])
        raise AlreadyExists(f"{identity} has that type and name; choose another name.", identity)
    row = connection.execute(statements.ALIAS_ROW, (entity_id, key(name))).fetchone()
    if row is not None:
        _delete_alias(journal, entity_id, key(name), row[0])
    connection.execute(statements.RENAME_ENTITY, (name, key(name), entity_id))
    journal.entity_changed("entity_renamed", entity_id)
    has_alias = connection.execute(core.ALIAS_OF_ENTITY, (entity_id, key(old))).fetchone()
    if key(old) != key(name) and has_alias is None:
        connection.execute(core.INSERT_ALIAS, (entity_id, old, key(old), journal.now()))
        journal.alias_added(entity_id, key(old))


def remove_alias(journal: Journal, entity_id: int, alias: str) -> None:
    """Take a checked alias from an entity.

    Raises:
        NotFound: there is no such entity, or it has no such alias.
        StatusRefused: it is the canonical name.
    """
    connection = journal.connection
    identity = entity_identity(entity_id)
    if require_entity(connection, entity_id) == key(alias):
        raise StatusRefused(
            f"That is the canonical name of {identity}; give it another one with: "
            f'memory entity rename {identity} "<name>".'
        )
    row = connection.execute(statements.ALIAS_ROW, (entity_id, key(alias))).fetchone()
    if row is None:
        raise NotFound(f"{identity} has no such alias; find the entity to see which it has.")
    _delete_alias(journal, entity_id, key(alias), row[0])


def _delete_alias(journal: Journal, entity_id: int, alias_key: str, row_id: int) -> None:
    journal.connection.execute(statements.DELETE_ALIAS, (entity_id, alias_key))
    journal.append("alias_removed", entity=entity_id, row=row_id)
