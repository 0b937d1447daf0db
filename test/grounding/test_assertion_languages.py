# SPDX-License-Identifier: Apache-2.0
"""The guard in its other languages, and how it tells them apart (docs/grounding.md)."""

import pytest
from asserting import verdict

STATEMENTS = {
    "de": [
        "[Der Hund schläft im Keller].",
        "Bitte merk dir, dass [der Hund im Keller schläft].",
        "Könntest du dir merken, dass [der Hund im Keller schläft]?",
        "Das Fenster ist offen, und [der Hund schläft im Keller].",
        "[Der Hund schläft im Keller], weil es dort kühl ist.",
    ],
    "es": [
        "[El perro duerme en el sótano].",
        "Por favor, recuerda que [el perro duerme en el sótano].",
        "¿Puedes recordar que [el perro duerme en el sótano]?",
        "[El perro duerme en el sótano], así que tenlo en cuenta.",
        "[El perro duerme en el sótano] porque hace fresco.",
    ],
    "fr": [
        "[Le chien dort dans la cave].",
        "N'oublie pas que [le chien dort dans la cave].",
        "Peux-tu retenir que [le chien dort dans la cave] ?",
        "La fenêtre est ouverte, et [le chien dort dans la cave].",
        "[L'eau est dans la cave] parce qu'il y fait frais.",
    ],
}
REFUSED = {
    "de": [
        "Ich glaube nicht, dass [der Hund im Keller schläft].",
        "Weißt du, ob [der Hund im Keller schläft]?",
        "Wenn [der Hund im Keller schläft], lass ihn.",
        "Ada sagt, [der Hund schläft im Keller].",
        "Vielleicht schläft [der Hund im Keller].",
        "Vergiss, dass [der Hund im Keller schläft].",
        "[Der Hund schläft im Keller], oder?",
        "[Der Hund schläft im Keller]. War nur Spaß.",
    ],
    "es": [
        "No creo que [el perro duerma en el sótano].",
        "¿Sabes si [el perro duerme en el sótano]?",
        "Si [el perro duerme en el sótano], déjalo.",
        "Ada dice que [el perro duerme en el sótano].",
        "Quizás [el perro duerme en el sótano].",
        "Olvida que [el perro duerme en el sótano].",
        "[El perro duerme en el sótano], ¿verdad?",
        "[El perro duerme en el sótano]. Era broma.",
    ],
    "fr": [
        "Je ne crois pas que [le chien dorme dans la cave].",
        "Sais-tu si [le chien dort dans la cave] ?",
        "Si [le chien dort dans la cave], laisse-le.",
        "Ada dit que [le chien dort dans la cave].",
        "Peut-être que [le chien dort dans la cave].",
        "Oublie que [le chien dort dans la cave].",
        "[Le chien dort dans la cave], n'est-ce pas ?",
        "[Le chien dort dans la cave]. C'est faux.",
    ],
}


@pytest.mark.parametrize(
    ("language", "marked"), [(code, marked) for code in STATEMENTS for marked in STATEMENTS[code]]
)
def test_a_statement_is_asserted(language: str, marked: str) -> None:
    given = verdict(marked)
    assert (given.asserted, given.language) == (True, language), given.rule


@pytest.mark.parametrize(
    ("language", "marked"), [(code, marked) for code in REFUSED for marked in REFUSED[code]]
)
def test_what_governs_the_clause_refuses_it(language: str, marked: str) -> None:
    given = verdict(marked)
    assert (given.asserted, given.language) == (False, language)


@pytest.mark.parametrize(
    "marked",
    [
        "[田中さんはコーヒーが好きです]。",
        "จำไว้ว่า[สมชายชอบกาแฟ]",
        "याद रखना कि [संजय दिल्ली में रहता है]",
    ],
)
def test_a_sentence_in_no_listed_language_is_unguarded(marked: str) -> None:
    given = verdict(marked)
    assert (given.asserted, given.rule, given.language) == (True, "unguarded", None)


def test_the_first_named_language_wins_a_tie() -> None:
    # "in" is German and English; nothing else is either.
    assert verdict("[Gordon in Leeds].", "en", "de").language == "en"
    assert verdict("[Gordon in Leeds].", "de", "en").language == "de"


def test_the_sentences_around_help_to_tell_the_language() -> None:
    # "les", "de" and "lundi" alone could be Spanish.
    given = verdict("[Les œufs datent de lundi]. C'est faux, ils datent d'hier.")
    assert (given.asserted, given.language) == (False, "fr")


def test_only_the_named_languages_are_guarded() -> None:
    marked = "Forse è vero: [Gordon abita nella torre]."
    assert verdict(marked, "de").language is None
    assert not verdict("Vielleicht ist [der Turm offen].", "de").asserted
