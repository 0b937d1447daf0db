# SPDX-License-Identifier: Apache-2.0
"""What the documentation says is compared with the running graph."""

from graph_fixtures import domain, graph, probe, talker

__all__ = ["domain", "graph", "probe", "talker"]
