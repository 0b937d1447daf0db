# SPDX-License-Identifier: Apache-2.0
"""Compare recall_memory and remember, as services, with a service that does nothing.

    ./dev bench service

Nodes and client are processes of their own and call each other over the real middleware, in turn.
"""

import os
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from mira.msg import OperatorUtterance, Reply
from mira.srv import RecallMemory, Remember
from std_srvs.srv import Trigger

from benchmarks._calling import Caller
from benchmarks._findings import Figure, Options, Section, run
from benchmarks._floor import KNOWN, start_floor
from benchmarks._measuring import Times, interleaved
from benchmarks._robot import robot
from benchmarks._stores import ON_AN_ENTITY, TWIN, spread
from mira_ros.qos import REPLY_QOS, UTTERANCE_QOS

SIZES = {"1k": 1_000, "1M": 1_000_000}
SHORT_SIZES = {"1k": 1_000, "20k": 20_000}
SAID = "Remember that Gordon's favourite snack is herring."
HIT_AIM, MISS_AIM, ALIKE_AIM = 2.0, 1.3, 1.2
TOLERANCE = 1.5
AHEAD = 8
NEAR = 97
TOLD = """
Microseconds from call to response, seen by a client in its own process; everything in turn, warm.
`empty` is a `std_srvs/Trigger` that does nothing; `shaped` gives a response as long as a hit's,
filled beforehand. *hit* asks for one name again and again, whose answer is kept until somebody
writes; *another hit* for {near} names in turn, so that all is looked up, rendered and filled
anew; *far hit* for all names in turn, so that hardly a page is in SQLite's cache. A hit has 8
memories. `remember` is compared with an empty call in its own turn, and *created* has a sync of
the disk in it.
"""


def measure(options: Options) -> Section:
    """Start the nodes and measure."""
    sizes = SHORT_SIZES if options.short else SIZES
    rounds, warm_up = (100, 20) if options.short else (2000, 300)
    paths = {label: spread(options.directory, size) for label, size in sizes.items()}
    with robot() as (graph, _), Caller(int(os.environ["ROS_DOMAIN_ID"])) as caller:
        start_floor(graph, options.directory)
        for label, path in paths.items():
            graph.start_memory(namespace=f"/of_{label}", database_path=str(path))
        recalls = {**floor(caller), **recall_works(caller, sizes)}
        recalled = interleaved(recalls, rounds, warm_up=warm_up)
        turns = {label: Turns(caller, label) for label in sizes}
        remembers = {"empty": floor(caller)["empty"]}
        for label in sizes:
            remembers |= turns[label].works()

        def before() -> None:
            for label in sizes:
                turns[label].say_ahead()
                # When this is answered, what was said is heard.
                recalls[f"miss {label}"]()

        remembered = interleaved(remembers, rounds // 4, warm_up=warm_up // 4, before=before)
    return section(recalled, remembered, tuple(sizes))


def floor(caller: Caller) -> dict[str, Callable[[], Any]]:
    """Return the calls to compare with."""
    return {
        "empty": lambda: caller.call(Trigger, "/floor/empty", Trigger.Request()),
        "shaped": lambda: caller.call(RecallMemory, "/floor/shaped", RecallMemory.Request()),
    }


def recall_works(caller: Caller, sizes: dict[str, int]) -> dict[str, Callable[[], Any]]:
    """Return the recalls of each store."""
    works: dict[str, Callable[[], Any]] = {}
    for label, size in sizes.items():
        numbers = count(1)

        def recall(query: str, status: str, label: str = label) -> Any:
            name = f"/of_{label}/recall_memory"
            response = caller.call(RecallMemory, name, RecallMemory.Request(query=query))
            assert response.status == status, response.status
            return response

        def another(first: int, recall: Any = recall, numbers: Any = numbers) -> Any:
            # More names than answers are kept, each met before the first again.
            return recall(f"Entity {next(numbers) * 37 % first + 1}", "hit")

        shown = recall(KNOWN, "hit").entities[0]
        assert len(shown.memories) == 8
        works[f"hit {label}"] = lambda recall=recall: recall(KNOWN, "hit")
        works[f"another hit {label}"] = partial(another, NEAR)
        works[f"far hit {label}"] = partial(another, size // ON_AN_ENTITY)
        works[f"miss {label}"] = lambda recall=recall: recall("nobody", "miss")
        works[f"ambiguous {label}"] = lambda recall=recall: recall(TWIN, "ambiguous")
    return works


class Turns:
    """The operator of one memory node, who speaks a few turns ahead of what is remembered."""

    def __init__(self, caller: Caller, label: str) -> None:
        node = caller.node()
        self._caller = caller
        self._label = label
        self._say = node.create_publisher(
            OperatorUtterance, f"/of_{label}/operator_utterance", UTTERANCE_QOS
        )
        self._reply = node.create_publisher(Reply, f"/of_{label}/reply", REPLY_QOS)
        while not (self._say.get_subscription_count() and self._reply.get_subscription_count()):
            self._ask("nothing", evidence="").status  # noqa: B018  # discovery needs a moment
        self._run = os.urandom(4).hex()
        self._numbers = count()
        self._open: deque[str] = deque()
        self._used: list[str] = []
        for _ in range(AHEAD):
            self.say_ahead()

    def say_ahead(self) -> None:
        """Speak for the three proposals of one round; end the turns of the round before."""
        for turn in self._used:
            self._reply.publish(Reply(turn_id=turn, outcome="completed"))
        self._used.clear()
        for _ in range(3):
            turn = f"{self._run}-{next(self._numbers)}"
            self._say.publish(OperatorUtterance(turn_id=turn, text=SAID, speaker="console"))
            self._open.append(turn)

    def works(self) -> dict[str, Callable[[], Any]]:
        """Return one proposal of each outcome."""
        return {
            f"created {self._label}": lambda: self._expect(
                "created", predicate=f"snack_{self._run}_{next(self._numbers)}"
            ),
            f"duplicate {self._label}": lambda: self._expect("duplicate"),
            f"rejected {self._label}": lambda: self._expect("", evidence="Gordon is"),
        }

    def _expect(self, admission: str, **fields: str) -> None:
        turn = self._open.popleft()
        self._used.append(turn)
        response = self._ask(turn, **fields)
        # The first duplicate ever of a store is created.
        assert response.admission == admission or admission == "duplicate", response

    def _ask(self, turn_id: str, **fields: str) -> Any:
        proposal = {
            "turn_id": turn_id,
            "kind": "preference",
            "subject": "Gordon",
            "predicate": "favourite_snack",
            "value": "herring",
            "evidence": "Gordon's favourite snack is herring",
        }
        request = Remember.Request(**proposal | fields)
        return self._caller.call(Remember, f"/of_{self._label}/remember", request)


def section(
    recalled: dict[str, Times], remembered: dict[str, Times], labels: tuple[str, ...]
) -> Section:
    """Return the table and the ratios."""

    def rows(found: dict[str, Times]) -> list[tuple[str, ...]]:
        return [
            (name, *map(str, (times.p50, times.p95, times.p99)), f"{ratio(found, name):.2f}")
            for name, times in found.items()
        ]

    figures = []
    for label in labels:
        for name, aim in (("hit", HIT_AIM), ("another hit", HIT_AIM), ("miss", MISS_AIM)):
            named = f"{name} {label}"
            value = ratio(recalled, named)
            figures.append(Figure(f"recall {named}, to empty", value, "x", aim, TOLERANCE))
        for name in ("far hit", "ambiguous"):
            named = f"{name} {label}"
            value = ratio(recalled, named)
            figures.append(Figure(f"recall {named}, to empty", value, "x", None, TOLERANCE))
        for outcome in ("created", "duplicate", "rejected"):
            named = f"{outcome} {label}"
            value = ratio(remembered, named)
            figures.append(Figure(f"remember {named}, to empty", value, "x", None, TOLERANCE))
    small, large = labels
    for name in ("hit", "another hit", "miss"):
        value = round(recalled[f"{name} {large}"].p50 / recalled[f"{name} {small}"].p50, 3)
        figures.append(
            Figure(f"recall {name}, {large} to {small}", value, "x", ALIKE_AIM, TOLERANCE)
        )
    return Section(
        "service",
        "Service calls",
        TOLD.format(near=NEAR),
        ("call", "p50", "p95", "p99", "to empty"),
        (*rows(recalled), *rows(remembered)),
        tuple(figures),
    )


def ratio(found: dict[str, Times], name: str) -> float:
    """Return the median in empty calls."""
    return round(found[name].p50 / found["empty"].p50, 3)


def main() -> int:
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
