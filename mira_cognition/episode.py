# SPDX-License-Identifier: Apache-2.0
"""One bounded episode: from a trigger to exactly one reply (docs/cognition.md, "Episode")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mira_cognition.acknowledgement import NotOffered, meaning, plain_statement
from mira_cognition.asking import Asking
from mira_cognition.bounds import Bounds, Interrupted, SteadyClock
from mira_cognition.budget import Budget
from mira_cognition.capabilities import (
    REMEMBER,
    Acquired,
    Call,
    CallMalformed,
    Capabilities,
    Observe,
    RecallMemory,
    Remembered,
    checked_call,
    quoted_acquisition,
    quoted_decision,
    tools,
)
from mira_cognition.claims import ClaimGuard
from mira_cognition.conversation import Conversation
from mira_cognition.endings import (
    ANSWERED,
    BUDGET_USED,
    FAULT,
    INTERRUPTED,
    MODEL,
    Ending,
    speakable,
)
from mira_cognition.grounding import Surroundings, grounding
from mira_cognition.model import ModelAnswer, ModelRequest, ModelUnavailable, ToolCall
from mira_cognition.model_thread import ModelThreads
from mira_cognition.recalled import known_from
from mira_cognition.reply import EpisodeReply, truthful
from mira_cognition.settings import EpisodeSettings
from mira_cognition.steps import Steps
from mira_cognition.trigger import OperatorTurn, Trigger, turn_of
from mira_cognition.working_memory import Interaction

# Calls beside the first are not carried out; so many of them are answered at all.
OTHER_CALLS_MAX = 8


@dataclass(frozen=True, slots=True)
class Equipment:
    """What every episode of a node works with."""

    models: ModelThreads
    capabilities: Capabilities
    surroundings: Callable[[], Surroundings]
    guard: ClaimGuard
    settings: EpisodeSettings
    clock: SteadyClock
    faulted: Callable[[Exception], None]


class Episode:
    """Run one trigger through model requests and capability calls to its reply."""

    def __init__(
        self,
        trigger: Trigger,
        equipment: Equipment,
        bounds: Bounds,
        history: Sequence[Interaction],
        steps: Steps,
    ) -> None:
        settings = equipment.settings
        self._trigger = trigger
        self._equipment = equipment
        self._bounds = bounds
        self._steps = steps
        self._asking = Asking(equipment.models, bounds, steps, equipment.clock)
        self._conversation = Conversation(trigger, history)
        self._budget = Budget(settings.acquisitions, settings.model_requests)
        self._not_offered = _why_not_offered(trigger, settings)
        self._tools = tools(
            memory=settings.memory_enabled,
            remember=self._not_offered is None,
            sensors=settings.sensors,
        )
        self._offered = frozenset(tool.name for tool in self._tools)
        self._acquired: list[str] = []
        self._known: list[str] = []
        self._remembered: Remembered | None = None
        self._asked_to_remember = isinstance(trigger, OperatorTurn) and equipment.guard.asked(
            trigger.text
        )
        self._told = False
        self._repaired = False

    def run(self) -> EpisodeReply:
        """Return the one reply, whatever happens inside."""
        text = ""
        try:
            ending, text = self._converse()
        except Interrupted as interruption:
            ending = INTERRUPTED[interruption.cause]
        except ModelUnavailable as unavailable:
            ending = MODEL.get(unavailable.reason, MODEL["fault"])
        except Exception as error:
            self._equipment.faulted(error)
            ending = FAULT
        reply = self._reply(ending, text)
        self._steps.tell("reply", reply.outcome)
        self._steps.end(ending.event)
        return reply

    def _converse(self) -> tuple[Ending, str]:
        while self._budget.model_requests > 0:
            answer = self._ask()
            if not answer.calls and answer.text.strip():
                return ANSWERED, answer.text
            if self._told and answer.calls:
                return BUDGET_USED, ""
            if not answer.calls:
                self._ask_for_repair("Your answer was empty. Answer in words, or call one tool.")
                continue
            self._take(answer, answer.calls[0])
        return BUDGET_USED, ""

    def _ask(self) -> ModelAnswer:
        self._bounds.check()
        self._budget.model_requests -= 1
        request = ModelRequest(
            self._conversation.messages(
                grounding(
                    self._equipment.surroundings(),
                    self._budget,
                    self._bounds.remaining(),
                    self._acquired,
                    self._not_offered,
                )
            ),
            self._tools,
            self._bounds.remaining(),
        )
        return self._asking.answer(request)

    def _take(self, answer: ModelAnswer, written: ToolCall) -> None:
        """Carry the call out where its budget and its arguments allow, else tell the model."""
        name = written.name
        self._asked_to_remember = self._asked_to_remember or name == REMEMBER
        if name == REMEMBER and self._not_offered is not None:
            self._refuse(name, "not_offered", self._not_offered.value)
            return
        known = name in self._offered
        if known and not self._budget.allows(name):
            self._refuse(name, "over_budget", f"The budget for {name} is used up.")
            return
        try:
            call = checked_call(written, self._tools)
        except CallMalformed as malformed:
            if known:
                self._steps.tell(name, "invalid_arguments")
                if name != REMEMBER:
                    self._budget.spend(name)
                    self._acquired.append(f"{name}: invalid arguments")
            self._ask_for_repair(f"That call was not carried out. {malformed}")
            return
        self._budget.spend(name)
        result = self._carry_out(name, call)
        others = [other for other in answer.calls[1:OTHER_CALLS_MAX] if self._valid(other)]
        self._conversation.carried_out([written, *others], result)

    def _valid(self, call: ToolCall) -> bool:
        try:
            checked_call(call, self._tools)
        except CallMalformed:
            return False
        return True

    def _carry_out(self, name: str, call: Call) -> str:
        began = self._equipment.clock()
        capabilities = self._equipment.capabilities
        if isinstance(call, RecallMemory | Observe):
            acquired = self._acquire(call)
            self._acquired.append(f"{name}: {acquired.status}")
            self._known.extend(known_from(acquired))
            self._steps.tell(name, acquired.status, began)
            return quoted_acquisition(acquired)
        # Until an answer is there, nobody knows: an exception must not look like a refusal.
        self._remembered = Remembered("unknown")
        self._remembered = capabilities.remember(turn_of(self._trigger), call, self._bounds)
        decided = self._remembered
        outcome = decided.admission if decided.applied else decided.reason or decided.status
        self._acquired.append(f"{name}: {outcome}")
        self._steps.tell(name, outcome, began)
        return quoted_decision(decided, meaning(decided))

    def _acquire(self, call: RecallMemory | Observe) -> Acquired:
        if isinstance(call, RecallMemory):
            return self._equipment.capabilities.recall_memory(call, self._bounds)
        return self._equipment.capabilities.observe(call, self._bounds)

    def _refuse(self, name: str, code: str, sentence: str) -> None:
        self._told = True
        self._steps.tell(name, code)
        self._conversation.notify(
            f"That call was not carried out. {sentence} Answer in words now, without a call."
        )

    def _ask_for_repair(self, sentence: str) -> None:
        if self._repaired or self._budget.model_requests == 0:
            raise ModelUnavailable("unusable", sentence)
        self._repaired = True
        self._conversation.notify(f"{sentence} Try once more.")

    def _reply(self, ending: Ending, text: str) -> EpisodeReply:
        replaced = 0
        if ending is ANSWERED:
            text, replaced = truthful(
                text,
                self._equipment.guard,
                self._remembered,
                self._not_offered,
                asked_to_remember=self._asked_to_remember,
            )
        else:
            text = self._said_by_the_runtime(ending)
        return EpisodeReply(
            turn_of(self._trigger),
            text,
            ending.outcome,
            self._remembered,
            self._equipment.settings.acquisitions - self._budget.acquisitions,
            replaced,
            ending.spoken,
        )

    def _said_by_the_runtime(self, ending: Ending) -> str:
        said = [ending.said]
        if self._remembered is not None or self._asked_to_remember:
            said.append(plain_statement(self._remembered, self._not_offered))
        if ending is BUDGET_USED:
            said.extend(self._known)
        return speakable(" ".join(said))


def _why_not_offered(trigger: Trigger, settings: EpisodeSettings) -> NotOffered | None:
    if not settings.memory_enabled:
        return NotOffered.MEMORY_OFF
    if not isinstance(trigger, OperatorTurn):
        return NotOffered.NO_OPERATOR
    return None if trigger.turn_id else NotOffered.NO_TURN
