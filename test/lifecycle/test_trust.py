# SPDX-License-Identifier: Apache-2.0
"""Kinds of knowledge, trust, credibility, relations and notes."""

from collections.abc import Callable

import pytest
from household import SNACK, Household, fact

from mira_memory.errors import AlreadyExists, DraftRefused, NotFound, StatusRefused
from mira_memory.recall import recall
from mira_memory.records import Qualities, credibility
from mira_memory.store import Store


def test_what_the_operator_says_is_a_claim_or_an_opinion(household: Household) -> None:
    claim = household.tell(f"{SNACK}.", fact()).memory_id
    opinion = household.tell(
        "Gordon likes jazz.",
        fact(kind="preference", predicate="likes", value="jazz", evidence="Gordon likes jazz"),
    ).memory_id
    kinds = []
    for number in (claim, opinion):
        assert number is not None
        state = household.memory.store.show_memory(number)[0].state
        assert state is not None
        kinds.append(state.epistemic_kind)
    assert kinds == ["claim", "opinion"]


def test_a_manual_memory_is_what_the_person_says(store: Store, add: Callable[..., int]) -> None:
    usual = store.show_memory(add("Leeds"))[0].state
    said = Qualities("episodic", "hypothesis", 0.25)
    other = store.show_memory(add("herring", "eats", qualities=said))[0].state
    assert usual is not None
    assert other is not None
    assert (usual.memory_system, usual.epistemic_kind, usual.importance) == (
        "semantic",
        "fact",
        None,
    )
    assert (other.memory_system, other.epistemic_kind, other.importance) == (
        "episodic",
        "hypothesis",
        0.25,
    )


@pytest.mark.parametrize(
    ("qualities", "sentence"),
    [
        (Qualities("muscle"), "^That is no memory system; use one of semantic, episodic"),
        (Qualities("", "rumour"), "^That is no kind of knowledge; use one of observation, fact"),
        (Qualities("", "", 1.5), "^The importance is out of range"),
    ],
)
def test_other_words_are_refused(
    add: Callable[..., int], qualities: Qualities, sentence: str
) -> None:
    with pytest.raises(DraftRefused, match=sentence):
        add("Leeds", qualities=qualities)


def test_a_disputed_memory_is_recalled_with_the_reason(
    store: Store, add: Callable[..., int]
) -> None:
    number = add("Leeds")
    add("herring", "eats")
    store.lifecycle.set_trust(number, "disputed", "Anna says otherwise")
    text = recall(store, "Gordon").text
    assert '    disputed: "Anna says otherwise"' in text
    assert text.count("disputed") == 1
    store.lifecycle.set_trust(number, "accepted", "Anna was wrong")
    assert "disputed" not in recall(store, "Gordon").text


def test_a_withheld_memory_is_not_seen_until_accepted(
    store: Store, add: Callable[..., int]
) -> None:
    numbers = [add(str(number), f"p{number}x") for number in range(12)]
    hidden = numbers[3]
    store.lifecycle.set_trust(hidden, "withheld", "unclear")
    (found,) = store.find_memories("Gordon", newest=8)[0]
    assert (len(found.memories), found.memories_left_out) == (8, 3)
    assert hidden not in [memory.id for memory in store.list_memories(1)[0]]
    assert store.list_memories(1, limit=4, before_id=numbers[6])[1] == 1
    store.lifecycle.archive(hidden, "unclear")
    assert store.find_memories("Gordon", newest=8)[0][0].memories_left_out == 3
    store.lifecycle.restore(hidden, "still unclear")
    assert hidden not in [memory.id for memory in store.list_memories(1)[0]]
    store.lifecycle.set_trust(hidden, "accepted", "clear now")
    assert hidden in [memory.id for memory in store.list_memories(1)[0]]
    assert store.find_memories("Gordon", newest=8)[0][0].memories_left_out == 4
    assert not store.lifecycle.verify_audit().sentence


def test_recalling_changes_nothing(store: Store, add: Callable[..., int]) -> None:
    number = add("Leeds", confidence=0.5, qualities=Qualities(importance=0.5))
    before = (store.version(), store.show_memory(number))
    for _ in range(10):
        recall(store, "Gordon")
    assert (store.version(), store.show_memory(number)) == before


def test_trust_states_are_three(store: Store, add: Callable[..., int]) -> None:
    with pytest.raises(StatusRefused, match="use one of accepted, disputed, withheld"):
        store.lifecycle.set_trust(add("Leeds"), "doubtful", "unclear")


def test_credibility_follows_the_channel() -> None:
    assert [
        credibility(kind)
        for kind in (
            "operator_statement",
            "manual",
            "system",
            "tool",
            "source",
            "reviewed_proposal",
        )
    ] == ["operator", "user", "system", "tool", "source", "user"]


def test_relations_say_who_stated_them(store: Store, add: Callable[..., int]) -> None:
    one, other = add("Leeds"), add("herring", "eats")
    store.lifecycle.relate(one, "supports", other, "console")
    for number in (one, other):
        ((relation,), _) = store.lifecycle.companions(number)
        assert (relation.memory_id, relation.relation, relation.other_memory_id) == (
            one,
            "supports",
            other,
        )
        assert relation.stated_by == "console"
    with pytest.raises(AlreadyExists):
        store.lifecycle.relate(one, "supports", other)
    with pytest.raises(StatusRefused, match="use one of supports, contradicts"):
        store.lifecycle.relate(one, "likes", other)
    with pytest.raises(StatusRefused, match="no relation to itself"):
        store.lifecycle.relate(one, "supports", one)
    with pytest.raises(NotFound):
        store.lifecycle.relate(one, "supports", 99)


def test_notes_stand_beside_the_text(store: Store, add: Callable[..., int]) -> None:
    number = add("Leeds")
    before = store.show_memory(number)
    store.lifecycle.annotate(number, "Anna told me.", "console")
    assert store.show_memory(number) == before
    (_, (note,)) = store.lifecycle.companions(number)
    assert (note.note, note.author) == ("Anna told me.", "console")
    store.lifecycle.forget(number, "a wish")
    assert store.lifecycle.companions(number)[1] == ()
    with pytest.raises(StatusRefused, match="is forgotten"):
        store.lifecycle.annotate(number, "Anna told me.")
