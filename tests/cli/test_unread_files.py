"""Files in a store at places where its agent does not look: found, read, reviewed, kept, and left behind by nothing unsaid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem

HOME = f"projects/{PROJECT}"
UNREAD = f"{HOME}/MEMORY.md"
DEEP = f"{HOME}/notes/old/plan.md"

STORE = {"MEMORY.md": "alpha\n", "~/SCRATCHPAD.md": "- [ ] open\n", "~/notes/deploy.md": "steps\n", "~/MEMORY.md": "- a zebra\n"}


def test_a_file_in_a_projects_folder_that_its_agent_does_not_read_is_read_here_and_every_version_kept(store: AStore) -> None:
    assert UNREAD not in zsmem(store, "list").out and zsmem(store, "search", "zebra").code == 1, "the agent finds nothing"
    assert UNREAD in zsmem(store, "search", "zebra", "--all").out
    assert zsmem(store, "read", UNREAD).out == "- a zebra\n"
    assert "a zebra" in zsmem(store, "facts", UNREAD).out
    zsmem(store, "review")
    store.has(UNREAD, "- a zebra\n- a yak\n")
    assert f"{PROJECT} · MEMORY.md  +1 -0" in zsmem(store, "review").out
    [project] = json.loads(zsmem(store, "projects", "--json").out)["projects"]
    assert (project["files"], project["bytes"]) == (3, len(b"- [ ] open\nsteps\n- a zebra\n- a yak\n"))
    store.at(UNREAD).unlink()
    versions = json.loads(zsmem(store, "history", "--file", UNREAD, "--json").out)["versions"]
    assert [(each["added"], each["removed"]) for each in versions][:2] == [(0, 2), (1, 0)]
    zsmem(store, "history", "restore", versions[0]["id"])
    assert zsmem(store, "write", f"{HOME}/NEW.md", "x").code == 3, "none is made where no agent looks"


def test_a_path_that_search_prints_and_no_verb_takes_says_why(store: AStore) -> None:
    store.has(DEEP, "zebra\n").has(f"{HOME}/list.txt", "zebra\n")
    assert DEEP in zsmem(store, "search", "zebra", "--all").out
    for path in (DEEP, str(store.at(DEEP)), "notes/old/plan.md", f"{HOME}/list.txt"):
        for words in (["read", path], ["facts", path], ["history", "--file", path]):
            done = zsmem(store, *words)
            assert done.code == 3 and "is no memory: zerostack looks for none of its name there." in done.err
            assert "no version of it is kept" in done.err and "Did you mean" not in done.err
    outside = store.root.parent / "other.md"
    outside.write_text("zebra\n")
    assert "unknown source" in zsmem(store, "read", str(outside)).err


@pytest.mark.parametrize("format", ["markdown", "memsearch", "opencode-agent-memory"])
def test_an_export_names_the_files_that_it_leaves_out(store: AStore, tmp_path: Path, format: str) -> None:
    store.has(DEEP, "zebra\n").has("drafts/plan.md", "zebra\n")
    (tmp_path / "out").mkdir()
    done = zsmem(store, "export", format, str(tmp_path / "out"), "--json")
    rows = {each["source"]: each for each in json.loads(done.out)["items"]}
    for path in (UNREAD, DEEP, "drafts/plan.md"):
        assert rows[path]["fate"] == "skipped" and rows[path]["reason"]
    assert "Every line goes along" not in done.err and "3 lines" in done.err


def test_moving_merging_and_archiving_a_project_takes_every_file_along_and_undo_brings_it_back(store: AStore) -> None:
    store.has(DEEP, "zebra\n").has(f"{HOME}/list.txt", "zebra\n").has("projects/b-00000000/MEMORY.md", "- other\n")
    before = store.tree()
    own = {path.removeprefix(HOME): raw for path, raw in before.items() if path.startswith(HOME)}
    for words in (["move", PROJECT, "--to", "c-11111111"], ["merge", PROJECT, "--into", "b-00000000"], ["archive", PROJECT]):
        assert zsmem(store, "projects", *words).code == 0
        there = store.tree()
        assert not any(path.startswith(HOME) for path in there)
        if words[0] != "archive":
            assert all(raw in there.values() for raw in own.values())
        assert zsmem(store, "undo").code == 0
        assert store.tree() == before
