# SPDX-License-Identifier: Apache-2.0
"""The node `memory`: owns the SQLite file, answers recall and remember (docs/memory.md)."""

import sys
from collections import Counter
from typing import Any

from mira.srv import RecallMemory, Remember
from rclpy.callback_groups import ReentrantCallbackGroup

from mira_memory.administration_services import AdministrationServices
from mira_memory.admission import OPERATOR_STATEMENT, AdmissionResult
from mira_memory.announcements import Announcements
from mira_memory.errors import MemoryFault
from mira_memory.hearing import Hearing
from mira_memory.lifecycle_services import LifecycleServices
from mira_memory.persistent import PersistentMemory
from mira_memory.persistent import Request as Proposed
from mira_memory.recall import RecallResult
from mira_memory.reports import admission_report, store_report
from mira_memory.responses import (
    RecallResponses,
    fill_admission,
    fill_recall_failure,
    fill_remember_failure,
    proposal_arguments,
)
from mira_memory.review_services import ReviewServices
from mira_memory.settings import Settings
from mira_ros.answers import answer_service
from mira_ros.diagnostics import Diagnostics, Report
from mira_ros.introspection import declared_introspection
from mira_ros.parameters import warn_of_unknown
from mira_ros.serving import ServedNode, serve
from mira_ros.waiting import AwaitedThread

_OPERATIONS = {"created": "memory_created", "duplicate": "proposal_duplicate"}


class MemoryNode(ServedNode):
    """Translate between the graph and one `PersistentMemory`.

    Everything runs on the executor's one thread except what writes: that is awaited from the
    writer's thread, so a slow disk delays neither recall nor the subscriptions.
    """

    def __init__(self) -> None:
        super().__init__("memory")
        settings = Settings.declared(self)
        self.introspection = declared_introspection(self)
        warn_of_unknown(self)
        self._settings = settings
        self._decisions: Counter[str] = Counter()
        self._memory = PersistentMemory.open(
            settings.database_path,
            self_name=settings.self_name,
            turn_ttl_s=settings.turn_ttl_s,
            guard_languages=settings.guard_languages,
            speakers=settings.speakers,
            schema_version=settings.schema_version,
        )
        self._memory.store.self_test()
        self._writer = AwaitedThread(self, "memory writer")
        self._long_reads = AwaitedThread(self, "memory long reads")
        self._announcements = Announcements(self, self._memory.store)
        self._hearing = Hearing(self, self._memory)
        self._recalled = RecallResponses()
        self._offer_services()
        Diagnostics(self, settings.self_name, (self._store, self._admission))
        self._say_what_was_opened()

    def close(self) -> None:
        """Finish the write under way and close the file."""
        self._writer.close()
        self._long_reads.close()
        self._memory.close()
        self.get_logger().info("Closed the memory file.")

    def _offer_services(self) -> None:
        group = ReentrantCallbackGroup()
        answer_service(
            self,
            RecallMemory,
            "recall_memory",
            self._recall,
            group=group,
            fill=fill_recall_failure,
        )
        answer_service(
            self, Remember, "remember", self._remember, group=group, fill=fill_remember_failure
        )
        if self._settings.admin_services:
            store, announcements = self._memory.store, self._announcements
            AdministrationServices(self, store, self._writer, announcements, group)
            LifecycleServices(self, store, self._writer, announcements, group)
            ReviewServices(self, store, self._writer, self._long_reads, announcements, group)

    def _recall(self, request: Any, _: Any) -> Any:
        result = self._memory.recall(request.query)
        if self._settings.audit_reads and result.entities:
            self.executor.create_task(self._note_recall(result))
        return self._recalled.of(result)

    async def _note_recall(self, result: RecallResult) -> None:
        shown = tuple(memory.id for each in result.entities for memory in each.memories)
        try:
            store = self._memory.store
            await self._writer.run(lambda: store.lifecycle.recalled(shown))
        except MemoryFault as failure:
            self.workload.fault("audit_reads")
            self.get_logger().error(f"A recall was not noted: {type(failure).__name__}.")

    async def _remember(self, request: Any, response: Any) -> Any:
        await self._hearing.turn(request.turn_id)
        grounded = self._memory.ground(request.turn_id, proposal_arguments(request))
        result, is_new = await self._writer.run(lambda: self._decide(grounded))
        if is_new:
            self._decisions[result.admission or result.reason] += 1
            self._announcements.event(
                _OPERATIONS.get(result.admission, "proposal_rejected"),
                reason=result.reason,
                entities=() if result.entity_id is None else (result.entity_id,),
                memories=result.conflicts if result.memory_id is None else (result.memory_id,),
                source_kind=OPERATOR_STATEMENT,
            )
        return fill_admission(response, result)

    def _decide(self, proposed: Proposed) -> tuple[AdmissionResult, bool]:
        """Decide on the writer's thread; tell whether the answer is more than a repeated one."""
        turn = proposed.turn
        decided = None if turn is None else turn.decision
        result = self._memory.commit(proposed)
        if decided is not None:
            return result, result is not decided.result
        # Without a turn nothing is applied but what was before a restart.
        return result, turn is not None or result.status == "rejected"

    def _store(self) -> Report:
        self._announcements.publish_status()
        return store_report(self._memory.store.status())

    def _admission(self) -> Report:
        return admission_report(
            self._decisions,
            self._hearing.heard,
            unguarded=self._memory.unguarded_sentences,
            guarded=bool(self._settings.guard_languages),
        )

    def _say_what_was_opened(self) -> None:
        status = self._memory.store.status()
        self.get_logger().info(
            f"Opened {status.database_path}: {status.entities} entities, "
            f"{status.memories} memories."
        )
        if not self._settings.guard_languages:
            self.get_logger().warning(
                "assertion_guard is off: questions and denials can be stored as facts."
            )


def main() -> int:
    """Run the node until SIGINT or SIGTERM and return the exit code."""
    return serve(MemoryNode, refusals=(MemoryFault,))


if __name__ == "__main__":
    sys.exit(main())
