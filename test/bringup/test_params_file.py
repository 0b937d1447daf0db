# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest
from rcl_parameters import as_rcl_reads

from mira_bringup.params_file import checked_params_file, is_for, params_file_notices
from mira_bringup.plan import Arguments, PlanRefused, plan
from mira_bringup.profile import Profile


def test_a_missing_params_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    with pytest.raises(
        PlanRefused, match=r"params\.yaml does not exist; name a file, or leave it"
    ):
        checked_params_file(str(path))
    path.touch()
    assert checked_params_file(str(path)) == path
    assert checked_params_file("") is None
    with pytest.raises(PlanRefused, match=r"~no-such-user/params\.yaml does not exist"):
        checked_params_file("~no-such-user/params.yaml")


def notices(read: Callable[[str], Profile], path: Path, text: str) -> tuple[str, ...]:
    path.write_text(text)
    profile = read("memory: {enabled: true, database_path: /m}")
    return params_file_notices(plan(profile, Arguments(params_file=path)))


FOR_MEMORY = [
    "/**: {P}",
    "/**/memory: {P}",
    "/mira/memory: {P}",
    "/mira/*: {P}",
    "/*/memory: {P}",
    "mira: {memory: {P}}",
    "/mira: {memory: {P}}",
    "/other/node: {P}\n/mira/memory: {P}",
]
FOR_NOBODY = ["memory: {P}", "/memory: {P}", "/other/memory: {P}", "/mira/memory_node: {P}", "{}"]
P = "{ros__parameters: {turn_ttl_s: 9.0}}"


@pytest.mark.parametrize("text", FOR_MEMORY)
def test_a_params_file_for_a_node_of_the_robot_is_not_warned_about(
    read: Callable[[str], Profile], tmp_path: Path, text: str
) -> None:
    assert notices(read, tmp_path / "p.yaml", text.replace("{P}", P)) == ()


@pytest.mark.parametrize("text", FOR_NOBODY)
def test_a_params_file_that_matches_nothing_is_warned_about(
    read: Callable[[str], Profile], tmp_path: Path, text: str
) -> None:
    (notice,) = notices(read, tmp_path / "p.yaml", text.replace("{P}", P))
    assert f"The params file {tmp_path / 'p.yaml'} changes nothing: it names " in notice
    assert "the nodes are /mira/memory, /mira/cognition; write /** for all nodes" in notice


@pytest.mark.parametrize("text", ["a: [", "\x07", "&a {b: *a}", "[" * 5000])
def test_a_params_file_that_is_no_yaml_is_refused(
    read: Callable[[str], Profile], tmp_path: Path, text: str
) -> None:
    with pytest.raises(PlanRefused, match=r"p\.yaml cannot be read as YAML \(.*\); correct it"):
        notices(read, tmp_path / "p.yaml", text)


@pytest.mark.parametrize(
    "pattern",
    ["/**", "/*", "/*/*", "/**/memory", "/mira/**", "/mira/**/memory", "/*/memory", "/memory"],
)
def test_a_pattern_is_for_the_nodes_that_rclpy_takes_it_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF")
    path = tmp_path / "p.yaml"
    path.write_text(f"{pattern}: {P}")
    assert is_for(pattern, "/mira/memory") is ("turn_ttl_s" in as_rcl_reads(path))
