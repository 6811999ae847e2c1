from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.config.model import Config
from zsmem_tui.service.folders import StoreGroups, by_folder, every_store
from zsmem_tui.service.stores import open_store


def test_folders_that_nobody_knows_stand_before_persons_and_those_before_what_is_everybodys(tmp_path: Path) -> None:
    AStore(tmp_path / ".ethos").has("personalities/eng/MEMORY.md", "x\n")
    AStore(tmp_path / ".claude").has("projects/zebra/memory/MEMORY.md", "x\n")
    ethos = open_store(Config(), f"ethos:{tmp_path}/.ethos", group="personality:eng", cwd="/w")
    claude = open_store(Config(), f"claude-code:{tmp_path}/.claude", group="project:zebra", cwd="/w")
    found = by_folder([StoreGroups(ethos, ["personality:eng"], {}), StoreGroups(claude, ["project:zebra", "project:a"], {})], [])
    assert [each.label for each in found] == ["a", "zebra", "personality eng", "global"]


def test_instructions_of_known_folders_are_found_from_the_home_folder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    shop = AStore(tmp_path / "shop").has("CLAUDE.md", "- a\n")
    AStore(tmp_path / ".claude").has("projects/p/s.jsonl", f'{{"cwd": "{shop.root}"}}\n')
    found = every_store(Config(), cwd=str(tmp_path))
    assert str(shop.root) in [each.root for each in found if each.layout.kind == "instructions"]
