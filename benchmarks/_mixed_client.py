# SPDX-License-Identifier: Apache-2.0
"""One client of the throughput benchmark: nine recalls and one remember, again and again.

    python -m benchmarks._mixed_client SERVICE NUMBER SECONDS

SERVICE is `memory` or `empty`. It prints `ready`, begins when it reads a line, and ends with one
line of JSON: the nanoseconds of each call, and how many were made again.
"""

import json
import os
import sys
import time
from collections.abc import Callable

from mira.msg import OperatorUtterance, Reply
from mira.srv import RecallMemory, Remember
from std_srvs.srv import Trigger

from benchmarks._calling import Caller
from mira_ros.qos import REPLY_QOS, UTTERANCE_QOS

IN_A_ROUND = 10
SAID = "Remember that Gordon's favourite snack is herring."


def main() -> None:
    """Call until the time is over."""
    service, number, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    with Caller(int(os.environ["ROS_DOMAIN_ID"])) as caller:
        call = empty(caller) if service == "empty" else memory(caller, number)
        for count in range(2 * IN_A_ROUND):
            call(count)
        print("ready", flush=True)
        sys.stdin.readline()
        taken = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.perf_counter_ns()
            call(len(taken))
            taken.append(time.perf_counter_ns() - begun)
        print(json.dumps({"taken": taken, "repeated": caller.repeated}), flush=True)


def empty(caller: Caller) -> Callable[[int], None]:
    """Return the same calls of a service that does nothing."""

    def call(_: int) -> None:
        caller.call(Trigger, "/floor/empty", Trigger.Request())

    return call


def memory(caller: Caller, number: int) -> Callable[[int], None]:
    """Return the calls; every tenth remembers what was said nine calls ago."""
    node = caller.node()
    say = node.create_publisher(OperatorUtterance, "/mira/operator_utterance", UTTERANCE_QOS)
    end = node.create_publisher(Reply, "/mira/reply", REPLY_QOS)
    turn = ""

    def call(count: int) -> None:
        nonlocal turn
        place = count % IN_A_ROUND
        if place == 0:
            turn = f"{os.getpid()}-{number}-{count}-{time.monotonic_ns()}"
            say.publish(OperatorUtterance(turn_id=turn, text=SAID, speaker="console"))
        if place < IN_A_ROUND - 1:
            query = f"Entity {(number * 31 + count) % 50 + 1}"
            recalled = caller.call(
                RecallMemory, "/mira/recall_memory", RecallMemory.Request(query=query)
            )
            assert recalled.status == "hit", recalled.status
            return
        proposal = Remember.Request(
            turn_id=turn,
            kind="preference",
            subject="Gordon",
            predicate=f"snack_{turn.replace('-', '_')}",
            value="herring",
            evidence="Gordon's favourite snack is herring",
        )
        remembered = caller.call(Remember, "/mira/remember", proposal)
        # The first one may come before the node has found this publisher.
        assert remembered.admission == "created" or count < 2 * IN_A_ROUND, remembered
        end.publish(Reply(turn_id=turn, outcome="completed"))

    return call


if __name__ == "__main__":
    main()
