# SPDX-License-Identifier: Apache-2.0
"""After many episodes the nodes hold no more than after a few."""

from census import ASKED_BY, Census, take_census
from probe import Probe
from proposals import add_entities
from robot_graph import RobotGraph, wait_until
from talking import Talker

EPISODES = 50
WARM_UP = 15
GROWTH_BYTES = 4_000_000
SENTENCES = (
    "Remember that Gordon's favourite snack is herring.",
    "Remember that Gordon's favourite snack is tuna.",
    "What do you know about Gordon?",
    "Who is Nobody?",
    "I don't think Gordon likes tea.",
    "Hello.",
)


def test_fifty_episodes_leave_nothing_behind(
    graph: RobotGraph, probe: Probe, talker: Talker
) -> None:
    graph.environment[ASKED_BY] = str(graph.directory)
    nodes = graph.start_robot()
    add_entities(probe, "Gordon")

    def censuses() -> list[Census]:
        return [take_census(node, graph.directory) for node in nodes]

    def talk(first: int, last: int) -> None:
        for number in range(first, last):
            assert talker.tell(SENTENCES[number % len(SENTENCES)]).outcome == "completed"

    talk(0, WARM_UP)
    before = censuses()
    talk(WARM_UP, EPISODES)
    # What the last episode holds may still be on its way out.
    wait_until(
        lambda: all(map(no_more_than, censuses(), before)),
        f"the nodes to hold no more than {before}",
    )
    for earlier, later in zip(before, censuses(), strict=True):
        assert earlier.objects["Subscription"] > 0
        assert later.resident - earlier.resident < GROWTH_BYTES
    assert len(talker.replies) == EPISODES


def no_more_than(later: Census, earlier: Census) -> bool:
    return (
        later.threads <= earlier.threads
        and later.handles <= earlier.handles
        and all(count <= earlier.objects.get(kind, 0) for kind, count in later.objects.items())
    )
