# SPDX-License-Identifier: Apache-2.0
import signal
import sys
import threading
from pathlib import Path

import odd_server
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from heard_publisher import HeardPublisher
from mira.srv import AddEntity, RecallMemory
from odd_server import SECRET
from probe import Probe
from robot_graph import NodeProcess, RobotGraph, wait_until
from std_msgs.msg import String
from std_srvs.srv import Trigger

from mira_ros.calls import CallOutcome, UnsendableText
from mira_ros.qos import SERVICE_QOS


def start_odd(graph: RobotGraph, **parameters: object) -> NodeProcess:
    process = graph.start_program([sys.executable, str(Path(odd_server.__file__))], parameters)
    wait_until(lambda: "Ready" in process.log() or not process.running(), "the odd server")
    return process


@pytest.mark.parametrize("service", ["fail", "fail_later", "surrogate"])
def test_a_fault_inside_a_service_is_answered_and_counted(
    graph: RobotGraph, probe: Probe, service: str
) -> None:
    start_odd(graph)
    diagnostics = probe.listen(DiagnosticArray, "/diagnostics")
    response = probe.call(Trigger, service)
    assert not response.success
    assert f"fault inside {service} " in response.message
    assert SECRET not in response.message + graph.logs()
    assert probe.call(Trigger, "greet").success
    wait_until(lambda: faults(diagnostics).get(f"Faults in {service}") == "1", "the count")


def faults(diagnostics: list[DiagnosticArray]) -> dict[str, str]:
    for array in reversed(diagnostics):
        for status in array.status:
            if status.name == "mira/odd: services":
                return {value.key: value.value for value in status.values}
    return {}


def test_a_refusal_reaches_the_caller_as_its_sentence(graph: RobotGraph, probe: Probe) -> None:
    start_odd(graph)
    response = probe.call(Trigger, "refuse")
    assert (response.success, response.message) == (False, "Ask in another way.")


def test_a_failing_subscription_does_not_end_the_node(graph: RobotGraph, probe: Probe) -> None:
    process = start_odd(graph)
    publisher = HeardPublisher(probe.node, String, "provoke", SERVICE_QOS, readers=1)
    wait_until(publisher.heard, "the reader")
    assert publisher.publish(String(data=SECRET))
    wait_until(lambda: "KeyError at odd_server.py" in process.log(), "the logged fault")
    assert SECRET not in process.log()
    assert probe.call(Trigger, "greet").success


def test_diagnostics_name_namespace_and_robot_and_survive_a_failing_report(
    graph: RobotGraph, probe: Probe
) -> None:
    start_odd(graph, ratio=2.5)
    diagnostics = probe.listen(DiagnosticArray, "/diagnostics")
    wait_until(lambda: len(diagnostics) >= 2, "two arrays")
    statuses = {status.name: status for status in diagnostics[-1].status}
    assert set(statuses) == {"mira/odd: well", "mira/odd: unwell", "mira/odd: services"}
    assert {status.hardware_id for status in statuses.values()} == {"Odd"}
    well = statuses["mira/odd: well"]
    assert (well.level, well.message) == (DiagnosticStatus.OK, "All is well.")
    assert [(value.key, value.value) for value in well.values] == [("Ratio", "2.5")]
    unwell = statuses["mira/odd: unwell"]
    assert unwell.level == DiagnosticStatus.ERROR
    assert "ValueError at odd_server.py" in unwell.message
    assert SECRET not in str(diagnostics)


def test_a_wait_in_a_callback_ends_and_holds_nobody_up(graph: RobotGraph, probe: Probe) -> None:
    start_odd(graph)
    waiting = probe.in_flight(Trigger, "never", [Trigger.Request()] * 20)
    assert probe.call(Trigger, "greet").success
    assert {(answer.success, answer.message) for answer in waiting()} == {(False, "waited")}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_answers_what_is_queued_and_exits_with_0(
    graph: RobotGraph, probe: Probe, number: signal.Signals
) -> None:
    process = start_odd(graph)
    answers = probe.in_flight(Trigger, "slow", [Trigger.Request()] * 60)
    process.send(number)
    assert process.wait() == 0
    assert all(answer.success for answer in answers(within_s=1.0))
    assert process.log().count("Closed.") == 1


def test_a_signal_during_the_drain_changes_nothing(graph: RobotGraph, probe: Probe) -> None:
    process = start_odd(graph)
    answers = probe.in_flight(Trigger, "slow", [Trigger.Request()] * 60)
    process.send(signal.SIGINT)
    wait_until(lambda: process.send(signal.SIGTERM) or not process.running(), "the end")
    assert process.wait() == 0
    assert all(answer.success for answer in answers(within_s=1.0))


def test_parameters_have_their_defaults_and_take_what_fits(
    graph: RobotGraph, probe: Probe
) -> None:
    first = start_odd(graph)
    assert probe.call(Trigger, "settings").message == "(0.5, 3, 'odd', (), False)"
    assert first.stop() == 0
    start_odd(graph, ratio=2, count=9, label="yes", labels=["a", "007"], loud=True)
    response = probe.call(Trigger, "settings", resend_s=1.0)
    assert response.message == "(2.0, 9, 'yes', ('a', '007'), True)"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"ratio": "much"}, "'ratio' of /mira/odd is a text, expected a number from 0 to 10."),
        ({"ratio": 11.5}, "'ratio' of /mira/odd is 11.5, expected a number from 0 to 10."),
        ({"ratio": float("nan")}, "'ratio' of /mira/odd is nan, expected a number from 0 to 10."),
        ({"ratio": True}, "'ratio' of /mira/odd is a boolean, expected a number from 0 to 10."),
        ({"count": 0}, "'count' of /mira/odd is 0, expected a whole number from 1 to 9."),
        ({"count": 2.0}, "'count' of /mira/odd is a number, expected a whole number from 1 to 9."),
        (
            {"label": 7},
            "'label' of /mira/odd is a whole number, expected a text; put its value in quotes.",
        ),
        ({"labels": [1]}, "'labels' of /mira/odd is a list, expected a list of quoted texts."),
        ({"labels": "a"}, "'labels' of /mira/odd is a text, expected a list of quoted texts."),
        ({"loud": "no"}, "'loud' of /mira/odd is a text, expected true or false, without quotes."),
    ],
)
def test_a_wrong_parameter_ends_the_start_with_one_line(
    graph: RobotGraph, parameters: dict[str, object], sentence: str
) -> None:
    process = start_odd(graph, **parameters)
    assert process.wait() == 1
    assert process.log() == f"Parameter {sentence}\n"


def test_a_parameter_that_the_node_does_not_have_is_warned_about(graph: RobotGraph) -> None:
    process = start_odd(graph, lable="yes", count=9, fnord=1)
    lost = "was given, but the node has none of that name, so it has no effect here"
    warnings = [line.partition("]: ")[2] for line in process.log().splitlines() if "WARN" in line]
    assert warnings == [
        f"Parameter 'lable' of /mira/odd {lost}; did you mean 'label'?",
        f"Parameter 'fnord' of /mira/odd {lost}.",
    ]
    assert process.stop() == 0


def test_an_empty_list_of_texts_is_taken(graph: RobotGraph, probe: Probe) -> None:
    start_odd(graph, labels=[])
    assert "()" in probe.call(Trigger, "settings").message


def test_a_call_without_a_server_is_unavailable_within_its_budget(probe: Probe) -> None:
    call = probe.caller(Trigger, "greet").call(Trigger.Request(), 0.3)
    assert (call.outcome, call.attempts) == (CallOutcome.UNAVAILABLE, 0)
    assert 0.3 <= call.duration_s < 1.0


def test_a_call_to_a_stopped_server_times_out_and_the_next_one_is_answered(
    graph: RobotGraph, probe: Probe
) -> None:
    process = start_odd(graph)
    caller = probe.caller(Trigger, "greet")
    assert caller.call(Trigger.Request(), 10.0).outcome is CallOutcome.ANSWERED
    process.send(signal.SIGSTOP)
    call = caller.call(Trigger.Request(), 0.5, resend_s=0.1)
    assert call.outcome is CallOutcome.TIMED_OUT
    assert call.attempts > 1
    process.send(signal.SIGCONT)
    assert caller.call(Trigger.Request(), 10.0).outcome is CallOutcome.ANSWERED
    assert not caller._client._pending_requests


def test_a_killed_and_restarted_server_answers_within_five_seconds(
    graph: RobotGraph, probe: Probe
) -> None:
    first = start_odd(graph)
    caller = probe.caller(Trigger, "greet")
    assert caller.call(Trigger.Request(), 10.0).response.message == str(first.pid)
    first.send(signal.SIGKILL)
    first.wait()
    assert caller.call(Trigger.Request(), 0.3).outcome is CallOutcome.TIMED_OUT
    second = start_odd(graph)
    call = caller.call(Trigger.Request(), 5.0)
    assert call.response.message == str(second.pid)


def test_what_must_not_be_asked_twice_goes_once_and_only_where_an_empty_request_was_answered(
    graph: RobotGraph, probe: Probe
) -> None:
    process = start_odd(graph)
    caller = probe.caller(AddEntity, "add")
    call = caller.call_once(AddEntity.Request(canonical_name="Gordon"), 10.0)
    assert call.response.warning.strip(",") == "Gordon"
    process.send(signal.SIGSTOP)
    call = caller.call_once(AddEntity.Request(canonical_name="Ada"), 0.5)
    assert call.outcome is CallOutcome.UNREACHED
    process.send(signal.SIGCONT)
    call = caller.call_once(AddEntity.Request(canonical_name="Priya"), 10.0)
    assert [name for name in call.response.warning.split(",") if name] == ["Gordon", "Priya"]


def test_a_cancelled_call_returns_at_once(graph: RobotGraph, probe: Probe) -> None:
    process = start_odd(graph)
    caller = probe.caller(Trigger, "greet")
    assert caller.call(Trigger.Request(), 10.0).outcome is CallOutcome.ANSWERED
    process.send(signal.SIGSTOP)
    cancelled = threading.Event()
    cancelled.set()
    call = caller.call(Trigger.Request(), 10.0, cancelled=cancelled)
    assert call.outcome is CallOutcome.CANCELLED
    assert call.duration_s < 1.0


@pytest.mark.parametrize("text", ["\ud800", "herring\0tuna"])
def test_text_that_would_be_lost_on_the_way_is_not_sent(probe: Probe, text: str) -> None:
    with pytest.raises(UnsendableText, match="leave it out"):
        probe.caller(RecallMemory, "recall_memory").call(RecallMemory.Request(query=text), 1.0)
