"""`zsmem history` and `zsmem undo`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.cli.test_cli import zsmem
from zsmem_tui.cli.main import main


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory").has("MEMORY.md", "one\n")


def test_versions_are_listed_shown_compared_and_put_back(store: AStore) -> None:
    zsmem(store, "history")
    store.has("MEMORY.md", "one\nagent\n")
    zsmem(store, "write", "long_term", "mine")
    found = json.loads(zsmem(store, "history", "--json", "--file", "long_term").out)["versions"]
    assert [(each["origin"], each["added"], each["removed"], each["path"]) for each in found] == [
        ("you", 1, 0, "MEMORY.md"),
        ("other", 1, 0, "MEMORY.md"),
        ("other", 1, 0, "MEMORY.md"),
    ]
    id = found[1]["id"]
    assert zsmem(store, "history", "show", id).out == "one\nagent\n"
    assert zsmem(store, "history", "diff", id[:6]).out == " one\n+agent\n"
    assert zsmem(store, "history", "restore", id, "--dry-run").out == "Would restore MEMORY.md.\n"
    assert zsmem(store, "history", "restore", id).code == 0 and store.raw("MEMORY.md") == b"one\nagent\n"
    assert zsmem(store, "undo").out == "Undid: Restored MEMORY.md\n" and store.raw("MEMORY.md").endswith(b"mine\n")
    assert zsmem(store, "undo", "--redo").code == 0 and store.raw("MEMORY.md") == b"one\nagent\n"


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["history", "show", "zzzz"], 3, "no versions begin with 'zzzz'"),
        (["history", "diff"], 2, "needs the id of one version"),
        (["history", "forget", "ab"], 2, "fewer than 4 bytes"),
        (["history", "forget", "one\n!"], 0, ""),
        (["undo"], 1, "Nothing to undo."),
        (["undo", "--redo"], 1, "Nothing to redo."),
    ],
)
def test_what_cannot_be_done_is_said(store: AStore, words: list[str], code: int, sentence: str) -> None:
    done = zsmem(store, *words)
    assert (done.code, sentence in done.err) == (code, True), done.err


def test_a_clash_exits_5_and_writes_nothing(store: AStore) -> None:
    zsmem(store, "edit", "long_term", "--old", "one", "--new", "ONE")
    store.has("MEMORY.md", "agent\n")
    done = zsmem(store, "undo")
    assert done.code == 5 and "changed since" in done.err and store.raw("MEMORY.md") == b"agent\n"


def test_forget_refuses_while_a_file_holds_the_text(store: AStore) -> None:
    store.has("MEMORY.md", "token abcdef\n")
    zsmem(store, "history")
    refused = zsmem(store, "history", "forget", "abcdef")
    assert refused.code == 5 and "MEMORY.md still holds it. Nothing was forgotten." in refused.err and "--files" in refused.err
    tried = zsmem(store, "history", "forget", "abcdef", "--files", "--dry-run")
    assert tried.out == "Would forget it in 1 version and 1 file.\n" and store.raw("MEMORY.md") == b"token abcdef\n"
    store.has("MEMORY.md", "gone\n")
    assert zsmem(store, "history", "forget", "abcdef").out == "Forgot it in 1 version.\n"


def test_forget_with_files_masks_it_there_too(store: AStore) -> None:
    store.has("MEMORY.md", "token abcdef\n")
    zsmem(store, "history")
    assert zsmem(store, "history", "forget", "abcdef", "--files").code == 0
    assert store.raw("MEMORY.md") == b"token [forgotten]\n"
    assert zsmem(store, "history", "forget", "abcdef").out == "No version holds it.\n"


def test_many_writes_do_not_pile_up_in_the_journal(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zsmem_tui.service.session.WAITING_LIMIT", 3)
    for number in range(6):
        assert main(["--root", str(store.root), "write", "long_term", f"fact {number}"]) == 0
    assert store.session().history.waiting() <= 3
