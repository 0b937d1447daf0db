# SPDX-License-Identifier: Apache-2.0
"""`./dev bench cognition` runs scenarios through the real nodes, with memory and without."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_offline_policy_is_measured_with_memory_and_without(tmp_path):
    report = tmp_path / "report.json"
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.cognition", "--only", "remember a preference"),
            *("--json", str(report)),
        ],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    with_memory, without = json.loads(report.read_text())
    assert (with_memory["arm"], with_memory["score"]) == ("memory", "PASS")
    assert with_memory["observed"]["calls"] == ["remember"]
    assert with_memory["observed"]["stored"] == ["herring"]
    assert (without["arm"], without["score"]) == ("no memory", "MISS")
    assert without["observed"]["stored"] == []
    assert ["memory", "all", "1", "0", "0", "0"] in map(str.split, ended.stdout.splitlines())
    assert "model requests and 1.00 calls an episode" in ended.stdout
