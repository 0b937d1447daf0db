# SPDX-License-Identifier: Apache-2.0
"""The one reply that ends a turn, and the words that stand in it."""

from dataclasses import dataclass

from mira_cognition.acknowledgement import NotOffered, plain_statement
from mira_cognition.capabilities import Remembered
from mira_cognition.claims import ClaimGuard
from mira_cognition.endings import Ending, Outcome, speakable


@dataclass(frozen=True, slots=True)
class EpisodeReply:
    """What goes out on `reply`; the memory fields come from the memory node's decision alone."""

    turn_id: str
    text: str
    outcome: Outcome
    remembered: Remembered | None = None
    acquisitions: int = 0
    claims_replaced: int = 0
    spoken: bool = True


def refusal(turn_id: str, ending: Ending, **details: object) -> EpisodeReply:
    """Reply to an utterance that no episode is run for."""
    return EpisodeReply(turn_id, ending.said.format(**details), ending.outcome)


def truthful(
    text: str,
    guard: ClaimGuard,
    remembered: Remembered | None,
    not_offered: NotOffered | None,
    *,
    asked_to_remember: bool,
) -> tuple[str, int]:
    """Make the model's words claim no write that did not happen; return the sentences replaced.

    What became of a proposal without a known answer is always said, and so is why one could not
    be made. Where somebody asked to remember, it is said too unless the model's words deny it: a
    claim in words that the guard does not know does not stand alone.
    """
    # Cut first: the guard reads no more than can be said.
    text = speakable(text)
    if remembered is not None and remembered.applied:
        return text, 0
    statement = plain_statement(remembered, not_offered)
    guarded = guard.without_claims(text, statement, asked=asked_to_remember)
    said = guarded.text
    unsettled = remembered is not None and remembered.status == "unknown"
    silent = asked_to_remember and (not_offered is not None or not guard.denies(said))
    if (unsettled or silent) and statement not in said:
        said = f"{said} {statement}"
    return speakable(said), guarded.replaced
