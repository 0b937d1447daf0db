# SPDX-License-Identifier: Apache-2.0
"""Responses are filled once for a kept answer, and what is sent is never an older one."""

import sqlite3
from contextlib import closing

from mira.msg import MemoryLink
from mira.srv import AddAlias, AddMemory, RecallMemory
from probe import Probe
from proposals import add_entities
from robot_graph import RobotGraph
from three_entities import three_entities

from mira_memory.answers import CAPACITY
from mira_memory.recall import RecallResult, Recollection
from mira_memory.records import MemoryDraft
from mira_memory.responses import RecallResponses, fill_recall


def filled(result: RecallResult) -> RecallMemory.Response:
    return fill_recall(RecallMemory.Response(), result)


def test_a_kept_answer_is_filled_once_and_a_new_one_anew() -> None:
    with three_entities() as store:
        recollection, responses = Recollection(store), RecallResponses()
        first = responses.of(recollection.recall("Thing 1"))
        assert responses.of(recollection.recall("Thing 1")) is first
        store.add_memory(MemoryDraft("note", "Noted.", ((1, "subject"),)))
        second = responses.of(recollection.recall("Thing 1"))
        assert "Noted." in second.response.text
        assert second.response == filled(recollection.recall("Thing 1"))


def test_every_response_is_its_result_s_however_many_there_were() -> None:
    responses = RecallResponses()
    for number in range(5 * CAPACITY):
        # Each result is gone before the next one, which may take its place in memory.
        result = RecallResult("miss", f"nothing {number}")
        assert responses.of(result).response == filled(result)
    assert len(responses._filled) == CAPACITY


def test_a_recall_after_any_write_shows_it(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")

    def text() -> str:
        answers = [probe.call(RecallMemory, "recall_memory", query="gordon") for _ in range(2)]
        assert answers[0] == answers[1]
        return str(answers[0].text)

    link = MemoryLink(entity_id="ENT1", role="subject")
    for number in range(10):
        summary = f"Note number {number}."
        assert summary not in text()
        probe.call(AddMemory, "memory/add_memory", kind="note", summary=summary, links=[link])
        assert summary in text()
    probe.call(AddAlias, "memory/add_alias", entity_id="ENT1", alias="The Boss")
    assert "The Boss" in text()
    path = graph.directory / "memory.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as other_program:
        other_program.execute("UPDATE memories SET summary = 'Changed.' WHERE id = 10")
    assert "Changed." in text()
