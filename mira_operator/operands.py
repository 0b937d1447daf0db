# SPDX-License-Identifier: Apache-2.0
"""The operands of one command, read from left to right."""

import re
from collections.abc import Sequence

from mira_memory.errors import IdentityRefused, TimeRefused
from mira_memory.lifecycle.times import moment
from mira_memory.records import (
    entity_identity,
    memory_identity,
    parse_entity_identity,
    parse_memory_identity,
    parse_proposal_identity,
    proposal_identity,
)
from mira_memory.text import SUMMARY_MAX, TextRefused, checked, token
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

    def proposal(self) -> str:
        """Take a ``PRP<n>``."""
        text = self._bare("proposal")
        try:
            return proposal_identity(parse_proposal_identity(text))
        except IdentityRefused:
            raise _unlike(text, "proposal identity such as PRP2") from None

    def moment(self, what: str) -> str:
        """Take a date or a time with its zone, as it is typed: the robot's zone decides."""
        text = self._bare(what)
        try:
            moment(text, what)
        except TimeRefused as refusal:
            raise BadOperand(str(refusal)) from None
        return text

    def one_of(self, what: str, words: Sequence[str]) -> str:
        """Take one of a few words."""
        text = self._bare(what)
        if text not in words:
            raise _unlike(text, f"{what}; use one of {', '.join(words)}")
        return text

    def number(self) -> str:
        """Take a whole number."""
        text = self._bare("number")
        if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
            raise _unlike(text, "number such as 100")
        return text

    def file(self) -> str:
        """Take the name of a file, in quotes or without."""
        text = self._next("file").text
        try:
            checked(text, "file", SUMMARY_MAX)
        except TextRefused as refusal:
            raise BadOperand(str(refusal)) from None
        return text

    def importance(self) -> float:
        """Take a number from 0.0 to 1.0."""
        text = self._bare("importance")
        if not _DECIMAL.fullmatch(text) or float(text) > 1.0:
            raise _unlike(text, "importance from 0.0 to 1.0")
        return float(text)

    def is_empty(self) -> bool:
        """Tell whether nothing is left."""
        return not self._words

    def unknown(self, option: str | None) -> BadOperand:
        """Return the refusal of an option that a command does not have."""
        return BadOperand(f"{quote(excerpt(option or ''))} is no option of this command.")

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
