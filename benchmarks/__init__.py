# SPDX-License-Identifier: Apache-2.0
"""Measurements; those of the graph start the nodes as the tests do, with test/support."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "test" / "support"))
