# SPDX-License-Identifier: Apache-2.0
"""Load the word lists that lie beside the code."""

from importlib.resources import files
from typing import Any

import yaml

# Leaves every word a string: "no" and "on" are words here, not booleans. The parser in C, where
# PyYAML has it, reads the same ten times as fast, which a starting node notices.
WordLoader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def word_lists(file_name: str) -> dict[str, frozenset[str]]:
    """Return the lists of one file by name; a list may be broken up into one for each language."""
    source = files(__package__).joinpath(file_name).read_text("utf-8")
    lists: dict[str, list[str | list[str]]] = yaml.load(source, Loader=WordLoader)
    return {name: frozenset(_flat(entries)) for name, entries in lists.items()}


def _flat(entries: list[str | list[str]]) -> list[str]:
    return [word for entry in entries for word in ([entry] if isinstance(entry, str) else entry)]
