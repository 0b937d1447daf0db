# SPDX-License-Identifier: Apache-2.0
"""A session read from a file or a pipe: plain text out, one line after the other."""

import time
from collections.abc import Iterable

from mira_operator.printable import printable
from mira_operator.session import PROMPT, Session, SessionEnded


def run_script(session: Session, lines: Iterable[str], *, strict: bool) -> int:
    """
    Carry out lines in order, each with its reply, and return the exit code.

    Each line is printed behind a prompt, so that the output reads as a session. With ``strict``
    the first line that fails ends the run with 1; without, failures are printed and passed over.
    """
    try:
        for line in lines:
            text = line.rstrip("\r\n")
            if not text.strip():
                continue
            session.print([PROMPT + printable(text)])
            if not _carried_out(session, text) and strict:
                return 1
    except SessionEnded:
        pass
    return 0


def _carried_out(session: Session, text: str) -> bool:
    entered = session.enter(text)
    if entered.turn is None:
        return entered.done
    try:
        reply = entered.turn.reply.result(max(0.0, entered.turn.deadline - time.monotonic()))
    except TimeoutError:
        session.unanswered()
        return False
    return bool(reply.outcome == "completed")
