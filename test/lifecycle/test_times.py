# SPDX-License-Identifier: Apache-2.0
"""When something held, when it was known, and what a recall says about both."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mira_memory.errors import DraftRefused, StatusRefused, TimeRefused
from mira_memory.lifecycle.times import moment
from mira_memory.recall import Recollection, recall
from mira_memory.records import Qualities
from mira_memory.store import Store


def held(store: Store, at: str, known: str = "") -> list[str]:
    (found,) = store.lifecycle.recall_at("Gordon", at, known)
    return [str(memory.value) for memory in found.memories]


def test_the_old_address_is_still_known_for_its_time(
    store: Store, add: Callable[..., int]
) -> None:
    old = add("Leeds")
    store.lifecycle.supersede(old, "Gordon lives in York", "York", "2026-10-01T00:00:00Z")
    assert held(store, "2026-01-01") == ["Leeds"]
    assert held(store, "2026-09-30T23:59:59Z") == ["Leeds"]
    assert held(store, "2026-10-01T00:00:00Z") == ["York"]
    assert held(store, "2030-01-01") == ["York"]


def test_known_is_asked_apart_from_held(store: Store, add: Callable[..., int], clock: Any) -> None:
    old = add("Leeds")
    before = store.now()
    clock.now += timedelta(days=1)
    store.lifecycle.supersede(old, "Gordon lives in York", "York", "2026-10-01T00:00:00Z")
    assert held(store, "2026-11-01", before) == ["Leeds"]
    assert held(store, "2026-11-01") == ["York"]
    assert held(store, "2026-11-01", "2026-11-30T00:00:00Z") == []


def test_what_was_retracted_held_only_as_it_was_known_before(
    store: Store, add: Callable[..., int]
) -> None:
    wrong, right = add("Leeds"), add("herring", "eats")
    before = store.now()
    store.lifecycle.retract(wrong, "a mistake")
    assert held(store, "2026-11-30") == ["herring"]
    assert held(store, "2026-11-30", before) == ["Leeds", "herring"]
    store.lifecycle.forget(wrong, "a wish")
    assert held(store, "2026-11-30", before) == ["herring"]
    assert right == 2


def test_a_clock_that_goes_back_does_not_change_what_is_known(
    store: Store, add: Callable[..., int], clock: Any
) -> None:
    number = add("Leeds")
    store.lifecycle.archive(number, "old news")
    clock.now -= timedelta(days=400)
    store.lifecycle.restore(number, "again")
    assert held(store, "2026-11-30") == ["Leeds"]
    assert not store.lifecycle.verify_audit().sentence


def test_a_recall_says_since_and_until(store: Store, add: Callable[..., int]) -> None:
    add(
        "Leeds",
        qualities=Qualities(valid_from="2020-01-01T00:00:00Z", valid_to="2027-01-01T00:00:00Z"),
    )
    add("herring", "eats")
    text = recall(store, "Gordon").text
    assert "    since 2020-01-01T00:00:00.000000Z; until 2027-01-01T00:00:00.000000Z" in text
    assert text.count("since") == 1


def test_an_expired_memory_is_recalled_as_expired(
    store: Store, add: Callable[..., int], clock: Any
) -> None:
    add("the doctor", "visits", qualities=Qualities(expires_at="2026-12-01T00:00:00Z"))
    recollection = Recollection(store)
    fresh = recollection.recall("Gordon")
    assert "    expires at 2026-12-01T00:00:00.000000Z" in fresh.text
    assert recollection.recall("Gordon") is fresh
    clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    expired = recollection.recall("Gordon")
    assert "    expired at 2026-12-01T00:00:00.000000Z" in expired.text
    assert expired.entities[0].memories[0].is_expired


def test_the_moment_of_an_event_is_said(store: Store, add: Callable[..., int]) -> None:
    add(
        "the fair",
        "visits",
        qualities=Qualities(memory_system="episodic", happens_at="2026-12-24T18:00:00+01:00"),
    )
    assert "happens at 2026-12-24T17:00:00.000000Z" in recall(store, "Gordon").text


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("2026-11-30T18:00:00+01:00", "2026-11-30T17:00:00.000000Z"),
        ("2026-11-30T18:00Z", "2026-11-30T18:00:00.000000Z"),
        (" 2026-11-30T18:00:00.25Z ", "2026-11-30T18:00:00.250000Z"),
    ],
)
def test_a_moment_has_a_zone(text: str, stored: str) -> None:
    assert moment(text, "time") == stored


def test_a_date_is_the_robots_own(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert moment("2026-07-01", "time") == "2026-06-30T22:00:00.000000Z"
        assert moment("2026-12-01", "time") == "2026-11-30T23:00:00.000000Z"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-11-30T18:00:00",
        "30.11.2026",
        "2026-13-01",
        "20261130",
        "0001-01-01T00:00+14:00",
    ],
)
def test_any_other_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(TimeRefused) as refused:
        moment(text, "beginning")
    assert str(refused.value) == (
        "The beginning is no date and no time with a zone; write it as 2026-11-30, or "
        "2026-11-30T18:00:00+01:00."
    )


def test_times_that_don_t_fit_together_are_refused(store: Store, add: Callable[..., int]) -> None:
    with pytest.raises(DraftRefused, match=r"^The end is not after the beginning"):
        add("Leeds", qualities=Qualities(valid_from="2026-02-01", valid_to="2026-01-01"))
    number = add("Leeds", qualities=Qualities(valid_from="2026-02-01"))
    with pytest.raises(StatusRefused, match="give a later time with --from"):
        store.lifecycle.supersede(number, "Gordon lives in York", "York", "2026-01-01")
