# SPDX-License-Identifier: Apache-2.0
"""Give text its display form and its identity: what is the same name, and what is refused.

Follows docs/memory.md, "Identity and text".
"""

import unicodedata

from mira_memory.errors import TextRefused
from mira_memory.invisible import refused_character

__all__ = [
    "EVIDENCE_MAX",
    "NAME_MAX",
    "OPERATOR_WORDS",
    "SELF_WORDS",
    "SOURCE_LABEL_MAX",
    "SUMMARY_MAX",
    "TOKEN_MAX",
    "VALUE_MAX",
    "TextRefused",
    "checked",
    "display_form",
    "fold_typography",
    "key",
    "refused_character",
    "token",
]

NAME_MAX = 256
VALUE_MAX = 500
EVIDENCE_MAX = 1000
SUMMARY_MAX = 1000
TOKEN_MAX = 64
SOURCE_LABEL_MAX = 256

SELF_WORDS = frozenset({"you", "your", "yours", "yourself"})
OPERATOR_WORDS = frozenset({"i", "me", "my", "mine", "myself"})

# NFKC shortens by less than four; the rest is room for white space that collapses. The bound
# keeps a hostile run of combining marks, which NFKC sorts in quadratic time, from costing seconds.
_RAW_FACTOR = 8

_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02bb\u02bc\u02bd`", "'")
    | dict.fromkeys("\u055a\u05f3\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f", '"')
    | dict.fromkeys("\u05f4\uff02", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b", "-")
    | dict.fromkeys("\u058a\u05be\ufe31\ufe32\ufe58\ufe63\uff0d", "-")
)


def key(text: str) -> str:
    """Return the identity key: two names are the same name exactly when their keys are equal.

    The key is the display form, case folded, and both again until nothing changes. One pass is
    not enough: folding `ß` before a combining accent leaves an accent that composes with the
    last `s` (UAX #15, and Unicode 3.13 D146). The result is a fixed point, so `key(key(x))` is
    `key(x)`.
    """
    folded = display_form(text).casefold()
    if folded.isascii():
        return folded
    while (again := display_form(folded).casefold()) != folded:
        folded = again
    return folded


def display_form(text: str) -> str:
    """Return the text in NFKC, trimmed, every run of white space one space; case is kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.split())


def checked(text: str, what: str, limit: int) -> str:
    """Return the display form of `text`, which has at most `limit` characters.

    `what` names the field in the sentence of the error ("name", "value"); the text is never in it.

    Raises:
        TextRefused: it is empty, too long, or has a refused character.
    """
    if len(text) > _RAW_FACTOR * limit:
        raise TextRefused(f"The {what} has {len(text)} characters; shorten it to at most {limit}.")
    # White space would hide a tab or a line feed, so the characters come before the collapsing.
    refused = refused_character(text)
    if refused is None and not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        refused = refused_character(text)
    if refused is not None:
        raise TextRefused(
            f"The {what} contains {refused}, an invisible, control or unassigned character; "
            "leave it out."
        )
    shown = " ".join(text.split())
    if not shown:
        raise TextRefused(f"The {what} is empty; give at least one visible character.")
    if len(shown) > limit:
        raise TextRefused(
            f"The {what} has {len(shown)} characters; shorten it to at most {limit}."
        )
    return shown


def token(text: str, what: str) -> str:
    """Return the machine token that `text` names, case folded.

    A token is `XID_Start (XID_Continue | "-")*` of at most 64 characters (UAX #31), in NFKC.
    It is checked once more after folding, which may add marks.

    Raises:
        TextRefused: it is no token.
    """
    if len(text) <= _RAW_FACTOR * TOKEN_MAX:
        normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
        if _is_token(normal):
            folded = key(normal)
            if _is_token(folded):
                return folded
    raise TextRefused(
        f"The {what} is no token; give a letter followed by letters, digits, '_' or '-', "
        f"at most {TOKEN_MAX} characters."
    )


def _is_token(text: str) -> bool:
    # str.isidentifier is XID_Start XID_Continue* with "_" as one more start.
    return (
        0 < len(text) <= TOKEN_MAX
        and text[0] not in "_-"
        and text.replace("-", "_").isidentifier()
        and refused_character(text) is None
    )


def fold_typography(text: str) -> str:
    """Return `text` with variants of apostrophe, quotation mark, hyphen and dash made ASCII.

    The length is kept: an index into the result is an index into `text`.
    """
    return text.replace("`", "'") if text.isascii() else text.translate(_TYPOGRAPHY)
