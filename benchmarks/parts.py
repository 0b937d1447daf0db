# SPDX-License-Identifier: Apache-2.0
"""Time the parts of a recall in the memory node, one by one.

./dev bench parts
"""

import sys
from contextlib import closing

from mira.srv import RecallMemory
from rclpy.serialization import serialize_message

from benchmarks._findings import Figure, Options, Section, run
from benchmarks._floor import KNOWN
from benchmarks._measuring import Work, interleaved
from benchmarks._stores import spread
from mira_memory.projection import resolve
from mira_memory.recall import (
    ALIASES_MAX,
    ENTITIES_MAX,
    LINKS_MAX,
    MEMORIES_MAX,
    Recollection,
    recall,
)
from mira_memory.render import render
from mira_memory.responses import RecallResponses, fill_recall
from mira_memory.store import Store

ROUNDS = 2_000
TOLD = """
Microseconds at the median of a hit with 8 memories, in one process. *each time* is what every
recall took before answers and responses were kept; *again* is what a repeated one takes now, and
*another* one for a name that was not asked for lately. To this rclpy adds its executor, one more
encoding and the sending, which an empty call has too.
"""


def measure(options: Options) -> Section:
    """Time each part, and sum up what a recall is made of."""
    path = spread(options.directory, 1_000)
    with closing(Store.open(path)) as store:
        recollection, responses = Recollection(store), RecallResponses()
        kept = recollection.recall(KNOWN)
        response = fill_recall(RecallMemory.Response(), kept)

        def snapshot() -> None:
            with store._reader.snapshot() as connection:
                resolve(connection, KNOWN)

        parts: dict[str, Work] = {
            "is the kept answer still good": store.version,
            "a snapshot, and the name in it": snapshot,
            "all that is looked up": lambda: store.find_memories(
                KNOWN,
                newest=MEMORIES_MAX,
                aliases=ALIASES_MAX,
                links=LINKS_MAX,
                entities=ENTITIES_MAX,
            ),
            "rendering": lambda: render(kept.entities, 0),
            "filling the response": lambda: fill_recall(RecallMemory.Response(), kept),
            "trying to encode it": lambda: serialize_message(response),
            "kept answer and response": lambda: responses.of(recollection.recall(KNOWN)),
            "recall, nothing kept": lambda: recall(store, KNOWN),
        }
        times = interleaved(parts, ROUNDS, warm_up=200, in_a_row=20)
    took = {name: kept_times.p50 for name, kept_times in times.items()}
    fresh = sum(
        took[part]
        for part in ("recall, nothing kept", "filling the response", "trying to encode it")
    )
    again = took["kept answer and response"]
    another = fresh + took["is the kept answer still good"]
    rows = [(name, f"{value:.1f}") for name, value in took.items()]
    rows += [
        ("**sum, each time**", f"**{fresh:.0f}**"),
        ("**sum, another**", f"**{another:.0f}**"),
        ("**sum, again**", f"**{again:.0f}**"),
    ]
    saved = round(again / fresh, 3)
    return Section(
        "parts",
        "The parts of a recall",
        TOLD,
        ("part", "µs"),
        tuple(rows),
        (Figure("again to each time", saved, "x", None, 2.0),),
    )


def main() -> int:
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
