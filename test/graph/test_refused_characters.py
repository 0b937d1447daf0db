# SPDX-License-Identifier: Apache-2.0
"""No refused character gets into any text of any request."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from ament_index_python.packages import get_package_prefix
from mira import srv
from mira.msg import MemoryLink
from probe import Probe
from proposals import add_entities
from refused_characters import SENDABLE, UNSENDABLE, spoilt
from robot_graph import RobotGraph

from mira_ros.calls import UnsendableText

PROPOSAL = {
    "kind": "relationship",
    "subject": "Gordon",
    "predicate": "friend",
    "value": "Anna",
    "evidence": "Gordon's friend is Anna",
    "related_entity": "Anna",
    "related_role": "friend",
}
# Words of a closed set and times: nothing else is accepted, refused characters or not.
NOT_STORED_AS_IS = {
    "turn_id",
    "memory_system",
    "epistemic_kind",
    "valid_from",
    "valid_to",
    "happens_at",
    "expires_at",
}
# A request of each service that succeeds, every text given.
REQUESTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "recall_memory": (srv.RecallMemory, {"query": "Gordon"}),
    "remember": (srv.Remember, PROPOSAL),
    "memory/add_entity": (
        srv.AddEntity,
        {"entity_type": "robot", "canonical_name": "Rover"},
    ),
    "memory/add_alias": (srv.AddAlias, {"entity_id": "ENT1", "alias": "Boss"}),
    "memory/add_memory": (
        srv.AddMemory,
        {
            "kind": "fact",
            "summary": "Gordon likes herring.",
            "links": [MemoryLink(entity_id="ENT1", role="subject")],
            "predicate": "likes",
            "value": "herring",
            "source_kind": "inspection",
            "source_label": "camera",
        },
    ),
    "memory/find_entity": (srv.FindEntity, {"name": "Gordon"}),
    "memory/find_memories": (srv.FindMemories, {"name": "Gordon"}),
    "memory/list_entities": (srv.ListEntities, {"entity_type": "person", "after_id": "ENT1"}),
    "memory/list_memories": (srv.ListMemories, {"entity_id": "ENT1", "before_id": "MEM1"}),
    "memory/show_memory": (srv.ShowMemory, {"memory_id": "MEM1"}),
}


# What corrects and looks back is tried in test_lifecycle_services.py.
LOOKS_BACK = {"Audit", "ExportMemories", "History", "ListProposals", "RecallAt"}


def texts(name: str) -> list[str]:
    """Return the fields of a request that are texts, and those of a link; no turn id is stored."""
    kinds = REQUESTS[name][0].Request.get_fields_and_field_types()
    fields = [
        name for name, kind in kinds.items() if kind == "string" and name not in NOT_STORED_AS_IS
    ]
    if "sequence<mira/MemoryLink>" in kinds.values():
        fields += ["links.entity_id", "links.role"]
    return fields


def with_text_spoilt(fields: dict[str, Any], field: str, character: str) -> dict[str, Any]:
    if field.startswith("links."):
        (link,) = fields["links"]
        parts = {"entity_id": link.entity_id, "role": link.role}
        part = field.removeprefix("links.")
        return fields | {"links": [MemoryLink(**parts | {part: spoilt(parts[part], character)})]}
    return fields | {field: spoilt(fields[field], character)}


def is_refused(answer: Any) -> bool:
    if hasattr(answer, "success"):
        return not answer.success and bool(answer.error)
    return bool(answer.status in {"invalid", "rejected"} and answer.error)


def counts(probe: Probe) -> tuple[int, int, int]:
    status = probe.call(srv.GetMemoryStatus, "memory/get_status").status
    return status.entities, status.aliases, status.memories


def test_every_service_that_takes_a_text_is_tried() -> None:
    folder = Path(get_package_prefix("mira"), "share", "mira", "srv")
    taking = {
        file.stem
        for file in folder.glob("*.srv")
        if "string " in file.read_text().partition("---")[0]
        and "string actor " not in file.read_text()
        and file.stem not in LOOKS_BACK
    }
    assert {srv_type.__name__ for srv_type, _ in REQUESTS.values()} == taking


def test_a_refused_character_is_refused_in_every_text_of_every_request(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Anna")
    turns = (f"turn {number}" for number in itertools.count())

    def asked(name: str, fields: dict[str, Any]) -> Any:
        srv_type, _ = REQUESTS[name]
        if name != "remember":
            return probe.call(srv_type, name, **fields)
        turn = next(turns)
        probe.say(turn, f"Remember that {PROPOSAL['evidence']}.")
        try:
            return probe.call(srv_type, name, **{"turn_id": turn} | fields)
        finally:
            probe.reply(turn)

    before = counts(probe)
    for name, (_, fields) in REQUESTS.items():
        for field in texts(name):
            assert field.startswith("links.") or field in fields, (name, field)
            for kind, character in SENDABLE.items():
                answer = asked(name, with_text_spoilt(fields, field, character))
                assert is_refused(answer), (name, field, kind)
                assert character not in answer.error
                if name == "remember":
                    assert answer.reason == "invalid_proposal"
            for character in UNSENDABLE.values():
                with pytest.raises(UnsendableText):
                    asked(name, with_text_spoilt(fields, field, character))
    assert counts(probe) == before
    for name, (_, fields) in REQUESTS.items():
        assert not is_refused(asked(name, fields)), name
    # The memory from `remember` and the one from `add_memory`.
    assert counts(probe) == (3, 1, 2)
    assert "failed" not in graph.logs()


def test_a_speaker_label_or_turn_with_a_refused_character_grounds_nothing(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Anna")
    said = f"Remember that {PROPOSAL['evidence']}."
    for number, character in enumerate(SENDABLE.values()):
        for turn, speaker in (
            (f"turn {number}", spoilt("camera", character)),
            (spoilt("turn", character), "camera"),
        ):
            probe.say(turn, said, speaker)
            answer = probe.call(srv.Remember, "remember", turn_id=turn, **PROPOSAL)
            assert answer.reason == "evidence_not_in_utterance"
    probe.say("sound", said, speaker="camera")
    answer = probe.call(srv.Remember, "remember", turn_id="sound", **PROPOSAL)
    assert answer.admission == "created"
