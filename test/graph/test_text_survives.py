# SPDX-License-Identifier: Apache-2.0
import pytest
from mira.msg import MemoryLink
from mira.srv import AddMemory, FindEntity, RecallMemory, ShowMemory
from probe import Probe
from proposals import add_entities, remember
from robot_graph import RobotGraph

NAMES = {
    "cyrillic": "Гордон Ёлкин",
    "cjk": "高橋 留美子",
    "hangul": "김철수",
    "emoji": "Rover 👩🏽\u200d🚀",
    "hebrew": "שָׁלוֹם בן דוד",
    "arabic": "عبد الرحمن",
    "thai": "สมชาย ใจดี",
    "devanagari": "क्षितिज",
    "combining": "Zoe\u0308 Z\u0323a",
}


@pytest.fixture
def served(graph: RobotGraph) -> None:
    graph.start_memory()


@pytest.mark.usefixtures("served")
def test_names_and_summaries_of_every_script_come_back_as_they_were_given(probe: Probe) -> None:
    for script, name in NAMES.items():
        (identity,) = add_entities(probe, name)
        found = probe.call(FindEntity, "memory/find_entity", name=name)
        assert [entity.id for entity in found.entities] == [identity], script
        shown = found.entities[0].canonical_name
        summary = f"«{shown}» — „{shown}“"
        added = probe.call(
            AddMemory,
            "memory/add_memory",
            kind="note",
            summary=summary,
            links=[MemoryLink(entity_id=identity, role="subject")],
        )
        assert added.success, added.error
        memory = probe.call(ShowMemory, "memory/show_memory", memory_id=added.memory.id)
        assert (memory.memory.summary, memory.payload_texts) == (summary, [summary]), script
        assert shown in probe.call(RecallMemory, "recall_memory", query=name).text, script
    # Nothing but the normal form is changed: two of the names have one shorter than themselves.
    display = probe.call(FindEntity, "memory/find_entity", name=NAMES["combining"])
    assert display.entities[0].canonical_name == "Zoë Ẓa"


@pytest.mark.usefixtures("served")
def test_the_operators_own_words_are_stored_not_the_proposals_copy(probe: Probe) -> None:
    add_entities(probe, "Zoë")
    probe.say("turn", "Remember that ZOË’s  favourite snack is Brezel‐Eis.")
    answer = remember(
        probe,
        turn_id="turn",
        kind="preference",
        subject="zoe\u0308",
        predicate="favourite_snack",
        value="brezel-eis",
        evidence="zoe\u0308's favourite snack is brezel-eis",
    )
    assert answer.admission == "created", answer.error
    shown = probe.call(ShowMemory, "memory/show_memory", memory_id="MEM1")
    assert shown.payload_texts == ["ZOË’s favourite snack is Brezel\u2010Eis"]
    assert shown.memory.value == "Brezel\u2010Eis"
