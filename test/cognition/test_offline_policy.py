# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from mira_cognition.capabilities import Acquired, RecallMemory, Remember, Remembered
from mira_cognition.endings import ENDINGS
from mira_cognition.offline import OfflineModel
from mira_cognition.offline_words import NOT_UNDERSTOOD
from mira_cognition.trigger import OperatorTurn, SensorEvent
from mira_memory.heard_text import RAW_MAX
from mira_memory.persistent import PersistentMemory
from mira_memory.records import entity_identity, memory_identity

DOC = Path(__file__).parents[2] / "docs" / "cognition.md"


def table(section: str) -> list[list[str]]:
    """Return the rows of the last table of a section of docs/cognition.md."""
    text = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", DOC.read_text(), re.M | re.S)[1]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    return rows[2:]


class CoreMemory:
    """The capabilities over a real store, without ROS between."""

    def __init__(self, memory, turn_text):
        self.memory = memory
        self.turn_text = turn_text
        self.calls = []

    def recall_memory(self, call, bounds):
        self.calls.append(call)
        result = self.memory.recall(call.query)
        return Acquired(result.status, result.text)

    def remember(self, turn_id, call, bounds):
        self.calls.append(call)
        self.memory.hear(turn_id, self.turn_text, "console")
        result = self.memory.remember(turn_id, call.model_dump())
        return Remembered(
            result.status,
            result.admission,
            result.reason,
            result.error,
            "" if result.entity_id is None else entity_identity(result.entity_id),
            "" if result.memory_id is None else memory_identity(result.memory_id),
            tuple(map(memory_identity, result.conflicts)),
        )


@pytest.fixture
def memory(tmp_path):
    memory = PersistentMemory.open(tmp_path / "memory.sqlite3", self_name="Mira")
    for entity_type, name in (
        ("person", "Gordon"),
        ("robot", "Mira"),
        ("person", "Ada"),
        ("person", "Priya"),
        ("thing", "dock"),
        ("thing", "the red toolbox"),
    ):
        memory.store.add_entity(entity_type, name)
    memory.store.add_alias(5, "the dock")
    yield memory
    memory.close()


@pytest.fixture
def tell(stage, memory):
    def tell(text, turn_id="turn-1"):
        stage.capabilities = CoreMemory(memory, text)
        return stage.run(OfflineModel(), OperatorTurn(turn_id, text))

    return tell


ROWS = table("Offline")


@pytest.mark.parametrize(
    ("said", "follows"), [row for row in ROWS if row[1].startswith("remember")]
)
def test_a_documented_statement_is_filed(tell, stage, said, follows):
    reply = tell(said)
    (call,) = stage.capabilities.calls
    kind, fields = follows.removeprefix("remember ").split(": ")
    subject, predicate, value, *role = fields.split(", ")
    assert isinstance(call, Remember)
    assert (call.kind, call.subject, call.predicate, call.value) == (
        kind,
        subject,
        predicate,
        value,
    )
    assert [call.related_entity, call.related_role] == ([value, *role] if role else [None, None])
    assert (reply.remembered.status, reply.remembered.admission) == ("applied", "created")
    assert reply.text == "I have stored that as MEM1."


@pytest.mark.parametrize(
    ("said", "follows"), [row for row in ROWS if row[1].startswith("recall_memory")]
)
def test_a_documented_question_looks_its_name_up(stage, said, follows):
    reply = stage.run(OfflineModel(), said)
    names = follows.removeprefix("recall_memory ").split(", then ")
    assert stage.capabilities.calls == [RecallMemory(query=name) for name in names]
    assert reply.acquisitions == len(names)
    assert reply.text.startswith("I know nobody and nothing by the name ")


@pytest.mark.parametrize(
    ("said", "follows"), [row for row in ROWS if row[1].startswith("observe")]
)
def test_a_documented_question_reads_its_sensor(stage, said, follows):
    stage.settings = replace(stage.settings, sensors=("battery",))
    reply = stage.run(OfflineModel(), said)
    assert [call.sensor for call in stage.capabilities.calls] == ["battery"]
    assert reply.text == "battery: percentage=0.5"


@pytest.mark.parametrize(("said", "follows"), [row for row in ROWS if row[1].startswith("says")])
def test_a_documented_sentence_is_answered_without_a_call(stage, said, follows):
    reply = stage.run(OfflineModel(), said)
    assert stage.capabilities.calls == []
    assert reply.text.startswith(follows.removeprefix("says: "))


def test_every_row_of_the_offline_table_is_tested():
    kinds = {"remember", "recall_memory", "observe", "says:"}
    assert {follows.split()[0] for _, follows in ROWS} == kinds
    assert len(ROWS) >= 30


def test_the_outcomes_table_is_the_one_in_the_code():
    documented = [
        (event.strip("`"), outcome.strip("`"), said.partition(" (on ")[0])
        for event, outcome, said in table("Outcomes")
    ]
    assert documented == [
        (
            ending.event,
            ending.outcome.value,
            ending.said.format(limit=RAW_MAX) or "the model's words",
        )
        for ending in ENDINGS
    ]


def test_the_acceptance_conversation(tell):
    assert tell("Remember that Gordon's favourite snack is herring.", "a").text == (
        "I have stored that as MEM1."
    )
    conflict = tell("Remember that Gordon's favourite snack is tuna.", "b")
    assert conflict.text.startswith("I did not store that: Another value is stored")
    assert "MEM1" in conflict.text
    colour = tell("Remember that your favourite colour is blue.", "c")
    assert (colour.remembered.memory_id, colour.remembered.entity_id) == ("MEM2", "ENT2")
    assert tell("What do you know about Gordon?", "d").text == (
        "About Gordon I remember: “Gordon's favourite snack is herring” (MEM1)."
    )


def test_questions_are_answered_from_what_was_filed(tell):
    for turn, text in enumerate(
        (
            "The dock is in the hallway.",
            "Gordon's favourite snack is herring.",
            "Gordon likes tea.",
        )
    ):
        assert tell(text, f"turn-{turn}").remembered.applied
    assert tell("Where is the dock?", "a").text == (
        "About dock and location I remember: “The dock is in the hallway” (MEM1)."
    )
    assert tell("What's Gordon's favourite snack?", "b").text == (
        "About Gordon and favourite snack I remember: "
        "“Gordon's favourite snack is herring” (MEM2)."
    )
    assert tell("What is Gordon's shoe size?", "c").text == (
        "About Gordon and shoe size I remember nothing."
    )
    assert tell("Who is Gordon?", "d").text == (
        "About Gordon I remember: “Gordon's favourite snack is herring” (MEM2); "
        "“Gordon likes tea” (MEM3)."
    )
    assert tell("Who is Ada?", "e").text == "About Ada I remember nothing."


def test_an_ambiguous_name_is_asked_back(tell, memory):
    memory.store.add_entity("place", "Ada")
    assert tell("Who is Ada?").text == (
        "Several go by the name Ada: Ada (ENT3), Ada (ENT7). Which one do you mean?"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Remember that Boris likes tea.", "subject_not_found"),
        ("Remember that my favourite snack is herring.", "subject_not_found"),
        ("Gordon likes tea. Just kidding.", "evidence_not_in_utterance"),
    ],
)
def test_what_is_refused_is_said_with_its_reason(tell, text, reason):
    reply = tell(text)
    assert reply.remembered.reason == reason
    assert reply.text == f"I did not store that: {reply.remembered.error}"


def test_the_first_sentence_that_is_understood_counts(tell):
    reply = tell("I have news. Gordon likes tea. What do you know about Ada?")
    assert reply.remembered.admission == "created"


def test_a_sentence_over_300_characters_is_not_understood(stage):
    plain = f"Gordon likes {'very ' * 56}tea"
    assert len(plain) <= 300
    stage.run(OfflineModel(), plain)
    assert len(stage.capabilities.calls) == 1
    assert stage.run(OfflineModel(), f"{plain} and cake.").text == NOT_UNDERSTOOD
    assert len(stage.capabilities.calls) == 1


def test_a_failed_look_up_is_no_miss(stage):
    stage.capabilities.recalled = Acquired("failure", "…")
    assert stage.run(OfflineModel(), "Who is Ada?").text == (
        "I could not look into my memory just now. Please try again."
    )


def test_with_memory_switched_off_it_says_so(stage):
    stage.settings = replace(stage.settings, memory_enabled=False)
    for text, said in (
        ("Gordon likes tea.", "Nothing can be stored, because persistent memory is switched off."),
        ("Who is Ada?", "I cannot do that, because persistent memory is switched off."),
    ):
        assert stage.run(OfflineModel(), text).text == said
    assert stage.capabilities.calls == []


def test_news_of_a_sensor_is_told(stage):
    event = SensorEvent("battery", "percentage=0.1, below 0.2")
    assert stage.run(OfflineModel(), event).text == (
        "Attention, battery: percentage=0.1, below 0.2."
    )


def test_a_request_that_was_refused_is_answered_in_words(stage):
    stage.settings = replace(stage.settings, acquisitions=0)
    assert stage.run(OfflineModel(), "Who is Ada?").text == (
        "I could not do that within the bounds of this request."
    )


@pytest.mark.parametrize(
    "text", ["ఠ" * 4000, "a\u200bb is \x07", "'s is", "? ! .", "is is is", "\\"]
)
def test_any_text_gets_words_for_an_answer(stage, text):
    assert stage.run(OfflineModel(), text).text
    assert stage.faults == []
