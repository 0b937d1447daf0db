# SPDX-License-Identifier: Apache-2.0
"""The form of one command, and the options that several share."""

from collections.abc import Callable
from dataclasses import dataclass

from mira_operator.commands import Command
from mira_operator.operands import BadOperand, Operands
from mira_operator.printable import excerpt
from mira_operator.quoting import quote


@dataclass(frozen=True, slots=True)
class Form:
    """One command: its fixed words, the form of its operands, what it does."""

    words: str
    operands: str
    does: str
    read: Callable[[Operands], Command]

    def __str__(self) -> str:
        """Return the expected form, as documentation shows it."""
        return f"{self.words} {self.operands}".strip()


def options(operands: Operands, **readers: Callable[[Operands], str]) -> dict[str, str]:
    """Read options in any order, each at most once; those not given are empty."""
    given = dict.fromkeys(readers, "")
    seen: set[str] = set()
    while (option := operands.option()) is not None:
        name = option.removeprefix("--").replace("-", "_")
        if name in seen:
            raise BadOperand(f"{option} is given twice.")
        if name not in readers or option != f"--{name.replace('_', '-')}":
            raise BadOperand(f"{quote(excerpt(option))} is no option of this command.")
        seen.add(name)
        given[name] = readers[name](operands)
    return given
