# SPDX-License-Identifier: Apache-2.0
import itertools
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mira import srv
from mira.msg import MemoryLink, OperatorUtterance, Reply
from probe import Probe
from proposals import SNACK, add_entities, remember, snack
from rclpy.serialization import serialize_message
from robot_graph import RobotGraph, wait_until

SERVICES = {
    "recall_memory": srv.RecallMemory,
    "remember": srv.Remember,
    "memory/add_entity": srv.AddEntity,
    "memory/add_alias": srv.AddAlias,
    "memory/add_memory": srv.AddMemory,
    "memory/find_entity": srv.FindEntity,
    "memory/find_memories": srv.FindMemories,
    "memory/get_status": srv.GetMemoryStatus,
    "memory/list_entities": srv.ListEntities,
    "memory/list_memories": srv.ListMemories,
    "memory/show_memory": srv.ShowMemory,
}
MARK = "zqxj"
ODD_TEXTS = (
    "",
    " ",
    MARK,
    f"{MARK}\n{MARK}\r{MARK}",
    f"\u202e{MARK}\u200b",
    "\ufffd" + MARK,
    "\ue000" + MARK,
    f"'; DROP TABLE memories; --{MARK}",
    "ENT0" + MARK,
    "ENT99999999999999999999999",
    "MEM-1" + MARK,
    "ENT١" + MARK,
    MARK * 100_000,
    "a" + "\u0301" * 200_000,
    "\U0001f469\u200d" * 50_000,
    (MARK + " ") * 250_000,
)
ODD_NUMBERS = (0, 1, 2**32 - 1)
ODD_FLOATS = (float("nan"), float("inf"), -0.5, 1e308)
WITHIN_S = 5.0


def odd_values(kind: str) -> tuple[Any, ...]:
    if kind == "string":
        return ODD_TEXTS
    if kind == "boolean":
        return (True, False)
    if kind == "double":
        return ODD_FLOATS
    if kind.startswith("uint"):
        return ODD_NUMBERS
    assert kind == "sequence<mira/MemoryLink>", kind
    links = [MemoryLink(entity_id=text, role=text) for text in ODD_TEXTS]
    return ([], *([link] for link in links), links * 8)


def assert_filled(response: Any, where: object) -> None:
    """Check that a response says whether it succeeded and, if not, why, without an echo."""
    if hasattr(response, "success"):
        assert response.success != bool(response.error), where
    elif hasattr(response, "text"):
        assert response.status in {"hit", "miss", "ambiguous", "invalid", "failure"}, where
        assert response.text, where
    elif hasattr(response, "conflicts"):
        assert response.status == "rejected", where
        assert response.reason, where
        assert response.error, where
    else:
        assert response.status.healthy, where
    assert MARK not in getattr(response, "error", ""), where


def test_odd_values_in_every_field_are_answered_within_bounds(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_memory()
    for name, srv_type in SERVICES.items():
        kinds = srv_type.Request.get_fields_and_field_types()
        for field, kind in kinds.items():
            for value in odd_values(kind):
                began = time.monotonic()
                response = probe.call(srv_type, name, within_s=WITHIN_S, **{field: value})
                assert_filled(response, (name, field, str(value)[:40]))
                assert time.monotonic() - began < WITHIN_S
    assert_alive_and_quiet(graph, probe)


def assert_alive_and_quiet(graph: RobotGraph, probe: Probe) -> None:
    probe.say("after", SNACK)
    add_entities(probe, "Gordon")
    # It is heard behind all that was sent before, which may be megabytes.
    wait_until(lambda: remember(probe, **snack("after")).admission == "created", "the memory")
    assert "failed" not in graph.logs(), graph.logs()
    assert MARK not in graph.logs()


def test_a_megabyte_in_every_field_at_once_is_refused(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    huge = (MARK + " ") * 200_000
    probe.say("huge", huge)
    fields = dict.fromkeys(snack("huge"), huge)
    for turn in (huge, "huge"):
        # Most of the time goes into carrying seven megabytes over the loopback interface.
        answer = probe.call(srv.Remember, "remember", within_s=30.0, **fields | {"turn_id": turn})
        assert_filled(answer, "huge")
        assert answer.reason == "invalid_proposal"
    assert_alive_and_quiet(graph, probe)


def test_odd_utterances_and_replies_leave_the_node_alive(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    for number, text in enumerate(ODD_TEXTS):
        probe.say(f"odd {number}", text, speaker=text)
        probe.say(text, text)
        probe.reply(text)
        assert remember(probe, **snack(f"odd {number}")).reason == "evidence_not_in_utterance"
    assert_alive_and_quiet(graph, probe)


@pytest.mark.parametrize("broken", [b"\xff\xfe\xfa", b"\xed\xa0\x80", b"\xc0\xaf\xc1"])
def test_broken_utf_8_on_the_wire_grounds_nothing(
    graph: RobotGraph, probe: Probe, broken: bytes
) -> None:
    graph.start_memory()
    add_entities(probe, "Gordon")
    probe.say("whole", SNACK)
    for turn, text in (("broken", "Gordon's favourite snack is herring @@@"), ("@@@", SNACK)):
        wire = serialize_message(OperatorUtterance(turn_id=turn, text=text, speaker="console"))
        probe.publish_raw("operator_utterance", OperatorUtterance, wire.replace(b"@@@", broken))
    wire = serialize_message(Reply(turn_id="@@@"))
    probe.publish_raw("reply", Reply, wire.replace(b"@@@", broken))
    wait_until(
        lambda: "U+FFFD" in remember(probe, **snack("broken")).error, "the broken utterance"
    )
    assert remember(probe, **snack("whole")).admission == "created"
    assert_no_fault(graph)


def assert_no_fault(graph: RobotGraph) -> None:
    assert "failed" not in graph.logs(), graph.logs()


def test_any_text_in_any_field_is_answered(graph: RobotGraph, probe: Probe) -> None:
    graph.start_memory()
    numbers = itertools.count()
    # U+0000 and lone surrogates cannot be sent.
    texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)

    @settings(
        max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(st.lists(texts, min_size=8, max_size=8))
    def answered(values: list[str]) -> None:
        turn = f"turn {next(numbers)}"
        probe.say(turn, " ".join(values), speaker=values[0])
        fields = dict(zip(snack(turn), values, strict=False)) | {"turn_id": turn}
        assert_filled(remember(probe, **fields), values)
        assert_filled(probe.call(srv.RecallMemory, "recall_memory", query=values[1]), values)
        for name in ("memory/find_entity", "memory/find_memories"):
            assert_filled(probe.call(SERVICES[name], name, name=values[2]), values)
        probe.reply(turn)

    answered()
    assert_no_fault(graph)
