# SPDX-License-Identifier: Apache-2.0
"""Every way an utterance's handling can end: its outcome, and what the robot says then."""

from dataclasses import dataclass
from enum import StrEnum

from mira_cognition.bounds import Cause

# A robot speaks its replies aloud: what is longer than this is cut.
REPLY_MAX = 2000


class Outcome(StrEnum):
    """The outcomes of `Reply.outcome`."""

    COMPLETED = "completed"
    MODEL_UNAVAILABLE = "model_unavailable"
    DEADLINE_EXCEEDED = "deadline_exceeded"
    CANCELLED = "cancelled"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Ending:
    """One row of the table in docs/cognition.md, "Outcomes"."""

    event: str
    outcome: Outcome
    said: str
    spoken: bool = True


ANSWERED = Ending("answered", Outcome.COMPLETED, "")
STOP_HEARD = Ending("stop_heard", Outcome.COMPLETED, "I have stopped.")
BUDGET_USED = Ending(
    "budget_used",
    Outcome.COMPLETED,
    "That takes more steps than I have for one request, so I stop here.",
)
QUEUE_FULL = Ending(
    "queue_full",
    Outcome.REFUSED,
    "Too many requests are waiting. Please say that again in a moment.",
)
TOO_LONG = Ending(
    "too_long",
    Outcome.REFUSED,
    "That was too long for me. Please say it in at most {limit} characters.",
)
NO_WORDS = Ending("no_words", Outcome.REFUSED, "I heard no words. Please say that again.")
TURN_REUSED = Ending(
    "turn_reused",
    Outcome.REFUSED,
    "That came under the turn id of something else that was said. Please say it again.",
)
FAULT = Ending(
    "fault",
    Outcome.CANCELLED,
    "Something went wrong inside me, so I stopped. The log of the cognition node says what.",
)

INTERRUPTED: dict[Cause, Ending] = {
    Cause.DEADLINE: Ending(
        "deadline",
        Outcome.DEADLINE_EXCEEDED,
        "I ran out of time before I had an answer. Please ask again, or ask for less at once.",
    ),
    Cause.STOPPED: Ending("stopped", Outcome.CANCELLED, "I stopped before I had an answer."),
    Cause.SHUTDOWN: Ending(
        "shutdown", Outcome.CANCELLED, "I am shutting down, so I did not finish that."
    ),
    # Nobody wants to hear this said into what they are saying.
    Cause.OPERATOR_SPOKE: Ending(
        "operator_spoke",
        Outcome.CANCELLED,
        "I put the sensor's news aside, to listen.",
        spoken=False,
    ),
}

MODEL: dict[str, Ending] = {
    reason: Ending(f"model_{reason}", Outcome.MODEL_UNAVAILABLE, said)
    for reason, said in {
        "not_installed": "I cannot use a language model before LiteLLM is installed.",
        "unreachable": "I cannot reach my language model. Please check its server.",
        "error_status": "My language model answered with an error. Please check its set-up.",
        "timed_out": "My language model took too long to answer. Please try again.",
        "busy": "My language model still hangs in earlier requests. Please check its server.",
        "unusable": "My language model gave no usable answer. Please say it in other words.",
        "fault": "My language model failed. The log of the cognition node says how.",
    }.items()
}

ENDINGS: tuple[Ending, ...] = (
    ANSWERED,
    STOP_HEARD,
    BUDGET_USED,
    *MODEL.values(),
    *INTERRUPTED.values(),
    QUEUE_FULL,
    TOO_LONG,
    NO_WORDS,
    TURN_REUSED,
    FAULT,
)


def speakable(text: str) -> str:
    """Make any text fit for a message and for speech: encodable, without NUL, bounded."""
    encodable = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    stripped = encodable.strip()
    return stripped if len(stripped) <= REPLY_MAX else stripped[: REPLY_MAX - 1] + "…"
