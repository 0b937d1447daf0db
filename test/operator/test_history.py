# SPDX-License-Identifier: Apache-2.0
"""Where the lines typed are kept, and who can read them."""

import stat
from pathlib import Path

import pytest
from prompt_toolkit.history import InMemoryHistory

from mira_operator.history import history_path, open_history


def test_it_is_kept_under_the_state_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert history_path() == tmp_path / "state" / "mira" / "console_history"


@pytest.mark.parametrize("state", ["", "relative/path"])
def test_without_a_usable_setting_it_is_kept_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", state)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert history_path() == tmp_path / ".local" / "state" / "mira" / "console_history"


def test_only_its_owner_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    history_path().parent.mkdir()
    history_path().touch(mode=0o644)
    open_history().store_string("Remember that Gordon likes herring.")
    assert stat.S_IMODE(history_path().stat().st_mode) == 0o600
    assert list(open_history().load_history_strings()) == ["Remember that Gordon likes herring."]


def test_where_no_file_can_be_kept_the_session_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert isinstance(open_history(), InMemoryHistory)
