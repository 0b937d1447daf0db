# SPDX-License-Identifier: Apache-2.0
"""Call the memory node's administration, and say in one sentence why that did not succeed."""

import time
from collections.abc import Callable
from typing import Any

from mira import srv
from mira.srv import (
    AddAlias,
    AddEntity,
    AddMemory,
    FindEntity,
    FindMemories,
    GetMemoryStatus,
    ListEntities,
    ListMemories,
    ShowMemory,
)
from rclpy.node import Node

from mira_operator.absence import DISABLED, MemoryPresence
from mira_operator.printable import printable
from mira_ros.calls import Call, CallOutcome, ServiceCaller, UnsendableText

BUDGET_S = 5.0
_DISCOVERY_S = 0.5
_LOOK_S = 0.05
_NAMES = {
    GetMemoryStatus: "memory/get_status",
    AddEntity: "memory/add_entity",
    FindEntity: "memory/find_entity",
    ListEntities: "memory/list_entities",
    AddAlias: "memory/add_alias",
    FindMemories: "memory/find_memories",
    AddMemory: "memory/add_memory",
    ShowMemory: "memory/show_memory",
    ListMemories: "memory/list_memories",
    **{
        getattr(srv, name): f"memory/{verb}"
        for name, verb in (
            ("Retract", "retract"),
            ("Supersede", "supersede"),
            ("Archive", "archive"),
            ("Restore", "restore"),
            ("Forget", "forget"),
            ("SetTrust", "set_trust"),
            ("Annotate", "annotate"),
            ("Relate", "relate"),
            ("RenameEntity", "rename_entity"),
            ("RemoveAlias", "remove_alias"),
            ("History", "history"),
            ("RecallAt", "recall_at"),
            ("ListProposals", "list_proposals"),
            ("DecideProposal", "decide_proposal"),
            ("Audit", "audit"),
            ("VerifyAudit", "verify_audit"),
            ("ExportMemories", "export"),
            ("ImportMemories", "import"),
        )
    },
}


class CommandFailed(Exception):
    """A command was not carried out; the text is one sentence for the operator."""


class MemoryServices:
    """The administration services of the memory node in a node's namespace."""

    def __init__(self, node: Node) -> None:
        self._presence = MemoryPresence(node)
        self._callers = {
            srv_type: ServiceCaller(node, srv_type, name) for srv_type, name in _NAMES.items()
        }

    def offered(self, srv_type: Any) -> bool:
        """Tell whether a service is known now."""
        return self._callers[srv_type].ready()

    def read(self, srv_type: Any, *, budget_s: float = BUDGET_S, **fields: Any) -> Any:
        """
        Return the response of a service that changes nothing; it is asked again if need be.

        :raises CommandFailed: the service refused, or did not answer within 5 s.
        """
        resend_s = 1.0 if budget_s == BUDGET_S else None
        return self._answer(
            srv_type,
            fields,
            lambda caller, request: caller.call(request, budget_s, resend_s=resend_s),
            unanswered=f"within {budget_s:g} s; try again.",
        )

    def write(self, srv_type: Any, *, look: str, budget_s: float = BUDGET_S, **fields: Any) -> Any:
        """
        Return the response of a service that writes; it is asked once.

        :param look: the command that shows whether an unanswered request was carried out.
        :raises CommandFailed: the service refused, or did not answer within 5 s.
        """
        return self._answer(
            srv_type,
            fields,
            lambda caller, request: caller.call_once(request, budget_s),
            unanswered=f"within {budget_s:g} s; it is not known whether it was written; "
            f"look with: {look}",
        )

    def _answer(
        self,
        srv_type: Any,
        fields: dict[str, Any],
        ask: Callable[[ServiceCaller, Any], Call],
        unanswered: str,
    ) -> Any:
        caller = self._callers[srv_type]
        self._find(caller)
        try:
            call = ask(caller, srv_type.Request(**fields))
        except UnsendableText as refusal:
            raise CommandFailed(str(refusal)) from None
        match call.outcome:
            case CallOutcome.ANSWERED:
                if not getattr(call.response, "success", True):
                    raise CommandFailed(printable(call.response.error))
                return call.response
            case CallOutcome.UNAVAILABLE:
                raise CommandFailed(self._presence.why_absent())
            case CallOutcome.UNREACHED:
                raise CommandFailed(
                    "The memory node does not answer, so nothing was written; try again."
                )
        raise CommandFailed(f"The memory node did not answer {unanswered}")

    def _find(self, caller: ServiceCaller) -> None:
        """Wait for a service, and ask on the way whether it is missing on purpose."""
        began = time.monotonic()
        disabled = None
        while not caller.ready():
            waited = time.monotonic() - began
            if waited > BUDGET_S:
                raise CommandFailed(self._presence.why_absent())
            if waited > _DISCOVERY_S and disabled is None:
                disabled = self._presence.disabled()
            if disabled:
                raise CommandFailed(DISABLED)
            time.sleep(_LOOK_S)
