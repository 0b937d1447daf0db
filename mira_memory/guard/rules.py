# SPDX-License-Identifier: Apache-2.0
"""The rules by which a span counts as not asserted, each with the sentence that explains it.

The identifiers are stable: diagnostics and the benchmark count by them.
"""

from mira_memory.guard.bits import Bit

ASSERTED = "asserted"
UNGUARDED = "unguarded"

SENTENCES = {
    ASSERTED: "The operator states it.",
    UNGUARDED: "The sentence is in no language that has word lists; only its words were compared.",
    "question": "The sentence asks a question, so it states nothing; say it as a plain statement.",
    "command": "The sentence asks for something, so it states nothing; say it as a statement.",
    "condition": "The sentence makes it depend on a condition; say it without the condition.",
    "supposition": "The sentence only supposes or hopes it; say it as a plain statement.",
    "irony": "It does not sound meant in earnest; say it as a plain statement.",
    "report": "The sentence reports what somebody else says; say it as your own statement.",
    "belief": "The sentence tells what somebody thinks; say it as your own plain statement.",
    "denial": "The sentence denies or doubts it; say what is the case as a plain statement.",
    "dismissal": "The sentence asks not to remember it; nothing was kept.",
    "retraction": "It is taken back or doubted right after it was said; say it again plainly.",
    "quotation": "It stands inside a quotation; say it as your own statement.",
    "alternative": "The sentence leaves open which of two things holds; say only the true one.",
    "cut_word": "The evidence cuts a word in two; quote whole words.",
    "too_long": "The sentence is too long to tell what it states; say it in a short one.",
    "unknown_before": "What stands before it in the sentence is no known way to ask to remember "
    "something, so it may not be meant as a statement; say it in a sentence of its own.",
    "unknown_after": "The sentence goes on after the evidence in a way that may change what it "
    "says; quote the whole statement, or say it in a sentence of its own.",
    "negated_value": "The evidence negates the value; the value must include the negation.",
    "alternative_value": "The evidence offers the value as one of several; the value must include "
    "all of them.",
}

# These govern what follows them.
GOVERNORS = (
    Bit.CONDITIONS
    | Bit.SUPPOSITIONS
    | Bit.REPORTS
    | Bit.ATTRIBUTIONS
    | Bit.BELIEFS
    | Bit.DENIALS
    | Bit.DISMISSALS
    | Bit.QUESTIONS
)

_BY_LIST = (
    (Bit.QUESTIONS | Bit.QUESTION_WORDS | Bit.INVERSIONS | Bit.TAG_QUESTIONS, "question"),
    (Bit.CONDITIONS | Bit.LIMITS, "condition"),
    (Bit.SUPPOSITIONS, "supposition"),
    (Bit.DISMISSALS, "dismissal"),
    (Bit.DENIALS | Bit.UNTRUTHS, "denial"),
    (Bit.IRONIES, "irony"),
    (Bit.REPORTS | Bit.ATTRIBUTIONS, "report"),
    (Bit.BELIEFS | Bit.EMBEDDERS, "belief"),
    (Bit.RETRACTIONS | Bit.RETRACTIONS_ALONE | Bit.BACKTRACKS, "retraction"),
    (Bit.ALTERNATIVES, "alternative"),
)


def rule_of(bits: int) -> str | None:
    """Return the rule that a phrase of these lists invokes, or None."""
    for mask, rule in _BY_LIST:
        if bits & mask:
            return rule
    return None
