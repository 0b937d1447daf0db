# SPDX-License-Identifier: Apache-2.0
"""Fixtures: real nodes in their own processes, each test in a ROS domain of its own."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from domain_coordinator import domain_id
from probe import Probe
from robot_graph import RobotGraph, child_environment, ros_environment
from talking import Talker

# Neighbouring tests take different domains, so that a killed node of one is unknown to the next.
_domains = itertools.count(os.getpid())


@contextmanager
def own_domain() -> Iterator[int]:
    """Give a ROS domain that nobody else has, to this process and to what it starts."""
    with (
        domain_id(lambda: next(_domains) % 100 + 1) as domain,
        pytest.MonkeyPatch.context() as environment,
    ):
        for name, value in ros_environment(domain).items():
            environment.setenv(name, value)
        yield domain


@contextmanager
def own_graph(directory: Path) -> Iterator[RobotGraph]:
    """Give processes in this domain, end them, and look at what they left behind."""
    breaches = directory / "breaches"
    graph = RobotGraph(directory, child_environment(directory, breaches))
    yield graph
    graph.end()
    assert not breaches.exists(), breaches.read_text()
    assert "Traceback" not in graph.logs(), graph.logs()


@pytest.fixture
def domain() -> Iterator[int]:
    with own_domain() as domain:
        yield domain


@pytest.fixture
def graph(tmp_path: Path, domain: int, request: pytest.FixtureRequest) -> Iterator[RobotGraph]:
    with own_graph(tmp_path) as graph:
        yield graph
        graph.end()
        request.node.add_report_section("teardown", "logs of the nodes", graph.logs())


@pytest.fixture
def probe(graph: RobotGraph, domain: int) -> Iterator[Probe]:
    with Probe(domain) as probe:
        yield probe


@pytest.fixture
def talker(graph: RobotGraph, probe: Probe) -> Talker:
    return Talker(graph, probe)
