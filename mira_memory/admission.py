# SPDX-License-Identifier: Apache-2.0
"""Decide whether a grounded proposal becomes a memory: the checks that need the store.

Follows docs/memory.md, "Admission": steps 6 to 13, and the answer to a proposal that was already
decided before a restart. Nothing here creates an entity or changes a memory.
"""

from mira_memory.admission_transaction import AdmissionTransaction
from mira_memory.errors import StoreError
from mira_memory.evidence import Grounded
from mira_memory.proposal import RELATIONSHIP, Proposal
from mira_memory.records import SUBJECT_ROLE, Memory, NewMemory
from mira_memory.refusals import Refusal, refusal
from mira_memory.result import AdmissionResult
from mira_memory.store import Store
from mira_memory.text import SELF_WORDS, display_form, key
from mira_memory.utterance import fold

__all__ = ["Admission", "AdmissionResult"]

OPERATOR_STATEMENT = "operator_statement"


class Admission:
    """Admit proposals into one store; `self_name` is whom "you" and "your" stand for."""

    def __init__(self, store: Store, self_name: str) -> None:
        self._store = store
        self._self_key = key(self_name)

    def decide(
        self,
        proposal: Proposal,
        turn_id: str,
        grounds: Grounded | Refusal,
        *,
        speaker: str,
        is_open: bool,
    ) -> AdmissionResult:
        """Return the answer to a proposal, and write the memory if it is admitted.

        `grounds` is what the proposal stands on in the utterance, or why on nothing. A memory
        that this turn created earlier wins over both. `is_open` says that the turn's utterance
        was heard by this process; of another turn only the store can tell what became of it.
        """
        try:
            with self._store.admission_transaction() as transaction:
                earlier = transaction.memory_of_turn(turn_id) if turn_id else None
                if earlier is not None:
                    return self._answer_again(transaction, proposal, earlier)
                if isinstance(grounds, Refusal):
                    return AdmissionResult.rejected(grounds)
                return self._admit(transaction, proposal, turn_id, grounds, speaker)
        except StoreError:
            known = grounds if isinstance(grounds, Refusal) else grounds.related
            return AdmissionResult.rejected(known if known and is_open else refusal("backend"))

    def _admit(
        self,
        transaction: AdmissionTransaction,
        proposal: Proposal,
        turn_id: str,
        grounds: Grounded,
        speaker: str,
    ) -> AdmissionResult:
        subjects = transaction.resolve(self._subject_key(proposal))
        if len(subjects) != 1:
            cause = "subject ambiguous" if subjects else "subject unknown"
            return AdmissionResult.rejected(refusal(cause))
        if grounds.related is not None:
            return AdmissionResult.rejected(grounds.related)
        links = {(subjects[0], SUBJECT_ROLE)}
        if proposal.related_entity is not None and proposal.related_role is not None:
            related = transaction.resolve(key(proposal.related_entity))
            if len(related) != 1:
                cause = "related ambiguous" if related else "related unknown"
                return AdmissionResult.rejected(refusal(cause))
            links.add((related[0], proposal.related_role))
        return self._write(
            transaction,
            subjects[0],
            NewMemory(
                kind=proposal.kind,
                summary=grounds.summary,
                predicate=proposal.predicate,
                value=grounds.value,
                links=frozenset(links),
                source_kind=OPERATOR_STATEMENT,
                source_label=display_form(speaker) or None,
                turn_id=turn_id,
            ),
        )

    def _write(
        self, transaction: AdmissionTransaction, subject_id: int, memory: NewMemory
    ) -> AdmissionResult:
        """Insert the memory unless it contradicts or repeats one; a conflict wins."""
        assert memory.predicate is not None
        assert memory.value is not None
        value_key = fold(memory.value)
        if memory.kind != RELATIONSHIP:
            conflicts = transaction.slot_conflicts(subject_id, memory.predicate, value_key)
            if conflicts:
                return AdmissionResult.conflicting(
                    conflicts, is_correctable=transaction.is_correctable
                )
        same = transaction.duplicate(memory.kind, memory.predicate, value_key, memory.links)
        if same is not None:
            return AdmissionResult.applied("duplicate", subject_id, same)
        return AdmissionResult.applied("created", subject_id, transaction.insert(memory))

    def _answer_again(
        self, transaction: AdmissionTransaction, proposal: Proposal, memory: Memory
    ) -> AdmissionResult:
        """Answer a proposal of a turn that has its memory: the same once more, or a second one."""
        linked = {link.role: link.entity_id for link in memory.links}
        subject = linked.pop(SUBJECT_ROLE)
        expected = (memory.kind, memory.predicate, fold(memory.value or ""), fold(memory.summary))
        proposed = (
            proposal.kind,
            proposal.predicate,
            fold(proposal.value),
            fold(proposal.evidence),
        )
        is_same = (
            proposed == expected
            and subject in transaction.resolve(self._subject_key(proposal))
            and linked.keys() == {proposal.related_role} - {None}
            and all(
                entity in transaction.resolve(key(proposal.related_entity or ""))
                for entity in linked.values()
            )
        )
        if is_same:
            return AdmissionResult.applied("created", subject, memory.id)
        return AdmissionResult.rejected(refusal("second proposal"))

    def _subject_key(self, proposal: Proposal) -> str:
        subject = key(proposal.subject)
        return self._self_key if subject in SELF_WORDS else subject
