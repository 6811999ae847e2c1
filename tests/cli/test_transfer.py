"""`zsmem import` and `zsmem export`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.cli.test_cli import zsmem
from tests.service.test_importing import CLAUDE, ZEROSTACK


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory")


def test_a_dry_run_prints_the_plan_and_writes_nothing(store: AStore) -> None:
    done = zsmem(store, "import", "claude-code", str(CLAUDE), "--dry-run", "--json")
    found = json.loads(done.out)
    assert found["format"] == "claude-code" and len(found["items"]) == 9 and found["written"] == []
    assert {"source", "target", "fate", "reason", "text"} <= found["items"][0].keys()
    assert "The prompt would grow by" in done.err and store.tree() == {}


def test_an_import_a_second_one_and_undo(store: AStore) -> None:
    assert zsmem(store, "import", "zerostack", str(ZEROSTACK)).code == 0 and len(store.tree()) == 5
    assert zsmem(store, "import", "zerostack", str(ZEROSTACK)).code == 1
    assert zsmem(store, "undo").out == "Undid: Imported from zerostack\n" and store.tree() == {}


def test_bundles_go_through_pipes(store: AStore, tmp_path: Path) -> None:
    store.has("MEMORY.md", "fact\n").has("~/notes/n.md", "x")
    place = tmp_path / "a.tar.gz"
    assert zsmem(store, "export", "bundle", str(place)).code == 0
    fresh = AStore(tmp_path / "fresh")
    assert zsmem(fresh, "import", "bundle", "-", stdin=place.read_bytes()).code == 0 and fresh.tree() == store.tree()
    place.write_bytes(place.read_bytes()[:-1])
    done = zsmem(AStore(tmp_path / "other"), "import", "bundle", str(place))
    assert done.code == 2 and "Nothing was written" in done.err


def test_detect_tells_what_is_on_this_machine(store: AStore, away_from_home: Path, tmp_path: Path) -> None:
    from zsmem_tui.agents.claude_code.naming import encoded

    assert zsmem(store, "import", "detect", cwd=tmp_path, env={"PYTHONPATH": os.getcwd()}).code == 1
    place = away_from_home / ".claude/projects" / encoded(str(tmp_path)) / "memory"
    place.mkdir(parents=True)
    (place / "user_x.md").write_text("---\ntype: user\n---\n\nA fact.\n")
    found = json.loads(zsmem(store, "import", "detect", "--json", cwd=tmp_path).out)["found"]
    assert [(each["format"], each["items"], each["new"]) for each in found] == [("claude-code", 1, 1)]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["import", "nope"], 3, "There is no format 'nope'"),
        (["import", "markdown", "/does/not/exist"], 1, "No such file or directory. Nothing was imported."),
        (["import", "markdown"], 1, "Name its folder."),
        (["import", "bundle"], 2, "needs a file"),
        (["export", "bundle"], 2, "needs a file"),
        (["export", "markdown"], 3, "Name the folder"),
        (["export", "bundle", "/does/not/exist/x.tgz"], 4, "No such file or directory. Nothing was written."),
    ],
)
def test_what_cannot_be_done_is_said(store: AStore, words: list[str], code: int, sentence: str) -> None:
    done = zsmem(store, *words)
    assert (done.code, sentence in done.err) == (code, True), done.err
