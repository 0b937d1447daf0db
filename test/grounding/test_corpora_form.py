# SPDX-License-Identifier: Apache-2.0
"""Check that the grounding corpora have the form that test/corpora/README.md describes."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

CORPORA = Path(__file__).parents[1] / "corpora"
LEAST_ROWS_PER_LABEL = {"en": 600, "de": 60, "es": 60, "fr": 60}
REFUSAL_REASONS = {"evidence_not_in_utterance", "value_not_supported"}
ROW_FIELDS = {
    "id",
    "category",
    "label",
    "utterance",
    "setup_entities",
    "proposal",
    "expect",
}
PROPOSAL_FIELDS = {
    "kind",
    "subject",
    "predicate",
    "value",
    "evidence",
    "related_entity",
    "related_role",
}
SELF_WORDS = {"you", "your"}

Row = dict[str, Any]


def rows_of(language: str, half: str) -> list[Row]:
    lines = (CORPORA / f"{language}_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def all_rows(language: str) -> list[Row]:
    fresh = rows_of(language, "fresh") if language == "en" else []
    return rows_of(language, "tune") + rows_of(language, "held_out") + fresh


def words(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded))


def occurs_whole(part: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def test_there_are_two_halves_a_language_and_the_fresh_rows() -> None:
    halves = {f"{code}_{half}" for code in LEAST_ROWS_PER_LABEL for half in ("tune", "held_out")}
    expected = halves | {"en_fresh"}
    assert {path.stem for path in CORPORA.glob("*.jsonl")} == expected


@pytest.mark.parametrize("language", LEAST_ROWS_PER_LABEL)
class TestCorpus:
    def test_labels_reach_their_least_counts(self, language: str) -> None:
        labels = Counter(row["label"] for row in all_rows(language))
        assert set(labels) == {"asserted", "not_asserted"}
        assert min(labels.values()) >= LEAST_ROWS_PER_LABEL[language]

    def test_halves_are_balanced_per_category(self, language: str) -> None:
        tune = Counter(row["category"] for row in rows_of(language, "tune"))
        held_out = Counter(row["category"] for row in rows_of(language, "held_out"))
        unbalanced = {c for c in tune | held_out if abs(tune[c] - held_out[c]) > 1}
        assert not unbalanced

    def test_category_has_one_label(self, language: str) -> None:
        pairs = {(row["category"], row["label"]) for row in all_rows(language)}
        assert len(pairs) == len({category for category, _ in pairs})

    def test_identities_and_utterances_are_unique(self, language: str) -> None:
        rows = all_rows(language)
        for count in (
            Counter(row["id"] for row in rows),
            Counter(words(row["utterance"]) for row in rows),
        ):
            assert [item for item, times in count.items() if times > 1] == []

    def test_rows_have_exactly_the_documented_fields(self, language: str) -> None:
        for row in all_rows(language):
            assert set(row) == ROW_FIELDS, row["id"]
            assert set(row["proposal"]) == PROPOSAL_FIELDS, row["id"]
            assert row["id"].startswith(f"{language}-{row['category']}-"), row["id"]

    def test_expectation_follows_the_label(self, language: str) -> None:
        for row in all_rows(language):
            if row["label"] == "asserted":
                assert row["expect"] == {"status": "applied", "admission": "created"}, row["id"]
            else:
                assert set(row["expect"]) == {"status", "reason"}, row["id"]
                assert row["expect"]["status"] == "rejected", row["id"]
                assert row["expect"]["reason"] in REFUSAL_REASONS, row["id"]

    def test_quotations_are_verbatim_and_whole(self, language: str) -> None:
        for row in all_rows(language):
            proposal = row["proposal"]
            assert occurs_whole(proposal["evidence"], row["utterance"]), row["id"]
            assert "\n" not in proposal["evidence"], row["id"]
            for part in ("subject", "value"):
                assert occurs_whole(proposal[part], proposal["evidence"]), (row["id"], part)

    def test_subject_and_related_entity_are_in_the_store(self, language: str) -> None:
        for row in all_rows(language):
            proposal, names = row["proposal"], [e["name"] for e in row["setup_entities"]]
            assert len(names) == len({name.casefold() for name in names}), row["id"]
            if proposal["subject"].casefold() in SELF_WORDS:
                assert {"type": "robot", "name": "Mira"} in row["setup_entities"], row["id"]
            else:
                assert proposal["subject"].casefold() not in {"i", "me", "my", "mine"}, row["id"]
                assert proposal["subject"] in names, row["id"]
            related = proposal["related_entity"]
            assert (related is not None) == (proposal["kind"] == "relationship"), row["id"]
            assert (proposal["related_role"] is None) == (related is None), row["id"]
            if related is not None:
                assert related in names, row["id"]
                assert related == proposal["value"], row["id"]

    def test_predicates_are_plain_tokens(self, language: str) -> None:
        for row in all_rows(language):
            assert re.fullmatch(r"[^\W\d_]\w{0,63}", row["proposal"]["predicate"]), row["id"]
