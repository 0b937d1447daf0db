# SPDX-License-Identifier: Apache-2.0
"""What a console says first is said again until somebody is seen to hear it."""

import time

from mira.msg import OperatorUtterance, Reply
from probe import Probe
from robot_graph import wait_until

from mira_operator.conversation import Conversation
from mira_ros.qos import UTTERANCE_QOS

REPEATS_END_S = 5.0


def test_an_unanswered_first_utterance_is_repeated_a_few_times(probe: Probe) -> None:
    heard = probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    shown: list[Reply] = []
    conversation = Conversation(probe.node, "Ada", 30.0, shown.append)
    turn = conversation.say("Hello.")
    end = time.monotonic() + REPEATS_END_S
    wait_until(lambda: time.monotonic() > end, "the end of the repeats", 2 * REPEATS_END_S)
    assert [(each.turn_id, each.text) for each in heard] == [(turn.turn_id, "Hello.")] * 5
    probe.reply(turn.turn_id)
    assert turn.reply.result(10.0) == shown[0]


def test_after_a_reply_nothing_is_repeated(probe: Probe) -> None:
    heard = probe.listen(OperatorUtterance, "operator_utterance", UTTERANCE_QOS)
    conversation = Conversation(probe.node, "Ada", 30.0, lambda reply: None)
    first = conversation.say("Hello.")
    probe.reply(first.turn_id)
    first.reply.result(10.0)
    second = conversation.say("And now?")
    end = time.monotonic() + 1.0
    wait_until(lambda: time.monotonic() > end, "a second")
    assert [each.turn_id for each in heard].count(second.turn_id) == 1
