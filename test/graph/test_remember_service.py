# SPDX-License-Identifier: Apache-2.0
import signal
import sqlite3
import threading
import time
from collections import Counter

from mira.srv import RecallMemory, Remember
from probe import Probe
from proposals import SNACK, add_entities, remember, snack
from robot_graph import RobotGraph

from mira_ros.calls import CallOutcome


def test_a_grounded_proposal_is_created_once_and_answered_alike_again(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    first, again = remember(probe, **snack("turn")), remember(probe, **snack("turn"))
    assert first == again
    assert (first.status, first.admission, first.reason) == ("applied", "created", "")
    assert (first.entity_id, first.memory_id, first.conflicts) == ("ENT1", "MEM1", [])
    assert rows(graph) == [("Gordon's favourite snack is herring", "turn")]


def rows(graph: RobotGraph) -> list[tuple[str, str]]:
    path = graph.directory / "memory.sqlite3"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        found = connection.execute("SELECT summary, turn_id FROM memories ORDER BY id").fetchall()
    connection.close()
    return found


def test_a_duplicate_names_the_existing_memory_and_a_conflict_is_rejected(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("first", SNACK)
    probe.say("second", SNACK)
    probe.say("third", "Remember that Gordon's favourite snack is tuna.")
    assert remember(probe, **snack("first")).admission == "created"
    duplicate = remember(probe, **snack("second"))
    assert (duplicate.status, duplicate.admission) == ("applied", "duplicate")
    assert duplicate.memory_id == "MEM1"
    conflict = remember(probe, **snack("third", "tuna"))
    assert (conflict.status, conflict.reason) == ("rejected", "conflict")
    assert (conflict.conflicts, conflict.memory_id) == (["MEM1"], "")
    assert "tuna" not in conflict.error


def test_no_client_can_ground_a_write_in_words_that_were_not_said(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    assert remember(probe, **snack("turn")).reason == "evidence_not_in_utterance"
    probe.say("other", "What is Gordon's favourite snack?")
    assert remember(probe, **snack("other")).reason == "evidence_not_in_utterance"
    assert remember(probe, **snack("")).reason == "evidence_not_in_utterance"
    assert rows(graph) == []


def test_an_utterance_that_comes_after_its_proposal_still_grounds_it(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("warm", "Hello.")
    answers = probe.in_flight(Remember, "remember", [Remember.Request(**snack("late"))])
    # The node answers this behind the proposal, so the proposal is waiting by now.
    assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "hit"
    probe.say("late", SNACK)
    (answer,) = answers()
    assert answer.admission == "created", answer.error


def test_a_proposal_whose_utterance_never_comes_is_refused_within_bounds(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    requests = [Remember.Request(**snack(f"never {number}")) for number in range(16)]
    began = time.monotonic()
    answers = probe.in_flight(Remember, "remember", requests)
    assert probe.call(RecallMemory, "recall_memory", query="Gordon").status == "miss"
    meanwhile = time.monotonic() - began
    assert {answer.reason for answer in answers()} == {"evidence_not_in_utterance"}
    whole = time.monotonic() - began
    assert 0.5 <= whole < 8.0, "the proposals waited one after the other"
    assert meanwhile < whole


def test_a_reply_ends_the_turn(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Bert")
    probe.say("over", SNACK)
    probe.say("open", "Remember that Bert's favourite snack is tuna.")
    probe.reply("over")
    # Both subscriptions are read in the order of arrival, so the answer for the open turn shows
    # that the reply was read too.
    assert remember(probe, **snack("open", "tuna", "Bert")).admission == "created"
    assert remember(probe, **snack("over")).reason == "evidence_not_in_utterance"


def test_an_utterance_behind_its_reply_opens_no_turn(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon", "Bert")
    probe.reply("over")
    probe.say("over", SNACK)
    probe.say("open", "Remember that Bert's favourite snack is tuna.")
    assert remember(probe, **snack("open", "tuna", "Bert")).admission == "created"
    began = time.monotonic()
    for _ in range(10):
        assert remember(probe, **snack("over")).reason == "evidence_not_in_utterance"
    assert time.monotonic() - began < 5.0, "it waited for an utterance of a turn that is over"


def test_a_turn_heard_twice_with_different_words_is_void(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("same", SNACK)
    probe.say("same", SNACK)
    probe.say("void", SNACK)
    probe.say("void", "Remember that Gordon's favourite snack is tuna.")
    assert remember(probe, **snack("void")).reason == "evidence_not_in_utterance"
    assert remember(probe, **snack("same")).admission == "created"


def test_a_second_proposal_in_a_turn_is_invalid(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", "Gordon's favourite snack is herring and his dog is Rex.")
    other = snack("turn") | {"predicate": "preferred_snack"}
    assert remember(probe, **snack("turn")).admission == "created"
    assert remember(probe, **other).reason == "invalid_proposal"
    assert len(rows(graph)) == 1


def test_equal_proposals_at_once_are_stored_once_and_answered_alike(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    answers = probe.in_flight(Remember, "remember", [Remember.Request(**snack("turn"))] * 16)()
    assert all(answer == answers[0] for answer in answers)
    assert answers[0].admission == "created"
    assert len(rows(graph)) == 1


def test_different_proposals_at_once_decide_one_and_refuse_the_others(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    requests = [
        Remember.Request(**snack("turn") | {"predicate": f"snack_{number}"})
        for number in range(16)
    ]
    answers = probe.in_flight(Remember, "remember", requests)()
    counts = Counter((answer.admission or answer.reason) for answer in answers)
    assert counts == {"created": 1, "invalid_proposal": 15}
    assert len(rows(graph)) == 1


def test_conflicting_turns_at_once_leave_one_memory(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    snacks = [f"herring{number}" for number in range(16)]
    for value in snacks:
        probe.say(value, f"Gordon's favourite snack is {value}.")
    answers = probe.in_flight(
        Remember, "remember", [Remember.Request(**snack(value, value)) for value in snacks]
    )()
    counts = Counter((answer.admission or answer.reason) for answer in answers)
    assert counts == {"created": 1, "conflict": 15}
    assert len(rows(graph)) == 1


def test_an_answer_lost_in_a_crash_can_be_asked_for_again(graph: RobotGraph, probe: Probe) -> None:
    first = graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("turn", SNACK)
    before = remember(probe, **snack("turn"))
    assert before.admission == "created"
    first.send(signal.SIGKILL)
    first.wait()
    graph.start_memory()
    call = probe.caller(Remember, "remember").call(Remember.Request(**snack("turn")), 5.0)
    assert call.outcome is CallOutcome.ANSWERED
    assert call.response == before
    other = remember(probe, **snack("turn", "tuna"))
    assert (other.status, other.reason) == ("rejected", "invalid_proposal")
    assert len(rows(graph)) == 1


def test_nothing_acknowledged_is_lost_when_killed_while_writing(
    graph: RobotGraph, probe: Probe
) -> None:
    process = graph.start_memory()
    add_entities(probe, "Gordon")
    acknowledged = []
    killed = threading.Event()

    def propose() -> None:
        for number in range(400):
            if killed.is_set():
                return
            turn = f"turn {number}"
            probe.say(turn, f"Gordon's favourite snack{number} is herring.")
            fields = snack(turn) | {
                "predicate": f"favourite_snack{number}",
                "evidence": f"Gordon's favourite snack{number} is herring",
            }
            call = probe.caller(Remember, "remember").call(
                Remember.Request(**fields), 2.0, cancelled=killed
            )
            if call.outcome is CallOutcome.ANSWERED and call.response.status == "applied":
                acknowledged.append(turn)
                probe.reply(turn)

    proposing = threading.Thread(target=propose)
    proposing.start()
    while len(acknowledged) < 20 and proposing.is_alive():
        time.sleep(0.001)
    process.send(signal.SIGKILL)
    process.wait()
    killed.set()
    proposing.join(10.0)
    assert len(acknowledged) >= 20
    graph.start_memory()
    assert set(acknowledged) <= {turn for _, turn in rows(graph)}


def test_speakers_limits_whose_words_may_ground_a_write(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory(speakers=["Console", "Anna"])
    add_entities(probe, "Gordon")
    probe.say("stranger", SNACK, speaker="voice 7")
    probe.say("known", SNACK, speaker="anna")
    assert remember(probe, **snack("stranger")).reason == "evidence_not_in_utterance"
    assert remember(probe, **snack("known")).admission == "created"


def test_you_means_the_robot_of_that_name(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory(self_name="Rosa")
    probe.say("before", "Remember that your favourite colour is blue.")
    fields = {
        "kind": "preference",
        "subject": "your",
        "predicate": "favourite_colour",
        "value": "blue",
        "evidence": "your favourite colour is blue",
    }
    assert remember(probe, turn_id="before", **fields).reason == "subject_not_found"
    add_entities(probe, "Rosa")
    probe.say("after", "Remember that your favourite colour is blue.")
    answer = remember(probe, turn_id="after", **fields)
    assert (answer.admission, answer.entity_id) == ("created", "ENT1")


def test_without_the_guard_a_question_can_be_stored_and_the_log_says_so(
    graph: RobotGraph, probe: Probe
) -> None:
    process = graph.start_memory(assertion_guard=False)
    add_entities(probe, "Gordon")
    assert "assertion_guard is off" in process.log()
    question = "Is it true that Gordon's favourite snack is herring?"
    probe.say("question", question)
    assert remember(probe, **snack("question")).admission == "created"


def test_with_the_guard_a_question_is_no_statement(graph: RobotGraph, probe: Probe) -> None:
    process = graph.start_memory()
    add_entities(probe, "Gordon")
    assert "assertion_guard is off" not in process.log()
    probe.say("question", "Is it true that Gordon's favourite snack is herring?")
    assert remember(probe, **snack("question")).reason == "evidence_not_in_utterance"
    probe.say("statement", SNACK)
    assert remember(probe, **snack("statement")).admission == "created"


def test_a_burst_of_utterances_is_heard_whole(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    turns = [f"turn {number}" for number in range(60)]
    for turn in turns:
        probe.say(turn, SNACK)
    answers = probe.in_flight(
        Remember, "remember", [Remember.Request(**snack(turn)) for turn in turns]
    )()
    assert Counter(answer.admission for answer in answers) == {"created": 1, "duplicate": 59}
