# SPDX-License-Identifier: Apache-2.0
"""Proposals about a few entities that many graph tests share."""

from typing import Any

from mira.srv import AddEntity, Remember
from probe import Probe

SNACK = "Remember that Gordon's favourite snack is herring."


def add_entities(probe: Probe, *names: str) -> list[str]:
    """Create one entity of type person per name and return their identities."""
    identities = []
    for name in names:
        added = probe.call(
            AddEntity, "memory/add_entity", entity_type="person", canonical_name=name
        )
        assert added.success, added.error
        identities.append(added.entity.id)
    return identities


def snack(turn_id: str, value: str = "herring", subject: str = "Gordon") -> dict[str, str]:
    """Return the fields of a proposal that a subject's favourite snack is `value`."""
    return {
        "turn_id": turn_id,
        "kind": "preference",
        "subject": subject,
        "predicate": "favourite_snack",
        "value": value,
        "evidence": f"{subject}'s favourite snack is {value}",
    }


def remember(probe: Probe, **fields: str) -> Any:
    """Call `remember` and return its response."""
    return probe.call(Remember, "remember", **fields)
