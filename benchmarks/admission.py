# SPDX-License-Identifier: Apache-2.0
"""Time the decision part of an admission, on ordinary and on hostile utterances.

    ./dev bench admission

Ordinary: hearing, grounding and deciding one sentence, the commit to disk told apart. Hostile:
the longest utterances allowed, each with evidence that makes the search work hardest; hearing
happens once for an utterance, grounding once for a proposal. Times are this thread's alone, so
other programs disturb little; the commit is wall time. Exits with 1 if a limit is missed.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mira_memory.assertion import LANGUAGES, AssertionGuard
from mira_memory.evidence import ground
from mira_memory.heard_text import RAW_MAX, Ungroundable
from mira_memory.persistent import PersistentMemory
from mira_memory.proposal import Proposal
from mira_memory.text import EVIDENCE_MAX, NAME_MAX, VALUE_MAX
from mira_memory.utterance import Utterance, hear

DECISION_LIMIT_US = 150.0
HOSTILE_LIMIT_MS = 5.0
ORDINARY = "Remember that Gordon's favourite snack is herring."
ARGUMENTS: dict[str, Any] = {
    "kind": "preference",
    "subject": "Gordon",
    "predicate": "favourite_snack",
    "value": "herring",
    "evidence": "Gordon's favourite snack is herring",
    "related_entity": None,
    "related_role": None,
}
# Repeated to the longest utterance; the evidence is a piece of it that may end in mid-word.
PATTERNS = {
    "one long word": "a",
    "short words": "a ",
    "periodic words": "aab ",
    "the statement": "Gordon's favourite snack is herring and ",
    "statements": "Gordon's favourite snack is herring. ",
    "names": "Gordon, ",
    "names and": "Gordon and ",
    "digits": "1 ",
    "decimals": "1.",
    "groups of digits": "1 000 ",
    "number words": "one ",
    "full stops": ".",
    "initials": "A. ",
    "abbreviations": "st. ",
    "question marks": "?! ",
    "quotation marks": '."',
    "apostrophes": "'a ",
    "dashes": "a-",
    "commas": "a,",
    "framings": "remember that ",
    "negations": "not ",
    "conditions": "if ",
    "accents": "é ",
    "combining marks": "a" + "\u0301\u0323" * 15,
    "expanding": "ﬁ",
    "folding": "ß",
    "fractions": "½ ",
    "Han": "田中",
    "Thai": "สมชาย",
    "Hangul": "가",
    "jamo": "ㅎㅏㄴ",
    "flags": "🇩🇪",
    "emoji": "👨\u200d👩\u200d👧 ",
    "zero-width": "a\u200b",
    "lines": "a\n",
}


def best(action: Callable[[], object], repeat: int = 5) -> float:
    """Return the shortest of several runs, in seconds of this thread."""
    times = []
    for _ in range(repeat):
        start = time.thread_time()
        action()
        times.append(time.thread_time() - start)
    return min(times)


def time_ordinary(guard: AssertionGuard) -> float:
    """Print the parts of an ordinary admission; return the decision's time in microseconds."""
    with tempfile.TemporaryDirectory() as directory:
        memory = PersistentMemory.open(Path(directory) / "memory.sqlite3", self_name="Mira")
        memory.store.add_entity("person", "Gordon")
        memory.hear("warm", ORDINARY, "operator")
        decision = best(partial(memory.ground, "warm", ARGUMENTS), 300) * 1e6
        reads, commits = [], []
        for number in range(300):
            turn = f"turn-{number}"
            memory.hear(turn, ORDINARY, "operator")
            start = time.thread_time()
            request = memory.ground(turn, ARGUMENTS | {"predicate": f"snack_{number}"})
            reads.append(time.thread_time() - start)
            start = time.perf_counter()
            assert memory.commit(request).admission == "created"
            commits.append(time.perf_counter() - start)
            memory.end_turn(turn)
        memory.close()
    utterance = hear(ORDINARY)
    print(f"hearing             {best(partial(hear, ORDINARY), 200) * 1e6:8.0f} us")
    judge = partial(guard.judge, utterance, ORDINARY.index("Gordon"), len(ORDINARY) - 1)
    print(f"guard alone         {best(judge, 200) * 1e6:8.0f} us")
    print(f"decision            {decision:8.0f} us (at most {DECISION_LIMIT_US:.0f})")
    print(f"  after each commit {statistics.median(reads) * 1e6:8.0f} us (median)")
    print(f"commit to disk      {statistics.median(commits) * 1e6:8.0f} us (median)")
    return decision


def time_hostile(guard: AssertionGuard) -> float:
    """Print the longest grounding for each pattern; return the longest of all in milliseconds."""
    slowest = 0.0
    print(f"{'hostile':20}{'hearing':>12}{'words alone':>12}{'with guard':>12}   ms")
    for name, pattern in PATTERNS.items():
        text = (pattern * RAW_MAX)[:RAW_MAX]
        utterance = _heard(text)
        hearing = best(partial(_heard, text), 3) * 1e3
        alone = 0.0 if utterance is None else _longest(utterance, pattern, None)
        guarded = 0.0 if utterance is None else _longest(utterance, pattern, guard)
        slowest = max(slowest, guarded)
        print(f"{name:20}{hearing:12.2f}{alone:12.2f}{guarded:12.2f}")
    print(f"slowest grounding {slowest:.2f} ms (at most {HOSTILE_LIMIT_MS:.0f})")
    return slowest


def _longest(utterance: Utterance, pattern: str, guard: AssertionGuard | None) -> float:
    longest = 0.0
    for evidence in _pieces(utterance.display, EVIDENCE_MAX):
        for value in (*_pieces(evidence, VALUE_MAX), pattern.strip() or "a"):
            name = value[:NAME_MAX]
            proposal = Proposal("relationship", name, "x", value, evidence, name, "y")
            longest = max(longest, best(partial(ground, proposal, utterance, guard), 3))
    return longest * 1e3


def _heard(text: str) -> Utterance | None:
    try:
        return hear(text)
    except Ungroundable:
        return None


def _pieces(text: str, longest: int) -> list[str]:
    """Return long, middling and short beginnings of a text, some ending in mid-word."""
    lengths = (longest, longest - 1, longest - 2, longest // 2, 40, 8)
    return list(dict.fromkeys(text[:length].strip() or "a" for length in lengths))


def main() -> int:
    """Run both parts and return the exit code."""
    guard = AssertionGuard(LANGUAGES)
    decision, slowest = time_ordinary(guard), time_hostile(guard)
    return int(decision > DECISION_LIMIT_US or slowest > HOSTILE_LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
