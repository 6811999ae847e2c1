"""A project is named as `zsmem projects` lists it, wherever one is named that has to be there."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree

import pytest

from tests.builders import AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.cli.main import main
from zsmem_tui.core.names import project_slug


@pytest.fixture
def home(away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> AStore:
    """Claude Code's memory of two folders, of which the first is worked in."""
    home = AStore(away_from_home)
    for name in ("shop", "blog"):
        folder = away_from_home / "code" / name
        folder.mkdir(parents=True)
        own = f".claude/projects/{encoded(str(folder))}"
        home.has(f"{own}/s.jsonl", json.dumps({"cwd": str(folder)}) + "\n")
        home.has(f"{own}/memory/MEMORY.md", f"- a fact of the {name}\n").has(f"{own}/memory/project_{name}.md", "words\n")
    monkeypatch.chdir(away_from_home / "code/shop")
    return home


def memory(home: AStore, name: str) -> str:
    return f".claude/projects/{encoded(str(home.root / 'code' / name))}/memory"


@pytest.mark.parametrize("option", ["--group", "--project"])
def test_a_group_is_called_as_people_call_it(home: AStore, capfd: pytest.CaptureFixture[str], option: str) -> None:
    assert main(["context", option, "blog"]) == 0
    assert capfd.readouterr().out == "- a fact of the blog\n"
    assert main(["context", option, "blog", "--store", "claude-code"]) == 0
    assert capfd.readouterr().out == "- a fact of the blog\n"
    assert main([option, encoded(str(home.root / "code/blog")), "context"]) == 0, "a name that begins with a dash"
    assert capfd.readouterr().out == "- a fact of the blog\n"
    assert main(["context", option, "nope", "--store", "claude-code"]) == 3
    assert "claude-code has no group 'nope'" in capfd.readouterr().err
    assert main(["context", "--group", "nope"]) == 3
    assert "`zsmem projects` lists them" in capfd.readouterr().err


def test_files_and_projects_go_where_the_name_says(home: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    before = home.tree()
    assert main(["file", "move", "project_shop.md", "--to", "blog"]) == 0
    assert home.raw(f"{memory(home, 'blog')}/project_shop.md") == b"words\n"
    assert "MEMORY.md follows" in capfd.readouterr().out, "each of the two"
    assert main(["file", "move", "note:blog", "--to", "nope"]) == 3
    assert "There is no project nope. Nothing was moved." in capfd.readouterr().err
    assert main(["projects", "label", "blog", "My", "blog"]) == 0
    assert main(["projects", "merge", "My blog", "--into", "shop"]) == 0
    assert "- a fact of the blog\n" in home.raw(f"{memory(home, 'shop')}/MEMORY.md").decode()
    for _ in range(3):
        assert main(["undo"]) == 0
    assert {path: raw for path, raw in home.tree().items() if ".local" not in path} == before


def test_a_folder_that_was_renamed_is_told_of_its_memory(
    home: AStore, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["projects"]) == 0
    (home.root / "code/shop").rename(home.root / "code/store")
    monkeypatch.chdir(home.root / "code/store")
    assert main(["search", "fact"]) == 1
    assert (
        "The memory of ~/code/shop seems to belong here. `zsmem projects move shop --to .` takes it here." in capfd.readouterr().err
    )
    own = home.root / ".local/share/zerostack/agent/memory/projects" / project_slug(str(home.root / "code/store"))
    (own / "notes").mkdir(parents=True)
    (own / "notes/n.md").write_text("of zerostack\n")
    assert main(["today"]) == 0
    assert "The memory of ~/code/shop seems to belong here." in capfd.readouterr().out, "of whichever agent"
    rmtree(own.parent.parent)
    assert main(["projects", "move", "shop", "--to", "."]) == 0
    assert main(["search", "fact"]) == 0
    assert "seems to belong" not in capfd.readouterr().err


def test_a_name_of_several_is_none(home: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    (home.root / "old/blog").mkdir(parents=True)
    own = f".claude/projects/{encoded(str(home.root / 'old/blog'))}"
    home.has(f"{own}/s.jsonl", json.dumps({"cwd": str(home.root / "old/blog")}) + "\n").has(f"{own}/memory/MEMORY.md", "x\n")
    code = main(["projects", "archive", "blog"])
    assert code == 3 and "2 projects are called blog. Nothing was done." in (said := capfd.readouterr().err)
    assert said.count("project:") == 2


def test_zerostacks_projects_are_called_so_too(away_from_home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store = AStore(tmp_path / "store").has("projects/shop-1a2b3c4d/notes/n.md", "x\n")
    assert main(["projects", "label", "shop-1a2b3c4d", "Shop", "--root", str(store.root)]) == 0
    assert main(["projects", "move", "Shop", "--to", "new-1a2b3c4d", "--root", str(store.root)]) == 0
    assert store.raw("projects/new-1a2b3c4d/notes/n.md") == b"x\n"
