"""Which stores of instructions are open beside the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.service import folders, instructions
from zsmem_tui.service.folders import folders_of
from zsmem_tui.service.stores import works_with


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def found(home: Path, folder: Path, *stores: str) -> list[str]:
    """The roots of the stores of instructions that are opened for one who works in a folder."""
    first = AStore(home / "memory").session()
    beside = folders.beside(first, Config(stores=stores), cwd=str(folder))
    return [each.root for each in beside.sessions if only_instructions(each.layout)]


def test_the_instructions_of_the_folder_worked_in_are_a_store(home: Path) -> None:
    AStore(home / "lantern").has("AGENTS.md", "Be kind.\n")
    assert found(home, home / "lantern") == [str(home / "lantern")]


def test_a_folder_without_any_the_home_folder_and_the_root_have_no_such_store(home: Path) -> None:
    AStore(home).has("CLAUDE.md", "Be kind.\n").has("empty/README.md", "none\n")
    assert found(home, home / "empty") == found(home, home) == found(home, home / "gone") == []
    assert not any(map(instructions.is_place, (str(home), "/", "", f"{home}/empty/..")))


def test_a_file_is_in_one_store_only(home: Path) -> None:
    AStore(home / "notes").has("AGENTS.md", "Be kind.\n")
    assert found(home, home / "notes", f"markdown:{home / 'notes'}") == []


def test_instructions_are_about_their_own_folder(home: Path) -> None:
    AStore(home / "lantern").has("AGENTS.md", "Be kind.\n")
    told = instructions.open_folder(Config(), str(home / "lantern"))
    assert folders_of(told, []) == {"": told.root}
    assert works_with(told, told.root) and not works_with(told, str(home / "other"))
