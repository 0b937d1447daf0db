# SPDX-License-Identifier: Apache-2.0
"""Turn recognised speech and plain text topics into operator utterances."""

import re
import sys
import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.exceptions import InvalidTopicNameException
from rclpy.validate_topic_name import validate_topic_name
from std_msgs.msg import Bool, String

from mira_memory.text import SOURCE_LABEL_MAX, TextRefused, checked
from mira_operator.listening import Listener
from mira_operator.self_hearing import SelfHearing, SpeakingTime
from mira_operator.utterances import OperatorVoice, new_turn_id
from mira_ros.parameters import number, refused, text, texts, warn_of_unknown
from mira_ros.serving import ServedNode, serve

# An echo can overtake the `say` that it repeats, on another topic; speech can wait this long.
_GRACE_S = 0.05
_VOICE_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Heard:
    words: str
    speaker: str
    at: float


class SpeechBridge(ServedNode):
    """
    Listen to ``operator_text`` and to the configured voices, and speak as the operator.

    The words of a turn are published unchanged. Nothing is passed on while the robot speaks.
    """

    def __init__(self) -> None:
        super().__init__("speech_bridge")
        self._waiting: deque[_Heard] = deque()
        self._voice = OperatorVoice(self)
        speaking_topic = text(
            self,
            "speaking_topic",
            "",
            "A std_msgs/Bool topic on which the speech synthesiser tells whether it speaks;"
            " empty: the time is estimated from the length of what is said.",
        )
        self._hearing = SelfHearing(
            SpeakingTime(
                number(
                    self,
                    "say_s_per_character",
                    0.07,
                    0.0,
                    1.0,
                    "Estimated seconds that the synthesiser speaks for each character of `say`.",
                ),
                number(
                    self,
                    "mute_after_say_s",
                    1.5,
                    0.0,
                    60.0,
                    "Seconds of deafness after the robot has spoken, for a recogniser that is"
                    " late with the robot's last words.",
                ),
            ),
            told=bool(speaking_topic),
        )
        self._floor = number(
            self,
            "confidence_floor",
            0.5,
            0.0,
            1.0,
            "Recognised speech of a voice below this confidence is dropped.",
        )
        # First, so that of two messages that wait the robot's own words are taken first.
        Listener(self, String, "say", self._robot_says)
        if speaking_topic:
            Listener(self, Bool, _topic(self, speaking_topic), self._robot_speaks)
        speaker = _label(self)
        Listener(self, String, "operator_text", lambda message: self._hear(message.data, speaker))
        self._listen_to_voices()
        warn_of_unknown(self)
        self._judging = self.create_timer(
            _GRACE_S, self._judge, clock=Clock(clock_type=ClockType.STEADY_TIME), autostart=False
        )

    def settled(self) -> bool:
        """Tell whether everything heard has been passed on or dropped."""
        return not self._waiting and super().settled()

    def _listen_to_voices(self) -> None:
        voices = texts(
            self,
            "voices",
            (),
            "Identifiers of the ROS4HRI voices to listen to, on /humans/voices/<id>/speech"
            " (hri_msgs/LiveSpeech); the identifier is the speaker's label.",
        )
        for voice in voices:
            if not _VOICE_ID.fullmatch(voice):
                raise refused(
                    self,
                    "voices",
                    "holds what is no voice identifier; give letters, digits and '_' only.",
                )
        live_speech = _live_speech() if voices else None
        if voices and live_speech is None:
            self.get_logger().error(
                "The configured voices are not heard: hri_msgs is not installed."
                " Install ros-jazzy-hri-msgs, or leave the parameter 'voices' empty."
            )
            return
        for voice in voices:
            Listener(
                self,
                live_speech,
                f"/humans/voices/{voice}/speech",
                partial(self._recognised, voice),
            )

    def _robot_says(self, message: String) -> None:
        self._hearing.says(message.data, time.monotonic())

    def _robot_speaks(self, message: Bool) -> None:
        self._hearing.speaks(message.data, time.monotonic())

    def _recognised(self, voice: str, speech: Any) -> None:
        if not speech.final:
            return
        if not speech.confidence >= self._floor:
            self._dropped(f"its confidence is below {self._floor:g}")
            return
        self._hear(speech.final, voice)

    def _hear(self, words: str, speaker: str) -> None:
        self._waiting.append(_Heard(words, speaker, time.monotonic()))
        if self._judging.is_canceled():
            self._judging.reset()

    def _judge(self) -> None:
        ripe = time.monotonic() - _GRACE_S
        while self._waiting and self._waiting[0].at <= ripe:
            heard = self._waiting.popleft()
            drop = self._hearing.judge(heard.words, heard.at)
            if drop is None:
                self._voice.say(heard.words, heard.speaker, new_turn_id())
            else:
                self._dropped(drop.value)
        if not self._waiting:
            self._judging.cancel()

    def _dropped(self, reason: str) -> None:
        self.get_logger().info(f"Something heard was not passed on: {reason}.")


def main() -> int:
    """Run the speech bridge until it is told to stop, and return the exit code."""
    return serve(SpeechBridge)


def _label(node: SpeechBridge) -> str:
    speaker = text(
        node,
        "speaker",
        "operator",
        "Who speaks on `operator_text`: the source label of what is remembered.",
    )
    try:
        return checked(speaker, "value", SOURCE_LABEL_MAX)
    except TextRefused as refusal:
        raise refused(node, "speaker", f"is refused. {refusal}") from None


def _topic(node: SpeechBridge, name: str) -> str:
    try:
        validate_topic_name(name)
    except InvalidTopicNameException:
        raise refused(
            node, "speaking_topic", "is no topic name; give one such as tts/speaking."
        ) from None
    return name


def _live_speech() -> Any:
    try:
        from hri_msgs.msg import LiveSpeech
    except ImportError:
        return None
    return LiveSpeech


if __name__ == "__main__":
    sys.exit(main())
