# SPDX-License-Identifier: Apache-2.0
"""Tell which names look alike: the skeleton of UTS #39 "Unicode Security Mechanisms".

The data is Unicode's own `confusables.txt`, in `unicode/` beside this file. No maintained Python
library computes this skeleton: `confusable-homoglyphs` and `confusables` keep the pairs without
their direction, `disarm` folds to a key of its own, and PyICU needs ICU built on the robot.
"""

import unicodedata
from functools import cache
from importlib import resources

import regex

_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")


def skeleton(text: str) -> str:
    """Return the skeleton: texts that look alike in many fonts have the same one.

    NFD, without default ignorable code points, each character replaced by its prototype, NFD
    again (UTS #39, section 4). It is for comparison only and no text to show.
    """
    plain = _IGNORABLE.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", plain.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    data = resources.files("mira_memory").joinpath("unicode/confusables.txt")
    lines = data.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" ; ") for line in lines if not line.startswith("#"))
    return {
        int(source, 16): "".join(chr(int(code, 16)) for code in prototype.split())
        for source, prototype in pairs
    }
