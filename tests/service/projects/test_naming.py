"""Finding the folder of every memory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.agents.zerostack.layout import ZerostackLayout
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project_folders import ProjectRecord, State
from zsmem_tui.service.projects import naming
from zsmem_tui.service.projects.known import known_projects, last_sessions, memory_for
from zsmem_tui.service.projects.naming import NamingResult, name_projects
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import git_facts


def a_session(tmp_path: Path, *folders: str, **settings: object) -> Session:
    store = AStore(tmp_path / "store")
    for folder in folders:
        store.has(f"projects/{project_slug(folder)}/SCRATCHPAD.md", "- [ ] x\n")
    return Session(str(store.root), "nobody-00000000", config=Config(**settings))  # type: ignore[arg-type]


def folders(session: Session) -> dict[str, tuple[State, str]]:
    return {each.slug[:-9]: (each.verdict.state, each.verdict.folder) for each in known_projects(session).projects}


def test_folders_are_found_where_agents_name_them_and_by_a_walk(tmp_path: Path, away_from_home: Path) -> None:
    outside, home = tmp_path / "srv", away_from_home
    for place in (outside / "said", outside / "rooted", home / "git" / "walked"):
        place.mkdir(parents=True)
    sessions = home / ".local/share/zerostack/sessions"
    sessions.mkdir(parents=True)
    (sessions / "1.json").write_text(json.dumps({"messages": [], "working_dir": str(outside / "said")}))
    (sessions / "2.json").write_text('{"working_dir": "/broken')
    (home / ".gemini").mkdir()
    (home / ".gemini" / "projects.json").write_text(json.dumps({"projects": {"/was/there": "x"}}))
    wanted = [
        outside / "said",
        outside / "rooted",
        home / "git" / "walked",
        Path("/was/there"),
        outside / "dead",
        Path("/x/odd name"),
    ]
    session = a_session(tmp_path, *map(str, wanted), roots=(str(outside), str(tmp_path / "away")))
    named: list[str] = []
    seen: list[NamingResult] = []
    done = name_projects(session, on_named=lambda slug, folder: named.append(folder), progress=seen.append)
    assert folders(session) == {
        "said": (State.HERE, str(outside / "said")),
        "rooted": (State.HERE, str(outside / "rooted")),
        "walked": (State.HERE, str(home / "git" / "walked")),
        "there": (State.GONE, "/was/there"),
        "dead": (State.GONE, str(outside / "dead")),
        "odd-name": (State.UNKNOWN, ""),
    }
    assert sorted(named) == sorted(map(str, wanted[:-1]))
    assert done.problems == (f"{tmp_path}/away: No such file or directory",) and (done.named, done.memories) == (5, 6)
    assert seen[-1] == NamingResult(5, 6, done.folders)


def test_what_is_known_is_not_looked_for_again(tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (away_from_home / "p").mkdir()
    session = a_session(tmp_path, str(away_from_home / "p"))
    assert name_projects(session).folders == 2
    assert name_projects(session).folders == 0
    monkeypatch.setattr(git_facts, "observed", lambda path: pytest.fail("a folder that is as it was is looked at again"))
    assert known_projects(session).projects[0].label == "p"


def test_of_two_folders_with_one_slug_both_are_shown_and_neither_is_chosen(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = "same-0a0b0c0d"
    store = AStore(tmp_path / "store").has(f"projects/{slug}/notes/n.md", "x")
    one, other = away_from_home / "1" / "same", away_from_home / "2" / "same"
    for place in (one, other):
        place.mkdir(parents=True)

    def slug_of(path: str) -> str:
        return slug if os.path.basename(path) == "same" else project_slug(path)

    monkeypatch.setattr(naming, "project_slug", slug_of)
    monkeypatch.setattr(ZerostackLayout, "group_named_after", lambda self, path: slug_of(path))
    session = Session(str(store.root), "nobody-00000000")
    project_register.change(
        session.root,
        lambda register: register._replace(records={slug: ProjectRecord(slug, (str(one), str(other)))}),
    )
    found = known_projects(session).projects[0].verdict
    assert (found.state, found.folder, found.candidates) == (State.UNKNOWN, "", (str(one), str(other)))
    assert found.why == f"2 folders ({one}, {other}) have this memory."
    os.rmdir(other)
    assert known_projects(session).projects[0].verdict[:2] == (State.HERE, str(one))
    os.rmdir(one)
    assert known_projects(session).projects[0].verdict.why.endswith(" had this memory, and none of them is there.")


def test_work_trees_and_parts_of_one_repository_are_a_family_and_a_submodule_is_none(tmp_path: Path, away_from_home: Path) -> None:
    top, tree = away_from_home / "lantern", away_from_home / "lantern-fix"
    own = top / ".git" / "worktrees" / "fix"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (top / "packages" / "core").mkdir(parents=True)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {own}\n")
    (top / ".git" / "modules" / "sub").mkdir(parents=True)
    (top / "sub").mkdir()
    (top / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    session = a_session(tmp_path, *map(str, (top, top / "packages" / "core", tree, top / "sub")))
    name_projects(session)
    families = {each.label: each.verdict.family for each in known_projects(session).projects}
    assert families["lantern"] and families["lantern"] == families["core"] == families["lantern-fix"] and not families["sub"]


def test_a_folder_that_moved_out_of_every_place_that_is_walked_over_is_known_as_soon_as_one_works_in_it(
    tmp_path: Path, away_from_home: Path
) -> None:
    old, new = away_from_home / "old", tmp_path / "srv/new"
    (old / "src").mkdir(parents=True)
    session = a_session(tmp_path, str(old))
    name_projects(session)
    new.parent.mkdir()
    os.rename(old, new)
    session.folder = str(new)
    found = memory_for(session, known_projects(session), str(new))
    assert found is not None and found.slug == project_slug(str(old)) and found.verdict.state is State.MOVED
    assert memory_for(session, known_projects(session), str(away_from_home)) is None
    session.folder = str(away_from_home)
    assert known_projects(session).projects[0].verdict.state is State.GONE
    session.folder = str(new)
    name_projects(session)
    session.folder = ""
    assert known_projects(session).projects[0].verdict.moved_to == str(new)


def test_the_last_session_of_a_memory_is_that_of_its_folder(tmp_path: Path, away_from_home: Path) -> None:
    sessions = away_from_home / ".local/share/zerostack/sessions"
    sessions.mkdir(parents=True)
    for number, (name, folder) in enumerate((("1", "/x/a"), ("2", "/x/b"), ("3", "/x/a"), ("4", "/x/other"))):
        (sessions / f"{name}.json").write_text(json.dumps({"working_dir": folder}))
        os.utime(sessions / f"{name}.json", ns=(0, (number + 1) * 10**9))
    session = a_session(tmp_path, "/x/a", "/x/b", "/x/c")
    assert last_sessions(session) == {project_slug("/x/a"): 3 * 10**9, project_slug("/x/b"): 2 * 10**9}


def test_a_damaged_register_is_said_and_made_anew(tmp_path: Path, away_from_home: Path) -> None:
    (away_from_home / "p").mkdir()
    session = a_session(tmp_path, str(away_from_home / "p"))
    place = Path(project_register.place_of(session.root))
    place.parent.mkdir(parents=True)
    place.write_text("{")
    assert "is damaged" in known_projects(session).problems[0]
    assert "is damaged" in name_projects(session).problems[0]
    assert known_projects(session).problems == () and folders(session)["p"][0] is State.HERE
