# SPDX-License-Identifier: Apache-2.0
"""One durable write syncs the disk exactly once."""

from pathlib import Path

import pytest
from disk_syncs import NotTraced, syncs

WRITES = 50


def test_each_write_is_synced_once(tmp_path: Path) -> None:
    try:
        without = syncs(tmp_path / "none.sqlite3", 0)
    except NotTraced as reason:
        pytest.skip(str(reason))
    assert without > 0
    assert syncs(tmp_path / "many.sqlite3", WRITES) - without == WRITES
