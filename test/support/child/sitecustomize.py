# SPDX-License-Identifier: Apache-2.0
"""Put the guards into every Python process that a test starts."""

import os
from pathlib import Path

from guards import Guards

Guards(Path(os.environ["MIRA_TEST_DIRECTORY"]), Path(os.environ["MIRA_TEST_BREACHES"]))
if "MIRA_TEST_CENSUS" in os.environ:
    from census import answer_signals

    answer_signals()
