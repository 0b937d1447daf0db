# SPDX-License-Identifier: Apache-2.0
"""The console in a pipe, against real nodes: what each line prints, writes and returns."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from graph_fixtures import own_domain, own_graph
from mira.msg import OperatorUtterance, Reply
from mira.srv import GetMemoryStatus
from probe import Probe
from robot_graph import RobotGraph, wait_until

from mira_operator.grammar import FORMS
from mira_ros.qos import UTTERANCE_QOS

CONSOLE = str(Path(get_package_prefix("mira"), "lib", "mira", "console"))
AT_MIRA = ("--ros-args", "-r", "__ns:=/mira")
RUN_S = 60.0

Console = Callable[..., subprocess.CompletedProcess[str]]


def run_console(
    graph: RobotGraph, lines: str | bytes, *options: str, robot: tuple[str, ...] = AT_MIRA
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [CONSOLE, *options, *robot],
        input=lines if isinstance(lines, bytes) else lines.encode(),
        capture_output=True,
        env=graph.environment,
        cwd=graph.directory,
        timeout=RUN_S,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    # Fast DDS prints there that another process holds the shared memory that it would have taken.
    printed = [line for line in done.stdout.splitlines(True) if b"RTPS_TRANSPORT_SHM" not in line]
    return subprocess.CompletedProcess(
        done.args, done.returncode, b"".join(printed).decode(), done.stderr.decode()
    )


@pytest.fixture
def console(graph: RobotGraph) -> Console:
    return partial(run_console, graph)


@pytest.fixture
def robot(graph: RobotGraph) -> RobotGraph:
    graph.start_robot()
    return graph


@pytest.fixture(scope="module")
def talked_to(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RobotGraph]:
    """Return one robot for all tests that only talk to it."""
    with own_domain(), own_graph(tmp_path_factory.mktemp("robot")) as graph:
        graph.start_robot()
        yield graph


SESSION = """\
> memory entity add person "Gordon"
added ENT1 person "Gordon"
> memory entity add robot "Mira"
added ENT2 robot "Mira"
> Remember that Gordon's favourite snack is herring.
mira: I have stored that as MEM1.
[stored MEM1]
> Remember that Gordon's favourite snack is herring.
mira: I already knew that: it is MEM1.
[already known MEM1]
> memory alias add ENT1 "Gordie"
ENT1 person "Gordon", also "Gordie"
> memory entity find "gordie"
ENT1 person "Gordon", also "Gordie"
> memory entity list
ENT1 person "Gordon", also "Gordie"
ENT2 robot "Mira"
> memory add relationship "Gordon keeps Mira" --link ENT1:keeper --link ENT2:robot \
--predicate keeps --value "Mira" --source-label "a \\"visitor\\"" --confidence 0.75
stored MEM2
> memory find "GORDON"
ENT1 person "Gordon", also "Gordie"
  MEM1 preference "Gordon's favourite snack is herring"
       favourite_snack "herring"; subject ENT1 "Gordon"; operator_statement "Ada"
  MEM2 relationship "Gordon keeps Mira"
       keeps "Mira"; keeper ENT1 "Gordon"; robot ENT2 "Mira"; manual "a \\"visitor\\""
> memory list ENT2
MEM2 relationship "Gordon keeps Mira"
     keeps "Mira"; keeper ENT1 "Gordon"; robot ENT2 "Mira"; manual "a \\"visitor\\""
> memory find "Ada"
no entity has the name "Ada"
"""


def test_a_session_reads_as_it_was_typed(robot: RobotGraph, console: Console) -> None:
    typed = "".join(
        line.removeprefix("> ") for line in SESSION.splitlines(True) if line.startswith("> ")
    )
    run = console(typed, "--speaker", "Ada", "--strict")
    assert run.stdout == SESSION
    assert (run.returncode, run.stderr) == (0, "")


def test_a_conflict_names_the_memory_that_holds(robot: RobotGraph, console: Console) -> None:
    run = console(
        'memory entity add person "Gordon"\n'
        "Remember that Gordon's favourite snack is herring.\n"
        "Remember that Gordon's favourite snack is tuna.\n",
        "--strict",
    )
    assert run.stdout.splitlines()[-1] == "[not stored: conflict with MEM1]"
    assert run.returncode == 0


CORRECTION = """\
> memory entity add person "Gordon"
added ENT1 person "Gordon"
> Remember that Gordon's favourite snack is herring.
mira: I have stored that as MEM1.
[stored MEM1]
> memory supersede MEM1 "Gordon's favourite snack is tuna." --value "tuna"
MEM1 is superseded by MEM2
> memory trust MEM2 disputed "unclear"
MEM2 is disputed
> memory annotate MEM2 "Anna said so."
noted beside MEM2
> memory relate MEM2 contradicts MEM1
MEM2 contradicts MEM1
> memory entity rename ENT1 "Gordon Smith"
ENT1 person "Gordon Smith", also "Gordon"
> memory alias remove ENT1 "Gordon"
ENT1 person "Gordon Smith"
> memory archive MEM2 "old news"
MEM2 is archived
> memory restore MEM2 "not so old"
MEM2 is active
> memory export robot.jsonl
exported 2 memories; the file keeps what is forgotten later
> memory retract MEM2 "wrong"
MEM2 is retracted
> memory forget MEM1 "a wish"
MEM1 is forgotten
warning: Backups and exports made earlier still have it.
> memory import robot.jsonl
0 written, 0 proposed, 1 left out
> memory review
no proposals wait
> memory restore MEM1 "no"
error: MEM1 is forgotten, so you can't restore it; what it said is gone for good.
> memory audit verify
the audit log verifies: 18 events, and everything is as they say
"""


def test_a_correction_reads_as_it_was_typed(robot: RobotGraph, console: Console) -> None:
    typed = [line[2:] for line in CORRECTION.splitlines(True) if line.startswith("> ")]
    run = console("".join(typed))
    plain = [line for line in run.stdout.splitlines() if not line.startswith(("MEM2 fact", "  "))]
    assert [line for line in plain if "preference" not in line] == CORRECTION.splitlines()


def test_a_story_and_its_past(robot: RobotGraph, console: Console) -> None:
    run = console(
        'memory entity add person "Gordon"\n'
        'memory add fact "Gordon lives in Leeds" --link ENT1:subject --predicate lives_in'
        ' --value "Leeds"\n'
        'memory supersede MEM1 "Gordon lives in York" --value "York" --from 2026-10-01\n'
        'memory at 2026-01-01 "Gordon"\nmemory history MEM1\nmemory audit\n',
        "--strict",
    )
    shown = run.stdout
    assert run.returncode == 0
    past = shown[shown.index("> memory at") : shown.index("> memory history")]
    assert "Leeds" in past
    assert "York" not in past
    story = shown[shown.index("> memory history") : shown.index("> memory audit")].splitlines()
    assert story[1].endswith("MEM1 was stored, through a service")
    assert story[2].endswith("MEM1 was superseded by MEM2, at the console")
    assert shown.count("through a service") == 3


def test_a_memory_is_shown_in_full(robot: RobotGraph, console: Console) -> None:
    run = console(
        'memory entity add place "hallway"\n'
        'memory add fact "The dock is in the hallway" --link ENT1:place --confidence 0.5\n'
        "memory show MEM1\n"
    )
    *before, recorded, text = run.stdout.splitlines()
    assert before[-7:] == [
        "MEM1 fact, active",
        '  summary     "The dock is in the hallway"',
        '  link        place ENT1 "hallway"',
        "  source      manual",
        "  confidence  0.5",
        "  knowledge   fact, semantic",
        "  channel     user",
    ]
    assert recorded.startswith("  recorded    2")
    assert text == '  text        "The dock is in the hallway"'


def test_working_memory_is_shown_and_cleared_apart_from_persistent_memory(
    robot: RobotGraph, console: Console
) -> None:
    run = console(
        'memory entity add person "Gordon"\nHello\nmemory\nmemory clear\nmemory\n'
        "memory persistent\n"
    )
    assert run.stdout.splitlines()[2:] == [
        "> Hello",
        "mira: Hello. I listen.",
        "> memory",
        "operator: Hello",
        "mira: Hello. I listen.",
        "> memory clear",
        "the working memory is empty",
        "> memory",
        "the working memory is empty (it keeps the last 6 interactions)",
        "> memory persistent",
        f"database    {robot.directory / 'memory.sqlite3'}",
        "schema      version 2",
        "entities    1 with 0 aliases",
        "memories    0",
        "health      healthy",
    ]


BAD_LINES = {
    "memory fnord": '"memory fnord" is no command. Expected: memory clear|persistent|',
    'memory entity add person "Gordon': "A quote is opened and never closed. Expected: memory",
    'memory entity add person ""': "The canonical name is empty; give at least one visible",
    'memory alias add ENT99 "Gordie"': "There is no entity ENT99; ",
    'memory add fact "x" --link ENT99:subject': "There is no entity ENT99; ",
    'memory add fact "x" --source-kind operator_statement': "The source kind operator_statement",
    "memory list ENT99": "There is no entity ENT99; ",
    "memory show MEM99": "There is no memory MEM99; ",
    "x" * 10_000: "The line has 10000 characters. Expected: at most 4000 to say to the robot",
}


def test_bad_lines_are_answered_in_one_line_and_write_nothing(
    robot: RobotGraph, console: Console, probe: Probe
) -> None:
    heard = probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    run = console("".join(f"{line}\n" for line in BAD_LINES))
    printed = run.stdout.splitlines()
    assert printed[::2] == [f"> {line}" for line in BAD_LINES]
    for sentence, line in zip(BAD_LINES.values(), printed[1::2], strict=True):
        assert line.startswith(f"error: {sentence}")
    assert run.returncode == 0
    status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert (status.entities, status.aliases, status.memories) == (0, 0, 0)
    assert not heard
    assert console('memory entity add person "Gordon"\n').stdout.endswith('ENT1 person "Gordon"\n')


def test_a_line_that_is_no_text_is_refused(talked_to: RobotGraph) -> None:
    run = run_console(talked_to, b"caf\xe9\nHello\n")
    assert run.stdout.splitlines() == [
        "> caf\\udce9",
        "error: The line is no readable text. Expected: UTF-8 without null characters",
        "> Hello",
        "mira: Hello. I listen.",
    ]


def test_strict_ends_at_the_first_line_that_fails(graph: RobotGraph, console: Console) -> None:
    graph.start_memory()
    script = graph.directory / "script.txt"
    for bad in ("memory fnord", 'memory alias add ENT99 "Gordie"', "x" * 10_000):
        script.write_text(f'memory find "Gordon"\n{bad}\nmemory entity add person "Gordon"\n')
        run = console("", "--script", str(script), "--strict")
        assert (run.returncode, "ENT1" in run.stdout) == (1, False)
    lenient = console("", "--script", str(script))
    assert (lenient.returncode, "added ENT1" in lenient.stdout) == (0, True)


def test_help_shows_every_form_and_quit_ends_a_script(console: Console) -> None:
    run = console("help\n\nquit\nmemory fnord\n", "--script", "-", "--strict")
    assert run.returncode == 0
    printed = run.stdout.splitlines()
    assert (printed[0], printed[-1]) == ("> help", "> quit")
    assert [line for line in printed[1:] if line.startswith("memory")] == [
        str(form) for form in FORMS if form.words.startswith("memory")
    ]


def test_more_than_a_page_is_counted_and_can_be_gone_on_with(
    robot: RobotGraph, console: Console
) -> None:
    run = console(
        "".join(f'memory entity add place "room {n}"\n' for n in range(1, 104))
        + "".join(f'memory add fact "fact {n}" --link ENT1:subject\n' for n in range(1, 104))
        + "memory entity list\nmemory entity list --after ENT100\n"
        + "memory list ENT1\nmemory list ENT1 --before MEM4\n"
        + 'memory find "room 1"\n',
        "--strict",
    )
    assert run.returncode == 0
    printed = run.stdout.splitlines()
    assert "3 more entities left out; go on with: memory entity list --after ENT100" in printed
    assert printed.count('ENT103 place "room 103"') == 1
    assert "3 older memories left out; go on with: memory list ENT1 --before MEM4" in printed
    assert printed.count('MEM1 fact "fact 1"') == 1
    assert printed[-1] == "  3 older memories left out"


def test_a_robot_that_does_not_answer_is_not_waited_for_without_end(robot: RobotGraph) -> None:
    with _open_console(robot, "--patience", "1", "--strict") as process:
        assert _answer(process, b"Hello") == b"mira: Hello. I listen."
        cognition = robot.processes[1]
        cognition.send(signal.SIGSTOP)
        assert _answer(process, b"Hello?") == (
            b"error: No reply within 1 s; a later one will be shown."
        )
        assert process.wait(10) == 1


def test_a_memory_node_that_is_stuck_is_told_from_one_that_is_gone(
    robot: RobotGraph, console: Console
) -> None:
    add = b'memory entity add person "Gordon"'
    memory = robot.processes[0]
    with _open_console(robot) as process:
        assert _answer(process, b'memory find "Gordon"') == b'no entity has the name "Gordon"'
        memory.send(signal.SIGSTOP)
        assert _answer(process, add) == (
            b"error: The memory node does not answer, so nothing was written; try again."
        )
        memory.send(signal.SIGCONT)
        assert _answer(process, add) == b'added ENT1 person "Gordon"'
        process.communicate()
    assert memory.stop() == 0
    assert console(add).stdout.splitlines()[1:] == [
        "error: No memory node runs in /mira, though the robot does; see why it ended, and start"
        " it again."
    ]


def test_a_robot_without_memory_says_that_it_is_disabled(
    graph: RobotGraph, console: Console
) -> None:
    graph.start_cognition(memory_enabled=False)
    run = console("memory persistent\nHello\n")
    assert run.stdout.splitlines() == [
        "> memory persistent",
        "error: Persistent memory is disabled in this robot's profile; to enable it, give the"
        " profile a section memory with enabled: true and a database_path, and start the robot"
        " again.",
        "> Hello",
        "mira: Hello. I listen.",
    ]


def test_withheld_administration_is_named(graph: RobotGraph, console: Console) -> None:
    graph.start_memory(admin_services=False)
    assert console("memory persistent\n").stdout.splitlines()[1:] == [
        "error: The memory node in /mira offers no administration; it was started with"
        " admin_services: false."
    ]


def test_nobody_to_talk_to_is_said_at_once(graph: RobotGraph, console: Console) -> None:
    graph.start_memory()
    run = console("Hello\n", "--strict")
    assert run.stdout.splitlines()[1:] == [
        "error: No robot listens in /mira; start it, and say it again."
    ]
    assert run.returncode == 1


def test_the_one_robot_is_found_without_its_namespace(graph: RobotGraph, console: Console) -> None:
    graph.start_cognition(namespace="/kitchen", memory_enabled=False)
    assert console("Hello\n", robot=()).stdout.splitlines() == [
        "> Hello",
        "kitchen: Hello. I listen.",
    ]
    graph.start_memory(namespace="/attic")
    several = console("Hello\n", robot=())
    assert (several.returncode, several.stdout) == (1, "")
    assert several.stderr == (
        "Several robots were found, /attic, /kitchen; choose one:"
        " ros2 run mira console --ros-args -r __ns:=/attic\n"
    )


def test_without_a_robot_the_command_to_choose_one_is_printed(console: Console) -> None:
    alone = console("Hello\n", robot=())
    assert (alone.returncode, alone.stdout) == (1, "")
    assert alone.stderr == (
        "No robot was found; start one, or name its namespace:"
        " ros2 run mira console --ros-args -r __ns:=/mira\n"
    )


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (("--script", "missing.txt"), 1, "The script missing.txt can't be read: No such file"),
        (("--script", "."), 1, "The script . can't be read: Is a directory"),
        (("--patience", "soon"), 2, "expected a number of seconds up to 3600"),
        (("--speaker", " "), 2, "The speaker is empty;"),
        (("--fnord",), 2, "unrecognized arguments: --fnord"),
    ],
)
def test_wrong_arguments_end_it_with_a_sentence(
    console: Console, options: tuple[str, ...], code: int, sentence: str
) -> None:
    run = console("Hello\n", *options)
    assert (run.returncode, run.stdout) == (code, "")
    assert sentence in run.stderr


@pytest.mark.parametrize(("closed", "stream"), [("<&-", "input"), (">&-", "output")])
def test_a_closed_stream_ends_it_with_a_sentence(
    graph: RobotGraph, closed: str, stream: str
) -> None:
    command = ["sh", "-c", f'exec "$0" "$@" {closed}', CONSOLE, *AT_MIRA]
    run = subprocess.run(
        command,
        input=b"help\n",
        capture_output=True,
        env=graph.environment,
        cwd=graph.directory,
        timeout=RUN_S,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.decode().startswith(f"Standard {stream} is closed; leave it open, or ")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"]
)
def test_a_signal_ends_a_script(talked_to: RobotGraph, number: signal.Signals, code: int) -> None:
    with _open_console(talked_to) as process:
        assert _answer(process, b"Hello") == b"mira: Hello. I listen."
        process.send_signal(number)
        printed, _ = process.communicate(timeout=10)
        assert (process.returncode, printed) == (code, b"")


def test_an_output_that_is_closed_ends_it_quietly(talked_to: RobotGraph) -> None:
    with _open_console(talked_to) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(b"memory persistent\n" * 5)
        process.stdin.close()
        assert process.wait(20) == 1


def test_unprompted_replies_are_shown_and_those_to_others_are_not(talked_to: RobotGraph) -> None:
    domain = int(talked_to.environment["ROS_DOMAIN_ID"])
    with Probe(domain) as probe, _open_console(talked_to) as process:
        assert _answer(process, b"Hello") == b"mira: Hello. I listen."
        publisher = probe.node.create_publisher(Reply, "reply", UTTERANCE_QOS)
        wait_until(lambda: publisher.get_subscription_count() >= 2, "the console to listen")
        for turn_id, text in (("another's", "not for you"), ("", "\x1b[2JI am\r\nhungry.")):
            publisher.publish(Reply(turn_id=turn_id, text=text, outcome="completed"))
        assert _printed(process) == b"mira: \\x1b[2JI am"
        assert _printed(process) == b"  hungry."
        process.communicate(timeout=10)
        assert process.returncode == 0


def _open_console(graph: RobotGraph, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [CONSOLE, *options, *AT_MIRA],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=graph.environment,
        cwd=graph.directory,
    )


def _answer(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Type a line and return the next one that is printed after its echo."""
    assert process.stdin is not None
    process.stdin.write(line + b"\n")
    process.stdin.flush()
    assert _printed(process) == b"> " + line
    return _printed(process)


def _printed(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline().rstrip(b"\n")
