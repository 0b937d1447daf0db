# SPDX-License-Identifier: Apache-2.0
"""The turn book: which words may ground a write, and for how long."""

import pytest

from mira_memory.turns import TURN_ID_MAX, Heard, TurnBook

SAID = "Gordon likes tea."


class Clock:
    """A steady clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(clock: Clock) -> TurnBook:
    return TurnBook(capacity=3, ttl_s=300.0, clock=clock)


def is_groundable(book: TurnBook, turn_id: str) -> bool:
    turn = book.lookup(turn_id)
    return turn is not None and turn.utterance is not None and turn.refusal is None


def test_heard_turn_is_open_until_it_ends(book: TurnBook) -> None:
    assert not book.knows("t")
    assert book.heard("t", SAID) is Heard.OPENED
    assert book.knows("t")
    assert is_groundable(book, "t")
    book.end("t")
    assert book.lookup("t") is None
    assert book.knows("t")


def test_late_utterance_of_an_ended_turn_opens_nothing(book: TurnBook) -> None:
    book.end("t")
    assert book.heard("t", SAID) is Heard.OVER
    assert book.lookup("t") is None
    assert book.heard("u", SAID) is Heard.OPENED


def test_turn_ends_by_itself_after_its_time(book: TurnBook, clock: Clock) -> None:
    book.heard("t", SAID)
    clock.now += 299.9
    assert is_groundable(book, "t")
    clock.now += 0.1
    assert book.lookup("t") is None
    assert book.heard("t", SAID) is Heard.OVER


def test_same_words_twice_are_harmless(book: TurnBook) -> None:
    book.heard("t", SAID, "operator")
    assert book.heard("t", SAID, "operator") is Heard.REPEATED
    assert is_groundable(book, "t")


@pytest.mark.parametrize(
    ("text", "speaker"), [("Gordon likes coffee.", "operator"), (SAID, "somebody else")]
)
def test_other_words_or_another_speaker_make_the_turn_void(
    book: TurnBook, text: str, speaker: str
) -> None:
    book.heard("t", SAID, "operator")
    assert book.heard("t", text, speaker) is Heard.VOID
    assert not is_groundable(book, "t")
    book.heard("t", SAID, "operator")
    assert not is_groundable(book, "t")


def test_full_book_refuses_the_newest_and_keeps_every_open_turn(
    book: TurnBook, clock: Clock
) -> None:
    for turn_id in ("a", "b", "c"):
        assert book.heard(turn_id, SAID) is Heard.OPENED
    assert book.heard("d", SAID) is Heard.FULL
    assert all(is_groundable(book, turn_id) for turn_id in ("a", "b", "c"))
    assert book.lookup("d") is None
    book.end("b")
    assert book.heard("d", SAID) is Heard.OPENED
    clock.now += 300.0
    assert book.heard("e", SAID) is Heard.OPENED


def test_book_holds_64_turns_unless_told_otherwise() -> None:
    book = TurnBook()
    outcomes = [book.heard(f"t{number}", SAID) for number in range(65)]
    assert outcomes == [Heard.OPENED] * 64 + [Heard.FULL]


@pytest.mark.parametrize("turn_id", ["", "x" * (TURN_ID_MAX + 1), "a\nb", "\ud800", "\u200b"])
def test_turn_without_a_usable_identity_is_never_opened(book: TurnBook, turn_id: str) -> None:
    assert book.heard(turn_id, SAID) is Heard.UNGROUNDABLE
    assert book.lookup(turn_id) is None
    assert book.knows(turn_id), "no utterance is worth waiting for"
    book.end(turn_id)
    assert book.heard("x" * TURN_ID_MAX, SAID) is Heard.OPENED


@pytest.mark.parametrize("text", ["x" * 4001, "Gordon\x00", "\ue000", "\ufdfa" * 1000])
def test_ungroundable_words_open_a_turn_that_grounds_nothing(book: TurnBook, text: str) -> None:
    assert book.heard("t", text) is Heard.UNGROUNDABLE
    turn = book.lookup("t")
    assert turn is not None
    assert turn.refusal is not None
    assert turn.refusal.reason == "evidence_not_in_utterance"
    assert turn.refusal.sentence.endswith(".")


@pytest.mark.parametrize("label", ["x" * 257, "a\x07", "\u200b"])
def test_speaker_label_that_cannot_be_stored_grounds_nothing(book: TurnBook, label: str) -> None:
    assert book.heard("t", SAID, label) is Heard.UNGROUNDABLE
    assert book.heard("u", SAID, "Ada") is Heard.OPENED


def test_only_listed_speakers_ground_anything() -> None:
    book = TurnBook(speakers=["Operator", "Ada"])
    assert book.heard("a", SAID, "operator") is Heard.OPENED
    assert book.heard("b", SAID, "Ada") is Heard.OPENED
    assert book.heard("c", SAID, "Adam") is Heard.UNGROUNDABLE
    assert book.heard("d", SAID, "") is Heard.UNGROUNDABLE
    refused = book.lookup("c")
    assert refused is not None
    assert refused.refusal is not None
    assert "speakers" in refused.refusal.sentence


def test_flood_of_ends_leaves_open_turns_alone(book: TurnBook) -> None:
    book.heard("t", SAID)
    for number in range(10_000):
        book.end(f"n{number}")
    assert is_groundable(book, "t")
    assert book.heard("n9999", SAID) is Heard.OVER
