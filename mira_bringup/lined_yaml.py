# SPDX-License-Identifier: Apache-2.0
"""Read YAML and remember on which line each key stands."""

from collections.abc import Sequence
from dataclasses import dataclass

import yaml


class YamlRefused(ValueError):
    """Text that is not one YAML document of unambiguous keys; the sentence starts at the fault."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


@dataclass(frozen=True, slots=True)
class LinedYaml:
    """A YAML document: its plain value, and its node tree for the lines."""

    value: object
    root: yaml.Node | None

    def line_of(self, path: Sequence[str | int]) -> int:
        """Return the 1-based line of the key or list item at `path`, or of the nearest parent."""
        line, node = 1, self.root
        for step in path:
            found = _step(node, step)
            if found is None:
                break
            line, node = found
        return line


def read_lined(text: str) -> LinedYaml:
    """Parse one YAML document with the safe types; raises `YamlRefused`."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is not None:
            _refuse_unclear_keys(root)
        return LinedYaml(yaml.safe_load(text), root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context
        raise YamlRefused(mark.line + 1 if mark else 1, f"is not valid YAML: {problem}") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlRefused(line, f"is not valid YAML: {error.reason}") from error
    except YamlRefused:
        raise
    except (ValueError, RecursionError) as error:
        raise YamlRefused(1, f"has a value that YAML cannot read: {error}") from error


def _refuse_unclear_keys(root: yaml.Node) -> None:
    """Refuse what PyYAML lets pass: a key given twice, or one that is not text."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            lines: dict[str, int] = {}
            for key, value in node.value:
                line = key.start_mark.line + 1
                if key.tag not in ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"):
                    raise YamlRefused(line, "has a key that is not text; put it in quotes")
                if key.value in lines:
                    first = lines[key.value]
                    raise YamlRefused(
                        line, f"repeats {key.value}, first given in line {first}; keep one of them"
                    )
                lines[key.value] = line
                waiting.append(value)


def _step(node: yaml.Node | None, step: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        item = node.value[step]
        return item.start_mark.line + 1, item
    return None
