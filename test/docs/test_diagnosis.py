# SPDX-License-Identifier: Apache-2.0
"""Every diagnostic field and every log line is explained in docs/operations.md."""

import ast
import json
import re
from collections.abc import Iterator

import yaml
from diagnostic_msgs.msg import DiagnosticArray
from documents import ROOT, code, table
from probe import Probe
from proposals import SNACK, add_entities
from robot_graph import RobotGraph, wait_until
from talking import Talker

SENSOR = {
    "name": "battery",
    "topic": "/battery_state",
    "type": "sensor_msgs/msg/BatteryState",
    "fields": ["percentage"],
}
# Published only after a fault inside a service.
WITHOUT_OCCASION = {"Faults in <place>"}
LEVELS = {"debug", "info", "warning", "error", "fatal"}
MODULES = ("mira_ros", "mira_memory", "mira_cognition", "mira_operator")


def documented_fields() -> dict[str, set[str]]:
    """Return the fields of each status; a row without a status belongs to the one above."""
    fields: dict[str, set[str]] = {}
    titles: list[str] = []
    for status, names, _ in table("operations.md", "Diagnose"):
        titles = code(status) or titles
        for title in titles:
            fields.setdefault(title, set()).update(code(names))
    return fields


def pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"<\w+>", "[^:]+", name.replace("(", r"\(").replace(")", r"\)")))


def test_every_field_is_explained_and_every_explained_field_is_published(
    graph: RobotGraph, probe: Probe, talker: Talker
) -> None:
    graph.start_memory()
    graph.start_cognition(sensors=json.dumps([SENSOR]))
    add_entities(probe, "Gordon")
    assert talker.tell(SNACK).memory_id == "MEM1"
    assert talker.tell("Remember that Gordon's favourite snack is tuna.").memory_reason
    arrays = probe.listen(DiagnosticArray, "/diagnostics", 10)
    wait_until(lambda: len(arrays) >= 6, "diagnostics of both nodes")
    published = {
        status.name.removeprefix("mira/"): {value.key for value in status.values}
        for array in arrays
        for status in array.status
    }
    documented = documented_fields()
    assert set(published) == set(documented)
    for title, keys in published.items():
        patterns = {name: pattern(name) for name in documented[title]}
        unexplained = {
            key for key in keys if not any(each.fullmatch(key) for each in patterns.values())
        }
        unpublished = {
            name
            for name, each in patterns.items()
            if name not in WITHOUT_OCCASION and not any(each.fullmatch(key) for key in keys)
        }
        assert (unexplained, unpublished) == (set(), set()), title


def test_the_aggregator_expects_exactly_what_is_published() -> None:
    file = yaml.safe_load((ROOT / "config" / "diagnostics.yaml").read_text())
    analyzers = file["analyzers"]["ros__parameters"]
    groups = [value for value in analyzers.values() if isinstance(value, dict)]
    expected = [name for group in groups for name in group["expected"]]
    assert sorted(expected) == sorted(f"mira/{title}" for title in documented_fields())
    for group in groups:
        assert group["type"] == "diagnostic_aggregator/GenericAnalyzer"
        (prefix,) = group["startswith"]
        assert group["remove_prefix"] == [prefix]
        assert all(name.startswith(prefix) for name in group["expected"])


def logged_sentences() -> Iterator[str]:
    """Yield the fixed words that every sentence begins with that the nodes can log."""
    for module in MODULES:
        for path in sorted((ROOT / module).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr in LEVELS
                    and "get_logger" in ast.dump(node.func.value)
                ):
                    yield first_words(node.args[0])


def first_words(text: ast.expr) -> str:
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return next(str(part.value) for part in parts if isinstance(part, ast.Constant)).strip()


def test_every_log_line_is_explained() -> None:
    sentences = set(logged_sentences())
    assert len(sentences) >= 10
    lines = [line for row in table("operations.md", "Log lines") for line in code(row[0])]
    explained = {
        line: [words.strip() for words in line.split("…") if len(words.strip()) > 3]
        for line in lines
    }
    for sentence in sentences:
        assert [line for line in lines if any(w in sentence for w in explained[line])], sentence
    for line in lines:
        assert [s for s in sentences if any(words in s for words in explained[line])], line
