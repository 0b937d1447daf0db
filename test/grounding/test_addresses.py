# SPDX-License-Identifier: Apache-2.0
"""A name that only addresses somebody says nothing about them (docs/grounding.md, "Addresses")."""

import pytest

from mira_memory.spans import occurrences
from mira_memory.utterance import fold, hear
from mira_memory.vocative import talked_about


def is_talked_about(name: str, text: str) -> bool:
    utterance = hear(text)
    return any(
        any(talked_about(utterance, span, [*occurrences(utterance, fold(name), span)]))
        for span in utterance.sentences
    )


@pytest.mark.parametrize(
    "text",
    [
        "Gordon, the dock is in the hallway.",
        "The dock is in the hallway, Gordon.",
        "The dock is in the hallway, dear Gordon!",
        "The dock is in the hallway, thanks Gordon.",
        "The dock is in the hallway, Gordon, please.",
        "Hey Gordon, the dock is in the hallway.",
        "Hey Gordon the dock is in the hallway",
        "gordon the dock is in the hallway",
        "Gordon you live in the hallway",
        "Good morning Gordon, the dock is new.",
        "No, Gordon, the dock is in the kitchen.",
        "Remember, Gordon, the dock is in the hallway.",
        "The dock, Gordon, is in the hallway.",
        "The dock is new, and, Gordon, it works.",
        "Gordon, Priya likes tea.",
        "Gordon, my brother likes tea.",
        "Gordon, after lunch, the dock was moved.",
        "Gordon, the dock is dirty, clean it.",
        "So Gordon, my friend, remember that the dock is new.",
        "Gordon: the dock is in the hallway.",
        "Gordon – the dock is new.",
        "Gordon—the dock is new.",
        "Gordon and Priya, the dock is clean.",
        "Gordon, Priya and Ada, the dock is clean.",
        "Gordon Freeman, the dock is new.",
        "Dr. Gordon, the dock is new.",
        "GORDON, THE DOCK IS NEW.",
        "Hey Gordon!",
        '"Gordon, the dock is new."',
        "Gordon, die Ladestation ist im Flur.",
        "Du, Gordon, die Ladestation ist im Flur.",
        "Gordon, la base está en el pasillo.",
        "Gordon, la station est dans le couloir.",
        "La station est dans le couloir, Gordon.",
    ],
)
def test_addressed_name_is_not_talked_about(text: str) -> None:
    assert not is_talked_about("Gordon", text)


@pytest.mark.parametrize(
    "text",
    [
        "Gordon likes tea.",
        "Hey, Gordon likes tea.",
        "Hey Gordon likes tea",
        "Gordon can swim.",
        "gordon would like tea",
        "Remember that Gordon likes tea, Priya.",
        "Gordon, Priya and Ada like tea.",
        "Gordon, Priya, and Ada like tea.",
        "Priya, Gordon and Ada like tea.",
        "Ada, Priya and Gordon like tea.",
        "Gordon and Priya like tea.",
        "Gordon, my brother, likes tea.",
        "Gordon, Priya's brother, likes tea.",
        "Gordon, who lives in Leeds, likes tea.",
        "Gordon, too, likes tea.",
        "Gordon, as you know, likes tea.",
        "My brother, Gordon, likes tea.",
        "I met my brother, Gordon.",
        "In the kitchen, Gordon drinks tea.",
        "Because of Gordon, the dock is new.",
        "With Gordon, Priya is happy.",
        "With Gordon and Ada, Priya is happy.",
        "The owner is Gordon.",
        "Owner: Gordon.",
        "Tea is liked by Gordon.",
        "Gordon's snack, the dock, is new.",
        "Gordon, Gordon likes tea.",
        "Gordon, der in Leeds wohnt, mag Tee.",
        "Mein Bruder, Gordon, mag Tee.",
        "Gordon, qui habite à Leeds, aime le thé.",
        "Gordon la bebe.",
        "Gordon me lo dijo.",
        "Gordonはコーヒーが好きです。",
    ],
)
def test_name_in_a_clause_is_talked_about(text: str) -> None:
    assert is_talked_about("Gordon", text)


def test_thing_with_an_article_is_never_addressed() -> None:
    assert is_talked_about("the dock", "The dock, the kitchen and the hallway are clean.")
    assert is_talked_about("the dock", "In the hallway is the dock.")
    assert not is_talked_about("robot", "Robot, the dock is clean.")


def test_second_person_can_be_addressed_too() -> None:
    assert is_talked_about("your", "Mira, your favourite colour is blue.")
    assert not is_talked_about("Mira", "Mira, your favourite colour is blue.")
    assert not is_talked_about("you", "Hey you, the dock is clean.")
