# SPDX-License-Identifier: Apache-2.0
"""The comments of the interface files are what rqt and `ros2 interface show` tell a user."""

import re
from pathlib import Path

import pytest
from documents import ROOT

FILES = [*sorted((ROOT / "msg").glob("*.msg")), *sorted((ROOT / "srv").glob("*.srv"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_interface_and_every_field_is_explained(path: Path) -> None:
    licence, purpose, *rest = path.read_text(encoding="utf-8").splitlines()
    assert licence == "# SPDX-License-Identifier: Apache-2.0"
    assert re.fullmatch(r"# [A-Z].*\.", purpose)
    fields = [line for line in rest if line and not line.startswith("#") and line != "---"]
    assert fields
    for line in fields:
        declared, mark, comment = line.partition("#")
        assert mark, line
        assert comment.strip(), line
        assert len(declared.split()) == 2, line


def test_the_build_knows_every_interface() -> None:
    listed = re.findall(r'"((?:msg|srv)/\w+\.(?:msg|srv))"', (ROOT / "CMakeLists.txt").read_text())
    assert listed == sorted(listed)
    assert set(listed) == {path.relative_to(ROOT).as_posix() for path in FILES}
