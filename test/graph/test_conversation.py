# SPDX-License-Identifier: Apache-2.0
"""What an operator says to the offline policy, and what comes back, over the real graph."""

import pytest
from mira.msg import WorkingMemory
from mira.srv import AddEntity, FindMemories
from robot_graph import wait_until
from std_srvs.srv import Trigger


@pytest.fixture
def operator(graph, probe, talker):
    graph.start_robot()
    for entity_type, name in (("person", "Gordon"), ("robot", "Mira")):
        added = probe.call(
            AddEntity, "memory/add_entity", entity_type=entity_type, canonical_name=name
        )
        assert added.success
    return talker


def test_the_robot_remembers_refuses_a_conflict_and_answers_from_memory(operator, probe):
    stored = operator.tell("Remember that Gordon's favourite snack is herring.")
    assert (stored.outcome, stored.memory_status, stored.memory_admission) == (
        "completed",
        "applied",
        "created",
    )
    assert (stored.memory_id, stored.entity_id) == ("MEM1", "ENT1")
    assert stored.text == "I have stored that as MEM1."

    refused = operator.tell("Remember that Gordon's favourite snack is tuna.")
    assert (refused.memory_status, refused.memory_reason) == ("rejected", "conflict")
    assert refused.memory_id == "MEM1"
    assert refused.text.startswith("I did not store that: ")
    assert "MEM1" in refused.text

    colour = operator.tell("Remember that your favourite colour is blue.")
    assert (colour.memory_admission, colour.memory_id, colour.entity_id) == (
        "created",
        "MEM2",
        "ENT2",
    )

    answer = operator.tell("What do you know about Gordon?")
    assert answer.text == (
        "About Gordon I remember: “Gordon's favourite snack is herring” (MEM1)."
    )
    assert (answer.acquisitions, answer.memory_status) == (1, "")

    again = operator.tell("Remember that Gordon's favourite snack is herring!")
    assert (again.memory_admission, again.text) == (
        "duplicate",
        "I already knew that: it is MEM1.",
    )
    found = probe.call(FindMemories, "memory/find_memories", name="gordon")
    assert [memory.id for memory in found.entities[0].memories] == ["MEM1"]


def test_what_is_said_aloud_is_the_text_of_the_reply_alone(operator):
    reply = operator.tell("Hello, Mira.")
    wait_until(lambda: operator.spoken, "the spoken reply")
    assert [said.data for said in operator.spoken] == [reply.text]


def test_each_step_of_an_episode_is_told_without_words(operator):
    operator.tell("Remember that Gordon's favourite snack is herring.")
    wait_until(lambda: len(operator.events) == 5, "five steps")
    told = [(event.step, event.action, event.outcome) for event in operator.events]
    assert told == [
        (1, "model", "call"),
        (2, "remember", "created"),
        (3, "model", "text"),
        (4, "reply", "completed"),
        (5, "end", "answered"),
    ]
    assert {event.trigger for event in operator.events} == {"operator"}
    assert {event.turn_id for event in operator.events} == {"turn-1"}
    assert len({event.episode_id for event in operator.events}) == 1
    assert "herring" not in repr(operator.events)


def test_the_working_memory_shows_the_interactions_and_is_cleared(operator, probe, graph):
    shown = probe.latched(WorkingMemory, "working_memory")
    wait_until(lambda: shown, "the working memory")
    assert (shown[-1].capacity, shown[-1].items) == (6, [])
    for number in range(7):
        reply = operator.tell(f"Sentence {number}.")
    wait_until(lambda: len(shown[-1].items) == 6, "six interactions")
    assert [item.operator_text for item in shown[-1].items] == [
        f"Sentence {number}." for number in range(1, 7)
    ]
    assert shown[-1].items[-1].reply_text == reply.text
    cleared = probe.call(Trigger, "cognition/clear_working_memory")
    assert (cleared.success, cleared.message) == (True, "Forgot 6 interactions.")
    wait_until(lambda: not shown[-1].items, "an empty working memory")
    assert operator.tell("Remember that Gordon's favourite snack is herring.").memory_id == "MEM1"
