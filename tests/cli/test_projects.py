"""`zsmem projects`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.cli.main import main
from zsmem_tui.core.names import project_slug
from zsmem_tui.store import project_register


@pytest.fixture
def store(tmp_path: Path, away_from_home: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", "- [ ] first\n")
    folder = away_from_home / "git" / "foo"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("a")
    return made.has(f"projects/{project_slug(str(folder))}/SCRATCHPAD.md", "- [ ] of foo\n")


def test_a_folder_that_moved_is_found_followed_and_brought_back(
    store: AStore, away_from_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> tuple[int, str]:
        code = main([*words, "--root", str(store.root)])
        return code, capsys.readouterr().out

    old, new = away_from_home / "git" / "foo", away_from_home / "bar"
    slug, there = project_slug(str(old)), project_slug(str(new))
    assert run("projects", "--scan")[0] == 0
    os.rename(old, new)
    rows = json.loads(run("projects", "--scan", "--json")[1])["projects"]
    found = {row["slug"]: row for row in rows}[slug]
    assert (found["state"], found["folder"], found["moved_to"], found["label"]) == ("moved", str(old), str(new), "foo")
    assert found["family"] is None and found["why"] == f"{old} is now {new}: it is the same folder under another name."
    assert (found["open_items"], found["files"], found["bytes"]) == (1, 1, 13)
    unknown = {row["slug"]: row for row in rows}[PROJECT]
    assert (unknown["state"], unknown["folder"], unknown["label"]) == ("unknown", None, PROJECT)
    first = store.tree()
    assert run("projects", "follow", "--dry-run") == (
        0,
        f"moved      projects/{slug}/SCRATCHPAD.md -> projects/{there}/SCRATCHPAD.md\nFollowed {slug} to {there}: 1 file.\n",
    )
    assert store.tree() == first
    assert json.loads(run("projects", "follow", "--json")[1])["files"][0]["fate"] == "moved"
    assert {row["slug"]: row["state"] for row in json.loads(run("projects", "--json")[1])["projects"]}[there] == "here"
    assert run("undo")[1] == f"Undid: Followed {slug} to {there}\n" and store.tree() == first
    assert run("projects", "label", slug, "My", "lantern")[0] == 0 and "My lantern" in run("projects")[1]
    assert run("projects", "merge", slug, "--into", PROJECT)[0] == 0
    assert store.raw("~/SCRATCHPAD.md") == b"- [ ] first\n- [ ] of foo\n"
    assert run("projects", "archive", PROJECT)[0] == 0 and store.tree() == {}


def test_a_damaged_register_is_said_and_does_not_stop_anything(store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    place = Path(project_register.place_of(str(store.root)))
    place.parent.mkdir(parents=True)
    place.write_bytes(b"\x00")
    assert main(["projects", "--root", str(store.root)]) == 0
    said = capsys.readouterr()
    assert f"{place} is damaged" in said.err and PROJECT in said.out
    assert main(["projects", "--root", str(store.root)]) == 0 and capsys.readouterr().err == ""


def test_the_first_list_knows_what_transcripts_say(away_from_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder := away_from_home / "code" / "beta").mkdir(parents=True)
    group = away_from_home / ".claude" / "projects" / encoded(str(folder))
    (group / "memory").mkdir(parents=True)
    (group / "memory" / "MEMORY.md").write_text("- one\n")
    (group / "0.jsonl").write_text(json.dumps({"cwd": str(folder)}) + "\n")
    assert main(["projects", "--store", "claude-code"]) == 0
    [row] = capsys.readouterr().out.splitlines()
    assert row.split()[:2] == ["beta", "here"] and row.endswith(str(folder))
