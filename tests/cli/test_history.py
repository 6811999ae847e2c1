"""`zsmem history` and `zsmem undo`."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.cli.main import main

STORE = {"MEMORY.md": "one\n"}


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
    assert zsmem(store, "history", "diff", id[:6], "--now").out == " one\n agent\n+mine\n"
    assert zsmem(store, "history", "restore", id, "--dry-run").out == "Would restore MEMORY.md.\n"
    assert zsmem(store, "history", "restore", id).code == 0 and store.raw("MEMORY.md") == b"one\nagent\n"
    for how in ((), ("--dry-run",)):
        done = zsmem(store, "history", "restore", id, *how)
        assert (done.code, done.out) == (1, "The file holds just this already. Nothing was written.\n")
    assert zsmem(store, "undo").out == "Undid: Restored MEMORY.md\n" and store.raw("MEMORY.md").endswith(b"mine\n")
    assert zsmem(store, "undo", "--redo").code == 0 and store.raw("MEMORY.md") == b"one\nagent\n"
    store.at("MEMORY.md").unlink()  # by somebody else
    assert zsmem(store, "history", "restore", id).code == 0 and store.raw("MEMORY.md") == b"one\nagent\n"


def test_every_answer_is_one_document_where_that_is_asked_for(store: AStore) -> None:
    zsmem(store, "history")
    store.has("MEMORY.md", b"one\nagent \xff\n")
    id = json.loads(zsmem(store, "history", "--json").out)["versions"][0]["id"]

    def told(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(zsmem(store, "history", *words, "--json").out)
        return found

    assert told("show", id)["text"] == "one\nagent \ufffd\n" and told("show", id)["version"]["id"] == id
    assert told("diff", id)["lines"][-1] == {"side": "+", "text": "agent \ufffd"}
    assert told("restore", id, "--dry-run")["message"] == told("restore", id)["message"]
    assert told("restore", id)["message"].endswith("Nothing was written.")
    assert told("forget", "nowhere")["message"] == "No version holds it."


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
    assert zsmem(store, "history", "forget", "abcdef", "--files", "--yes").code == 0
    assert store.raw("MEMORY.md") == b"token [forgotten]\n"
    store.has("~/notes/abcdef.md", "words\n")
    zsmem(store, "history")
    named = f"It stands in the name of projects/{PROJECT}/notes/abcdef.md: names are not forgotten."
    assert zsmem(store, "history", "forget", "abcdef").out == f"No version holds it. {named}\n"


def test_undo_says_which_step_it_is(store: AStore) -> None:
    zsmem(store, "write", "daily", "two")
    for more in (["--dry-run"], []):
        said = zsmem(store, "undo", *more).err
        assert re.search(rf"^zsmem: This step was made on 20..-..-.. ..:..: {PROJECT} · log 20..-..-..\.$", said, re.MULTILINE)


def test_forget_with_files_is_asked_about_and_has_nothing_to_undo(store: AStore) -> None:
    zsmem(store, "write", "long_term", "two")
    zsmem(store, "write", "long_term", "token abcdef")
    refused = zsmem(store, "history", "forget", "abcdef", "--files")
    assert refused.code == 2 and "no undo brings the text back. Nothing was forgotten." in refused.err and "--yes" in refused.err
    assert store.raw("MEMORY.md").endswith(b"token abcdef\n")
    assert zsmem(store, "history", "forget", "abcdef", "--files", "--yes").code == 0
    left = "Nothing was left to undo of: Masked a text that was to be forgotten. It is passed over.\n"
    assert zsmem(store, "undo", "--dry-run").out == left and zsmem(store, "undo").out == left
    assert zsmem(store, "undo").out.startswith("Undid: ") and store.raw("MEMORY.md") == b"one\ntwo\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["undo"], "Undid: changed MEMORY.md"),
        (["write", "long_term", "x"], "Wrote 1 bytes to"),
        (["write", "long_term", "two"], "Wrote 3 bytes to"),
        (["clear", "scratchpad"], "Wrote 0 bytes to"),
        (["edit", "long_term", "--old", "two", "--new", "three"], "Edited"),
        (["file", "new", "note:q"], "Made note q."),
        (["file", "entry", "heading"], "Wrote"),
        (["file", "rename", "note:a", "b"], "Renamed a to b."),
        (["file", "copy", "note:a", "b"], "Copied to note b."),
        (["file", "rm", "note:a"], "Deleted"),
        (["scratch", "add", "x"], "Added 1 item"),
        (["projects", "archive", PROJECT], f"Archived {PROJECT}"),
    ],
)
def test_a_dry_run_prints_what_is_printed_when_it_is_done(store: AStore, words: list[str], sentence: str) -> None:
    store.has("~/notes/a.md", "words\n").has("~/SCRATCHPAD.md", "- [ ] task\n")
    zsmem(store, "write", "long_term", "two")
    before = store.tree()
    told = json.loads(zsmem(store, *words, "--dry-run", "--json").out)
    assert told["dry_run"] is True and told["message"].startswith(sentence), "programs have a field for it"
    done = zsmem(store, *words, "--dry-run")
    assert (done.out.startswith(sentence), store.tree()) == (True, before), done.out
    said = {"write": "It would be added at the end.", "clear": "It would take out 1 line."}
    assert said.get(words[0], "") in done.err
    assert "This was a dry run: nothing was written." in done.err
    assert zsmem(store, *words).out.startswith(done.out.rstrip(".\n"))  # an archive gets its name when it is made


def test_many_writes_do_not_pile_up_in_the_journal(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zsmem_tui.service.session.WAITING_LIMIT", 3)
    for number in range(6):
        assert main(["--root", str(store.root), "write", "long_term", f"fact {number}"]) == 0
    assert store.session().history.waiting() <= 3
