# SPDX-License-Identifier: Apache-2.0
"""One operator's session with one robot: what each line leads to, and what is printed for it."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mira.msg import Reply
from rclpy.node import Node

from mira_operator import commands
from mira_operator.administration import Administration
from mira_operator.conversation import Conversation, NobodyReplies, Turn
from mira_operator.grammar import FORMS, BadCommand, parse
from mira_operator.lines import reply_lines
from mira_operator.memory_services import CommandFailed

PROMPT = "> "


class SessionEnded(Exception):
    """The operator asked to end the session."""


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of a line: whether it was carried out, and the turn that it opened, if any."""

    done: bool
    turn: Turn | None = None


class Session:
    """Carry out lines; ``write`` prints whole lines and may be called from any thread."""

    def __init__(
        self, node: Node, speaker: str, patience_s: float, write: Callable[[str], None]
    ) -> None:
        self._robot = node.get_namespace().rpartition("/")[2] or "robot"
        self._place = node.get_namespace()
        self._patience_s = patience_s
        self._write = write
        self._writing = threading.Lock()
        self.administration = Administration(node, self._robot)
        self.conversation = Conversation(node, speaker, patience_s, self._show)

    def enter(self, line: str) -> Entered:
        """
        Carry out one line and print what came of it; a reply may follow later.

        :raises SessionEnded: the line was ``quit``.
        """
        try:
            match parse(line):
                case None:
                    pass
                case commands.Say(text):
                    return Entered(done=True, turn=self.conversation.say(text))
                case commands.Help():
                    self.print(help_lines())
                case commands.Quit():
                    raise SessionEnded
                case command:
                    self.print(self.administration.carry_out(command))
        except (BadCommand, CommandFailed) as refusal:
            self.print([f"error: {refusal}"])
            return Entered(done=False)
        except NobodyReplies:
            self.print([f"error: No robot listens in {self._place}; start it, and say it again."])
            return Entered(done=False)
        return Entered(done=True)

    def unanswered(self) -> None:
        """Print that a turn's time is over; should its reply come after all, it is shown."""
        self.print([f"error: No reply within {self._patience_s:g} s; a later one will be shown."])

    def print(self, lines: Iterable[str]) -> None:
        """Print lines that belong together."""
        text = "".join(f"{line}\n" for line in lines)
        with self._writing:
            self._write(text)

    def _show(self, reply: Reply) -> None:
        if reply.turn_id and reply.outcome == "completed":
            self.administration.working_memory.expect(reply)
        self.print(reply_lines(reply, self._robot))


def help_lines() -> list[str]:
    """Return the forms of all commands, and how lines are told apart."""
    return [
        *(f"{form}\n      {form.does}" for form in FORMS),
        "Any other line is said to the robot. memory in small letters begins a command;",
        "a sentence that begins with Memory is said.",
        r"Names and texts stand in double quotes; inside them, \" is a quote and \\ a backslash.",
    ]
