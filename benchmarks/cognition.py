# SPDX-License-Identifier: Apache-2.0
"""Let a model talk to the real nodes, scenario by scenario, and check what came of it.

    ./dev bench cognition                                   # the offline policy
    ./dev bench cognition --model ollama/qwen3 --repeat 3
    ./dev bench cognition --model openai/local --api-base http://localhost:8080/v1
    ./dev bench cognition --model scripted                  # a model that does what is right

Each scenario starts from a store of its own. What is checked are facts: what was stored, which
calls were made, which words were said. The second arm runs without memory. API keys are taken
from the environment; `--json FILE` keeps every reply. Scores: PASS; MISS, something expected did
not happen; STALE, an old value was told as the present one; INVENTED, something was stored or
told that nobody said.
"""

import argparse
import json
import statistics
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks._robot import robot
from benchmarks._scenarios import Observed, Score, load_scenarios, score
from benchmarks._scripted import scripted_server
from benchmarks._stage import ScenarioStage

ARMS = {"memory": True, "no memory": False}
SCRIPTED = "scripted"


@dataclass(frozen=True)
class Run:
    """One scenario, run once in one arm."""

    scenario: str
    kind: str
    arm: str
    score: str
    why: str
    observed: dict[str, Any]


def main() -> int:
    """Run every scenario in both arms and print the table."""
    options = read_options()
    scenarios = [s for s in load_scenarios() if options.only in s.kind or options.only in s.name]
    runs: list[Run] = []
    for arm, memory_enabled in ARMS.items():
        with ExitStack() as stack:
            graph, probe = stack.enter_context(robot())
            server = None
            parameters = {
                "model": options.model,
                "api_base": options.api_base,
                "max_tokens": options.max_tokens,
                "temperature": options.temperature,
                "memory_enabled": memory_enabled,
            }
            if options.model == SCRIPTED:
                server = stack.enter_context(scripted_server())
                parameters |= {"model": "openai/scripted", "api_base": server.api_base}
            stage = ScenarioStage(graph, probe, parameters)
            for scenario in scenarios * options.repeat:
                if server is not None:
                    server.play(scenario)
                observed = stage.run(scenario)
                found, why = score(scenario, observed)
                runs.append(Run(scenario.name, scenario.kind, arm, found, why, asdict(observed)))
                print(f"{arm:9}  {found:8}  {scenario.name}  {why}", file=sys.stderr)
    print_table(options.model, runs)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(run) for run in runs], indent=1))
    return 0


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="./dev bench cognition")
    parser.add_argument("--model", default="offline", help="offline, scripted, or LiteLLM's name")
    parser.add_argument("--api-base", default="", help="address of the model's server")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--max-tokens", type=int, default=512)
    parser.add_argument("--repeat", type=int, default=1, help="runs of each scenario")
    parser.add_argument("--only", default="", help="scenarios whose kind or name has this in it")
    parser.add_argument("--json", type=Path, help="file for every run")
    return parser.parse_args()


def print_table(model: str, runs: list[Run]) -> None:
    """Print scores by arm and kind, and what an episode costs."""
    print(f"\nmodel {model}, {len(runs)} episodes\n")
    print(f"{'arm':10} {'kind':14}" + "".join(f"{name.value:>10}" for name in Score))
    for arm in ARMS:
        of_arm = [run for run in runs if run.arm == arm]
        for kind in [*dict.fromkeys(run.kind for run in of_arm), "all"]:
            counts = Counter(run.score for run in of_arm if kind in (run.kind, "all"))
            print(f"{arm:10} {kind:14}" + "".join(f"{counts[name]:10}" for name in Score))
    observed = [Observed(**run.observed) for run in runs if run.arm == "memory"]
    if observed:
        seconds = sorted(one.seconds for one in observed)
        late = seconds[int(len(seconds) * 0.95)]
        model = statistics.median(one.model_seconds for one in observed)
        requests = statistics.mean(one.model_requests for one in observed)
        calls = statistics.mean(len(one.calls) for one in observed)
        print(
            f"\nwith memory: {statistics.median(seconds) * 1e3:.0f} ms an episode at the median, "
            f"{late * 1e3:.0f} ms at the 95th percentile; the model takes {model * 1e3:.0f} ms; "
            f"{requests:.2f} model requests and {calls:.2f} calls an episode"
        )


if __name__ == "__main__":
    sys.exit(main())
