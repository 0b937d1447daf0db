# SPDX-License-Identifier: Apache-2.0
"""Everything that persistent memory does, in one object that needs no ROS.

    memory = PersistentMemory.open("robot.sqlite3", self_name="Mira")
    memory.store.add_entity("person", "Gordon")
    memory.hear("turn-1", "Remember that Gordon's favourite snack is herring.", "operator")
    memory.remember("turn-1", {"kind": "preference", "subject": "Gordon", ...})
    memory.recall("gordon")

Follows docs/memory.md.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock

from mira_memory.admission import Admission
from mira_memory.assertion import LANGUAGES, AssertionGuard
from mira_memory.evidence import Grounded, ground
from mira_memory.proposal import Proposal, ProposalRefused
from mira_memory.recall import RecallResult, Recollection
from mira_memory.refusals import Refusal, refusal
from mira_memory.result import AdmissionResult
from mira_memory.schema import SCHEMA_VERSION
from mira_memory.store import Store, utc_now
from mira_memory.text import NAME_MAX, checked
from mira_memory.turns import Decision, Heard, Turn, TurnBook, is_turn_id

_BACKEND_FAILURE = "backend_failure"


@dataclass(frozen=True, slots=True)
class Request:
    """Hold a proposal that was read and grounded, ready to be decided.

    `proposal` is None if the arguments were none. `grounds` is what it stands on, or why it is
    refused.
    """

    turn_id: str
    turn: Turn | None
    proposal: Proposal | None
    grounds: Grounded | Refusal


class PersistentMemory:
    """Tie the store, the open turns, admission and recall together; safe for several threads.

    `remember` is `ground` followed by `commit`. Grounding only computes; committing waits for
    the disk, and serves one request at a time in the order of arrival, so that a proposal sent
    twice gets one answer.
    """

    def __init__(
        self,
        store: Store,
        *,
        self_name: str,
        guard: AssertionGuard | None,
        turns: TurnBook,
    ) -> None:
        self.store = store
        self.unguarded_sentences = 0
        self._guard = guard
        self._turns = turns
        self._admission = Admission(store, self_name)
        self._deciding = Lock()
        self._recollection = Recollection(store)

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        self_name: str,
        guard_languages: Sequence[str] = LANGUAGES,
        speakers: Iterable[str] = (),
        turn_capacity: int = 64,
        turn_ttl_s: float = 300.0,
        clock: Callable[[], datetime] = utc_now,
        steady_clock: Callable[[], float] = time.monotonic,
        schema_version: int = SCHEMA_VERSION,
    ) -> "PersistentMemory":
        """Open the store at `path`, a new one if there is no file.

        No `guard_languages` switch the assertion guard off. Times come from `clock`, the age of
        a turn in seconds from `steady_clock`. A new store gets `schema_version`.

        Raises:
            TextRefused: `self_name` is no name.
            OpeningError: the file is no sound store.
        """
        name = checked(self_name, "self_name", NAME_MAX)
        guard = AssertionGuard(guard_languages, name) if guard_languages else None
        return cls(
            Store.open(Path(path), clock=clock, schema_version=schema_version),
            self_name=name,
            guard=guard,
            turns=TurnBook(turn_capacity, turn_ttl_s, steady_clock, speakers),
        )

    def hear(self, turn_id: str, text: str, speaker: str = "") -> Heard:
        """Take in an utterance of the operator: it opens a turn that may ground one memory."""
        return self._turns.heard(turn_id, text, speaker)

    def end_turn(self, turn_id: str) -> None:
        """End a turn when its reply was given."""
        self._turns.end(turn_id)

    def knows_turn(self, turn_id: str) -> bool:
        """Tell whether there is no use in waiting for the utterance of this turn."""
        return self._turns.knows(turn_id)

    def remember(self, turn_id: str, arguments: object) -> AdmissionResult:
        """Decide a proposal, given as the arguments of the tool call, whatever they are."""
        return self.commit(self.ground(turn_id, arguments))

    def ground(self, turn_id: str, arguments: object) -> Request:
        """Read a proposal and ground it in the words of its turn, without the store."""
        turn = self._turns.lookup(turn_id) if is_turn_id(turn_id) else None
        try:
            proposal = Proposal.from_arguments(arguments)
        except ProposalRefused as refused:
            return Request(turn_id, turn, None, refused.refusal)
        grounds: Grounded | Refusal
        if turn is None:
            grounds = refusal("no turn")
        elif turn.utterance is None:
            grounds = turn.refusal or refusal("no turn")
        else:
            grounds = ground(proposal, turn.utterance, self._guard)
        return Request(turn_id, turn, proposal, grounds)

    def commit(self, request: Request) -> AdmissionResult:
        """Decide a grounded proposal and write what is admitted; the answer decides the turn.

        In a turn that is decided, the same proposal gets the same answer and any other is
        refused. A failure of the store decides nothing.
        """
        with self._deciding:
            decision = None if request.turn is None else request.turn.decision
            if request.proposal is None or decision is None:
                result = self._decide(request)
            elif decision.proposal is not None and decision.proposal.is_same_as(request.proposal):
                return decision.result
            else:
                return AdmissionResult.rejected(refusal("second proposal"))
            if request.turn is not None and decision is None and result.reason != _BACKEND_FAILURE:
                request.turn.decision = Decision(request.proposal, result)
            return result

    def recall(self, query: str) -> RecallResult:
        """Return what is known under a name, and never write."""
        return self._recollection.recall(query)

    def close(self) -> None:
        """Close the store; a second close does nothing."""
        self.store.close()

    def _decide(self, request: Request) -> AdmissionResult:
        turn, grounds = request.turn, request.grounds
        if request.proposal is None:
            assert isinstance(grounds, Refusal)
            return AdmissionResult.rejected(grounds)
        if turn is not None and turn.refusal is not None:
            # The turn may have become void since the proposal was grounded.
            grounds = turn.refusal
        if isinstance(grounds, Grounded) and grounds.unguarded:
            self.unguarded_sentences += 1
        return self._admission.decide(
            request.proposal,
            request.turn_id if is_turn_id(request.turn_id) else "",
            grounds,
            speaker="" if turn is None else turn.speaker,
            is_open=turn is not None,
        )
