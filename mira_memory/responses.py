# SPDX-License-Identifier: Apache-2.0
"""Fill the responses of recall and remember from the core's results, and from faults."""

from typing import Any

from mira.srv import RecallMemory

from mira_memory.admission import AdmissionResult
from mira_memory.answers import CAPACITY
from mira_memory.messages import entity_memories_message
from mira_memory.recall import RecallResult
from mira_memory.records import entity_identity, memory_identity
from mira_ros.answers import Encodable


def proposal_arguments(request: Any) -> dict[str, str | None]:
    """Return the proposal of a `Remember` request; the two related fields are null if empty."""
    return {
        "kind": request.kind,
        "subject": request.subject,
        "predicate": request.predicate,
        "value": request.value,
        "evidence": request.evidence,
        "related_entity": request.related_entity or None,
        "related_role": request.related_role or None,
    }


class RecallResponses:
    """Fill the response of a recall once for as long as the recall gives the same value.

    A response is found by the identity of the immutable result that it was filled from, so it is
    exactly as fresh as the result: whether that still holds is decided in `Recollection` alone.
    """

    def __init__(self) -> None:
        self._filled: dict[int, tuple[RecallResult, Encodable]] = {}

    def of(self, result: RecallResult) -> Encodable:
        """Return the response that says `result`; it is shared and must not be changed."""
        # What is kept holds its result, so no other one can have that address meanwhile.
        filled = self._filled.get(id(result))
        if filled is None:
            response = fill_recall(RecallMemory.Response(), result)
            filled = result, Encodable.checked(response)
            self._filled[id(result)] = filled
            if len(self._filled) > CAPACITY:
                del self._filled[next(iter(self._filled))]
        return filled[1]


def fill_recall(response: Any, result: RecallResult) -> Any:
    """Fill and return a `RecallMemory` response."""
    response.status = result.status
    response.text = result.text
    response.entities = [entity_memories_message(found) for found in result.entities]
    response.entities_left_out = result.entities_left_out
    response.text_truncated = result.text_truncated
    response.error = result.error
    return response


def fill_recall_failure(response: Any, sentence: str) -> None:
    """Fill a `RecallMemory` response so that the failure cannot look like a miss."""
    response.status = "failure"
    response.text = sentence
    response.error = sentence


def fill_admission(response: Any, result: AdmissionResult) -> Any:
    """Fill and return a `Remember` response."""
    response.status = result.status
    response.admission = result.admission
    response.entity_id = "" if result.entity_id is None else entity_identity(result.entity_id)
    response.memory_id = "" if result.memory_id is None else memory_identity(result.memory_id)
    response.reason = result.reason
    response.error = result.error
    response.conflicts = [memory_identity(number) for number in result.conflicts]
    return response


def fill_remember_failure(response: Any, sentence: str) -> None:
    """Fill a `Remember` response for a proposal that could not be decided."""
    response.status = "rejected"
    response.reason = "backend_failure"
    response.error = sentence
