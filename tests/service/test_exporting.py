"""Exports: all of it or nothing, one step to undo and redo, and never a file of somebody else's lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from tests.command_line import zsmem
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, Conflict, HistoryError, MemError, StoreError
from zsmem_tui.core.refs import Role
from zsmem_tui.service import applying, bundles, exporting, formats, stores, undoing
from zsmem_tui.service.results import Resolution
from zsmem_tui.service.session import Session
from zsmem_tui.store import step_record
from zsmem_tui.store.disk import swap

FORMATS = ("claude-code", "markdown", "zerostack")


STORE = {"MEMORY.md": "fact\n", "~/notes/n.md": "note\n", "~/SCRATCHPAD.md": "- [ ] open\n"}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("place", ["/proc/nope/x", "/dev/null/x", "{tmp}/file", "{tmp}/file/x"])
@pytest.mark.parametrize("dry", [True, False])
def test_a_place_where_nothing_can_be_written_is_said(session: Session, tmp_path: Path, format: str, place: str, dry: bool) -> None:
    (tmp_path / "file").write_text("mine")
    if dry and place.startswith("/proc"):
        return  # whether a folder can be made there is only known once it is tried
    with pytest.raises(StoreError, match=r"Nothing (was exported|would be written)"):
        applying.apply(exporting.plan(session, formats.of_agent(format), place.format(tmp=tmp_path)), dry_run=dry)
    assert (tmp_path / "file").read_text() == "mine"
    assert step_record.known() == [], "of a step that was not made nothing is kept"


def test_the_command_line_says_it_in_a_sentence(store: AStore) -> None:
    for format in FORMATS:
        done = zsmem(store, "export", format, "/proc/nope/x")
        assert done.code == 4 and "Nothing was exported." in done.err and "Traceback" not in done.err
    taken = store.root.with_name("out") / "MEMORY.md"
    taken.mkdir(parents=True)
    done = zsmem(store, "export", "markdown", str(taken.parent))
    assert done.code == 1 and f"Left out: {taken}: it is a folder\n" in done.err, "at the end, where it is read"


def test_redo_makes_again_each_of_several_stores_that_undo_took(store: AStore, session: Session, away_from_home: Path) -> None:
    store.has("MEMORY.md", "- a fact\n")
    made = applying.apply(exporting.plan(session, formats.of_agent("opencode"), "")).plan.changes
    roots = {each.session.root for each in made}
    assert len(roots) > 1 and {*undoing.undo(session).places} == roots
    assert not (away_from_home / ".config").exists()
    assert undoing.undo(session, redo=True).done
    assert [Path(each.place).read_bytes() for each in made] == [each.after for each in made]


@pytest.mark.parametrize("format", FORMATS)
def test_undo_takes_the_folders_that_an_export_made_and_no_other(session: Session, tmp_path: Path, format: str) -> None:
    (tmp_path / "there/empty").mkdir(parents=True)
    out = tmp_path / "there/new/out"

    def paths() -> list[str]:
        return sorted(str(each.relative_to(tmp_path)) for each in (tmp_path / "there").rglob("*"))

    plan = exporting.plan(session, formats.of_agent(format), str(out))
    assert f"There is no folder {out} yet: it is made." in plan.notes or all(each.session.root != str(out) for each in plan.changes)
    applying.apply(plan)
    made = paths()
    assert not exporting.plan(session, formats.of_agent(format), str(out)).notes
    done = undoing.undo(session)
    assert done.step is not None and paths() == ["there/empty"]
    assert done.places == (str(out),) and undoing.when_and_where(session, done.step).endswith(f": {out}.")
    assert undoing.undo(session, redo=True).done and paths() == made
    (out.parent / "mine").mkdir()
    assert undoing.undo(session).done and paths() == ["there/empty", "there/new", "there/new/mine"]


def test_a_folder_that_cannot_be_listed_is_said_to_stay(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.access
    notes = str(Path(session.path(session.place_of(Role.NOTE, name="n"))).parent)
    monkeypatch.setattr(os, "access", lambda path, mode: real(path, mode) and path != notes)
    plan = exporting.plan(session, formats.of_agent("markdown"), str(tmp_path / "out"))
    assert plan.left == (f"{notes}: Permission denied",)


def test_undo_keeps_what_others_added_to_an_exported_file_and_shows_where_both_changed_the_same(
    session: Session, tmp_path: Path
) -> None:
    out = AStore(tmp_path / "out")
    applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(out.root)))
    out.has("MEMORY.md", "fact\n- theirs\n")
    assert ". What was written since stays in MEMORY.md. " in undoing.undo(session, dry_run=True).message
    out.has("MEMORY.md", "fact\n").has("notes/n.md", "note, rewritten\n")
    done = undoing.undo(session)
    assert not done.done and [clash.ref.path for clash in done.clashes] == ["notes/n.md"] and out.raw("MEMORY.md") == b"fact\n"
    answers = [Resolution(clash.ref, clash.theirs, None) for clash in done.clashes]
    assert undoing.undo(session, resolved=answers).done
    assert out.tree() == {"notes/n.md": b"note, rewritten\n"}


def test_undo_says_when_the_folder_is_gone_and_can_be_told_to_pass(session: Session, tmp_path: Path) -> None:
    out = AStore(tmp_path / "out")
    applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(out.root)))
    os.rename(out.root, tmp_path / "away")
    with pytest.raises(Conflict, match="is not as this export left it"):
        undoing.undo(session)
    assert undoing.skip(session).done and not out.root.exists()


def test_what_somebody_writes_meanwhile_stays_and_the_rest_is_taken_back(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = AStore(tmp_path / "out")

    def meanwhile(step: str) -> None:
        if step == "folder synced":
            monkeypatch.setattr(swap, "step", swap.no_step)
            out.has("notes/n.md", "theirs\n")

    monkeypatch.setattr(swap, "step", meanwhile)
    with pytest.raises(Conflict, match="Nothing was exported"):
        applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(out.root)))
    assert out.tree() == {"notes/n.md": b"theirs\n"}
    assert undoing.undo(session).message == "Nothing to undo."


def test_a_bundle_is_a_step_that_can_be_undone(session: Session, tmp_path: Path) -> None:
    place = tmp_path / "a.tar.gz"
    assert bundles.export_to(session, str(place)).message == f"Wrote 3 files to {place}."
    first = place.read_bytes()
    session.mem().write("long_term", "more")
    assert f"The one that was there is {place}.bak now." in bundles.export_to(session, str(place)).message
    assert (tmp_path / "a.tar.gz.bak").read_bytes() == first != place.read_bytes()
    assert undoing.undo(session).message.endswith(f". {place} is the one before it again")
    assert place.read_bytes() == first and not (tmp_path / "a.tar.gz.bak").exists()
    with pytest.raises(HistoryError, match="not written again"):
        undoing.undo(session, redo=True)
    assert undoing.undo(session).message != "Nothing to undo."
    assert undoing.undo(session, dry_run=True).message.endswith(f". {place} is deleted")
    place.write_bytes(b"another")
    with pytest.raises(Conflict, match="is another file now"):
        undoing.undo(session)
    place.unlink()
    with pytest.raises(Conflict, match="is gone already"):
        undoing.undo(session)
    assert undoing.skip(session).done


@pytest.mark.parametrize("name", ["notes.md", "a.tar.gz", "a.tar.gz.bak"])
def test_a_bundle_never_takes_the_place_of_another_file(session: Session, tmp_path: Path, name: str) -> None:
    if name.endswith(".bak"):
        bundles.export_to(session, str(tmp_path / "a.tar.gz"))
    place = tmp_path / name
    place.write_bytes(b"mine")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(BadTarget, match=r"is there and is no bundle\. Nothing was written"):
        bundles.export_to(session, str(place).removesuffix(".bak"))
    assert place.read_bytes() == b"mine" and sorted(os.listdir(tmp_path)) == before


def test_a_bundle_goes_through_a_link_and_a_folder_is_refused(session: Session, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real.tgz")
    with pytest.raises(BadTarget):
        bundles.export_to(session, str(tmp_path / "link"))
    bundles.export_to(session, str(tmp_path / "real.tgz"))
    bundles.export_to(session, str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    (tmp_path / "folder").mkdir()
    with pytest.raises(MemError):
        bundles.export_to(session, str(tmp_path / "folder"))


def test_where_the_state_folder_cannot_be_written_an_export_works_but_cannot_be_undone(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZSMEM_STATE_DIR", "/proc/nope")
    out = AStore(tmp_path / "out")
    applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(out.root)))
    bundles.export_to(session, str(tmp_path / "a.tgz"))
    assert out.raw("MEMORY.md") == b"fact\n" and (tmp_path / "a.tgz").exists()
    assert "cannot be undone" in session.undo_problem


@pytest.mark.parametrize("place", ["/", "..", ".", "sub"])
def test_no_folder_that_holds_the_store_or_lies_in_it_takes_an_export(session: Session, place: str) -> None:
    with pytest.raises(BadTarget, match="is, or holds, or lies in the store itself"):
        applying.apply(exporting.plan(session, formats.of_agent("markdown"), os.path.join(session.root, place)))


def test_what_a_row_costs_on_every_turn_and_what_all_of_it_costs_agree(tmp_path: Path) -> None:
    store = (
        AStore(tmp_path / "memory")
        .has("MEMORY.md", "- fact\n- other fact\n")
        .has("~/daily/2026-08-03.md", "\n### 09:41 — a\n\ntext\n")
    )
    journal = tmp_path / "project/.memsearch/memory"
    journal.mkdir(parents=True)
    (journal / "2026-08-04.md").write_text("## Session 08:00\n\n### 08:00\n- there\n")
    days = exporting.plan(store.session(), formats.of_agent("memsearch"), str(journal))
    assert days.growth == "+0 bytes" and not any(each.cost for each in days.rows), "only bullets of a day are in memsearch's prompt"
    store.has("~/daily/2026-08-03.md", "\n### 09:41 — a\n\n- text\n")
    days = exporting.plan(store.session(), formats.of_agent("memsearch"), str(journal))
    assert any(days.grows.values()) and any(each.cost for each in days.rows)
    lines = exporting.plan(store.session(), formats.of_agent("agents-md"), str(tmp_path / "project"))
    assert [*lines.grows.values()] == [sum(each.cost for each in lines.rows)] != [0], "every prompt of every agent grows by it"


@pytest.mark.parametrize(
    ("index", "is_listed"),
    [
        ("", True),
        ("## Topics\n- [A](a.md)\n## Old\n" + "- x\n" * 250 + "- [B](b.md)\n", True),
        ("- [A](a.md)\n" * 250, False),
    ],
)
def test_a_note_is_listed_where_its_line_is_loaded(tmp_path: Path, index: str, is_listed: bool) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/n.md", "# N\n\nA note.\n")
    claude = AStore(tmp_path / ".claude/projects/-w/memory").has("MEMORY.md", f"# Memory Index\n\n{index}").has("a.md", "A.\n")
    plan = exporting.plan(store.session(), formats.of_agent("claude-code"), str(claude.root))
    assert is_listed == any(b"(project_n.md)" in (each.after or b"") for each in plan.changes)
    (row,) = plan.rows
    assert is_listed != any("its line would be past them" in each for each in row.warnings)
    assert (row.cost > 0) == is_listed and (index or [row.cost] == [*plan.grows.values()])


def test_what_fit_moved_beside_long_term_memory_goes_along(store: AStore, tmp_path: Path) -> None:
    store.has("MEMORY.md", "- stays\n").has("memory-2.md", "- moved by Fit\n").has("~/notes/memory-2.md", "of the project\n")
    plan = exporting.plan(store.session(), formats.of_agent("claude-code"), str(tmp_path / "out"))
    assert plan.is_whole and "left out" not in plan.rest
    applying.apply(plan)
    there = [place.read_text() for place in (tmp_path / "out").rglob("*.md") if place.name.startswith("project_memory")]
    assert len(there) == 2 and any("- moved by Fit" in text for text in there)


def test_a_store_goes_to_another_of_its_kind_byte_for_byte(tmp_path: Path) -> None:
    topic = "---\nname: testing\ndescription: run all of it\nmetadata:\n  type: feedback\n---\n\nAlways run all of it.\n"
    index = "# Memory Index\n\n- [Testing](feedback_testing.md) - run all of it\n- Never push on Fridays\n"
    home = AStore(tmp_path / "claude").has("projects/-w/memory/MEMORY.md", index)
    home.has("projects/-w/memory/feedback_testing.md", topic).has("projects/-w/memory/unlisted.md", topic)
    session = stores.open_store(Config(), f"claude-code:{home.root}", group="project:-w", cwd="/w", clock=lambda: NOW)
    plan = exporting.plan(session, formats.of_agent("claude-code"), str(tmp_path / "out"))
    assert plan.is_whole and "Every line goes along" in plan.rest and all(each.ticked for each in plan.rows)
    applying.apply(plan)
    found = {place.name: place.read_text() for place in (tmp_path / "out").rglob("*.md")}
    assert found == {"MEMORY.md": index, "feedback_testing.md": topic, "unlisted.md": topic}
    again = exporting.plan(session, formats.of_agent("claude-code"), str(tmp_path / "out"))
    assert not again.changes
