"""Folders that a write needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsmem_tui.store.disk.folders import make_folders, make_private


def test_a_private_folder_and_those_made_above_it_are_their_owners_alone(tmp_path: Path) -> None:
    before = tmp_path.stat().st_mode
    make_private(str(tmp_path / "state" / "zsmem" / "history"))
    make_private(str(tmp_path / "state" / "zsmem" / "history"))
    made = [tmp_path / "state", tmp_path / "state" / "zsmem", tmp_path / "state" / "zsmem" / "history"]
    assert [each.stat().st_mode & 0o777 for each in made] == [0o700] * 3
    assert tmp_path.stat().st_mode == before


def test_a_folder_may_be_relative_to_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_folders("config/agent/memory")
    assert (tmp_path / "config/agent/memory").is_dir()
