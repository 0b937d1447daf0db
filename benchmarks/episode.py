# SPDX-License-Identifier: Apache-2.0
"""Time what an episode costs beside its model, over the real graph.

    ./dev bench episode [--episodes 200]

Each episode recalls once and remembers once: three model requests, one recall_memory, one remember
that is committed to disk, one reply. The model is a server on this machine that answers at once,
asked over LiteLLM; its own time is measured in the server and told apart. The times of the steps
are those of episode_events.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mira.srv import AddEntity
from openai_server import OpenAIServer, call, thinking, words
from talking import Talker

from benchmarks._robot import robot

AIM_MS = 15.0
WARM_UP = 10


def main() -> int:
    """Run the episodes and print where their time goes; 1 if the aim is missed."""
    parser = argparse.ArgumentParser(prog="./dev bench episode")
    parser.add_argument("--episodes", type=int, default=200)
    options = parser.parse_args()
    with OpenAIServer(thinking(decide)) as server, robot() as (graph, probe):
        memory = graph.start_memory()
        cognition = graph.start_cognition(model="openai/local", api_base=server.api_base)
        added = probe.call(
            AddEntity, "memory/add_entity", entity_type="person", canonical_name="Gordon"
        )
        assert added.success, added.error
        talker = Talker(graph, probe)
        heard = []
        used = [0.0, 0.0]
        for number in range(WARM_UP + options.episodes):
            if number == WARM_UP:
                used = [-processor_s(node.pid) for node in (cognition, memory)]
            began = time.monotonic()
            reply = talker.tell(sentence(number), within_s=60.0)
            heard.append(time.monotonic() - began)
            assert reply.memory_admission == "created", reply
        used = [
            u + processor_s(node.pid) for u, node in zip(used, (cognition, memory), strict=True)
        ]
        served = list(server.served_s)
        events = [list(ended) for ended in episodes(talker.events)][WARM_UP:]
    requests = 3
    model_s = [
        sum(served[n : n + requests]) for n in range(WARM_UP * requests, len(served), requests)
    ]
    status = report(events, heard[WARM_UP:], model_s)
    for name, seconds in zip(("cognition", "memory"), used, strict=True):
        each = seconds / options.episodes * 1e3
        print(f"processor time of the {name} node, an episode: {each:.1f} ms")
    return status


def processor_s(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def decide(asked: Any) -> Any:
    """Recall, then remember what is said, then answer."""
    number = asked.said.rsplit(" ", 1)[1].rstrip(".")
    match len(asked.results):
        case 0:
            return call("recall_memory", {"query": "Gordon"})
        case 1:
            return call(
                "remember",
                {
                    "kind": "fact",
                    "subject": "Gordon",
                    "predicate": f"number_{number}",
                    "value": number,
                    "evidence": f"Gordon's number is {number}",
                    "related_entity": None,
                    "related_role": None,
                },
            )
    return words("Stored.")


def sentence(number: int) -> str:
    """Return what is said in episode number `number`."""
    return f"Remember that Gordon's number is {number}."


def episodes(events: Sequence[Any]) -> list[list[Any]]:
    """Group the events by episode, in order."""
    grouped: dict[str, list[Any]] = {}
    for event in events:
        grouped.setdefault(event.episode_id, []).append(event)
    return list(grouped.values())


def report(events: list[list[Any]], heard: list[float], model_s: list[float]) -> int:
    """Print medians and 95th percentiles in milliseconds."""
    whole = [one[-1].duration_s for one in events]
    asking = [sum(e.duration_s for e in one if e.action == "model") for one in events]
    recall = [sum(e.duration_s for e in one if e.action == "recall_memory") for one in events]
    remember = [sum(e.duration_s for e in one if e.action == "remember") for one in events]
    rows = {
        "from the utterance to the reply, at the operator's": heard,
        "the episode": whole,
        "  three model requests": asking,
        "    in the model's server": model_s,
        "    LiteLLM, HTTP and threads": [a - m for a, m in zip(asking, model_s, strict=True)],
        "  recall_memory": recall,
        "  remember, with its commit to disk": remember,
        "  the runtime itself": [
            w - a - rc - rm for w, a, rc, rm in zip(whole, asking, recall, remember, strict=True)
        ],
        "the episode less the model's server": [
            w - m for w, m in zip(whole, model_s, strict=True)
        ],
    }
    print(f"{len(events)} episodes, milliseconds{'median':>31}{'95 %':>10}")
    for name, seconds in rows.items():
        ordered = sorted(seconds)
        late = ordered[int(len(ordered) * 0.95)]
        print(f"{name:51}{statistics.median(ordered) * 1e3:8.2f}{late * 1e3:10.2f}")
    cost = statistics.median(rows["the episode less the model's server"]) * 1e3
    met = cost <= AIM_MS
    print(f"aim: at most {AIM_MS:.0f} ms at the median: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
