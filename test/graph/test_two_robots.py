# SPDX-License-Identifier: Apache-2.0
"""Two robots under two namespaces of one graph neither hear nor answer each other."""

from mira.msg import EpisodeEvent, Reply
from probe import Probe
from proposals import SNACK, add_entities
from rclpy.node import Node
from robot_graph import RobotGraph, wait_until

from mira_ros.qos import EVENT_QOS, REPLY_QOS


def heard_by(node: Node) -> int:
    """Return how many publish replies to this robot's listeners: the probe does too."""
    return node.count_publishers(node.resolve_topic_name("reply"))


def test_what_one_robot_is_told_the_other_does_not_know(graph: RobotGraph, domain: int) -> None:
    for name in ("rosa", "bert"):
        path = graph.directory / f"{name}.sqlite3"
        graph.start_memory(namespace=f"/{name}", self_name=name, database_path=str(path))
        graph.start_cognition(namespace=f"/{name}", self_name=name)
    with Probe(domain, "rosa") as rosa, Probe(domain, "bert") as bert:
        replies = {probe: probe.listen(Reply, "reply", REPLY_QOS) for probe in (rosa, bert)}
        events = bert.listen(EpisodeEvent, "episode_events", EVENT_QOS)
        for probe in (rosa, bert):
            add_entities(probe, "Gordon")
            namespace = probe.node.get_namespace()
            wait_until(
                lambda n=namespace, p=probe: p.node.count_publishers(f"{n}/reply") == 2, "r"
            )

        def told(probe: Probe, turn: str, text: str) -> Reply:
            probe.say(turn, text, readers=2)
            wait_until(lambda: [r for r in replies[probe] if r.turn_id == turn], turn)
            return replies[probe][-1]

        assert told(rosa, "rosa's", SNACK).memory_id == "MEM1"
        question = "What do you know about Gordon?"
        assert "herring" in told(rosa, "rosa asked", question).text
        assert "herring" not in told(bert, "bert asked", question).text
        assert {reply.turn_id for reply in replies[bert]} == {"bert asked"}
        assert {event.turn_id for event in events} == {"bert asked"}
