"""Bundles between folders and machines: which project of ours one goes to, and what may happen to it meanwhile."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.core.errors import BadContent, StoreError
from zsmem_tui.core.names import project_slug
from zsmem_tui.service import applying, bundles, undoing
from zsmem_tui.service.session import Session
from zsmem_tui.store import interrupted
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.transfer import bundle, exports


class AProject:
    """A store with one note of a folder, and a session there."""

    def __init__(self, home: Path, folder: Path, note: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.slug = project_slug(str(folder))
        self.store = AStore(home, self.slug)
        if note:
            self.store.has("~/notes/n.md", note)

    def session(self) -> Session:
        session = self.store.session()
        session.folder = str(self.folder)
        return session

    def bundle(self, place: Path, projects: list[str] | None = None) -> Path:
        with open(place, "wb") as stream:
            bundles.export(self.session(), stream, projects)
        return place


def test_a_bundle_of_a_folder_goes_to_the_folder_of_that_name_that_it_is_brought_in_for(tmp_path: Path) -> None:
    there = AProject(tmp_path / "theirs", tmp_path / "a/foo", "words\n")
    here = AProject(tmp_path / "mine", tmp_path / "b/foo")
    place = there.bundle(tmp_path / "a.tar.gz")
    plan = bundles.plan(here.session(), str(place))
    assert plan.hints == (f"--into {there.slug} puts it where it was.",)
    assert "".join(plan.notes) == f"What is of {there.folder} goes to {here.slug}, for {here.folder} has that name here."
    assert applying.apply(plan).message.endswith("".join(plan.notes))
    assert here.store.tree() == {f"projects/{here.slug}/notes/n.md": b"words\n"}
    as_it_is = bundles.plan(here.session(), str(place), into=there.slug)
    assert "".join(as_it_is.notes) == "" and [each.ref.path for each in as_it_is.rows] == [f"projects/{there.slug}/notes/n.md"]


def test_of_a_whole_store_only_the_folder_of_that_name_moves(tmp_path: Path) -> None:
    there = AProject(tmp_path / "theirs", tmp_path / "a/foo", "words\n")
    there.store.has("projects/other-00000000/notes/n.md", "x").has("MEMORY.md", "fact\n")
    here = AProject(tmp_path / "mine", tmp_path / "b/foo")
    plan = bundles.plan(here.session(), str(there.bundle(tmp_path / "a.tar.gz")))
    wanted = {"MEMORY.md", f"projects/{here.slug}/notes/n.md", "projects/other-00000000/notes/n.md"}
    assert {each.ref.path for each in plan.rows} == wanted


@pytest.mark.parametrize("why", ["another name", "its folder is here", "the bundle has this one", "two of that name"])
def test_a_bundle_stays_where_it_was_when_it_is_not_plainly_this_folder(tmp_path: Path, why: str) -> None:
    there = AProject(tmp_path / "theirs", tmp_path / "a/foo", "words\n")
    here = AProject(tmp_path / "mine", tmp_path / ("b/bar" if why == "another name" else "b/foo"))
    folders = {there.slug: str(there.folder)}
    if why == "its folder is here":
        here.store.has(f"projects/{there.slug}/notes/own.md", "mine\n")
    elif why == "the bundle has this one":
        there.store.has(f"projects/{here.slug}/notes/n.md", "words\n")
    elif why == "two of that name":
        other = AProject(tmp_path / "theirs", tmp_path / "c/foo", "others\n")
        folders[other.slug] = str(other.folder)
    place = tmp_path / "a.tar.gz"
    with open(place, "wb") as stream:
        paths = [path for path in there.store.tree() if path.startswith("projects/")]
        bundle.write(str(there.store.root), paths, folders, there.session().layout, stream)
    plan = bundles.plan(here.session(), str(place))
    assert "".join(plan.notes) == "" and all(each.ref.path == each.source for each in plan.rows)


def test_the_folders_that_agents_here_have_worked_in_stand_in_the_bundle(tmp_path: Path, away_from_home: Path) -> None:
    store = AProject(tmp_path / "memory", tmp_path / "a/foo", "words\n")
    other = tmp_path / "b/bar"
    store.store.has(f"projects/{project_slug(str(other))}/notes/n.md", "x").has("projects/unknown-00000000/notes/n.md", "x")
    transcripts = away_from_home / ".claude/projects" / encoded(str(other))
    transcripts.mkdir(parents=True)
    (transcripts / "s.jsonl").write_text(json.dumps({"cwd": str(other)}) + "\n")
    place = store.bundle(tmp_path / "a.tar.gz")
    found = bundle.look(str(place), store.session().layout).folders
    assert found == {store.slug: str(store.folder), project_slug(str(other)): str(other)}
    alone = bundle.look(str(store.bundle(tmp_path / "b.tar.gz", [store.slug])), store.session().layout).folders
    assert alone == {store.slug: str(store.folder)}


@pytest.mark.parametrize("what", ["pipe", "another bundle", "folder"])
def test_what_takes_the_place_of_a_bundle_after_the_plan_is_said(tmp_path: Path, what: str) -> None:
    place = AProject(tmp_path / "theirs", tmp_path / "a", "words\n").bundle(tmp_path / "a.tar.gz")
    fresh = AStore(tmp_path / "fresh")
    session = fresh.session()
    plan = bundles.plan(session, str(place))
    place.unlink()
    if what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        place.mkdir()
    else:
        AProject(tmp_path / "else", tmp_path / "a", "other\n").bundle(place)
    with pytest.raises(BadContent if what == "another bundle" else StoreError, match="Nothing was written"):
        applying.apply(plan)
    assert fresh.tree() == {}


def test_what_is_left_out_of_a_bundle_is_not_ticked_in_its_plan_and_not_in_it(tmp_path: Path) -> None:
    here = AProject(tmp_path / "mine", tmp_path / "b/foo", "words\n")
    here.store.has("~/notes/other.md", "more\n")
    path = f"projects/{here.slug}/notes/other.md"
    plan = bundles.plan_out(here.session(), str(tmp_path / "a.tar.gz"), without=[path])
    assert {row.key: row.ticked for row in plan.rows} == {f"projects/{here.slug}/notes/n.md": True, path: False}
    applying.apply(plan)
    fresh = AStore(tmp_path / "fresh")
    applying.apply(bundles.plan(fresh.session(), str(tmp_path / "a.tar.gz")))
    assert b"more\n" not in fresh.tree().values() and b"words\n" in fresh.tree().values()


def test_what_no_bundle_holds_is_said(tmp_path: Path) -> None:
    """A store whose facts are a link elsewhere is no rare thing: a backup without them must not look whole."""
    here = AProject(tmp_path / "mine", tmp_path / "b/foo", "words\n")
    (tmp_path / "facts.md").write_text("- fact\n")
    (here.store.root / "MEMORY.md").symlink_to(tmp_path / "facts.md")
    os.mkfifo(here.store.at("~/notes/pipe.md"))
    done = bundles.export_to(here.session(), str(tmp_path / "a.tar.gz"))
    assert done.message.startswith(f"Wrote 1 file to {tmp_path}/a.tar.gz. Left out: 2 files: MEMORY.md (a link), ")
    assert done.message.endswith("pipe.md (no ordinary file).") and done.warning
    assert bundles.left_out(here.session(), ["other-00000000"]) == []


def test_what_is_left_out_stops_no_bundle_whatever_its_name_is(store: AStore, tmp_path: Path) -> None:
    path, session = f"projects/{store.project}/notes/a\udcff.md", store.session()
    store.has("MEMORY.md", "- x\n").has(path, "AKIAIOSFODNN7EXAMPLQ\n")
    place = str(tmp_path / "b.tar.gz")
    assert bundles.plan_out(session, place).gate.stops and not bundles.plan_out(session, place, without={path}).gate.stops
    assert applying.apply(bundles.plan_out(session, place, without={path})).changed


def test_a_bundle_of_a_process_that_died_is_taken_back_or_can_be_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, place = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n"), tmp_path / "out/a.tar.gz"
    place.parent.mkdir()
    for owner, name, becomes in ((exports, "remember", "Took back"), (Recorder, "record_step_end", "Finished")):
        pid = os.fork()
        if not pid:
            monkeypatch.setattr(owner, name, lambda *_: os._exit(9))
            bundles.export_to(store.session(), str(place))
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 9 << 8 and any(place.parent.iterdir())
        assert interrupted.recover() == [f"{becomes} what was interrupted: Exported a bundle to a.tar.gz."]
        assert list(place.parent.iterdir()) == [place] * (becomes == "Finished") and interrupted.recover() == []
    assert undoing.undo(store.session()).done and not place.exists()
