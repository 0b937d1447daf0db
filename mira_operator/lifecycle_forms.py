# SPDX-License-Identifier: Apache-2.0
"""The forms of the commands that correct, date, doubt, review and forget.

Follows docs/lifecycle.md, "Commands".
"""

from collections.abc import Callable

from mira_memory.lifecycle.reasons import REASON_MAX
from mira_memory.lifecycle.relations import RELATIONS
from mira_memory.lifecycle.trust import TRUST_STATES
from mira_memory.text import NAME_MAX, SUMMARY_MAX, VALUE_MAX
from mira_operator.form import Form, options
from mira_operator.lifecycle_commands import (
    Annotate,
    ChangeStatus,
    DecideProposal,
    ExportMemories,
    ImportMemories,
    Lifecycle,
    ListProposals,
    RecallAt,
    Relate,
    RemoveAlias,
    RenameEntity,
    SetTrust,
    ShowAudit,
    ShowHistory,
    ShowProposal,
    Supersede,
    VerifyAudit,
)
from mira_operator.operands import Operands


def _reason(operands: Operands) -> str:
    return operands.text("reason", REASON_MAX)


def _time(operands: Operands) -> str:
    return operands.moment("time")


def _supersede(operands: Operands) -> Supersede:
    memory_id, summary = operands.memory(), operands.text("summary", SUMMARY_MAX)
    given = options(operands, value=lambda each: each.text("value", VALUE_MAX), **{"from": _time})
    return Supersede(memory_id, summary, given["value"], given["from"])


def _recall_at(operands: Operands) -> RecallAt:
    at = operands.moment("valid time")
    known = options(operands, known=lambda each: each.moment("record time"))["known"]
    return RecallAt(at, operands.text("name", NAME_MAX), known)


def _import(operands: Operands) -> ImportMemories:
    file = operands.file()
    option = operands.option()
    if option not in (None, "--trusted"):
        raise operands.unknown(option)
    return ImportMemories(file, option is not None)


def _audit(operands: Operands) -> ShowAudit:
    given = options(operands, since=_time, after=Operands.number)
    return ShowAudit(given["since"], given["after"])


def _status(verb: str, does: str) -> Form:
    read: Callable[[Operands], Lifecycle] = lambda operands: ChangeStatus(  # noqa: E731
        verb,  # type: ignore[arg-type]
        operands.memory(),
        _reason(operands),
    )
    return Form(f"memory {verb}", 'MEM<n> "<reason>"', does, read)


LIFECYCLE_FORMS = (
    _status("retract", "take back a memory that is wrong"),
    Form(
        "memory supersede",
        'MEM<n> "<summary>" [--value "<text>"] [--from <time>]',
        "replace a memory by what holds now, or since a time",
        _supersede,
    ),
    _status("archive", "put away a memory that is not worth recalling"),
    _status("restore", "make a memory active again"),
    _status("forget", "erase what a memory says, for good"),
    Form(
        "memory trust",
        'MEM<n> accepted|disputed|withheld "<reason>"',
        "set how far a memory is trusted",
        lambda operands: SetTrust(
            operands.memory(), operands.one_of("trust state", TRUST_STATES), _reason(operands)
        ),
    ),
    Form(
        "memory annotate",
        'MEM<n> "<note>"',
        "write a note beside a memory",
        lambda operands: Annotate(operands.memory(), operands.text("note", SUMMARY_MAX)),
    ),
    Form(
        "memory relate",
        f"MEM<n> {'|'.join(RELATIONS)} MEM<n>",
        "state how a memory stands to another",
        lambda operands: Relate(
            operands.memory(), operands.one_of("relation", RELATIONS), operands.memory()
        ),
    ),
    Form(
        "memory entity rename",
        'ENT<n> "<name>"',
        "give an entity another name; the old one stays as an alias",
        lambda operands: RenameEntity(operands.entity(), operands.text("name", NAME_MAX)),
    ),
    Form(
        "memory alias remove",
        'ENT<n> "<alias>"',
        "take an alias from an entity",
        lambda operands: RemoveAlias(operands.entity(), operands.text("alias", NAME_MAX)),
    ),
    Form(
        "memory at",
        '<valid time> [--known <record time>] "<name>"',
        "show what held at a time, as it was known at another",
        _recall_at,
    ),
    Form(
        "memory history",
        "MEM<n>",
        "show the life of a memory, and what stands beside it",
        lambda operands: ShowHistory(operands.memory()),
    ),
    Form(
        "memory review",
        "[--after PRP<n>]",
        "show the proposals that wait, 100 at a time",
        lambda operands: ListProposals(options(operands, after=Operands.proposal)["after"]),
    ),
    Form(
        "memory review show",
        "PRP<n>",
        "show one proposal",
        lambda operands: ShowProposal(operands.proposal()),
    ),
    Form(
        "memory approve",
        'PRP<n> ["<reason>"]',
        "write what a proposal says as a memory",
        lambda operands: DecideProposal(
            operands.proposal(), True, "" if operands.is_empty() else _reason(operands)
        ),
    ),
    Form(
        "memory refuse",
        'PRP<n> "<reason>"',
        "close a proposal; it does not come back",
        lambda operands: DecideProposal(operands.proposal(), False, _reason(operands)),
    ),
    Form(
        "memory audit",
        "[--since <time>] [--after <event>]",
        "show who changed what, when and why, 100 events at a time",
        _audit,
    ),
    Form(
        "memory audit verify",
        "",
        "check that everything is as the audit log says",
        lambda _: VerifyAudit(),
    ),
    Form(
        "memory export",
        "<file>",
        "write everything to a new file on the robot",
        lambda operands: ExportMemories(operands.file()),
    ),
    Form(
        "memory import",
        "<file> [--trusted]",
        "read an export as proposals, or one's own directly",
        _import,
    ),
)
