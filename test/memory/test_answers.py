# SPDX-License-Identifier: Apache-2.0
"""Kept answers: the same value while nobody writes, and never a stale one."""

import sqlite3
import threading
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st
from three_entities import three_entities

from mira_memory.answers import CAPACITY, Answers
from mira_memory.recall import Recollection, recall
from mira_memory.records import MemoryDraft
from mira_memory.store import Store

QUERIES = ("Thing 1", "thing 2", "THING 3", "Nick 1", "Nick 2", "nobody", " ")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from(QUERIES)),
        st.tuples(st.just("note"), st.sampled_from((1, 2, 3))),
        st.tuples(st.just("alias"), st.sampled_from((1, 2))),
        st.tuples(st.just("retract"), st.integers(1, 5)),
    ),
    max_size=25,
)


@settings(max_examples=40)
@given(STEPS)
def test_every_answer_is_what_the_store_would_say_now(steps: list[tuple[str, object]]) -> None:
    with three_entities() as store:
        recollection = Recollection(store)
        other = sqlite3.connect(store.path, isolation_level=None)
        for step, what in steps:
            if step == "ask":
                assert recollection.recall(str(what)) == recall(store, str(what))
            elif step == "note":
                store.add_memory(MemoryDraft("note", "Noted.", ((int(str(what)), "subject"),)))
            elif step == "alias" and not store.find_entities(f"Nick {what}"):
                store.add_alias(int(str(what)), f"Nick {what}")
            elif step == "retract":
                other.execute("UPDATE memories SET status = 'retracted' WHERE id = ?", (what,))
        other.close()


def test_an_answer_is_kept_until_somebody_writes(store: Store) -> None:
    store.add_entity("person", "Gordon")
    recollection = Recollection(store)
    first = recollection.recall("gordon")
    assert recollection.recall("gordon") is first
    store.add_memory(MemoryDraft("note", "Noted.", ((1, "subject"),)))
    second = recollection.recall("gordon")
    assert "Noted." in second.text
    assert recollection.recall("gordon") is second
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("UPDATE memories SET summary = 'Changed.'")
    assert "Changed." in recollection.recall("gordon").text


def test_a_failure_is_not_kept(store: Store) -> None:
    store.add_entity("person", "Gordon")
    recollection = Recollection(store)
    assert recollection.recall("gordon").status == "hit"
    assert recollection.recall("\t").status == "invalid"
    store.close()
    assert recollection.recall("gordon").status == "failure"


def test_a_commit_while_an_answer_is_worked_out_makes_it_unused() -> None:
    version = 1
    asked, committed = threading.Event(), threading.Event()

    def slow() -> str:
        asked.set()
        assert committed.wait(5.0)
        return "old"

    answers: Answers[str] = Answers(lambda: version)
    thread = threading.Thread(target=lambda: answers.of("question", slow))
    thread.start()
    assert asked.wait(5.0)
    version = 2
    committed.set()
    thread.join(5.0)
    assert answers.of("question", lambda: "new") == "new"
    assert answers.of("question", lambda: "newer") == "new"


def test_only_the_latest_answers_are_kept() -> None:
    answers: Answers[int] = Answers(lambda: 1)
    for number in range(CAPACITY + 1):
        assert answers.of(f"question {number}", lambda number=number: number) == number
    assert answers.of("question 0", lambda: -1) == -1
    assert answers.of(f"question {CAPACITY}", lambda: -1) == CAPACITY
    assert len(answers._kept) == CAPACITY
