# SPDX-License-Identifier: Apache-2.0
"""Fixtures: real nodes in their own processes, each test in a ROS domain of its own."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from domain_coordinator import domain_id
from probe import Probe
from robot_graph import RobotGraph, child_environment, ros_environment
from talking import Talker

# Neighbouring tests take different domains, so that a killed node of one is unknown to the next.
_domains = itertools.count(os.getpid())


@pytest.fixture
def domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    with domain_id(lambda: next(_domains) % 100 + 1) as domain:
        for name, value in ros_environment(domain).items():
            monkeypatch.setenv(name, value)
        yield domain


@pytest.fixture
def graph(tmp_path: Path, domain: int, request: pytest.FixtureRequest) -> Iterator[RobotGraph]:
    breaches = tmp_path / "breaches"
    graph = RobotGraph(tmp_path, child_environment(tmp_path, breaches))
    yield graph
    graph.end()
    request.node.add_report_section("teardown", "logs of the nodes", graph.logs())
    assert not breaches.exists(), breaches.read_text()
    assert "Traceback" not in graph.logs(), graph.logs()


@pytest.fixture
def probe(graph: RobotGraph, domain: int) -> Iterator[Probe]:
    with Probe(domain) as probe:
        yield probe


@pytest.fixture
def talker(graph: RobotGraph, probe: Probe) -> Talker:
    return Talker(graph, probe)
