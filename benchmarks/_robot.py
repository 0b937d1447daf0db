# SPDX-License-Identifier: Apache-2.0
"""The real nodes in processes of their own, in a ROS domain of their own, for a benchmark."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from domain_coordinator import domain_id
from probe import Probe
from robot_graph import RobotGraph, ros_environment


@contextmanager
def robot() -> Iterator[tuple[RobotGraph, Probe]]:
    """Give a graph to start nodes in and a probe to talk to them, without a test's guards."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mira-bench-")))
        domain = stack.enter_context(domain_id())
        os.environ.update(ros_environment(domain))
        logs = {"PYTHONUNBUFFERED": "1", "ROS_LOG_DIR": str(directory / "ros")}
        graph = RobotGraph(directory, os.environ | logs)
        stack.callback(graph.end)
        yield graph, stack.enter_context(Probe(domain))
