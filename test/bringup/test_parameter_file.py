# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rcl_parameters import as_rcl_reads

from mira_bringup.database_directory import DirectoryRefused, make_database_directory
from mira_bringup.parameter_file import write_node_files, write_parameter_file
from mira_bringup.plan import Arguments, ParameterValue, plan
from mira_bringup.profile import Profile

# Text that rcl, or YAML 1.1, would read as something else if it stood bare.
LURES = ["yes", "no", "on", "null", "~", "007", "012", "4.1", "1e3", ".inf", "0x1F", "12:30",
         "2026-11-30", "true", "", " ", "- a", "a: b", "{a}", "#x", "'", '"', "\\n", "a\nb",
         "a\tb", "Зоя", "猫", "🤖", "!!int 3", "&a", "*a", "%x"]  # fmt: skip


@pytest.fixture(autouse=True)
def _on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF")


def test_text_stays_text_and_numbers_numbers(tmp_path: Path) -> None:
    parameters: list[tuple[str, ParameterValue]] = [
        (f"lure_{index}", lure) for index, lure in enumerate(LURES)
    ]
    parameters += [("b", True), ("i", 7), ("f", 5.0), ("small", 1e-05), ("texts", ("007", "no"))]
    write_parameter_file(tmp_path / "p.yaml", "/**", parameters)
    given_to_node = as_rcl_reads(tmp_path / "p.yaml")
    read = [given_to_node[name] for name, _ in parameters]
    expected = [*LURES, True, 7, 5.0, 1e-05, ["007", "no"]]
    assert read == expected
    assert [type(value) for value in read] == [type(value) for value in expected]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_arrives_unchanged(tmp_path: Path, text: str) -> None:
    write_parameter_file(tmp_path / "p.yaml", "/**", [("text", text)])
    assert as_rcl_reads(tmp_path / "p.yaml")["text"] == text


def test_an_empty_list_arrives_as_one_empty_text(tmp_path: Path) -> None:
    write_parameter_file(tmp_path / "p.yaml", "/**", [("speakers", ())])
    assert as_rcl_reads(tmp_path / "p.yaml")["speakers"] == [""]


@pytest.mark.parametrize("pattern", ["/**", "/mira/memory", "/mira/*"])
def test_argument_wins_over_params_file_wins_over_profile(
    tmp_path: Path, read: Callable[[str], Profile], pattern: str
) -> None:
    params_file = tmp_path / "params.yaml"
    write_parameter_file(
        params_file, pattern, [("self_name", "Rosa"), ("use_sim_time", True), ("turn_ttl_s", 9.0)]
    )
    profile = read(
        "robot: {name: Mira}\n"
        "memory: {enabled: true, database_path: /m, turn_ttl_s: 60, speakers: [console]}"
    )
    planned = plan(profile, Arguments(params_file=params_file, use_sim_time=False))
    given_to_node = as_rcl_reads(*write_node_files(planned, planned.nodes[0], tmp_path))
    names = ["use_sim_time", "self_name", "turn_ttl_s", "speakers"]
    assert [given_to_node[name] for name in names] == [False, "Rosa", 9.0, ["console"]]


def test_the_missing_directory_of_a_database_is_made_for_its_owner(tmp_path: Path) -> None:
    make_database_directory(tmp_path / "data" / "m.sqlite3")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert list((tmp_path / "data").iterdir()) == []
    make_database_directory(tmp_path / "data" / "m.sqlite3")
    make_database_directory(None)


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(DirectoryRefused, match=r"data of memory.database_path cannot be made"):
        make_database_directory(tmp_path / "data" / "m.sqlite3")
