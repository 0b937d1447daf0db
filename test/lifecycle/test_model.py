# SPDX-License-Identifier: Apache-2.0
"""Random operations against a model of the store; MIRA_FULL=1 makes it 10,000 of them."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mira_memory.errors import Refused
from mira_memory.recall import recall
from mira_memory.records import MemoryDraft, NewMemory
from mira_memory.store import Store

OPERATIONS = 10_000 if os.environ.get("MIRA_FULL") == "1" else 600
PEOPLE = ("Gordon", "Anna", "Zoë")
PREDICATES = ("lives_in", "likes")
VALUES = ("one", "two", "three", "four")


@dataclass
class Row:
    """A memory as the model knows it."""

    person: int
    predicate: str
    value: str | None
    status: str = "active"
    trust: str = "accepted"


class Model:
    """Predict what every operation does, refused ones included."""

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self.tombstones: dict[tuple[int, str, str], list[int]] = {}

    def slot(self, person: int, predicate: str) -> dict[int, Row]:
        return {
            number: row
            for number, row in self.rows.items()
            if (row.person, row.predicate, row.status) == (person, predicate, "active")
        }

    def seen(self, person: int) -> list[int]:
        return [
            number
            for number, row in self.rows.items()
            if row.person == person and row.status == "active" and row.trust != "withheld"
        ]

    def is_buried(self, person: int, predicate: str, value: str) -> bool:
        return bool(self.tombstones.get((person, predicate, value)))

    def bury(self, number: int) -> None:
        row = self.rows[number]
        assert row.value is not None
        self.tombstones.setdefault((row.person, row.predicate, row.value), []).append(number)

    def unbury(self, number: int) -> None:
        for numbers in self.tombstones.values():
            numbers[:] = [each for each in numbers if each != number]


class Play:
    """One random life of a store beside its model."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self.store = store
        self.chance = chance
        self.model = Model()
        self.refused = 0
        self.done = 0

    def step(self) -> None:
        operation: Callable[[], bool] = self.chance.choice(
            (
                self.admit,
                self.admit,
                self.add,
                self.add,
                self.retract,
                self.archive,
                self.restore,
                self.supersede,
                self.forget,
                self.doubt,
            )
        )
        if operation():
            self.done += 1

    def pick(self) -> int:
        return self.chance.randint(1, len(self.model.rows) + 1)

    def words(self) -> tuple[int, str, str]:
        return (
            self.chance.randint(1, len(PEOPLE)),
            self.chance.choice(PREDICATES),
            self.chance.choice(VALUES),
        )

    def expect(self, allowed: bool, attempt: Callable[[], object]) -> bool:
        if allowed:
            attempt()
            return True
        with pytest.raises(Refused):
            attempt()
        self.refused += 1
        return False

    def admit(self) -> bool:
        """Say it in a turn: a conflict or duplicate is found, a tombstone does not matter."""
        person, predicate, value = self.words()
        slot = self.model.slot(person, predicate)
        links = frozenset({(person, "subject")})
        with self.store.admission_transaction() as transaction:
            conflicts = transaction.slot_conflicts(person, predicate, value)
            duplicate = transaction.duplicate("fact", predicate, value, links)
            expected = sorted(
                number
                for number, row in slot.items()
                if row.value is not None and row.value != value
            )
            assert conflicts == tuple(expected[:8])
            same = [number for number, row in slot.items() if row.value == value]
            assert (duplicate in same) if same else duplicate is None
            if conflicts or duplicate is not None:
                return False
            number = transaction.insert(
                NewMemory("fact", f"said {value}", predicate, value, links, "operator_statement")
            )
        self.insert(number, Row(person, predicate, value))
        return True

    def add(self) -> bool:
        person, predicate, value = self.words()
        draft = MemoryDraft(
            "fact", f"wrote {self.chance.random()}", ((person, "subject"),), predicate, value
        )
        allowed = not self.model.is_buried(person, predicate, value)

        def attempt() -> None:
            self.insert(self.store.add_memory(draft).memory.id, Row(person, predicate, value))

        return self.expect(allowed, attempt)

    def insert(self, number: int, row: Row) -> None:
        assert number == len(self.model.rows) + 1
        self.model.rows[number] = row

    def retract(self) -> bool:
        number = self.pick()
        row = self.model.rows.get(number)
        allowed = row is not None and row.status in ("active", "superseded", "archived")
        if not self.expect(allowed, lambda: self.store.lifecycle.retract(number, "wrong")):
            return False
        if row is not None:
            row.status = "retracted"
            if row.value is not None:
                self.model.bury(number)
        return True

    def archive(self) -> bool:
        number = self.pick()
        row = self.model.rows.get(number)
        allowed = row is not None and row.status == "active"
        if not self.expect(allowed, lambda: self.store.lifecycle.archive(number, "old")):
            return False
        assert row is not None
        row.status = "archived"
        return True

    def restore(self) -> bool:
        number = self.pick()
        row = self.model.rows.get(number)
        allowed = row is not None and row.status in ("retracted", "superseded", "archived")
        if row is not None and allowed:
            slot = self.model.slot(row.person, row.predicate).values()
            if row.value is not None:
                allowed = all(each.value is None for each in slot)
            else:
                allowed = all(each.value is not None for each in slot)
        if not self.expect(allowed, lambda: self.store.lifecycle.restore(number, "right")):
            return False
        assert row is not None
        row.status = "active"
        self.model.unbury(number)
        return True

    def supersede(self) -> bool:
        number = self.pick()
        row = self.model.rows.get(number)
        value = self.chance.choice(VALUES)
        allowed = (
            row is not None
            and row.status == "active"
            and not self.model.is_buried(row.person, row.predicate, value)
        )
        words = f"now {self.chance.random()}"

        def attempt() -> None:
            new = self.store.lifecycle.supersede(number, words, value).memory
            assert row is not None
            self.insert(new.id, Row(row.person, row.predicate, value))

        if not self.expect(allowed, attempt):
            return False
        assert row is not None
        row.status = "superseded"
        return True

    def forget(self) -> bool:
        if self.chance.random() < 0.7:
            return False
        number = self.pick()
        row = self.model.rows.get(number)
        allowed = row is not None and row.status != "forgotten"
        if not self.expect(allowed, lambda: self.store.lifecycle.forget(number, "a wish")):
            return False
        assert row is not None
        self.model.bury(number)
        row.status = "forgotten"
        return True

    def doubt(self) -> bool:
        number = self.pick()
        row = self.model.rows.get(number)
        state = self.chance.choice(("accepted", "disputed", "withheld"))
        allowed = row is not None and row.status != "forgotten"
        if not self.expect(
            allowed, lambda: self.store.lifecycle.set_trust(number, state, "a doubt")
        ):
            return False
        assert row is not None
        row.trust = state
        return True

    def check(self) -> None:
        for person, name in enumerate(PEOPLE, 1):
            expected = self.model.seen(person)
            (found,) = self.store.find_memories(name, newest=1000)[0]
            assert [memory.id for memory in found.memories] == expected
            shown = recall(self.store, name).entities[0]
            assert [memory.id for memory in shown.memories] == expected[-8:]
            assert shown.memories_left_out == max(0, len(expected) - 8)
        for number, row in self.model.rows.items():
            memory = self.store.show_memory(number)[0]
            assert memory.status == row.status
            assert memory.state is not None
            assert memory.state.trust == row.trust
        assert not self.store.lifecycle.verify_audit().sentence


@pytest.mark.parametrize("seed", range(3))
def test_a_random_life_is_as_the_model_predicts(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "robot.sqlite3"
    store = Store.open(path)
    for name in PEOPLE:
        store.add_entity("person", name)
    play = Play(store, random.Random(seed))
    for number in range(1, OPERATIONS // 3 + 1):
        play.step()
        if number % 97 == 0:
            play.check()
    play.check()
    assert play.refused > OPERATIONS / 30
    assert play.done > OPERATIONS / 30
    store.close()
    play.store = Store.open(path)
    play.store.self_test()
    play.check()
    play.store.close()
