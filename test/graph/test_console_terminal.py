# SPDX-License-Identifier: Apache-2.0
"""The console on a terminal: editing, history, completion, replies above the line being typed."""

import signal
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from mira.msg import OperatorUtterance, Reply
from probe import Probe
from robot_graph import RobotGraph, wait_until
from terminal import Terminal

from mira_operator.terminal import WELCOME
from mira_ros.qos import REPLY_QOS, UTTERANCE_QOS

CONSOLE = str(Path(get_package_prefix("mira"), "lib", "mira", "console"))
NOTHING_KNOWN = "nothing is known about it"
TAB, UP, ENTER, CTRL_C, CTRL_D = "\t", "\x1b[A", "\r", "\x03", "\x04"


@pytest.fixture
def robot(graph: RobotGraph) -> RobotGraph:
    graph.start_robot()
    return graph


@pytest.fixture
def open_terminal(graph: RobotGraph) -> Callable[..., Terminal]:
    def start(*options: str) -> Terminal:
        command = [CONSOLE, *options, "--ros-args", "-r", "__ns:=/mira"]
        return Terminal(command, graph.environment, graph.directory)

    return start


def carried_out(terminal: Terminal, lines: int) -> bool:
    """Tell whether a name was found, or that many lines came to nothing."""
    shown = terminal.shown()
    return NOTHING_KNOWN in shown or shown.count("error: ") + shown.count("mira: ") >= lines


def await_prompt(terminal: Terminal) -> None:
    terminal.expect(WELCOME)
    wait_until(lambda: not terminal.echoes(), "the prompt")


def test_a_conversation_on_a_terminal(
    robot: RobotGraph, open_terminal: Callable[..., Terminal]
) -> None:
    with open_terminal() as terminal:
        await_prompt(terminal)
        terminal.type('memory entity add person "Gordon"' + ENTER)
        terminal.expect('added ENT1 person "Gordon"')
        terminal.type("Remember that Gordon's favourite snack is herring." + ENTER)
        terminal.expect("[stored MEM1]")
        terminal.type("memory entity fnord" + ENTER)
        terminal.expect('error: "memory entity fnord" is no command.')
        terminal.type("quit" + ENTER)
        assert terminal.process.wait(10) == 0
        assert terminal.echoes()


def test_completion_knows_commands_and_names(
    robot: RobotGraph, open_terminal: Callable[..., Terminal]
) -> None:
    with open_terminal() as terminal:
        await_prompt(terminal)
        terminal.type('memory entity add person "Gordon Freeman"' + ENTER)
        terminal.expect('added ENT1 person "Gordon Freeman"')
        # What is typed before a completion has been put in stops it, so a slow one is repeated.
        for attempt in range(1, 20):
            terminal.type("mem" + TAB)
            terminal.await_that(terminal.quiet, "the command to be completed")
            terminal.type(' find "gor' + TAB)
            terminal.await_that(terminal.quiet, "the name to be completed")
            terminal.type(ENTER)
            terminal.await_that(
                partial(carried_out, terminal, attempt),
                "the line to be carried out",
            )
            if NOTHING_KNOWN in terminal.shown():
                return
        pytest.fail("nothing was completed")


def test_lines_typed_are_kept_for_their_owner_alone(
    robot: RobotGraph, open_terminal: Callable[..., Terminal]
) -> None:
    history = robot.directory / ".local" / "state" / "mira" / "console_history"
    with open_terminal() as terminal:
        await_prompt(terminal)
        terminal.type("Hello" + ENTER)
        terminal.expect("mira: Hello. I listen.")
        terminal.type(CTRL_D)
        assert terminal.process.wait(10) == 0
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    with open_terminal() as terminal:
        await_prompt(terminal)
        terminal.type(UP + ENTER)
        terminal.expect("mira: Hello. I listen.")
    before = history.read_text()
    with open_terminal("--no-history") as terminal:
        await_prompt(terminal)
        terminal.type("memory fnord" + ENTER)
        terminal.expect("is no command")
    assert history.read_text() == before


def test_a_reply_leaves_the_line_being_typed_alone(
    graph: RobotGraph, probe: Probe, open_terminal: Callable[..., Terminal]
) -> None:
    graph.start_cognition(memory_enabled=False)
    heard = probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    publisher = probe.node.create_publisher(Reply, "reply", REPLY_QOS)
    with open_terminal() as terminal:
        await_prompt(terminal)
        wait_until(publisher.get_subscription_count, "the console to listen")
        terminal.type("Where is Gor")
        terminal.expect("Where is Gor")
        publisher.publish(Reply(text="My battery is \x1b[2Jlow.", outcome="completed"))
        terminal.expect("mira: My battery is \\x1b[2Jlow.")
        terminal.type("don?" + ENTER)
        terminal.await_that(lambda: heard, "the utterance")
        assert {utterance.text for utterance in heard} == {"Where is Gordon?"}
        assert b"\x1b[2J" not in terminal.raw()


def test_a_late_reply_is_waited_for_shown_late_and_said_to_be_late(
    graph: RobotGraph, open_terminal: Callable[..., Terminal]
) -> None:
    cognition = graph.start_cognition(memory_enabled=False)
    with open_terminal("--patience", "1") as terminal:
        await_prompt(terminal)
        terminal.type("Hello" + ENTER)
        terminal.expect("mira: Hello. I listen.")
        cognition.send(signal.SIGSTOP)
        terminal.type("What is your name?" + ENTER)
        terminal.expect("waiting for the reply")
        terminal.expect("error: No reply within 1 s; a later one will be shown.")
        answers = terminal.shown().count("mira: ")
        cognition.send(signal.SIGCONT)
        terminal.await_that(lambda: terminal.shown().count("mira: ") > answers, "the late reply")


def test_ctrl_c_clears_the_line_and_ctrl_d_ends_the_session(
    graph: RobotGraph, probe: Probe, open_terminal: Callable[..., Terminal]
) -> None:
    graph.start_cognition(memory_enabled=False)
    heard = probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    with open_terminal() as terminal:
        await_prompt(terminal)
        terminal.type("Never mind")
        terminal.expect("Never mind")
        terminal.type(CTRL_C + "Hello" + ENTER)
        terminal.expect("mira: Hello. I listen.")
        # The first words may be said again, as the same turn.
        assert {utterance.text for utterance in heard} == {"Hello"}
        assert len({utterance.turn_id for utterance in heard}) == 1
        terminal.type(CTRL_D)
        assert terminal.process.wait(10) == 0
        assert terminal.echoes()


def test_sigterm_ends_the_session_and_gives_the_terminal_back(
    graph: RobotGraph, open_terminal: Callable[..., Terminal]
) -> None:
    graph.start_cognition(memory_enabled=False)
    with open_terminal() as terminal:
        await_prompt(terminal)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.process.wait(10) == 0
        assert terminal.echoes()


def test_pasted_lines_are_carried_out_one_after_the_other(
    robot: RobotGraph, open_terminal: Callable[..., Terminal]
) -> None:
    with open_terminal() as terminal:
        await_prompt(terminal)
        lines = 'memory entity add person "Ada"\rmemory entity find "Ada"'
        terminal.type(f"\x1b[200~{lines}\x1b[201~" + ENTER)
        terminal.expect('added ENT1 person "Ada"')
        terminal.await_that(
            lambda: terminal.shown().rpartition("added ENT1")[2].count('ENT1 person "Ada"') == 1,
            "the second line",
        )
