# SPDX-License-Identifier: Apache-2.0
"""
A person's terminal: talks to the robot as the operator, and administers its memory.

With a terminal on both sides the session is interactive; otherwise lines are read from standard
input, and plain text is printed.
"""

import argparse
import contextlib
import io
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from types import FrameType

import rclpy
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from mira_memory.text import SOURCE_LABEL_MAX, TextRefused, checked
from mira_operator.discovery import choosing, robots
from mira_operator.script import run_script
from mira_operator.session import Session
from mira_ros.spinning import SpinningThread

# The deadline of an episode is 30 s by default; its reply needs a little longer to arrive.
PATIENCE_S = 35.0


class NotStarted(Exception):
    """The session can't begin; the text is one sentence for the operator."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the console and return its exit code: 0, 1 after a failure, 2 for wrong arguments."""
    given = ["console", *(sys.argv[1:] if argv is None else argv)]
    _speak_utf8()
    previous = signal.signal(signal.SIGTERM, _terminated)
    try:
        return _run(given)
    except NotStarted as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read the output has gone; nothing more can be said, at exit neither.
        sys.stdout = None
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    finally:
        rclpy.try_shutdown()
        signal.signal(signal.SIGTERM, previous)


def _run(given: list[str]) -> int:
    try:
        rclpy.init(args=given, signal_handler_options=SignalHandlerOptions.NO)
    except Exception as fault:  # a dozen types for arguments that the middleware can't read
        raise NotStarted(" ".join(str(fault).split())) from None
    options = _options(remove_ros_args(given)[1:])
    script = _script(options)
    with _spinning_node() as node:
        session = Session(node, options.speaker, options.patience, _write)
        if script is None:
            # Not needed without a terminal, and slow to import.
            from mira_operator.terminal import run_terminal

            return run_terminal(session, keep_history=not options.no_history)
        with script as lines:
            return run_script(session, lines, strict=options.strict)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="console",
        description="Talk to the robot as its operator, and administer its memory. Type help for"
        " the commands.",
        epilog="ROS arguments choose the robot: --ros-args -r __ns:=/mira",
    )
    parser.add_argument(
        "--script",
        metavar="FILE",
        help="read lines from FILE (-: standard input, as without a terminal) instead of a prompt",
    )
    parser.add_argument(
        "--strict", action="store_true", help="end a script with 1 at the first line that fails"
    )
    parser.add_argument(
        "--speaker",
        metavar="LABEL",
        type=_label,
        default="operator",
        help="who speaks: the source label of what is remembered (default: operator)",
    )
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=_seconds,
        default=PATIENCE_S,
        help="how long to wait for a reply (default: %(default)g)",
    )
    parser.add_argument(
        "--no-history", action="store_true", help="neither read nor keep the lines typed"
    )
    return parser.parse_args(arguments)


def _script(
    options: argparse.Namespace,
) -> contextlib.AbstractContextManager[Iterable[str]] | None:
    """Return the lines to carry out, or None for an interactive session."""
    # A stream that was closed before the start is None.
    if sys.stdout is None:
        raise NotStarted("Standard output is closed; leave it open, or let it go to /dev/null.")
    if options.script in (None, "-"):
        if sys.stdin is None:
            raise NotStarted("Standard input is closed; leave it open, or name a --script FILE.")
        if options.script is None and sys.stdin.isatty() and sys.stdout.isatty():
            return None
        return contextlib.nullcontext(sys.stdin)
    try:
        return open(options.script, encoding="utf-8", errors="surrogateescape")
    except OSError as fault:
        raise NotStarted(
            f"The script {options.script} can't be read: {fault.strerror}; name a text file."
        ) from None


@contextlib.contextmanager
def _spinning_node() -> Iterator[Node]:
    """Give the console's node, in the namespace of the one robot where none was named."""
    node = rclpy.create_node("console", start_parameter_services=False)
    if node.get_namespace() == "/":
        found = robots(node)
        if len(found) != 1:
            raise NotStarted(choosing(found))
        if found != ("/",):
            node.destroy_node()
            node = rclpy.create_node("console", namespace=found[0], start_parameter_services=False)
    with SpinningThread(node):
        yield node
    node.destroy_node()


def _speak_utf8() -> None:
    """Read and write UTF-8 whatever the locale; bytes that are none are refused by the grammar."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _label(text: str) -> str:
    try:
        return checked(text, "speaker", SOURCE_LABEL_MAX)
    except TextRefused as refusal:
        raise argparse.ArgumentTypeError(str(refusal)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 3600.0:
        raise argparse.ArgumentTypeError("expected a number of seconds up to 3600")
    return seconds


def _terminated(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
