# SPDX-License-Identifier: Apache-2.0
"""Clean what arrived as an utterance: line ends kept as sentence ends, invisible characters gone.

Follows docs/memory.md, "Identity and text".
"""

import unicodedata

import regex

from mira_memory.errors import Refused
from mira_memory.invisible import is_needed, refused_character

RAW_MAX = 4000
NORMAL_MAX = 8000

# UAX #15, "Stream-Safe Text Format": no writing system stacks more than 30 marks. NFKC sorts a
# run of marks in quadratic time, so a longer one could stall the node.
_STACK = regex.compile(r"\p{M}{31}")
_BREAKS = str.maketrans(dict.fromkeys("\t\r\x85\u2028\u2029", "\n"))
_JOINER = regex.compile(r"[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_INVISIBLE = regex.compile(
    rf"[[\p{{Default_Ignorable_Code_Point}}\u2800]--{_JOINER.pattern}]+", flags=regex.V1
)
_WHITE_RUN = regex.compile(r"\s+")


class Ungroundable(Refused):
    """Refuse an utterance in which nothing can be grounded."""


def heard_text(raw: str) -> str:
    """Return the utterance with "\\n" for every line break and tab, and nothing invisible.

    A run of white space becomes "\\n" if it holds a line break, else one space; the ends are
    trimmed. The result is not yet in NFKC, so that its characters are still the operator's.

    Raises:
        Ungroundable: more than 4,000 characters, or 8,000 in NFKC, or a refused character.
    """
    if len(raw) > RAW_MAX:
        raise Ungroundable(
            f"The utterance has {len(raw)} characters; say it in at most {RAW_MAX}."
        )
    if stacks_marks(raw):
        raise Ungroundable(
            "The utterance stacks more than 30 marks on one character; say it in plain text."
        )
    text = raw.translate(_BREAKS)
    if not text.isascii():
        if len(unicodedata.normalize("NFKC", text)) > NORMAL_MAX:
            raise Ungroundable(
                f"The utterance has more than {NORMAL_MAX} characters once normalized; shorten it."
            )
        text = _without_invisible(text)
    refused = refused_character(_JOINER.sub("", text).replace("\n", " "))
    if refused is not None:
        raise Ungroundable(
            f"The utterance contains {refused}, a control, private or unassigned character; "
            "say it again in plain text."
        )
    return _WHITE_RUN.sub(lambda run: "\n" if "\n" in run[0] else " ", text.strip())


def stacks_marks(text: str) -> bool:
    """Tell whether more marks follow one another than any writing system needs."""
    return not text.isascii() and _STACK.search(text) is not None


def _without_invisible(text: str) -> str:
    # Joiners and variation selectors are judged by their visible neighbours, so the rest goes
    # first.
    seen = _INVISIBLE.sub("", text)
    return _JOINER.sub(lambda match: match[0] if is_needed(seen, match.start()) else "", seen)
