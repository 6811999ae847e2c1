"""`zsmem review`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.service import today


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n- use port 80\n")
    zsmem(made, "history")
    return made.has("MEMORY.md", "- one\n- use port 8080\n- theirs\n- more\n")


def line_ids(store: AStore) -> dict[str, str]:
    [file] = json.loads(zsmem(store, "review", "--json").out)["files"]
    return {line["added"]: line["id"] for hunk in file["hunks"] for line in hunk["lines"]}


def test_a_file_that_came_and_went_is_listed_as_one_that_nobody_saw(store: AStore) -> None:
    store.has("~/notes/n.md", "- a\n").looked_at()
    store.at("~/notes/n.md").unlink()
    [head] = [line for line in zsmem(store, "review").out.splitlines() if "note n " in line]
    assert "+0 -1  deleted, before you reviewed it  (another program)" in head
    files = json.loads(zsmem(store, "review", "--json").out)["files"]
    assert [(each["unseen"], each["added"], each["removed"]) for each in files] == [(False, 3, 1), (True, 0, 0)]
    assert today.today([today.news(store.looked_at())]).counts == (3, 1), "as the screen counts them"


def test_what_waits_is_listed_with_who_and_ids(store: AStore) -> None:
    [file] = json.loads(zsmem(store, "review", "--json").out)["files"]
    assert (file["path"], file["state"], file["added"], file["removed"]) == ("MEMORY.md", "changed", 3, 1)
    [hunk] = file["hunks"]
    assert [(line["line"], line["removed"], line["added"]) for line in hunk["lines"]] == [
        (2, "- use port 80", "- use port 8080"),
        (3, None, "- theirs"),
        (4, None, "- more"),
    ]
    assert hunk["author"] == hunk["lines"][0]["author"] == "another program"
    printed = zsmem(store, "review").out.splitlines()
    assert printed[0].startswith(f"{file['id']}  MEMORY.md  +3 -1  (another program") and len(printed) == 6
    assert printed[1].strip().startswith(f"{hunk['id']}  @ line 2")
    assert printed[3].endswith(f"{hunk['lines'][0]['id']}  +- use port 8080")


def test_a_long_line_is_cut_for_a_person_and_a_reason_is_told_once(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n")
    zsmem(store, "history")
    long, twice = "- " + "many words " * 2_400, "- password: hK39xmQ2pzLw0a, password: hK39xmQ2pzLw0a"
    store.has("MEMORY.md", f"- one\n{long}\n{twice}\n")
    assert list(line_ids(store)) == [long, "- password: hK39…, password: hK39…"]
    long_row, _, reason = zsmem(store, "review").out.splitlines()[2:]
    assert long_row.endswith(f"+{long[:500]}… (cut: --json has it whole)")
    assert reason.strip() == "! has the shape of a key or password (password, hK39…)"


def test_lines_are_accepted_and_put_back_by_id_and_undo_brings_them_again(store: AStore) -> None:
    ids = line_ids(store)
    assert zsmem(store, "review", "accept", ids["- theirs"]).out == "Marked 1 line of MEMORY.md as seen.\n"
    done = zsmem(store, "review", "revert", ids["- use port 8080"], ids["- more"][:6])
    assert (done.code, done.out) == (0, "Reverted 2 lines of MEMORY.md.\n")
    assert store.raw("MEMORY.md") == b"- one\n- use port 80\n- theirs\n"
    assert zsmem(store, "review").code == 1
    assert zsmem(store, "undo").code == 0
    assert list(line_ids(store)) == ["- use port 8080", "- more"]


def test_a_blank_line_has_the_id_of_the_line_that_it_goes_with(store: AStore) -> None:
    store.has("MEMORY.md", "- one\n- use port 80\n\nA paragraph.\n- more\n")
    [file] = json.loads(zsmem(store, "review", "--json").out)["files"]
    blank, paragraph, more = file["hunks"][0]["lines"]
    assert file["added"] == 2, "as on the screen, without blank ones that go with others"
    assert (blank["added"], paragraph["added"]) == ("", "A paragraph.") and blank["id"] == paragraph["id"] != more["id"]
    assert f"{blank['id']}  +\n    {blank['id']}  +A paragraph.\n" in zsmem(store, "review").out
    assert zsmem(store, "review", "revert", blank["id"]).out == "Reverted 1 line of MEMORY.md.\n"
    assert store.raw("MEMORY.md") == b"- one\n- use port 80\n- more\n"


def test_an_id_of_what_has_changed_is_refused_and_nothing_is_done(store: AStore) -> None:
    ids = line_ids(store)
    store.has("MEMORY.md", "- one\n- use port 8080\n- theirs too\n- more\n")
    done = zsmem(store, "review", "revert", ids["- more"], ids["- theirs"])
    assert done.code == 3 and f"no files, hunks or lines to review have the id '{ids['- theirs']}'" in done.err
    assert "Nothing was done" in done.err and store.raw("MEMORY.md").endswith(b"- theirs too\n- more\n")


def test_a_dry_run_changes_nothing_and_all_can_be_accepted_at_once(store: AStore) -> None:
    ids = line_ids(store)
    done = zsmem(store, "review", "revert", "--dry-run", ids["- more"])
    assert done.out == "Would revert: 1 line of MEMORY.md.\n" and store.raw("MEMORY.md").endswith(b"- more\n")
    told = json.loads(zsmem(store, "review", "accept", "--all", "--dry-run", "--json").out)
    assert told["dry_run"] and told["message"] == "Would mark as seen: 3 lines of MEMORY.md." and line_ids(store) == ids
    assert zsmem(store, "review", "accept", "--all").out == "Marked 3 lines of MEMORY.md as seen.\n"
    done = zsmem(store, "review", "accept", "--all")
    assert done.code == 1 and "Nothing to review." in done.err


def test_what_is_of_other_projects_stands_last_and_is_told_when_it_is_accepted(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("projects/a-00000000/SCRATCHPAD.md", "x\n").has("~/SCRATCHPAD.md", "x\n")
    store.has("projects/z-00000000/SCRATCHPAD.md", "x\n")
    zsmem(store, "history")
    for each in ("projects/a-00000000", "~", "projects/z-00000000"):
        store.has(f"{each}/SCRATCHPAD.md", "x\n- [ ] theirs\n")
    rows = [row for row in zsmem(store, "review").out.splitlines() if not row.startswith(" ")]
    assert f"  {PROJECT} · scratchpad  +1" in rows[0]
    assert (rows[1], rows[3]) == ("a-00000000, another project:", "z-00000000, another project:") and len(rows) == 5
    whose = "Of the 3 files, other projects have 2: 1 of a-00000000, 1 of z-00000000."
    for more in (["--dry-run"], []):
        assert whose in zsmem(store, "review", "accept", "--all", *more).err


def test_a_memory_that_is_gone_is_told_by_review_today_and_status_and_brought_back(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n").has("~/notes/n.md", "n\n")
    was = store.tree()
    assert (
        zsmem(store, "review").code == 1
        and zsmem(store, "review", "back").err == "zsmem: Nothing to bring back: no text that others deleted is missing.\n"
    )
    shutil.rmtree(store.root)
    gone = "zerostack's memory is gone: 2 files."
    assert f"{gone} `zsmem review back` brings them back." in zsmem(store, "review").err
    assert gone in zsmem(store, "today").out and zsmem(store, "status", "--line").out == f"{gone}\n"
    assert f"{gone} `zsmem review back`" in zsmem(store, "status").err
    assert zsmem(store, "review", "back", "x").code == 2
    dry = zsmem(store, "review", "back", "--dry-run")
    assert "Would bring back: MEMORY.md" in dry.out and not store.root.exists()
    assert (
        zsmem(store, "review", "back").out.startswith("Brought back 2 files of zerostack, demo-1a2b3c4d.") and store.tree() == was
    )
    assert gone not in zsmem(store, "review").err
    assert zsmem(store, "undo").code == 0 and not store.tree()
