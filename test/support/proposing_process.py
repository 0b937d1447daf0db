# SPDX-License-Identifier: Apache-2.0
"""Several clients of `remember` in one process; they start at a line on standard input.

Prints one JSON list per answer: the predicate, the client's number, and what it was told.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from mira.srv import Remember
from probe import Probe
from robot_graph import wait_until

from mira_ros.calls import CallOutcome, ServiceCaller

ROUNDS = 5


def main(first: int, clients: int) -> None:
    with Probe(int(os.environ["ROS_DOMAIN_ID"])) as probe:
        callers = [ServiceCaller(probe.node, Remember, "remember") for _ in range(clients)]
        wait_until(lambda: all(caller.ready() for caller in callers), "remember")
        print("ready", flush=True)
        sys.stdin.readline()
        with ThreadPoolExecutor(clients) as pool:
            told = pool.map(propose, [probe] * clients, callers, range(first, first + clients))
            for answers in told:
                for answer in answers:
                    print(json.dumps(answer), flush=True)


def propose(probe: Probe, caller: ServiceCaller, number: int) -> list[list[object]]:
    """Propose what every client says, what only this one says, what every one contradicts."""
    answers = []
    for turn in range(ROUNDS):
        for predicate, value in (
            (f"same{turn}", "herring"),
            (f"own{number}x{turn}", "herring"),
            (f"clash{turn}", f"herring{number}"),
        ):
            answers.append([predicate, number, *proposed(probe, caller, predicate, value, number)])
    return answers


def proposed(
    probe: Probe, caller: ServiceCaller, predicate: str, value: str, number: int
) -> tuple[str, str]:
    """Say something, propose to remember it, and return the outcome and MEM<n>."""
    turn_id = f"{predicate} of {number}"
    evidence = f"Gordon's {predicate} is {value}"
    probe.say(turn_id, f"Remember that {evidence}.")
    call = caller.call(
        Remember.Request(
            turn_id=turn_id,
            kind="fact",
            subject="Gordon",
            predicate=predicate,
            value=value,
            evidence=evidence,
        ),
        20.0,
    )
    if call.outcome is not CallOutcome.ANSWERED:
        return call.outcome.value, ""
    probe.reply(turn_id)
    answer = call.response
    return answer.admission or answer.reason, answer.memory_id or ",".join(answer.conflicts)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
