"""`zsmem scratch`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import Run, zsmem
from zsmem_tui.service import previewing

STORE = {"~/SCRATCHPAD.md": "- [ ] first\n- [x] second\n+ [ ] third\n", "projects/other-00000000/SCRATCHPAD.md": "- [x] theirs\n"}


def listed(store: AStore, *words: str) -> list[dict[str, object]]:
    return json.loads(zsmem(store, "scratch", "list", "--json", *words).out)["items"]  # type: ignore[no-any-return]


def test_items_are_listed_with_ids_and_whether_the_agent_sees_them(store: AStore) -> None:
    found = listed(store)
    assert [(each["text"], each["state"], each["line"], each["seen_by_agent"]) for each in found] == [
        ("first", "open", 1, True),
        ("second", "done", 2, False),
        ("third", "open", 3, False),
    ]
    assert len(listed(store, "--all", "--state", "done")) == 2
    assert "not seen by the agent: its bullet is +" in zsmem(store, "scratch", "list").out


def test_an_item_is_as_old_as_it_is_when_the_file_is_written(store: AStore) -> None:
    os.utime(store.at("~/SCRATCHPAD.md"), (10**9, 10**9))
    assert zsmem(store, "scratch", "add", "new").code == 0
    assert {each["text"]: each["since"] == 10**9 for each in listed(store)} == {
        "first": True,
        "second": True,
        "third": True,
        "new": False,
    }
    assert [each["text"] for each in listed(store, "--older", "1y")] == ["first", "second", "third"]


def test_a_word_of_bytes_that_are_no_text_is_refused_and_a_note_may_be_called_so(store: AStore) -> None:
    before, first = store.tree(), str(listed(store)[0]["id"])
    for words in (["add", "a\udc80"], ["edit", first, "a\udc80"]):
        done = zsmem(store, "scratch", *words)
        assert done.code == 2 and "the text is not valid Unicode" in done.err and "Nothing was written." in done.err
    refused = zsmem(store, "file", "rename", "note:a", "b/c")
    assert refused.code == 3 and "Nothing was changed." in refused.err and store.tree() == before
    assert zsmem(store, "file", "new", "note:q\udcff").code == 0
    assert set(store.tree()) - set(before) == {f"projects/{PROJECT}/notes/q\udcff.md"}


def test_every_verb_works_in_a_pipeline(store: AStore) -> None:
    first, second, third = (str(each["id"]) for each in listed(store))
    assert zsmem(store, "scratch", "done", first[:6], "--dry-run").code == 0 and listed(store)[0]["state"] == "open"
    assert zsmem(store, "scratch", "done", first[:6], "--dry-run").out == f"Done “first”.\n  {first}  first\n"
    assert zsmem(store, "scratch", "done", first[:6]).out == f"Done “first”.\n  {first}  first\n"
    assert zsmem(store, "scratch", "done", first[:6]).code == 1
    assert zsmem(store, "scratch", "reopen", second).code == 0
    assert zsmem(store, "scratch", "edit", third, "other", "words").code == 0
    assert zsmem(store, "scratch", "add", "-", stdin=b"one\ntwo\n").out == f"Added 2 items to {PROJECT}.\n"
    assert store.raw("~/SCRATCHPAD.md") == b"- [x] first\n- [ ] second\n+ [ ] other words\n- [ ] one\n- [ ] two\n"
    ids = "\n".join(str(each["id"]) for each in listed(store, "--all", "--state", "done")).encode()
    assert zsmem(store, "scratch", "archive", "--all", "-", stdin=ids).out.startswith("Archived 2 items.\n")
    for action in ("promote", "log", "note", "rm"):
        assert zsmem(store, "scratch", action, str(listed(store)[0]["id"])).code == 0
    assert listed(store) == [] and zsmem(store, "undo").out == "Undid: Deleted “two”\n"
    two = str(listed(store)[0]["id"])
    assert zsmem(store, "scratch", "move", two, "--to", "other-00000000").code == 0


def test_what_does_not_fit_into_the_prompt_is_not_seen(store: AStore) -> None:
    store.has("MEMORY.md", "- a fact\n" * 5_000).has("~/SCRATCHPAD.md", "- [ ] one\n")
    [item] = json.loads(zsmem(store, "scratch", "list", "--json").out)["items"]
    assert item["seen_by_agent"] is False and item["why_unseen"] == "the prompt is full"
    assert "(not seen by the agent: the prompt is full)" in zsmem(store, "scratch", "list").out
    [item] = json.loads(zsmem(store, "scratch", "list", "--json", "--profile", "zerostack-1.7").out)["items"]
    assert item["seen_by_agent"] is True and item["why_unseen"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("write", "long_term", "x"),
        ("scratch", "add", "more"),
        ("file", "entry", "a heading"),
        ("edit", "scratchpad", "--old", "first", "--new", "first\n- [ ] 1st"),
    ],
)
def test_that_undo_is_off_is_said_once(store: AStore, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "state").write_text("a file")
    done = zsmem(store, *words, env={"ZSMEM_STATE_DIR": str(tmp_path / "state")})
    assert done.code == 0 and done.err.count("Undo is off.") == 1, done.err


def test_what_is_listed_as_seen_is_what_stands_in_the_block(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "word " * 6_200 + "\n")
    store.has("~/SCRATCHPAD.md", "- [ ] one\n" * 200 + "* [ ] last\n- [x] done\n")
    rows = previewing.preview(store.session()).rows
    whole = {row.line for row in rows if row.path.endswith("SCRATCHPAD.md") and not row.lost}
    assert [each["seen_by_agent"] for each in listed(store)] == [line in whole for line in range(202)]
    assert 0 < len(whole) < 200


@pytest.mark.parametrize(("kind", "home", "name"), [("claude-code", ".claude", "CLAUDE.md"), ("gemini", ".gemini", "GEMINI.md")])
def test_items_of_the_instructions_in_the_prompt_are_listed_and_ticked_like_the_agents_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, home: str, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder, own = AStore(tmp_path / "lantern").has(name, "- [ ] ship\n"), AStore(tmp_path / home).has(name, "- [ ] ship\n")

    def scratch(*words: str) -> Run:
        return zsmem(None, "--store", kind, "scratch", *words, cwd=folder.root)

    mine, theirs = json.loads(scratch("list", "--json").out)["items"]
    assert [each["path"] for each in (mine, theirs)] == [str(own.at(name)), str(folder.at(name))]
    assert f"~/lantern/{name}  [ ] ship" in scratch("list").out and mine["id"] != theirs["id"]
    both = scratch("done", mine["id"], theirs["id"])
    assert both.code == 3 and "are in 2 memories" in both.err
    assert scratch("done", theirs["id"]).code == 0
    assert (folder.raw(name), own.raw(name)) == (b"- [x] ship\n", b"- [ ] ship\n")
    assert scratch("edit", theirs["id"], "sail").code == 0 and folder.raw(name) == b"- [x] sail\n"
    assert scratch("archive").code == 1 and folder.raw(name) == b"- [x] sail\n"
