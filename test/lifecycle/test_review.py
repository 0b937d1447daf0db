# SPDX-License-Identifier: Apache-2.0
"""Proposals wait unseen; what is refused stays away; an export comes back whole."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from mira_memory.errors import BroughtBack, ExportRefused, NotFound, SlotTaken, StatusRefused
from mira_memory.records import MemoryDraft, Qualities
from mira_memory.store import Store

LEEDS = MemoryDraft("fact", "Gordon lives in Leeds", ((1, "subject"),), "lives_in", "Leeds")


def known(store: Store) -> list[str]:
    (found,) = store.find_memories("Gordon")[0]
    return [str(memory.value) for memory in found.memories]


@contextmanager
def empty(directory: Path) -> Iterator[Store]:
    with closing(Store.open(directory / "other.sqlite3")) as store:
        yield store


def test_a_proposal_is_not_known_until_approved(store: Store) -> None:
    number = store.lifecycle.propose(LEEDS, "a tool")
    assert known(store) == []
    assert store.status().memories == 0
    (waiting,) = store.lifecycle.proposals()
    assert waiting.memory is not None
    assert (waiting.id, waiting.state, waiting.origin) == (number, "open", "a tool")
    assert (waiting.memory.summary, waiting.links[0].entity_name) == (LEEDS.summary, "Gordon")
    memory = store.lifecycle.approve(number, "checked")
    assert (memory.source_kind, memory.source_label) == ("reviewed_proposal", "a tool")
    assert known(store) == ["Leeds"]
    assert store.lifecycle.proposals() == ()
    assert store.lifecycle.proposal(number).memory is None


def test_a_refused_proposal_does_not_come_back(store: Store) -> None:
    first, second = (store.lifecycle.propose(LEEDS, "a tool") for _ in range(2))
    store.lifecycle.refuse(first, "nonsense")
    with pytest.raises(BroughtBack, match=r"^The same was refused in a review at 2026-"):
        store.lifecycle.approve(second)
    with pytest.raises(BroughtBack):
        store.lifecycle.propose(LEEDS, "another tool")
    assert known(store) == []


def test_a_decided_proposal_stays_decided(store: Store) -> None:
    number = store.lifecycle.propose(LEEDS, "a tool")
    store.lifecycle.approve(number)
    for decide in (store.lifecycle.approve, lambda n: store.lifecycle.refuse(n, "no")):
        with pytest.raises(StatusRefused, match=rf"^PRP{number} was approved already"):
            decide(number)
    with pytest.raises(NotFound, match=r"^There is no proposal PRP9"):
        store.lifecycle.approve(9)


def test_what_is_contradicted_or_known_is_not_approved(
    store: Store, add: Callable[..., int]
) -> None:
    number = store.lifecycle.propose(LEEDS, "a tool")
    other = add("York")
    with pytest.raises(SlotTaken, match=rf"^MEM{other} says otherwise .*, then approve PRP"):
        store.lifecycle.approve(number)
    store.lifecycle.retract(other, "a mistake")
    store.lifecycle.approve(number)
    same = store.lifecycle.propose(LEEDS, "a tool")
    with pytest.raises(SlotTaken, match="says the same and is active"):
        store.lifecycle.approve(same)


def lived_in(store: Store, add: Callable[..., int]) -> None:
    """Leave something of every kind in the store."""
    store.add_alias(1, "Gordy")
    first = add("Leeds", qualities=Qualities(valid_from="2020-01-01", importance=0.5))
    store.lifecycle.supersede(first, "Gordon lives in York", "York", actor="console")
    second = add("herring", "eats")
    store.lifecycle.retract(second, "a mistake")
    store.lifecycle.forget(add("jazz", "hears"), "a wish")
    third = add("chess", "plays")
    store.lifecycle.set_trust(third, "withheld", "unclear")
    store.lifecycle.annotate(third, "Anna told me.")
    store.lifecycle.relate(third, "supports", first)
    store.lifecycle.propose(
        MemoryDraft("note", "Gordon may like tea", ((1, "subject"),)), "a tool"
    )
    store.lifecycle.rename_entity(2, "Anna Smith")


def test_an_export_restores_an_empty_store_whole(
    store: Store, add: Callable[..., int], tmp_path: Path
) -> None:
    lived_in(store, add)
    file = tmp_path / "export.jsonl"
    assert store.lifecycle.export(file) == 5
    with empty(tmp_path) as other:
        done = other.lifecycle.import_file(file, trusted=True)
        assert (done.written, done.proposed, done.left_out) == (5, 0, 0)
        assert other.find_memories("Gordon") == store.find_memories("Gordon")
        assert other.find_entities("Anna") == store.find_entities("Anna")
        for number in range(1, 6):
            assert other.show_memory(number) == store.show_memory(number)
            assert other.lifecycle.history(number) == store.lifecycle.history(number)
            assert other.lifecycle.companions(number) == store.lifecycle.companions(number)
        assert other.lifecycle.proposals() == store.lifecycle.proposals()
        assert not other.lifecycle.verify_audit().sentence
        assert other.status().memories == 5
        with pytest.raises(BroughtBack):
            other.add_memory(MemoryDraft("fact", "x", ((1, "subject"),), "hears", "jazz"))


def test_an_import_proposes_and_brings_nothing_back(
    store: Store, add: Callable[..., int], tmp_path: Path
) -> None:
    kept, retracted, forgotten = add("Leeds"), add("herring", "eats"), add("jazz", "hears")
    file = tmp_path / "export.jsonl"
    store.lifecycle.export(file)
    store.lifecycle.archive(kept, "old news")
    store.lifecycle.retract(retracted, "a mistake")
    store.lifecycle.forget(forgotten, "a wish")
    done = store.lifecycle.import_file(file, trusted=False)
    assert (done.written, done.proposed, done.left_out) == (0, 1, 2)
    assert done.reasons[0].startswith("MEM2 of the export: The same was taken back with MEM2 at ")
    done = store.lifecycle.import_file(file, trusted=True)
    assert (done.written, done.proposed, done.left_out) == (1, 0, 2)
    assert known(store) == ["Leeds"]
    assert not store.lifecycle.verify_audit().sentence


def test_an_import_needs_its_entities_unless_trusted(
    store: Store, add: Callable[..., int], tmp_path: Path
) -> None:
    add("Leeds")
    file = tmp_path / "export.jsonl"
    store.lifecycle.export(file)
    with empty(tmp_path) as other:
        other.add_entity("place", "York")
        done = other.lifecycle.import_file(file, trusted=False)
        assert (done.proposed, done.left_out) == (0, 1)
        assert "add that entity, then import again" in done.reasons[0]
        assert other.lifecycle.import_file(file, trusted=True).written == 1
        assert known(other) == ["Leeds"]
        assert [entity.id for entity in other.find_entities("Gordon")] == [2]


def test_an_export_is_private_and_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    store.lifecycle.export(file)
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    with pytest.raises(ExportRefused, match="can't be written"):
        store.lifecycle.export(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is empty; name a file"),
        ("no json\n", "^Line 1 of "),
        ('{"mira_export": 9}\n', "^Line 1 of "),
        ('{"mira_export": 1}\n{"table": "sqlite_master", "row": {}}\n', "^Line 2 of "),
        (
            '{"mira_export": 1}\n{"table": "memories", "row": {"id": 1}}\n',
            "lacks columns|fit together",
        ),
    ],
)
def test_what_is_no_export_is_refused(
    store: Store, tmp_path: Path, content: str, sentence: str
) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(content, encoding="utf-8")
    for trusted in (False, True):
        with pytest.raises(ExportRefused, match=sentence):
            store.lifecycle.import_file(file, trusted=trusted)
    assert store.lifecycle.proposals() == ()


def test_a_tampered_export_restores_nothing(
    store: Store, add: Callable[..., int], tmp_path: Path
) -> None:
    add("Leeds")
    file = tmp_path / "export.jsonl"
    store.lifecycle.export(file)
    file.write_text(file.read_text().replace("Gordon: lives_in", "Gordon: left"), "utf-8")
    with empty(tmp_path) as other:
        with pytest.raises(ExportRefused, match=r"^The export does not verify: MEM1 is not as"):
            other.lifecycle.import_file(file, trusted=True)
        assert other.status().memories == 0
        json.loads(file.read_text().splitlines()[0])
