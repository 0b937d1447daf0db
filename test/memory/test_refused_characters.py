# SPDX-License-Identifier: Apache-2.0
"""No refused character gets into any field through the core."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refused_characters import REFUSED, spoilt

from mira_memory.errors import TextRefused
from mira_memory.persistent import PersistentMemory
from mira_memory.proposal import Proposal, ProposalRefused
from mira_memory.recall import recall
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

DRAFT = MemoryDraft(
    kind="fact",
    summary="Gordon likes herring.",
    links=((1, "subject"),),
    predicate="likes",
    value="herring",
    source_kind="inspection",
    source_label="camera",
    confidence=0.5,
)
PROPOSAL: dict[str, str] = {
    "kind": "relationship",
    "subject": "Gordon",
    "predicate": "friend",
    "value": "Anna",
    "evidence": "Gordon has the friend Anna",
    "related_entity": "Anna",
    "related_role": "friend",
}


def add(field: str) -> Callable[[Store, Callable[[str], str]], object]:
    def write(store: Store, spoil: Callable[[str], str]) -> object:
        if field == "role":
            return store.add_memory(replace(DRAFT, links=((1, spoil("subject")),)))
        return store.add_memory(replace(DRAFT, **{field: spoil(getattr(DRAFT, field))}))

    return write


WRITES: dict[str, Callable[[Store, Callable[[str], str]], object]] = {
    "entity type": lambda store, spoil: store.add_entity(spoil("robot"), "Rover"),
    "canonical name": lambda store, spoil: store.add_entity("robot", spoil("Rover")),
    "alias": lambda store, spoil: store.add_alias(1, spoil("Boss")),
    **{
        f"memory {field}": add(field)
        for field in (
            *("kind", "summary", "role", "predicate", "value", "source_kind", "source_label"),
        )
    },
}
LOOKUPS: dict[str, Callable[[Store, Callable[[str], str]], object]] = {
    "find entities": lambda store, spoil: store.find_entities(spoil("Gordon")),
    "find memories": lambda store, spoil: store.find_memories(spoil("Gordon")),
    "list entities": lambda store, spoil: store.list_entities(spoil("person")),
}


def test_every_text_of_a_draft_is_tried() -> None:
    tried = {name.removeprefix("memory ") for name in WRITES if name.startswith("memory ")}
    assert tried == (
        set(MemoryDraft.__dataclass_fields__) - {"links", "confidence", "qualities"}
    ) | {"role"}


@pytest.mark.parametrize("entrance", [*WRITES, *LOOKUPS])
def test_a_refused_character_is_refused_in_every_field(store: Store, entrance: str) -> None:
    enter = (WRITES | LOOKUPS)[entrance]
    store.add_entity("person", "Gordon")
    before = store.status()
    for kind, character in REFUSED.items():
        with pytest.raises(TextRefused) as refusal:
            enter(store, lambda text, character=character: spoilt(text, character))
        assert character not in str(refusal.value), kind
        str(refusal.value).encode()
    assert (store.status().entities, store.status().memories) == (before.entities, before.memories)
    enter(store, str)
    written = store.status()
    assert (written.entities, written.aliases, written.memories) != (
        before.entities,
        before.aliases,
        before.memories,
    ) or entrance in LOOKUPS


@pytest.mark.parametrize("field", PROPOSAL)
def test_a_refused_character_is_refused_in_every_field_of_a_proposal(field: str) -> None:
    assert Proposal.from_arguments(PROPOSAL)
    for kind, character in REFUSED.items():
        arguments = PROPOSAL | {field: spoilt(PROPOSAL[field], character)}
        with pytest.raises(ProposalRefused) as refused:
            Proposal.from_arguments(arguments)
        assert refused.value.refusal.reason == "invalid_proposal", kind
        assert character not in str(refused.value)


def test_a_query_with_a_refused_character_is_invalid_and_no_miss(store: Store) -> None:
    store.add_entity("person", "Gordon")
    for kind, character in REFUSED.items():
        assert recall(store, spoilt("Gordon", character)).status == "invalid", kind
    assert recall(store, "Gordon").status == "hit"


@pytest.mark.parametrize("character", REFUSED.values(), ids=REFUSED)
def test_a_label_or_turn_with_a_refused_character_grounds_nothing(
    store: Store, character: str
) -> None:
    memory = PersistentMemory.open(
        store.path.with_name("other.sqlite3"), self_name="Mira", guard_languages=()
    )
    try:
        for name in ("Gordon", "Anna"):
            memory.store.add_entity("person", name)
        said = PROPOSAL["evidence"]
        for turn, speaker in (
            ("turn", spoilt("camera", character)),
            (spoilt("turn", character),) * 2,
        ):
            memory.hear(turn, said, speaker)
            assert memory.remember(turn, PROPOSAL).reason == "evidence_not_in_utterance"
        memory.hear("sound", said, "camera")
        assert memory.remember("sound", PROPOSAL).admission == "created"
    finally:
        memory.close()


@given(st.characters(categories=["Cc", "Cs", "Co", "Cn"]))
def test_no_character_of_these_categories_is_ever_part_of_a_proposal(character: str) -> None:
    for field, text in PROPOSAL.items():
        with pytest.raises(ProposalRefused):
            Proposal.from_arguments(PROPOSAL | {field: spoilt(text, character)})
