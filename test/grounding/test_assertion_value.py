# SPDX-License-Identifier: Apache-2.0
"""A negation in the evidence must lie in the value (docs/grounding.md)."""

import pytest
from asserting import value_rule


@pytest.mark.parametrize(
    ("evidence", "value"),
    [
        ("Gordon does not eat meat", "does not eat meat"),
        ("Gordon's favourite snack is herring, not tuna", "herring"),
        ("Gordon eats not tuna but herring", "herring"),
        ("Gordon is not only a cook but a sailor", "a cook"),
        ("The man who never smiles is Gordon", "Gordon"),
        ("The room without a window is the cellar", "the cellar"),
        ('The jar labelled "Not Sugar" holds salt', "salt"),
        ("Bin No. 5 is for glass", "glass"),
        ("Gordon likes tea, not green tea", "tea"),
        ("Gordon takes herring or tuna", "herring or tuna"),
        ("Gordon prefers trains over planes", "trains"),
    ],
)
def test_the_evidence_says_the_value(evidence: str, value: str) -> None:
    assert value_rule(evidence, value) is None


@pytest.mark.parametrize(
    ("evidence", "value"),
    [
        ("Gordon does not eat meat", "meat"),
        ("Gordon never drinks coffee", "coffee"),
        ("Gordon's favourite snack is herring, not tuna", "tuna"),
        ("Gordon eats fish but no meat", "meat"),
        ("Nobody likes herring", "herring"),
        ("Not Gordon but Ada likes herring", "herring"),
        ("Gordon drinks his coffee without sugar", "sugar"),
        ("Gordon eats anything but herring", "herring"),
        ("Gordon used to live in Leeds", "in Leeds"),
        ("Gordon prefers trains over planes", "planes"),
        ("The hall has neither light nor water", "water"),
        ("Das Tor ist nicht offen", "offen"),
        ("La torre no tiene luz", "luz"),
        ("La serre n'est pas chauffée", "chauffée"),
    ],
)
def test_a_negation_before_the_value_refuses_it(evidence: str, value: str) -> None:
    assert value_rule(evidence, value) == "negated_value"


@pytest.mark.parametrize("value", ["herring", "tuna"])
def test_one_of_two_alternatives_is_no_value(value: str) -> None:
    assert value_rule("Gordon takes herring or tuna", value) == "alternative_value"
