"""Converting a text that is not UTF-8: what is shown is what is stored, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.service import copying, editing, file_ops
from zsmem_tui.service.browsing import open_file


@pytest.mark.parametrize(
    ("char", "size", "verb"), [(b"a", 1, "edit"), (b"\xe9", 2, "convert"), (b"\x80", 3, "convert")], ids=["plain", "two", "three"]
)
def test_a_text_that_would_be_too_large_is_not_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, char: bytes, size: int, verb: str
) -> None:
    monkeypatch.setattr(editing, "MAX_EDIT_BYTES", 3_000)
    fits = 3_000 // size
    store = AStore(tmp_path / "memory").has("MEMORY.md", char * fits)
    session = store.session()
    ref = session.mem().source_ref("long_term")
    assert editing.why_not(open_file(session, ref)) == ""
    store.has("MEMORY.md", char * (fits + 1))
    told = f"It is too large to {verb} here (over 4 MiB): o opens it in your own editor."
    assert editing.why_not(open_file(session, ref)) == told


def test_what_cannot_be_read_cannot_be_edited_and_what_is_not_there_can(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("x/MEMORY.md", "")
    session = store.session()
    ref = session.mem().source_ref("long_term")
    assert editing.why_not(open_file(session, ref)) == ""
    assert file_ops.why_gone(session, ref) == "MEMORY.md is gone; H shows its versions."
    editing.keep_draft(session, ref, b"mine", b"")
    assert file_ops.why_gone(session, ref) == ""
    store.at("MEMORY.md").mkdir()
    assert editing.why_not(open_file(session, ref)).endswith("MEMORY.md: it is a folder.")


def test_a_link_out_of_the_store_is_refused_before_it_is_edited_and_one_inside_is_not(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("- elsewhere\n")
    store.has("~/notes/n.md", "- here\n").at("~/notes/out.md").symlink_to(tmp_path / "out.md")
    store.at("~/notes/in.md").symlink_to(store.at("~/notes/n.md"))
    session = store.session()
    refs = {name: session.ref_at(f"{session.layout.home_of(session.project)}/notes/{name}.md") for name in ("out", "in")}
    said = editing.why_read_only(session, refs["out"])
    assert f"is a link that leaves the store, to {tmp_path}/out.md. Nothing was written. Edit that file where it lies" in said
    assert editing.why_read_only(session, refs["out"], outside=True) == said and not editing.why_read_only(session, refs["in"])
    for goal, says in (("in.md", "leads to itself"), ("none.md", "leads nowhere")):
        store.at("~/notes/in.md").unlink()
        store.at("~/notes/in.md").symlink_to(goal)
        assert says in editing.why_read_only(session, refs["in"])


def test_a_rename_says_how_many_links_still_lead_to_the_old_name(store: AStore) -> None:
    store.has("~/notes/plan.md", "# Top\n[itself](plan.md) [a part of it](#top)\n")
    store.has("MEMORY.md", "- see [[plan]] and notes/plan.md, not [plan](other.md)\n")
    store.has("~/notes/a.md", "[p](plan.md#x) `[[plan]]`\n```\n[[plan]]\n```\n").has("~/daily/2026-05-24.md", "[[plan-b]]\n")
    before = store.tree()
    done = file_ops.rename(store.session(), store.session().ref_at(f"projects/{store.project}/notes/plan.md"), "next")
    notes = f"projects/{store.project}/notes"
    says = f"Renamed plan to next. 4 links in MEMORY.md, {notes}/a.md, {notes}/next.md still lead to the old name."
    assert done.message.startswith(says), done.message
    assert [path for path, raw in store.tree().items() if before.get(path) != raw] == [f"projects/{store.project}/notes/next.md"]
    store.has("~/notes/a.md", "").has("~/notes/next.md", "").has("MEMORY.md", "- see [[next]]\n")
    again = file_ops.rename(store.session(), store.session().ref_at(f"projects/{store.project}/notes/next.md"), "last")
    assert "1 link in MEMORY.md still leads to the old name." in again.message
    store.has("MEMORY.md", "- see [[last]]\n").has("~/notes/last.md", "[itself](last.md)\n").has(
        "projects/other-1a2b3c4d/notes/b.md", "b\n"
    )
    moved = file_ops.move(store.session(), store.session().ref_at(f"projects/{store.project}/notes/last.md"), "other-1a2b3c4d")
    assert moved.message.endswith(" 1 link in MEMORY.md still leads to where it was."), moved.message


def test_a_move_of_several_notes_names_the_links_that_are_left_behind(store: AStore, tmp_path: Path) -> None:
    other = f"{store.session().layout.home_of('other-1a2b3c4d')}/notes"
    store.has("~/notes/plan.md", "[[tea]]\n").has("~/notes/tea.md", "[plan](plan.md)\n").has(f"{other}/b.md", "[[tea]]\n")
    store.has("MEMORY.md", "- see [[plan]] and [[tea]], not [[other]]\n").has("~/notes/other.md", "[t](tea.md) [a](a.md)\n")
    session = store.session()
    refs = [session.ref_at(f"projects/{store.project}/notes/{name}.md") for name in ("plan", "tea")]
    says = f" 3 links in MEMORY.md, projects/{store.project}/notes/other.md still lead to where they were."
    for target, group in ((session, "other-1a2b3c4d"), (AStore(tmp_path / "there").session(), "")):
        moved = copying.plan([(session, refs)], target, move=True, group=group)
        assert moved.done.endswith(says), moved.done
        assert "still" not in copying.plan([(session, refs)], target, group=group).done
    alone = copying.plan([(session, refs[:1])], session, move=True, group="other-1a2b3c4d").done
    assert alone.endswith(f" 2 links in MEMORY.md, projects/{store.project}/notes/tea.md still lead to where it was."), alone
