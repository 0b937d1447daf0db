# SPDX-License-Identifier: Apache-2.0
"""The interactive session: line editing, history, completion, and replies above the input."""

import asyncio
import signal
import time

from prompt_toolkit import PromptSession
from prompt_toolkit.patch_stdout import patch_stdout

from mira_operator.completion import LineCompleter
from mira_operator.conversation import Turn
from mira_operator.history import open_history
from mira_operator.session import PROMPT, Session, SessionEnded

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAME_S = 0.1
WELCOME = "Say something to the robot, or type help. Ctrl-D ends the session."


def run_terminal(session: Session, *, keep_history: bool) -> int:
    """Run the session until ``quit``, Ctrl-D or SIGTERM, and return the exit code."""
    session.print([WELCOME])
    with patch_stdout():
        asyncio.run(_Terminal(session, keep_history).run())
    return 0


class _Terminal:
    def __init__(self, session: Session, keep_history: bool) -> None:
        self._session = session
        self._waiting: list[Turn] = []
        self._said = asyncio.Event()
        self._ended = False
        self._prompt: PromptSession[str] = PromptSession(
            PROMPT,
            history=open_history() if keep_history else None,
            completer=LineCompleter(session.administration.known_names),
            complete_in_thread=True,
            complete_while_typing=False,
            rprompt=self._spinner,
        )

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._end)
        # At the prompt Ctrl-C is a key; while a command is carried out it does nothing.
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        watch = asyncio.create_task(self._watch())
        try:
            while not self._ended:
                await self._enter_one()
        except (EOFError, SessionEnded):
            pass
        finally:
            watch.cancel()

    async def _enter_one(self) -> None:
        try:
            text = await self._prompt.prompt_async()
        except KeyboardInterrupt:  # clears the line
            return
        for line in text.splitlines():  # a paste can hold several
            entered = await asyncio.to_thread(self._session.enter, line)
            if entered.turn is not None:
                self._waiting.append(entered.turn)
                self._said.set()

    async def _watch(self) -> None:
        """Turn the spinner while replies are awaited, and say which ones did not come."""
        while True:
            await self._said.wait()
            now = time.monotonic()
            self._waiting = [turn for turn in self._waiting if not turn.reply.done()]
            for turn in [turn for turn in self._waiting if turn.deadline <= now]:
                self._waiting.remove(turn)
                self._session.unanswered()
            if not self._waiting:
                self._said.clear()
            self._prompt.app.invalidate()
            await asyncio.sleep(_FRAME_S)

    def _spinner(self) -> str:
        if not self._waiting:
            return ""
        frame = _FRAMES[int(time.monotonic() / _FRAME_S) % len(_FRAMES)]
        return f"{frame} waiting for the reply"

    def _end(self) -> None:
        self._ended = True
        if self._prompt.app.is_running:
            self._prompt.app.exit(exception=EOFError())
