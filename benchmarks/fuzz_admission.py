# SPDX-License-Identifier: Apache-2.0
"""Throw arbitrary utterances and proposals at a real memory, for as long as you like.

    ./dev bench fuzz_admission [SECONDS]

No exception may leave the core, every answer is one of the contract's, "rejected" writes nothing,
and what is stored was said. Prints the number of examples, the answers by reason and the slowest
grounding; exits with 1 at the first example that breaks a rule, which Hypothesis then shrinks.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mira_memory.persistent import PersistentMemory
from mira_memory.turns import Heard
from mira_memory.utterance import fold, hear

REASONS = frozenset(
    {
        "invalid_tool_arguments",
        "invalid_proposal",
        "evidence_not_in_utterance",
        "value_not_supported",
        "subject_not_supported",
        "subject_not_found",
        "subject_ambiguous",
        "related_fields_incomplete",
        "related_entity_invalid_for_kind",
        "related_entity_not_supported",
        "relationship_value_mismatch",
        "related_entity_not_found",
        "related_entity_ambiguous",
        "conflict",
    }
)
FRAGMENTS = st.sampled_from(
    [
        *(
            "Gordon",
            "gordon",
            "Ｇｏｒｄｏｎ",
            "the dock",
            "Mira",
            "you",
            "your",
            "I",
            "Alex",
            "田中さん",
        ),
        *("likes", "is", "isn't", "does not", "can't", "belongs to", "tea", "Leeds", "blue"),
        *(
            "remember that",
            "I don't think",
            "if",
            "Priya says",
            "do you know whether",
            "and",
            "or",
        ),
        *("-5", "1,500", "21.5", "½", "twenty", "five", "$5", "50%", "5-6"),
        *(
            " ",
            "  ",
            "\n",
            "\t",
            ",",
            ", ",
            ".",
            ". ",
            "?",
            "!",
            "…",
            "。",
            ":",
            ";",
            "'",
            "’",
            '"',
        ),
        *(
            "«",
            "—",
            "-",
            "(",
            ")",
            "ß",
            "ﬁ",
            "İ",
            "e\u0301",
            "\u0301",
            "가",
            "ㄱ",
            "🇩🇪",
            "👩\u200d👧",
        ),
        *("\u200b", "\u200d", "\u202e", "\u00ad", "\x00", "\x07", "\ud800", "\ue000", "\ufffd"),
    ]
)
TEXTS = st.one_of(
    st.lists(FRAGMENTS, max_size=16).map("".join),
    st.lists(FRAGMENTS, max_size=12).map(" ".join),
    st.text(max_size=40),
    st.tuples(FRAGMENTS, st.integers(0, 4100)).map(lambda pair: pair[0] * pair[1]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


OPENINGS = st.sampled_from(["", "", "Remember that ", "Hey Mira, ", "I don't think ", "Tea. "])
SUBJECTS = st.sampled_from(
    ["Gordon", "GORDON", "Gordon’s cup", "the dock", "you", "Alex", "田中さん"]
)
VERBS = st.sampled_from([" likes ", " is ", " is not ", " belongs to ", " can't eat ", "は"])
CLOSINGS = st.sampled_from(["", ".", ".", "?", ", please.", ". Just kidding.", " and more"])
KINDS = st.sampled_from(["fact", "fact", "preference", "relationship", "event"])
PREDICATES = st.sampled_from(["likes", "place", "Likes", "is-a", "a b"])
RELATED = st.sampled_from([None, None, None, "Gordon", "Alex"])
ROLES = st.sampled_from([None, None, None, "owner", "subject"])


@st.composite
def rounds(draw: st.DrawFn) -> tuple[str, Any]:
    """Draw an utterance and the arguments of a call: half of them honest, some spoiled."""
    subject = draw(SUBJECTS)
    value = draw(st.one_of(FRAGMENTS, st.sampled_from(["tea", "green tea", "Gordon", "Leeds"])))
    evidence = subject + draw(VERBS) + value
    said = draw(OPENINGS) + evidence + draw(CLOSINGS)
    if draw(st.booleans()):
        said = draw(TEXTS)
        evidence = _piece(draw, said)
        value = _piece(draw, evidence)
    related = draw(RELATED)
    arguments = {
        "kind": draw(KINDS),
        "subject": subject,
        "predicate": draw(PREDICATES),
        "value": value,
        "evidence": evidence,
        "related_entity": related and draw(st.sampled_from([value, related])),
        "related_role": draw(ROLES),
    }
    spoiled = draw(st.integers(0, 15))
    if spoiled == 0:
        return said, draw(JSON)
    if spoiled == 1:
        arguments[draw(st.sampled_from(sorted(arguments)))] = draw(JSON)
    return said, arguments


def _piece(draw: st.DrawFn, text: str) -> str:
    start = draw(st.integers(0, max(0, len(text) - 1)))
    return text[start : draw(st.integers(start, len(text)))] or "x"


class Fuzzer:
    """Hold one memory, and what came of the examples so far."""

    def __init__(self, directory: Path) -> None:
        self.answers: Counter[str] = Counter()
        self.slowest = 0.0
        self._memory = PersistentMemory.open(directory / "memory.sqlite3", self_name="Mira")
        self._number = 0
        for entity_type, name in (
            ("person", "Gordon"),
            ("robot", "Mira"),
            ("thing", "the dock"),
            ("person", "田中さん"),
            ("person", "Alex"),
            ("cat", "Alex"),
        ):
            self._memory.store.add_entity(entity_type, name)

    def examine(self, said: str, arguments: Any) -> None:
        """Run one example through the memory and check the rules."""
        self._number += 1
        turn = f"turn-{self._number}"
        heard = self._memory.hear(turn, said, "operator")
        stored = self._memory.store.status().memories
        start = time.thread_time()
        request = self._memory.ground(turn, arguments)
        self.slowest = max(self.slowest, time.thread_time() - start)
        result = self._memory.commit(request)
        assert self._memory.remember(turn, arguments) == result
        self._memory.end_turn(turn)
        self._memory.recall(said)
        self.answers[result.admission or result.reason] += 1
        created = result.admission == "created"
        assert self._memory.store.status().memories == stored + created
        if result.status == "rejected":
            assert result.reason in REASONS
            assert 0 < len(result.error) <= 500
            result.error.encode()
            return
        assert heard is Heard.OPENED
        assert result.memory_id is not None
        memory, payloads = self._memory.store.show_memory(result.memory_id)
        assert payloads == (memory.summary,)
        if created:
            assert memory.summary in hear(said).display
            assert fold(memory.value or "") in fold(memory.summary)

    def close(self) -> None:
        """Close the memory."""
        self._memory.close()


def main() -> int:
    """Fuzz for the seconds given and return the exit code."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as directory:
        fuzzer = Fuzzer(Path(directory))

        @settings(
            max_examples=2000,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(rounds())
        def batch(example: tuple[str, Any]) -> None:
            fuzzer.examine(*example)

        while time.monotonic() < deadline:
            batch()
        fuzzer.close()
    for answer, count in fuzzer.answers.most_common():
        print(f"{count:8}  {answer}")
    print(f"{fuzzer.answers.total():8}  examples, slowest grounding {fuzzer.slowest * 1e3:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
