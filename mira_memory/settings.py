# SPDX-License-Identifier: Apache-2.0
"""The parameters of the memory node (docs/interfaces.md, "Parameters")."""

from dataclasses import dataclass
from pathlib import Path

from mira_memory.assertion import LANGUAGES
from mira_memory.schema import SCHEMA_VERSION
from mira_ros import parameters
from mira_ros.serving import ServedNode


@dataclass(frozen=True, slots=True)
class Settings:
    """What the memory node was started with; nothing of it can change while it runs."""

    database_path: Path
    self_name: str
    turn_ttl_s: float
    guard_languages: tuple[str, ...]
    admin_services: bool
    speakers: tuple[str, ...]
    schema_version: int
    audit_reads: bool

    @classmethod
    def declared(cls, node: ServedNode) -> "Settings":
        """Declare the parameters on `node` and read them; raises `ParameterRefused`."""
        guard = parameters.flag(
            node,
            "assertion_guard",
            True,
            "Refuse evidence that the operator did not assert: questions, conditions, denials.",
        )
        languages = parameters.texts(
            node,
            "assertion_guard_languages",
            LANGUAGES,
            "Languages whose sentences the assertion guard judges; of equals the first wins.",
        )
        if not set(languages) <= set(LANGUAGES):
            raise parameters.refused(
                node,
                "assertion_guard_languages",
                f"names a language without word lists, expected some of {', '.join(LANGUAGES)}.",
            )
        return cls(
            database_path=_database_path(node),
            self_name=parameters.text(
                node, "self_name", "Mira", "The robot's name, which 'you' and 'your' stand for."
            ),
            turn_ttl_s=parameters.number(
                node,
                "turn_ttl_s",
                300.0,
                1.0,
                86400.0,
                "Seconds for which an utterance may ground a write if no reply ends its turn.",
            ),
            guard_languages=languages if guard else (),
            admin_services=parameters.flag(
                node, "admin_services", True, "Offer the administration services under memory/."
            ),
            speakers=parameters.texts(
                node,
                "speakers",
                (),
                "Speaker labels whose utterances may ground a write; none named: everybody's.",
            ),
            schema_version=parameters.whole(
                node,
                "schema_version",
                SCHEMA_VERSION,
                1,
                SCHEMA_VERSION,
                "Schema version of a new file, and the latest that is accepted.",
            ),
            audit_reads=parameters.flag(
                node, "audit_reads", False, "Note in the audit log what each recall showed."
            ),
        )


def _database_path(node: ServedNode) -> Path:
    given = parameters.text(
        node, "database_path", "", "Absolute path of the SQLite file; it is created if missing."
    )
    # What a relative path would mean depends on who starts the node, so only a profile has one.
    if not Path(given).is_absolute():
        found = "a relative path" if given else "empty"
        raise parameters.refused(
            node,
            "database_path",
            f"is {found}, expected the absolute path of the SQLite file.",
        )
    return Path(given)
