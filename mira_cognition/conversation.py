# SPDX-License-Identifier: Apache-2.0
"""The messages of one episode: instructions and grounding made anew, and what came back so far."""

import json
from collections.abc import Sequence

from mira_cognition.grounding import INSTRUCTIONS
from mira_cognition.model import Message, Role, ToolCall
from mira_cognition.trigger import OperatorTurn, Trigger
from mira_cognition.working_memory import Interaction, quoted_history

NOT_EXECUTED = "not executed: one call at a time"


class Conversation:
    """Collect what the model may see again; a call that was not carried out is not among it."""

    def __init__(self, trigger: Trigger, history: Sequence[Interaction]) -> None:
        self._opening: list[Message] = []
        if history:
            self._opening.append(Message(Role.HISTORY, quoted_history(tuple(history))))
        self._opening.append(_trigger_message(trigger))
        self._exchanges: list[Message] = []
        self._notice: str | None = None

    def messages(self, grounding: str) -> tuple[Message, ...]:
        """Return the messages of the next request, under a grounding that is true now."""
        runtime = Message(Role.RUNTIME, f"{INSTRUCTIONS}\n\n{grounding}")
        notice = [] if self._notice is None else [Message(Role.RUNTIME, self._notice)]
        self._notice = None
        return (runtime, *self._opening, *self._exchanges, *notice)

    def carried_out(self, calls: Sequence[ToolCall], result: str) -> None:
        """Keep calls of which the first was carried out, and the others were not."""
        self._exchanges.append(Message(Role.MODEL, "", tuple(calls)))
        for number, call in enumerate(calls):
            text = json.dumps({"error": NOT_EXECUTED}) if number else result
            self._exchanges.append(Message(Role.RESULT, text, answers=call.identity))

    def notify(self, notice: str) -> None:
        """Tell the model something in the next request, once."""
        self._notice = notice


def _trigger_message(trigger: Trigger) -> Message:
    if isinstance(trigger, OperatorTurn):
        return Message(Role.OPERATOR, trigger.text)
    quoted = json.dumps(
        {"sensor": trigger.sensor, "quoted": trigger.description}, ensure_ascii=False
    )
    return Message(
        Role.SENSOR, f"A sensor needs attention; tell the operator in one sentence. {quoted}"
    )
