# SPDX-License-Identifier: Apache-2.0
"""The speech bridge hears every kind of publisher, and not the robot itself."""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from heard_publisher import HeardPublisher
from mira.msg import OperatorUtterance, Reply
from mira.srv import AddEntity, GetMemoryStatus
from probe import Probe
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from robot_graph import NodeProcess, RobotGraph, wait_until
from std_msgs.msg import Bool, String

from mira_ros.qos import REPLY_QOS

QUICK = {"say_s_per_character": 0.0, "mute_after_say_s": 0.0}
BEST_EFFORT = qos_profile_sensor_data
DEFAULT = QoSProfile(depth=10)
ECHO = "it repeats what the robot said"
SPEAKING = "the robot was speaking"
WORDS = "Remember that Gordon's favourite snack is herring."


class Ears:
    """What the bridge passes on, and publishers that it listens to."""

    def __init__(self, graph: RobotGraph, probe: Probe, **parameters: object) -> None:
        self._probe = probe
        self._publishers: dict[str, HeardPublisher] = {}
        self.heard: list[Any] = probe.listen(OperatorUtterance, "operator_utterance")
        self.process: NodeProcess = graph.start("speech_bridge", parameters)

    def publish(self, topic: str, message: Any, qos: QoSProfile = DEFAULT) -> None:
        if topic not in self._publishers:
            publisher = HeardPublisher(self._probe.node, type(message), topic, qos, readers=2)
            assert publisher.wait(20.0), f"nobody listens to {topic}"
            self._publishers[topic] = publisher
        self._publishers[topic].publish(message)

    def say(self, text: str) -> None:
        self.publish("say", String(data=text), REPLY_QOS)

    def until(self, condition: Callable[[], object], attempt: Callable[[int], None]) -> None:
        """Attempt something, each time until words are passed on or dropped, until it shows."""
        for number in range(100):
            self._judged_after(partial(attempt, number))
            if condition():
                self.heard.clear()
                return
        pytest.fail("a hundred attempts were in vain")

    def _judged_after(self, attempt: Callable[[], None]) -> None:
        judged = self._judged()
        attempt()
        wait_until(lambda: self._judged() > judged, "words to be judged")

    def _judged(self) -> int:
        return len(self.heard) + self.process.log().count("not passed on")

    def hear(self, text: str) -> None:
        self.publish("operator_text", String(data=text))

    def meet_best_effort(self) -> HeardPublisher:
        """Return a publisher that is heard: what it sends while it is discovered may be lost."""
        publisher = HeardPublisher(
            self._probe.node, String, "operator_text", BEST_EFFORT, readers=1
        )
        numbers = itertools.count()
        wait_until(
            lambda: publisher.publish(String(data=f"{next(numbers)} knocks")) and self.heard,
            "a best-effort publisher to be heard",
        )
        return publisher

    def dropped(self, reason: str) -> bool:
        return reason in self.process.log()

    def texts(self, count: int) -> list[str]:
        wait_until(lambda: len(self.heard) >= count, f"{count} utterances")
        return [utterance.text for utterance in self.heard]


def test_the_first_message_of_a_default_publisher_is_heard(
    graph: RobotGraph, probe: Probe
) -> None:
    ears = Ears(graph, probe, **QUICK)
    ears.hear(WORDS)
    assert ears.texts(1) == [WORDS]
    assert ears.heard[0].speaker == "operator"
    assert ears.heard[0].turn_id
    assert ears.heard[0].stamp.sec


def test_a_best_effort_publisher_is_heard(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(graph, probe, **QUICK)
    publisher = ears.meet_best_effort()
    for number in range(30):
        publisher.publish(String(data=f"utterance {number}"))
    wait_until(lambda: ears.heard[-1].text == "utterance 29", "the last of a burst")
    burst = [utterance.text for utterance in ears.heard if "utterance" in utterance.text]
    assert burst == [f"utterance {number}" for number in range(30)]


def test_text_of_every_script_arrives_unchanged(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(graph, probe, speaker="Ада", **QUICK)
    spoken = ["Гордон любит сельдь.", "猫は魚が好き。", "👩\u200d🚀 likes 🐟", "שלום גורדון"]
    for text in spoken:
        ears.hear(text)
    assert ears.texts(4) == spoken
    assert len({utterance.turn_id for utterance in ears.heard}) == 4
    assert {utterance.speaker for utterance in ears.heard} == {"Ада"}


def test_a_burst_is_passed_on_whole(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(graph, probe, **QUICK)
    for number in range(64):
        ears.publish("operator_text", String(data=f"utterance {number}"), REPLY_QOS)
    assert ears.texts(64) == [f"utterance {number}" for number in range(64)]


def test_say_played_back_is_not_heard(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(graph, probe, **QUICK)
    say = "Gordon's favourite snack is herring. Shall I remember that?"

    def play_back(number: int) -> None:
        ears.say(say)
        ears.hear(say)

    ears.until(lambda: ears.dropped(ECHO), play_back)
    ears.hear("gordon's favourite snack is herring shall i remember that")
    ears.hear("Gordon's favourite snack is herring.")
    ears.hear("Yes.")
    assert ears.texts(1) == ["Yes."]


def test_a_robot_that_hears_itself_stores_and_answers_nothing(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.start_robot()
    probe.call(AddEntity, "memory/add_entity", entity_type="person", canonical_name="Gordon")
    replies = probe.listen(Reply, "reply", REPLY_QOS)
    ears = Ears(graph, probe, **QUICK)
    loudspeaker = probe.node.create_publisher(String, "operator_text", REPLY_QOS)
    probe.node.create_subscription(String, "say", loudspeaker.publish, REPLY_QOS)
    wait_until(lambda: loudspeaker.get_subscription_count() >= 2, "the bridge to listen")
    for said in (WORDS, "What do you know about Gordon?", "Hello"):
        answered = len(replies)
        ears.hear(said)
        wait_until(lambda: len(replies) > answered, "the reply")  # noqa: B023
    wait_until(lambda: ears.process.log().count(ECHO) == 3, "three echoes to be dropped")
    assert [reply.memory_id for reply in replies] == ["MEM1", "", ""]
    assert ears.texts(3) == [WORDS, "What do you know about Gordon?", "Hello"]
    status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert status.memories == 1


def test_it_is_deaf_while_the_robot_speaks(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(graph, probe, say_s_per_character=0.0, mute_after_say_s=3.0)

    def interrupt(number: int) -> None:
        ears.say("I am speaking now.")
        ears.hear(f"during {number}")

    ears.until(lambda: ears.dropped(SPEAKING), interrupt)
    ears.until(lambda: ears.heard, lambda number: ears.hear(f"after {number}"))


def test_the_speaking_topic_decides(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(
        graph, probe, speaking_topic="tts/speaking", say_s_per_character=1.0, mute_after_say_s=0.0
    )
    ears.say("A long speech that the synthesiser never began.")
    ears.hear("first")
    assert ears.texts(1) == ["first"]

    def tell(speaking: bool, number: int) -> None:
        ears.publish("tts/speaking", Bool(data=speaking))
        ears.hear(f"{number} words while {speaking}")

    ears.until(lambda: ears.dropped(SPEAKING), partial(tell, True))
    ears.until(lambda: ears.heard, partial(tell, False))


def test_a_final_repeated_within_a_second_is_passed_on_once(
    graph: RobotGraph, probe: Probe
) -> None:
    ears = Ears(graph, probe, **QUICK)
    for text in (WORDS, WORDS, "And Ada likes tuna."):
        ears.hear(text)
    assert ears.texts(2) == [WORDS, "And Ada likes tuna."]


def test_no_words_reach_the_log(graph: RobotGraph, probe: Probe) -> None:
    ears = Ears(graph, probe, **QUICK)
    for text in (WORDS, WORDS, "", "the end"):
        ears.hear(text)
    assert ears.texts(2) == [WORDS, "the end"]
    wait_until(lambda: "it was heard a moment ago" in ears.process.log(), "the drop to be logged")
    assert ears.process.stop() == 0
    assert "herring" not in ears.process.log()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"confidence_floor": 1.5}, "'confidence_floor' of /mira/speech_bridge is 1.5, expected"),
        ({"speaker": ""}, "'speaker' of /mira/speech_bridge is refused. The value is empty;"),
        ({"voices": ["../x"]}, "'voices' of /mira/speech_bridge holds what is no voice"),
        ({"speaking_topic": 7}, "'speaking_topic' of /mira/speech_bridge is a whole number"),
        ({"speaking_topic": "a b"}, "'speaking_topic' of /mira/speech_bridge is no topic"),
    ],
)
def test_a_wrong_parameter_ends_it_with_one_line(
    graph: RobotGraph, parameters: dict[str, object], sentence: str
) -> None:
    process = graph.start("speech_bridge", parameters)
    assert process.wait(20.0) == 1
    assert process.log().splitlines()[-1].startswith(f"Parameter {sentence}")


def test_configured_voices_without_hri_msgs_are_said_to_be_unheard(
    graph: RobotGraph, probe: Probe
) -> None:
    try:
        import hri_msgs  # noqa: F401
    except ImportError:
        pass
    else:
        pytest.skip("hri_msgs is installed")
    ears = Ears(graph, probe, voices=["v1"], **QUICK)
    ears.hear("still heard")
    assert ears.texts(1) == ["still heard"]
    assert "hri_msgs is not installed" in ears.process.log()


def test_voices_are_heard_by_their_finals(graph: RobotGraph, probe: Probe) -> None:
    live_speech = pytest.importorskip("hri_msgs.msg", reason="needs hri_msgs").LiveSpeech
    ears = Ears(graph, probe, voices=["v1"], confidence_floor=0.6, **QUICK)
    for speech in (
        live_speech(incremental="Gordon", confidence=0.9),
        live_speech(final="Mumble.", confidence=0.5),
        live_speech(final="Noise.", confidence=float("nan")),
        live_speech(final=WORDS, confidence=0.6),
    ):
        ears.publish("/humans/voices/v1/speech", speech)
    assert ears.texts(1) == [WORDS]
    assert ears.heard[0].speaker == "v1"
