# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
from pathlib import Path

import pytest
from mira.srv import AddEntity, GetMemoryStatus, RecallMemory
from probe import Probe
from robot_graph import NodeProcess, wait_until
from ros2_launch import ON, Launches


def recall(probe: Probe, query: str) -> str:
    """Return the status of a recall, waiting for the memory node's start."""
    call = probe.call(RecallMemory, "recall_memory", query=query, within_s=30.0, resend_s=1.0)
    return str(call.status)


def node_names(probe: Probe) -> set[str]:
    return {
        f"{namespace.rstrip('/')}/{name}"
        for name, namespace in probe.node.get_node_names_and_namespaces()
    }


def test_a_profile_starts_both_nodes_under_the_default_namespace(
    launches: Launches, profile: Path, probe: Probe
) -> None:
    run = launches.start(f"profile:={profile}")
    assert recall(probe, "Gordon") == "miss"
    wait_until(lambda: {"/mira/memory", "/mira/cognition"} <= node_names(probe), "both nodes")
    status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert status.database_path == str(profile.parent / "data" / "memory.sqlite3")
    assert run.stop(signal.SIGINT) == 0, run.log()
    assert "Traceback" not in run.log()


def test_without_a_profile_there_is_cognition_and_no_memory(
    launches: Launches, probe: Probe
) -> None:
    run = launches.start()
    wait_until(lambda: "/mira/cognition" in node_names(probe), "the cognition node")
    assert "/mira/memory" not in node_names(probe)
    assert "memory_node" not in run.log()
    assert run.stop() == 0, run.log()


@pytest.mark.parametrize("respawn", ["false", "true"])
def test_a_refused_database_ends_the_launch_with_its_error_and_code_1(
    launches: Launches, profile: Path, respawn: str
) -> None:
    database = profile.parent / "data" / "memory.sqlite3"
    database.parent.mkdir()
    database.write_text("a shopping list")
    run = launches.start(f"profile:={profile}", f"respawn:={respawn}")
    assert run.wait(30.0) == 1, run.log()
    assert f"{database} is not an SQLite database;" in run.log()
    assert run.log().count("[memory_node-1]: process started") == 1
    assert database.read_text() == "a shopping list"


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("profile:={profile}", "profile.yaml:1: memroy is not a key of the profile; did you mean"),
        ("profile:=/no/such.yaml", "/no/such.yaml: the profile cannot be read"),
        ("params_file:=/no/such.yaml", "The params file /no/such.yaml does not exist"),
        ("namespace:=2nd", "namespace '2nd' is no ROS namespace"),
        ("log_level:=loud", "log_level"),
    ],
)
def test_a_wrong_argument_ends_the_launch_with_its_sentence(
    launches: Launches, profile: Path, argument: str, sentence: str
) -> None:
    profile.write_text("memroy: {}\n")
    run = launches.start(argument.format(profile=profile))
    assert run.wait(30.0) == 1, run.log()
    assert sentence in run.log()
    assert "process started" not in run.log()


def test_text_that_looks_like_something_else_stays_text(
    launches: Launches, profile: Path, probe: Probe
) -> None:
    profile.write_text(ON.replace("memory.sqlite3", "yes") + 'robot: {name: "007"}\n')
    launches.start(f"profile:={profile}")
    assert recall(probe, "Gordon") == "miss"
    status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert status.database_path == str(profile.parent / "data" / "yes")


def test_a_params_file_wins_over_the_profile(
    launches: Launches, profile: Path, domain: int, tmp_path: Path
) -> None:
    params_file = tmp_path / "params.yaml"
    elsewhere = tmp_path / "elsewhere.sqlite3"
    params_file.write_text(f'/**/memory: {{ros__parameters: {{database_path: "{elsewhere}"}}}}\n')
    launches.start(f"profile:={profile}", f"params_file:={params_file}", "namespace:=fleet/rosa")
    with Probe(domain, namespace="fleet/rosa") as probe:
        assert recall(probe, "Gordon") == "miss"
        status = probe.call(GetMemoryStatus, "memory/get_status").status
    assert status.database_path == str(elsewhere)


def test_a_params_file_for_nobody_is_warned_about(
    launches: Launches, profile: Path, probe: Probe, tmp_path: Path
) -> None:
    params_file = tmp_path / "params.yaml"
    params_file.write_text("/memory: {ros__parameters: {turn_ttl_s: 9.0}}\n")
    run = launches.start(f"profile:={profile}", f"params_file:={params_file}")
    assert recall(probe, "Gordon") == "miss"
    assert f"The params file {params_file} changes nothing: it names /memory" in run.log()


def test_two_robots_run_side_by_side(
    launches: Launches, profile: Path, domain: int, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "profile.yaml"
    other.parent.mkdir()
    other.write_text(ON)
    launches.start(f"profile:={profile}", "namespace:=rosa")
    launches.start(f"profile:={other}", "namespace:=bert")
    with Probe(domain, "rosa") as rosa, Probe(domain, "bert") as bert:
        assert (recall(rosa, "Gordon"), recall(bert, "Gordon")) == ("miss", "miss")
        added = rosa.call(
            AddEntity, "memory/add_entity", entity_type="person", canonical_name="Gordon"
        )
        assert added.success, added.error
        assert (recall(rosa, "Gordon"), recall(bert, "Gordon")) == ("hit", "miss")


def test_a_killed_node_comes_back_where_respawn_is_on(
    launches: Launches, profile: Path, probe: Probe
) -> None:
    run = launches.start(f"profile:={profile}", "respawn:=true")
    assert recall(probe, "Gordon") == "miss"
    os.kill(pid_of(run, "memory_node"), signal.SIGKILL)
    wait_until(lambda: run.log().count("[memory_node-1]: process started") == 2, "the respawn")
    assert recall(probe, "Gordon") == "miss"
    assert run.stop() == 0, run.log()


def test_every_argument_has_a_description(launches: Launches) -> None:
    run = launches.start("--show-args")
    assert run.wait(30.0) == 0
    for name in ("profile", "namespace", "params_file", "log_level", "use_sim_time", "respawn"):
        assert f"'{name}':" in run.log()
    assert "no description given" not in run.log()


def test_ros2_service_call_recalls(launches: Launches, profile: Path, probe: Probe) -> None:
    launches.start(f"profile:={profile}")
    assert recall(probe, "Gordon") == "miss"
    called = subprocess.run(
        ["ros2", "service", "call", "/mira/recall_memory", "mira/srv/RecallMemory",
         "{query: 'gordon'}"],
        capture_output=True, text=True, timeout=30.0, check=True,
    )  # fmt: skip
    assert "status='miss'" in called.stdout


def pid_of(run: NodeProcess, executable: str) -> int:
    """Read the process id from what launch printed."""
    line = next(line for line in run.log().splitlines() if f"[{executable}-1]: process st" in line)
    return int(line.rpartition("[")[2].rstrip("]"))
