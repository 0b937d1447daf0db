# SPDX-License-Identifier: Apache-2.0
"""Real nodes in their own processes, each test in a ROS domain of its own."""

from graph_fixtures import domain, graph, probe, talker

__all__ = ["domain", "graph", "probe", "talker"]
