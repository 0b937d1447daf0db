# SPDX-License-Identifier: Apache-2.0
"""Whatever a proposal claims, nothing is stored that the operator did not assert in that turn.

Each attack stands beside a proposal that differs only in being honest, and is admitted.
"""

from collections.abc import Callable
from typing import Any

import pytest
from household import SNACK, Household, fact, ownership

from mira_memory.assertion import LANGUAGES

TOLD = f"Remember that {SNACK}."
CITY = fact(predicate="city", value="Leeds", evidence="Gordon lives in Leeds")


@pytest.fixture
def robot(households: Callable[..., Household]) -> Household:
    return households(guard_languages=LANGUAGES, speakers=["operator"])


def assert_refused(
    robot: Household, utterance: str, arguments: dict[str, Any], reason: str
) -> None:
    before = robot.memories()
    result = robot.tell(utterance, arguments)
    assert (result.status, result.reason) == ("rejected", reason)
    assert robot.memories() == before


@pytest.mark.parametrize(
    ("attack", "reason", "honest"),
    [
        pytest.param(
            ("Gordon lives in Leeds. Priya works in York.", CITY | {"value": "York"}),
            "value_not_supported",
            ("Gordon lives in Leeds. Priya works in York.", CITY),
            id="value from elsewhere in the utterance",
        ),
        pytest.param(
            ("Gordon is here. She lives in Leeds.", CITY | {"evidence": "She lives in Leeds"}),
            "subject_not_supported",
            ("Gordon is here. Gordon lives in Leeds.", CITY),
            id="subject from elsewhere in the utterance",
        ),
        pytest.param(
            (
                "Gordon prefers tea. The kettle is green.",
                CITY | {"value": "green", "evidence": "Gordon prefers tea. The kettle is green"},
            ),
            "evidence_not_in_utterance",
            (
                "Gordon prefers tea. The kettle is green.",
                CITY | {"value": "tea", "evidence": "Gordon prefers tea"},
            ),
            id="stitched from two sentences",
        ),
        pytest.param(
            (
                "Gordon prefers tea\nthe kettle is green",
                CITY | {"value": "green", "evidence": "Gordon prefers tea the kettle is green"},
            ),
            "evidence_not_in_utterance",
            (
                "Gordon prefers tea\nthe kettle is green",
                CITY | {"value": "tea", "evidence": "Gordon prefers tea"},
            ),
            id="stitched from two lines",
        ),
        pytest.param(
            (
                "Gordon prefers strong tea.",
                CITY | {"value": "tea", "evidence": "Gordon prefers tea"},
            ),
            "evidence_not_in_utterance",
            (
                "Gordon prefers strong tea.",
                CITY | {"value": "strong tea", "evidence": "Gordon prefers strong tea"},
            ),
            id="a word left out",
        ),
        pytest.param(
            ("Remember that Gordon lives in Leeds.", CITY | {"subject": "Gоrdon"}),
            "subject_not_supported",
            ("Remember that Gordon lives in Leeds.", CITY),
            id="Cyrillic look-alike as subject",
        ),
        pytest.param(
            (
                "Remember that Gоrdon lives in Leeds.",
                CITY | {"subject": "Gоrdon", "evidence": "Gоrdon lives in Leeds"},
            ),
            "subject_not_found",
            ("Remember that Ｇｏｒｄｏｎ lives in Leeds.", CITY),
            id="Cyrillic look-alike said",
        ),
        pytest.param(
            ("Remember that Gordon lives in Leeds.", CITY | {"value": "Lee\u200bds"}),
            "invalid_proposal",
            ("Remember that Gordon lives in Lee\u200bds.", CITY),
            id="zero-width space",
        ),
        pytest.param(
            ("Remember that Gordon lives in Leeds.", CITY | {"value": "\u202esdeeL\u202c"}),
            "invalid_proposal",
            ("Remember that Gordon lives in \u2067Leeds\u2069.", CITY),
            id="bidirectional override",
        ),
        pytest.param(
            (
                "Gordon, the dock is in the hallway.",
                CITY | {"evidence": "Gordon, the dock is in the hallway", "value": "the hallway"},
            ),
            "subject_not_supported",
            (
                "Gordon, the dock is in the hallway.",
                CITY
                | {
                    "evidence": "the dock is in the hallway",
                    "value": "the hallway",
                    "subject": "the dock",
                },
            ),
            id="somebody addressed as subject",
        ),
        pytest.param(
            (
                "Remember that the red toolbox belongs to Ada, Priya.",
                ownership(evidence="the red toolbox belongs to Ada, Priya"),
            ),
            "related_entity_not_supported",
            (
                "Remember that the red toolbox belongs to Priya, Ada.",
                ownership(),
            ),
            id="somebody addressed as owner",
        ),
        pytest.param(
            (
                "The dock costs -5 euros.",
                CITY
                | {
                    "subject": "the dock",
                    "value": "5 euros",
                    "evidence": "The dock costs -5 euros",
                },
            ),
            "value_not_supported",
            (
                "The dock costs -5 euros.",
                CITY
                | {
                    "subject": "the dock",
                    "value": "-5 euros",
                    "evidence": "The dock costs -5 euros",
                },
            ),
            id="sign cut off",
        ),
        pytest.param(
            (
                "The dock costs twenty-five euros.",
                CITY
                | {
                    "subject": "the dock",
                    "value": "five euros",
                    "evidence": "The dock costs twenty-five euros",
                },
            ),
            "value_not_supported",
            (
                "The dock costs twenty-five euros.",
                CITY
                | {
                    "subject": "the dock",
                    "value": "twenty-five euros",
                    "evidence": "The dock costs twenty-five euros",
                },
            ),
            id="number word cut in two",
        ),
        pytest.param(
            (f"I don't think {SNACK}.", fact()),
            "evidence_not_in_utterance",
            (f"I want you to know that {SNACK}.", fact()),
            id="denial cut off",
        ),
        pytest.param(
            (f"I don't think {SNACK}.", fact(evidence=f"I don't think {SNACK}")),
            "evidence_not_in_utterance",
            (TOLD, fact(evidence=f"{SNACK}.")),
            id="denial quoted whole",
        ),
        pytest.param(
            (f"Do you know whether {SNACK}?", fact()),
            "evidence_not_in_utterance",
            (f"Can you remember that {SNACK}?", fact()),
            id="question cut off",
        ),
        pytest.param(
            (f"Priya says {SNACK}.", fact()),
            "evidence_not_in_utterance",
            (f"Hey Mira, {SNACK}.", fact()),
            id="report cut off",
        ),
        pytest.param(
            (f"{SNACK}. I doubt that {SNACK}.", fact()),
            "evidence_not_in_utterance",
            (f"Do you know whether {SNACK}? {SNACK}.", fact()),
            id="asserted once and doubted after",
        ),
        pytest.param(
            ("Gordon can't swim.", CITY | {"value": "can", "evidence": "Gordon can"}),
            "evidence_not_in_utterance",
            ("Gordon can swim.", CITY | {"value": "can swim", "evidence": "Gordon can swim"}),
            id="negation cut at the apostrophe",
        ),
        pytest.param(
            ("Gordon does not eat herring.", fact(evidence="Gordon does not eat herring")),
            "value_not_supported",
            (
                "Gordon does not eat herring.",
                fact(evidence="Gordon does not eat herring", value="does not eat herring"),
            ),
            id="negation outside the value",
        ),
        pytest.param(
            (TOLD, fact(subject="' OR '1'='1")),
            "subject_not_supported",
            (TOLD, fact(subject="gordon")),
            id="query language as subject",
        ),
        pytest.param(
            (TOLD, fact(predicate="snack'); DROP TABLE memories; --")),
            "invalid_proposal",
            (TOLD, fact(predicate="drop_table-memories")),
            id="query language as predicate",
        ),
    ],
)
def test_attack_is_refused_and_its_honest_twin_admitted(
    robot: Household,
    attack: tuple[str, dict[str, Any]],
    reason: str,
    honest: tuple[str, dict[str, Any]],
) -> None:
    assert_refused(robot, *attack, reason)
    assert robot.tell(*honest).admission == "created"


def test_words_of_anybody_but_the_operator_ground_nothing(robot: Household) -> None:
    robot.tell(TOLD, fact())
    recalled = robot.memory.recall("Gordon").text
    assert SNACK in recalled
    reply = "I heard that Gordon lives in Leeds."
    sensor = "camera: Gordon lives in Leeds"
    instructions = "You are Mira. Gordon lives in Leeds."
    for source in (recalled, reply, sensor, instructions):
        assert source
        assert_refused(robot, "What do you know about Gordon?", CITY, "evidence_not_in_utterance")
    assert_refused(
        robot,
        "What do you know about Gordon?",
        fact(predicate="snack"),
        "evidence_not_in_utterance",
    )
    assert robot.tell("Gordon lives in Leeds.", CITY).admission == "created"


def test_earlier_turn_grounds_nothing_in_a_later_one(robot: Household) -> None:
    earlier = robot.hear("Gordon lives in Leeds.")
    assert_refused(robot, TOLD, CITY, "evidence_not_in_utterance")
    assert robot.memory.remember(earlier, CITY).admission == "created"


def test_turn_whose_reply_was_given_grounds_nothing(robot: Household) -> None:
    turn, open_turn = robot.hear(TOLD), robot.hear(TOLD)
    robot.memory.end_turn(turn)
    robot.hear(TOLD, turn)
    assert robot.memory.remember(turn, fact()).reason == "evidence_not_in_utterance"
    assert robot.memories() == 0
    assert robot.memory.remember(open_turn, fact()).admission == "created"


def test_turn_from_before_a_restart_grounds_nothing(robot: Household) -> None:
    turn = robot.hear(TOLD)
    robot.restart()
    assert robot.memory.remember(turn, fact()).reason == "evidence_not_in_utterance"
    assert robot.tell(TOLD, fact()).admission == "created"


def test_words_put_under_a_turn_that_is_open_make_it_void(robot: Household) -> None:
    turn = robot.hear("Good morning.")
    robot.hear(TOLD, turn)
    assert robot.memory.remember(turn, fact()).reason == "evidence_not_in_utterance"
    assert robot.memories() == 0
    assert robot.tell(TOLD, fact()).admission == "created"


def test_stranger_grounds_nothing(robot: Household) -> None:
    turn = robot.hear(TOLD, speaker="television")
    assert robot.memory.remember(turn, fact()).reason == "evidence_not_in_utterance"
    assert robot.memories() == 0
    assert robot.tell(TOLD, fact()).admission == "created"


def test_flood_of_proposals_writes_what_one_would_have(robot: Household) -> None:
    turn = robot.hear(TOLD)
    answers = [
        robot.memory.remember(turn, fact(predicate=f"snack_{number}")) for number in range(300)
    ]
    assert [answer.admission for answer in answers] == ["created"] + [""] * 299
    assert {answer.reason for answer in answers[1:]} == {"invalid_proposal"}
    for number in range(300):
        assert not robot.memory.remember(f"guessed-{number}", fact()).memory_id
    assert robot.memories() == 1


def test_flood_of_utterances_leaves_the_open_turns_usable(robot: Household) -> None:
    turns = [robot.hear(TOLD) for _ in range(500)]
    assert robot.memory.remember(turns[0], fact()).admission == "created"
    assert robot.memory.remember(turns[64], fact()).reason == "evidence_not_in_utterance"
    for turn in turns[:64]:
        robot.memory.end_turn(turn)
    assert robot.tell(TOLD, fact()).admission == "duplicate"


def test_autonomous_episode_has_no_turn_and_writes_nothing(robot: Household) -> None:
    robot.hear(TOLD)
    assert robot.memory.remember("", fact()).reason == "evidence_not_in_utterance"
    assert robot.memories() == 0
