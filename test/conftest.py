# SPDX-License-Identifier: Apache-2.0
"""The guards of every test: databases in the test's directory, no network beyond loopback."""

import tempfile
from collections.abc import Iterator

import pytest
from guards import Guards
from hypothesis import settings

# No test depends on the machine's speed.
settings.register_profile("mira", deadline=None)
settings.load_profile("mira")


@pytest.fixture(scope="session")
def guards(tmp_path_factory: pytest.TempPathFactory) -> Guards:
    directory = tmp_path_factory.getbasetemp()
    return Guards(directory, directory / "breaches")


@pytest.fixture(autouse=True)
def guarded(guards: Guards, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tempfile, "tempdir", str(guards.directory))
    yield
    if guards.breaches.exists():
        said = guards.breaches.read_text()
        guards.breaches.unlink()
        pytest.fail(said)
