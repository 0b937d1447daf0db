# SPDX-License-Identifier: Apache-2.0
"""The measured rates of both errors do not get worse (docs/grounding.md, "Measured")."""

from pathlib import Path

import pytest

from benchmarks.grounding import ASSERTED, NOT_ASSERTED, Tally, measure, rows_of, wilson

CORPORA = Path(__file__).parents[1] / "corpora"


def rates(files: list[Path]) -> tuple[float, float]:
    """Return the rates of false admissions and of false refusals."""
    sums = {NOT_ASSERTED: Tally(), ASSERTED: Tally()}
    for file in files:
        for (label, _), tally in measure(rows_of(file)).items():
            sums[label] = sums[label] + tally
    admitted, refused = sums[NOT_ASSERTED], sums[ASSERTED]
    return admitted.wrong / admitted.rows, refused.wrong / refused.rows


@pytest.mark.parametrize(
    ("half", "admissions", "refusals"),
    [("tune", 0.005, 0.01), ("held_out", 0.01, 0.05), ("fresh", 0.01, 0.05)],
)
def test_both_errors_stay_rare(half: str, admissions: float, refusals: float) -> None:
    admitted, refused = rates(sorted(CORPORA.glob(f"*_{half}.jsonl")))
    assert admitted <= admissions
    assert refused <= refusals


def test_the_interval_is_that_of_wilson() -> None:
    low, high = wilson(5, 100)
    assert (round(low, 4), round(high, 4)) == (0.0215, 0.1118)
    assert wilson(0, 50)[0] == 0.0
