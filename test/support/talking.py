# SPDX-License-Identifier: Apache-2.0
"""An operator of the test's own: says things, each in a turn, and waits for the replies."""

from mira.msg import EpisodeEvent, OperatorUtterance, Reply
from probe import Probe
from robot_graph import START_S, RobotGraph, wait_until
from std_msgs.msg import String

from mira_ros.qos import EVENT_QOS, REPLY_QOS, UTTERANCE_QOS


class Talker:
    """Start it before the first utterance, so that it hears every reply."""

    def __init__(self, graph: RobotGraph, probe: Probe) -> None:
        self._graph = graph
        self._turns = 0
        self._utterances = probe.node.create_publisher(
            OperatorUtterance, "operator_utterance", UTTERANCE_QOS
        )
        self.replies: list[Reply] = []
        self._replies = probe.node.create_subscription(
            Reply, "reply", self.replies.append, REPLY_QOS
        )
        self.spoken: list[String] = probe.listen(String, "say", REPLY_QOS)
        self.events: list[EpisodeEvent] = probe.listen(EpisodeEvent, "episode_events", EVENT_QOS)

    def say(self, text: str, turn_id: str | None = None) -> str:
        """Say something and return its turn id, a new one unless one is given."""
        if turn_id is None:
            self._turns += 1
            turn_id = f"turn-{self._turns}"
        wait_until(self._is_heard, "every node to hear the operator")
        self._utterances.publish(OperatorUtterance(turn_id=turn_id, text=text, speaker="console"))
        return turn_id

    def tell(self, text: str, turn_id: str | None = None, within_s: float = START_S) -> Reply:
        """Say something and return its one reply."""
        return self.reply_to(self.say(text, turn_id), within_s)

    def reply_to(self, turn_id: str, within_s: float = START_S) -> Reply:
        """Wait for the reply to a turn, and check that it is the only one."""
        wait_until(lambda: self.replies_to(turn_id), f"the reply to {turn_id}", within_s)
        (reply,) = self.replies_to(turn_id)
        return reply

    def _is_heard(self) -> bool:
        running = sum(process.running() for process in self._graph.processes)
        return (
            self._utterances.get_subscription_count() >= running
            and self._replies.get_publisher_count() >= 1
        )

    def replies_to(self, turn_id: str) -> list[Reply]:
        """Return the replies to a turn so far."""
        return [reply for reply in self.replies if reply.turn_id == turn_id]

    def steps(self, turn_id: str) -> list[tuple[str, str]]:
        """Return what has been told of a turn's episode so far."""
        return [(event.action, event.outcome) for event in self.events if event.turn_id == turn_id]
