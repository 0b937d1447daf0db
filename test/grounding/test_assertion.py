# SPDX-License-Identifier: Apache-2.0
"""What around a span takes the assertion away, and what does not (docs/grounding.md)."""

import pytest
from asserting import verdict

ADMITTED = {
    "tag that is none": "[The dock is in the hallway] because its plug is there.",
    "phrase before a name": "In 1957 [Ada moved to York].",
    "reason before it": "Because the frame swelled, [the dock is in the hallway].",
    "moved to where it is": "[The dock is in the hallway]. We moved it there yesterday.",
    "noun phrase about it": "[The dock is in the hallway]. That is the third one this year.",
    "framing on its own line": "Please remember\n[the dock is in the hallway].",
    "statement on its own line": "Ada lives in York\n[the dock is in the hallway]",
    "May, a name": "[May works in the hallway].",
    "alone": "[The dock is in the hallway].",
    "asked to remember": "Please remember that [the dock is in the hallway].",
    "asked to remember, as a question": "Could you note that [the dock is in the hallway]?",
    "asked not to forget": "Don't forget: [the dock is in the hallway].",
    "courtesy": "If it's not too much trouble, write down that [the dock is in the hallway].",
    "courtesy without a verb": "Sorry to wake you, but [the dock is in the hallway].",
    "connectives": "Oh, and by the way, [the dock is in the hallway].",
    "no": "No, [the dock is in the hallway].",
    "heading": "Quick reminder: [the dock is in the hallway].",
    "named": "Hey Mira, [the dock is in the hallway].",
    "adverbial": "Since last Monday, [the dock is in the hallway].",
    "adverbial without a comma": "In winter [the dock is in the hallway].",
    "concession": "Although Ada hates it, [the dock is in the hallway].",
    "clause and coordinator": "The window is open and [the dock is in the hallway].",
    "clause and semicolon": "The window is open; [the dock is in the hallway].",
    "own doubt, contrasted": "I don't know if it works, but [the dock is in the hallway].",
    "list": "The lamp is upstairs, [the dock is in the hallway], and the key is gone.",
    "second of two": "Remember that it is late and that [the dock is in the hallway].",
    "tail": "[The dock is in the hallway], so keep that in mind.",
    "asked whether heard": "[The dock is in the hallway], OK?",
    "asked to remember, after it": "[The dock is in the hallway], could you note that?",
    "name at the end": "[The dock is in the hallway], Mira.",
    "reason": "[The dock is in the hallway] because nobody hears it there.",
    "coordinated": "[The dock is in the hallway] and Ada says it looks fine.",
    "contrasted": "[The dock is in the hallway], not in the kitchen.",
    "question of its own": "[The dock is in the hallway], but is it charged?",
    "condition of its own": "[The dock is in the hallway], but if it rains, take it in.",
    "relative clause": "[The dock is in the hallway], where the old one was.",
    "adjunct of an event": "[Ada moved to York] with her brother.",
    "other sentences": "I don't like it. [The dock is in the hallway]. Is that odd?",
    "benign comment": "[The dock is in the hallway]. That's good.",
    "courtesy after it": "[The dock is in the hallway]. Sorry for the noise.",
    "quoted name": 'The song "If Only" is loud and ["Maybe Not" is the name of the dock].',
    "month and name": "[May was born in May].",
    "speech": "okay so um [the dock is in the hallway] please",
}

REFUSED = {
    "question": [
        "[The dock is in the hallway]?",
        "Remember [the dock is in the hallway]?",
        "Do you know whether [the dock is in the hallway]?",
        "Do you remember that [the dock is in the hallway]?",
        "[The dock is in the hallway], isn't it?",
        "[The dock is in the hallway], right?",
        "[The dock is in the hallway]. Is that still true?",
        "[Is the dock in the hallway].",
        "[Where is the dock].",
    ],
    "condition": [
        "If it rains\n[the dock is in the hallway]",
        "If [the dock is in the hallway], go there.",
        "[The dock is in the hallway] if nobody moved it.",
        "[The dock is in the hallway] unless it rains.",
        "[The dock is in the hallway] only when it rains.",
        "[The dock is in the hallway if it rains].",
    ],
    "supposition": [
        "[Ada probably likes tea].",
        "[Ada supposedly works in Leeds].",
        "Imagine [the dock is in the hallway].",
        "Maybe [the dock is in the hallway].",
        "[The dock might be in the hallway].",
        "I hope [the dock is in the hallway].",
        "[The dock is in the hallway], in your theory.",
        "Let's pretend. [The dock is in the hallway].",
    ],
    "report": [
        "Bob says that\n[the dock is in the hallway]",
        "[The dock is in the hallway], Bob wrote.",
        "Ada says [the dock is in the hallway].",
        "According to Ada, [the dock is in the hallway].",
        "[The dock is in the hallway], the sign says.",
        "[The dock is in the hallway], according to the two people from the workshop.",
        "[The dock is in the hallway]. That's what Ada told me, Ada says.",
        "[Ada says the dock is in the hallway].",
        "[The dock is said to be in the hallway].",
    ],
    "belief": ["Ada thinks [the dock is in the hallway].", "[Ada doubts the dock is there]."],
    "denial": [
        "I don't think\n[the dock is in the hallway]",
        "I don't think [the dock is in the hallway].",
        "It's not true that [the dock is in the hallway].",
        "Nobody believes [the dock is in the hallway].",
    ],
    "dismissal": [
        "Forget that [the dock is in the hallway].",
        "Don't remember that [the dock is in the hallway].",
        "[The dock is in the hallway]. Don't write that down, please forget it.",
        "[The dock is in the hallway]. I don't want that stored.",
    ],
    "retraction": [
        "[The dock is in the hallway]. They moved it to the kitchen.",
        "[Ada lives in York]. Well, she did. She left.",
        "[The dock is in the hallway], no wait, the kitchen.",
        "[The dock is in the hallway], I mean the kitchen.",
        "[The dock is in the hallway]. Scratch that.",
        "[The dock is in the hallway]. Just kidding.",
        "[The dock is in the hallway]. Sorry, the kitchen.",
        "[The dock is in the hallway]. Not the hallway, the kitchen.",
        "[The dock is in the hallway]. That is wrong.",
        "[The dock is in the hallway], but that was last year.",
        "[The dock is in the hallway], I think.",
    ],
    "irony": ["Oh great, [the dock is in the hallway]."],
    "quotation": ['Ada shouted: "It rains. [The dock is in the hallway]."'],
    "alternative": ["[The dock is in the hallway] or the kitchen."],
    "command": ["[Tell Ada the dock is in the hallway]."],
    "cut_word": ["The docking [station is in the hall]way."],
    "unknown_before": [
        "Bob hinted that the lamp is new and [the dock is in the hallway].",
        "Word on the street, [the dock is in the hallway].",
        "Every friend of [Gordon likes tea].",
        "Ada and [Gordon live in Leeds].",
        "Only [Gordon likes tea].",
    ],
    "unknown_after": [
        "[Gordon likes tea] from China.",
        "[Gordon likes tea] that is cold.",
        "[Gordon has two hundred] and five stamps.",
        "[Gordon eats all] but herring.",
    ],
}


@pytest.mark.parametrize("marked", ADMITTED.values(), ids=ADMITTED.keys())
def test_a_statement_is_asserted(marked: str) -> None:
    given = verdict(marked)
    assert given.asserted, given.rule
    assert given.language == "en"


@pytest.mark.parametrize(
    ("rule", "marked"), [(rule, marked) for rule, all in REFUSED.items() for marked in all]
)
def test_what_governs_the_clause_refuses_it(rule: str, marked: str) -> None:
    given = verdict(marked)
    assert not given.asserted
    kindred = ({"report", "belief", "denial"}, {"retraction", "dismissal", "report"})
    assert given.rule == rule or any({given.rule, rule} <= kin for kin in kindred)


@pytest.mark.parametrize(
    ("trigger", "asserted", "governed"),
    [
        ("if", "If it rains, we wait. [The dock is here].", "If [the dock is here], go."),
        ("says", "Ada says hello, and [the dock is here].", "Ada says [the dock is here]."),
        ("not", "It is not far, and [the dock is here].", "It is not so that [the dock is here]."),
        ("?", "Is it late? [The dock is here].", "[The dock is here]?"),
        ("forget", "I forget names, but [the dock is here].", "Forget [the dock is here]."),
    ],
)
def test_the_place_of_a_word_decides_not_its_presence(
    trigger: str, asserted: str, governed: str
) -> None:
    assert trigger in asserted.casefold()
    assert trigger in governed.casefold()
    assert verdict(asserted).asserted
    assert not verdict(governed).asserted


@pytest.mark.parametrize(("repeats", "rule"), [(20, "asserted"), (200, "too_long")])
def test_a_sentence_that_nobody_says_is_too_long_to_judge(repeats: int, rule: str) -> None:
    marked = "It is late" + " and it is late" * repeats + " and [it is dark]."
    assert verdict(marked).rule == rule


def test_the_explanation_repeats_nothing_that_was_said() -> None:
    given = verdict("Ada says [Gordon keeps plums].")
    assert given.sentence.endswith(".")
    assert not {"ada", "gordon", "plums"} & set(given.sentence.casefold().split())
