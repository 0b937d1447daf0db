# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest

from mira_bringup.profile import Profile, load_profile

Write = Callable[[str], Path]
Read = Callable[[str], Profile]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a profile into a directory of its own and return its path."""

    def write(text: str) -> Path:
        path = tmp_path / "robot" / "profile.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def read(write: Write) -> Read:
    return lambda text: load_profile(write(text))
