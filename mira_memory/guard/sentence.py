# SPDX-License-Identifier: Apache-2.0
"""Read a sentence as words and marks, each with the lists that hold it."""

from bisect import bisect_left, bisect_right

from mira_memory.guard.bits import Bit
from mira_memory.guard.lexicon import Lexicon
from mira_memory.guard.phrases import NUMBER

# Words that a plain verb form cannot be.
_NO_VERB = Bit.CONNECTIVES | Bit.FUNCTION_WORDS | Bit.COORDINATORS | Bit.ADVERBIAL_HEADS


class Sentence:
    """Hold the words of a stretch of folded text, and answer what stands where.

    Positions count words; `starts` and `ends` are indices into the folded text.
    """

    __slots__ = ("ends", "lexicon", "phrases", "starts", "words")

    def __init__(self, lexicon: Lexicon, text: str, start: int, end: int) -> None:
        """Read `text[start:end]`."""
        tokens = list(lexicon.token.finditer(text, start, end))
        self.lexicon = lexicon
        self.words = [token[0] for token in tokens]
        self.starts = [token.start() for token in tokens]
        self.ends = [token.end() for token in tokens]
        self.phrases = lexicon.phrases.find(
            [NUMBER if word[0].isdecimal() else word for word in self.words]
        )

    def __len__(self) -> int:
        return len(self.words)

    def is_mark(self, at: int) -> bool:
        """Tell whether a punctuation mark or symbol stands at `at`."""
        return not self.words[at][0].isalnum()

    def longest(self, at: int, wanted: int, end: int | None = None) -> int:
        """Return how many words the longest phrase of the wanted lists has at `at`, or 0."""
        for length, bits in self.phrases[at]:
            if bits & wanted and (end is None or at + length <= end):
                return length
        return 0

    def bits(self, at: int) -> int:
        """Return the lists that hold the single word at `at`."""
        found = self.phrases[at]
        if found and found[-1][0] == 1:
            return found[-1][1]
        return 0

    def first(self, start: int, end: int, wanted: int) -> tuple[int, int] | None:
        """Return position and bits of the first phrase of the wanted lists in [start, end).

        A harmless phrase hides what it covers.
        """
        at = start
        while at < end:
            step = 1
            for length, bits in self.phrases[at]:
                if at + length > end:
                    continue
                if bits & Bit.HARMLESS:
                    step = length
                    break
                if bits & wanted:
                    return at, bits & wanted
            at += step
        return None

    def hide_quotations(self, start: int, end: int) -> None:
        """Forget the lists of what stands between quotation marks in [start, end): a name."""
        opened: int | None = None
        for at in range(start, end):
            mark = self.words[at]
            if mark not in ('"', "'"):
                continue
            if opened is None:
                # An apostrophe that ends a word ("the dogs' bowl") opens nothing.
                after_word = at > 0 and self.ends[at - 1] == self.starts[at]
                opened = None if after_word and not self.is_mark(at - 1) else at
            elif self.words[opened] == mark:
                self.phrases[opened : at + 1] = [[] for _ in range(opened, at + 1)]
                opened = None

    def address(self, name: tuple[str, ...], index: int) -> None:
        """Take the words of `name` before the text index for a greeting where they only address.

        They do not after a preposition, and not before a verb, a coordinator or a mark.
        """
        length = len(name)
        for at in range(bisect_left(self.starts, index) - length + 1 if length else 0):
            if tuple(self.words[at : at + length]) != name or at + length >= len(self):
                continue
            governed = at > 0 and self.bits(at - 1) & (Bit.DETERMINERS | Bit.ADVERBIAL_HEADS)
            after = self.bits(at + length) & (Bit.AUXILIARIES | Bit.VERBS | Bit.COORDINATORS)
            if not governed and not after and not self.is_mark(at + length):
                self.phrases[at] = [(length, Bit.GREETINGS)]

    def has(self, start: int, end: int, wanted: int) -> bool:
        """Tell whether a phrase of the wanted lists stands in [start, end)."""
        return self.first(start, end, wanted) is not None

    def finite_verb(self, start: int, end: int) -> int | None:
        """Return the position of the first finite verb in [start, end), or None."""
        for at in range(start, end):
            bits = self.bits(at)
            before = self.bits(at - 1) if at > start else 0
            if bits & Bit.AUXILIARIES or (bits & Bit.VERBS and not before & Bit.DETERMINERS):
                return at
            if bits & _NO_VERB or self.is_mark(at):
                continue
            if before & Bit.NEGATIONS and at - 1 > start:
                before |= self.bits(at - 2)  # "you never listen"
            if before & Bit.PLAIN_SUBJECTS:
                return at
            # A noun is not followed by an article: "kids call the tree ...".
            free = at > start and not self.phrases[at] and not before & _NO_VERB
            if free and at + 1 < end and self.bits(at + 1) & Bit.ARTICLES:
                return at
        return None

    def event(self, start: int, end: int) -> int | None:
        """Return the position of an unlisted verb of an event after its subject: "Ada nodded"."""
        for at in range(start + 1, end):
            before = self.bits(at - 1)
            subject = not self.phrases[at - 1] or before & (Bit.ANAPHORS | Bit.PLAIN_SUBJECTS)
            if subject and not self.phrases[at] and self.has_event_ending(at, at + 1):
                return at
        return None

    def is_clause(self, start: int, end: int) -> bool:
        """Tell whether [start, end) has a subject and a finite verb after it."""
        verb = self.finite_verb(start, end)
        if verb is None:
            return False
        return verb > start or self.is_contraction(verb)

    def is_contraction(self, at: int) -> bool:
        """Tell whether the word holds subject and verb, like "it's" and "I'm"."""
        return "'" in self.words[at] and not self.bits(at) & Bit.INVERSIONS

    def is_adverb(self, at: int) -> bool:
        """Tell whether the word has an ending of adverbs."""
        return _ends(self.words[at], self.lexicon.adverb_endings)

    def is_participle(self, at: int) -> bool:
        """Tell whether the word has an ending of participles."""
        return _ends(self.words[at], self.lexicon.participle_endings)

    def has_event_ending(self, start: int, end: int) -> bool:
        """Tell whether a word in [start, end) has an ending of bounded events."""
        endings = self.lexicon.event_endings
        return bool(endings) and any(_ends(word, endings) for word in self.words[start:end])

    def position(self, index: int) -> int | None:
        """Return the position of the first word at or after the text index, None inside a word."""
        at = bisect_left(self.starts, index)
        return None if at and self.ends[at - 1] > index else at

    def cover(self, start: int, end: int) -> tuple[int, int]:
        """Return the positions of the words that the text range touches."""
        return bisect_right(self.ends, start), bisect_left(self.starts, end)


def _ends(word: str, endings: tuple[str, ...]) -> bool:
    return len(word) > 4 and word.endswith(endings)
