# SPDX-License-Identifier: Apache-2.0
"""The operands of one command, read from left to right."""

import re
from collections.abc import Sequence

from mira_memory.errors import IdentityRefused
from mira_memory.records import (
    entity_identity,
    memory_identity,
    parse_entity_identity,
    parse_memory_identity,
)
from mira_memory.text import TextRefused, checked, token
from mira_operator.printable import excerpt
from mira_operator.quoting import Word, quote

_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)


class BadOperand(ValueError):
    """An operand is missing, surplus or malformed; the text says which and why."""


class Operands:
    """Take operands one after the other; every method raises ``BadOperand``."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = list(words)

    def text(self, what: str, limit: int) -> str:
        """Take a quoted text of at most ``limit`` characters."""
        word = self._next(what)
        if not word.quoted:
            raise BadOperand(f"The {what} must stand in double quotes.")
        try:
            checked(word.text, what, limit)
        except TextRefused as refusal:
            raise BadOperand(str(refusal)) from None
        return word.text

    def token(self, what: str) -> str:
        """Take a bare token."""
        return _token(self._bare(what), what)

    def entity(self) -> str:
        """Take an ``ENT<n>``."""
        return _entity(self._bare("entity"))

    def memory(self) -> str:
        """Take a ``MEM<n>``."""
        text = self._bare("memory")
        try:
            return memory_identity(parse_memory_identity(text))
        except IdentityRefused:
            raise BadOperand(
                f"{quote(excerpt(text))} is no memory identity such as MEM7."
            ) from None

    def link(self) -> tuple[str, str]:
        """Take an ``ENT<n>:<role>``."""
        text = self._bare("link")
        identity, colon, role = text.partition(":")
        if not colon:
            raise _unlike(text, "link such as ENT3:subject")
        return _entity(identity), _token(role, "role")

    def confidence(self) -> float:
        """Take a number from 0.0 to 1.0."""
        text = self._bare("confidence")
        if not _DECIMAL.fullmatch(text) or float(text) > 1.0:
            raise _unlike(text, "confidence from 0.0 to 1.0")
        return float(text)

    def option(self) -> str | None:
        """Take the name of the next option; None at the end of the line."""
        if not self._words:
            return None
        word = self._words[0]
        if word.quoted or not word.text.startswith("--"):
            return None
        return self._words.pop(0).text

    def finish(self) -> None:
        """Check that nothing is left over."""
        if self._words:
            raise BadOperand(f"{quote(excerpt(self._words[0].text))} is left over.")

    def _bare(self, what: str) -> str:
        """Take a word without quotes."""
        word = self._next(what)
        if word.quoted:
            raise BadOperand(f"The {what} must stand without quotes.")
        return word.text

    def _next(self, what: str) -> Word:
        if not self._words:
            raise BadOperand(f"The {what} is missing.")
        return self._words.pop(0)


def _entity(text: str) -> str:
    try:
        return entity_identity(parse_entity_identity(text))
    except IdentityRefused:
        raise _unlike(text, "entity identity such as ENT3") from None


def _token(text: str, what: str) -> str:
    try:
        return token(text, what)
    except TextRefused as refusal:
        raise BadOperand(str(refusal)) from None


def _unlike(text: str, expected: str) -> BadOperand:
    return BadOperand(f"{quote(excerpt(text))} is no {expected}.")
