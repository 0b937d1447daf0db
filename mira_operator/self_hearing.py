# SPDX-License-Identifier: Apache-2.0
"""
Which recognised speech is an operator's: not the robot's own voice, not the same words twice.

Times are seconds on a steady clock, given by the caller.
"""

from collections import deque
from dataclasses import dataclass
from enum import Enum

import regex

from mira_memory.heard_text import RAW_MAX
from mira_memory.text import key

_REPEAT_S = 1.0
# A recogniser may be late with the robot's own last words.
_RECENT_SAYS = 8
_RECENT_S = 30.0
# Shorter sentences of a longer reply, such as "Yes.", are likely to be an operator's own.
_SENTENCE_WORDS = 3
# A speech synthesiser that was killed in mid-sentence says no more that it has finished.
_LONGEST_SPEAKING_S = 60.0
_SENTENCE_END = regex.compile(r"[.!?;:\n。！？]+")
_WORD = regex.compile(r"[\w\p{M}]+")


class Drop(Enum):
    """Why words were not passed on."""

    EMPTY = "it has no words"
    SPEAKING = "the robot was speaking"
    ECHO = "it repeats what the robot said"
    REPEATED = "it was heard a moment ago"


@dataclass(frozen=True, slots=True)
class SpeakingTime:
    """How long the robot is taken to speak: seconds for each character, and after the last."""

    per_character_s: float
    after_s: float


class SelfHearing:
    """Remember what the robot says, and tell its words and repeats from an operator's."""

    def __init__(self, speaking_time: SpeakingTime, *, told: bool) -> None:
        """
        Begin with a silent robot.

        :param told: the synthesiser says when it speaks, so that nothing has to be estimated.
        """
        self._time = speaking_time
        self._told = told
        self._speaking = False
        self._deaf_until = float("-inf")
        self._said: deque[tuple[float, frozenset[str]]] = deque(maxlen=_RECENT_SAYS)
        self._passed: dict[str, float] = {}

    def says(self, text: str, now: float) -> None:
        """Note that the robot is to speak; it finishes what it is saying first."""
        if not self._told:
            begin = max(now, self._deaf_until - self._time.after_s)
            duration = len(text) * self._time.per_character_s
            self._deaf_until = begin + duration + self._time.after_s
        self._said.append((max(now, self._deaf_until), _wordings(text)))

    def speaks(self, speaking: bool, now: float) -> None:
        """Note what the synthesiser tells about itself, once or again and again."""
        if speaking:
            self._deaf_until = now + _LONGEST_SPEAKING_S
        elif self._speaking:
            self._deaf_until = now + self._time.after_s
        self._speaking = speaking

    def judge(self, text: str, now: float) -> Drop | None:
        """Return why recognised words are to be dropped; None where they are an operator's."""
        words = _words(text)
        if not words:
            return Drop.EMPTY
        if now < self._deaf_until:
            return Drop.SPEAKING
        if any(now <= end + _RECENT_S and words in said for end, said in self._said):
            return Drop.ECHO
        self._passed = {w: at for w, at in self._passed.items() if now - at <= _REPEAT_S}
        if words in self._passed:
            return Drop.REPEATED
        self._passed[words] = now
        return None


def _wordings(text: str) -> frozenset[str]:
    """Return what a recogniser may make of a text: all of it, or one of its sentences."""
    sentences = (_words(sentence) for sentence in _SENTENCE_END.split(text))
    longer = {words for words in sentences if words.count(" ") + 1 >= _SENTENCE_WORDS}
    return frozenset({_words(text), *longer})


def _words(text: str) -> str:
    """Return the words of a text by their keys: recognisers punctuate and capitalise at will."""
    return " ".join(_WORD.findall(key(text[:RAW_MAX])))
