"""Folders of other agents' memories that are renamed: found again, followed, and everything back with one undo."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.builders import NOW
from tests.service.projects.stores import everything
from tests.service.test_past import Clock
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadName, BadTarget
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.past import Point
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import trim
from zsmem_tui.service import applying, past, previewing, stores, undoing
from zsmem_tui.service.folders import folders_of
from zsmem_tui.service.projects import moving
from zsmem_tui.service.projects.known import belongs_here, former_slugs, known_projects, memory_for
from zsmem_tui.service.projects.naming import name_projects, refresh
from zsmem_tui.service.projects.own import own_folder
from zsmem_tui.service.session import Session


def opened(kind: str, folder: Path) -> Session:
    return stores.open_store(Config(), kind, cwd=str(folder), clock=lambda: NOW)


def claude(home: Path, folder: Path, *, transcript: bool = True, **files: str) -> Path:
    """What Claude Code keeps of a folder; where its memory is."""
    own = home / ".claude" / "projects" / encoded(str(folder))
    (own / "memory").mkdir(parents=True)
    for name, text in (files or {"MEMORY": "- alpha uses port 9999\n"}).items():
        (own / "memory" / f"{name}.md").write_text(text)
    if transcript:
        (own / "0b5e.jsonl").write_text(json.dumps({"cwd": str(folder)}) + "\n")
    return own


def lessons(home: Path, folder: Path) -> Path:
    """What oh-my-pi keeps of a folder."""
    own = home / ".omp" / "agent" / "memories" / f"--{str(folder)[1:].replace('/', '-')}--"
    own.mkdir(parents=True)
    (own / "learned.md").write_text("- alpha uses port 9999\n")
    (own / "memory_summary.md").write_text("made by the agent\n")
    return own


def a_folder(place: Path) -> Path:
    place.mkdir(parents=True)
    for name in ("Makefile", "main.py", "README.md"):
        (place / name).write_text(f"{place} {name}\n")
    return place


def state(session: Session) -> list[tuple[State, str, str]]:
    return [(each.verdict.state, each.verdict.folder, each.verdict.moved_to) for each in known_projects(session).projects]


@pytest.mark.parametrize("kind", ["claude-code", "claude-code without transcripts", "oh-my-pi"])
def test_a_renamed_folder_is_followed_and_undo_brings_back_every_byte(kind: str, tmp_path: Path, away_from_home: Path) -> None:
    old, new = a_folder(tmp_path / "code" / "alpha_1"), tmp_path / "code" / "beta"
    if kind == "oh-my-pi":
        lessons(away_from_home, old)
    else:
        claude(away_from_home, old, transcript=kind == "claude-code")
    agent = kind.partition(" ")[0]
    session = opened(agent, old)
    refresh(session)
    assert state(session) == [(State.HERE, str(old), "")]
    os.rename(old, new)
    session = opened(agent, new)
    refresh(session)
    assert state(session) == [(State.MOVED, str(old), str(new))]
    found = memory_for(session, known_projects(session), own_folder(session))
    assert found is not None and found.label == "alpha_1"
    first = everything(session.root)
    done = applying.apply(moving.follow(session))
    assert done.changed and not done.stays and not done.undo_problem
    assert state(session) == [(State.HERE, str(new), "")]
    assert [each.slug for each in known_projects(session).projects] == [session.project]
    assert "9999" in "".join(map(str, everything(session.root).values()))
    assert known_projects(session).projects[0].came_from == (str(old),)
    after = everything(session.root)
    assert undoing.undo(session).done and everything(session.root) == first
    assert former_slugs(session) == {}
    undoing.undo(session, redo=True)
    assert everything(session.root) == after
    assert known_projects(session).projects[0].came_from == (str(old),)
    elsewhere = opened(agent, a_folder(tmp_path / "gamma"))
    assert folders_of(elsewhere, [])[session.project] == str(new), "as in its own window"


def everyone(home: Path, old: Path, new: Path, *, is_listed: bool) -> list[Session]:
    """Five agents' memories of one folder, which was seen and then renamed; seen from where it is now."""
    kinds = ["zerostack", "claude-code", "oh-my-pi", "qwen-code", "gemini"]
    a_folder(old)
    claude(home, old)
    lessons(home, old)
    own = home / ".local/share/zerostack/agent/memory/projects" / project_slug(str(old))
    for place in (own / "notes/n.md", home / f".qwen/projects/{encoded(str(old))}/memory/MEMORY.md"):
        place.parent.mkdir(parents=True)
        place.write_text(f"- {place.name} of alpha\n")
    tmp = home / ".gemini/tmp/alpha/memory"
    tmp.mkdir(parents=True)
    (tmp / "MEMORY.md").write_text("- gemini's\n")
    listed = {str(old): "alpha"} | ({str(new): "beta"} if is_listed else {})
    (home / ".gemini/projects.json").write_text(json.dumps({"projects": listed}))
    refresh(opened("zerostack", old))  # one of them has seen the folder: that is enough
    os.rename(old, new)
    sessions = [opened(kind, new) for kind in kinds]
    refresh(sessions[0])
    return sessions


@pytest.mark.parametrize("is_listed", [True, False])
def test_what_every_agent_keeps_of_a_renamed_folder_follows_in_one_step(
    tmp_path: Path, away_from_home: Path, is_listed: bool
) -> None:
    old, new = tmp_path / "code" / "alpha", tmp_path / "code" / "beta"
    sessions = everyone(away_from_home, old, new, is_listed=is_listed)
    first, others = sessions[0], sessions[1:]
    before = [everything(each.root) for each in sessions]
    assert state(sessions[-1])[:1] == [(State.GONE, str(old), "")]
    titles = "Claude Code and oh-my-pi and Qwen Code" + (" and Gemini CLI" if is_listed else "")
    known = known_projects(first).projects
    assert moving.also_of(first, known, others) == [f"{titles} have memory of {old}, too: following takes it along."]
    plan = moving.follow(first, beside=others)
    assert {row.store for row in plan.rows} == set(sessions if is_listed else sessions[:-1])
    done = applying.apply(plan)
    assert done.changed and not done.undo_problem and ("start it there once" in done.message.lower()) is not is_listed
    for session in sessions:
        left = {project.slug for project in known_projects(session).projects if project.verdict.folder == str(old)}
        assert left == (set() if is_listed or session.layout.kind != "gemini" else {"project:alpha"}), session.layout.kind
    after = [everything(each.root) for each in sessions]
    assert undoing.undo(others[1], among=sessions).done, "from any of the stores"
    assert [everything(each.root) for each in sessions] == before
    assert undoing.undo_newest(sessions, redo=True).done
    assert [everything(each.root) for each in sessions] == after


def test_a_project_that_an_agent_lists_is_of_its_folder(tmp_path: Path, away_from_home: Path) -> None:
    old, new = tmp_path / "code" / "alpha", tmp_path / "code" / "beta"
    everyone(away_from_home, old, new, is_listed=False)
    os.rename(new, old)
    refresh(opened("gemini", old))
    assert state(opened("gemini", old)) == [(State.HERE, str(old), "")]
    os.rename(old, new)
    refresh(opened("gemini", new))
    assert state(opened("gemini", new)) == [(State.MOVED, str(old), str(new))]
    told = moving.follow(opened("gemini", new))
    assert not told.rows and "Gemini CLI keeps" in told.unchanged and "does not list" in told.unchanged


@pytest.mark.parametrize("kind", ["zerostack", "claude-code", "oh-my-pi"])
def test_the_prompt_of_a_renamed_folder_has_the_moments_of_its_old_name(kind: str, tmp_path: Path, away_from_home: Path) -> None:
    clock = Clock()
    ways: dict[str, tuple[Callable[[Session], str], str]] = {
        "zerostack": (lambda session: f"projects/{session.project}/SCRATCHPAD.md", "- [ ] {}\n"),
        "claude-code": (lambda session: f"{session.layout.home_of(session.project)}/MEMORY.md", "- {}\n"),
        "oh-my-pi": (lambda session: f"{session.layout.home_of(session.project)}/memory_summary.md", "- {}\n"),
    }
    path_in, line = ways[kind]
    places = [a_folder(tmp_path / "code" / name) for name in ("alpha", "beta", "gamma", "delta")]
    alpha, beta, gamma, delta = (stores.open_store(Config(), kind, cwd=str(each), clock=clock) for each in places)

    def add(session: Session, *words: str) -> None:
        clock.goes_on(hours=1)
        place = Path(session.root, path_in(session))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(place.read_text() if place.exists() else "")
        with place.open("a") as stream:
            stream.writelines(line.format(word) for word in words)
        os.utime(place, ns=(session.now_ns(), session.now_ns()))
        session.history.observe([path_in(session)])

    def seen(session: Session) -> str:
        return previewing.preview(session).text or ""

    def at(session: Session, point: Point) -> str:
        return previewing.preview(session, previewing.subject(session)._replace(at=point)).text or ""

    moments = []
    for session, word in ((alpha, "one"), (alpha, "two"), (beta, "three"), (gamma, "four")):
        if session is not alpha and word in ("three", "four"):
            clock.goes_on(hours=1)
            applying.apply(moving.move(session, (alpha if session is beta else beta).project, session.folder))
        add(session, word)
        moments.append((past.now(session), seen(session)))
    for point, text in moments:
        assert at(gamma, point) == text
    told = [trim(each) for change in past.Walk(gamma, previewing.subject(gamma)).every() for each in change.came]
    assert all(any(each.endswith(word) for each in told) for word in ("four", "three", "two", "one"))
    assert not [each for change in past.Walk(gamma, previewing.subject(gamma)).every() for each in change.fell]
    clock.goes_on(hours=1)
    assert undoing.undo(gamma).done  # the last move only: what it undoes says nothing of gamma before it
    past.now(gamma)
    past.now(beta)
    assert "one" not in at(gamma, moments[0][0]) and at(beta, moments[0][0]) == moments[0][1]
    add(delta, "five")
    alone = past.now(delta), seen(delta)
    clock.goes_on(hours=1)
    applying.apply(moving.merge(delta, [beta.project], delta.project))
    past.now(delta)
    assert "five" in alone[1] and at(delta, alone[0]) == alone[1], "it had a memory of its own then"


def test_a_folder_that_was_gone_before_anybody_looked_is_known_by_its_transcript_and_moved_by_hand(
    tmp_path: Path, away_from_home: Path
) -> None:
    old, new = tmp_path / "code" / "my.app", a_folder(tmp_path / "code" / "other")
    claude(away_from_home, old)
    a_folder(tmp_path / "code" / "my-app")  # has the same name for Claude Code, and is not meant
    session = opened("claude-code", new)
    name_projects(session)
    assert state(session) == [(State.GONE, str(old), "")]
    [known] = known_projects(session).projects
    for word in (known.slug, known.slug.partition(":")[2]):
        assert moving.target_of(session, word) == (known.slug, "")
    done = applying.apply(moving.move(session, known.slug, str(new)))
    assert (away_from_home / ".claude" / "projects" / encoded(str(new)) / "memory" / "MEMORY.md").is_file()
    assert "1 transcript stays in ~/.claude/projects/" in done.message
    assert (away_from_home / ".claude" / "projects" / encoded(str(old)) / "0b5e.jsonl").is_file()


def test_memory_under_an_older_name_is_of_the_folder_that_its_sessions_ran_in(tmp_path: Path, away_from_home: Path) -> None:
    folder, two = a_folder(tmp_path / "my_code" / "lantern"), a_folder(tmp_path / "my_code" / "two")
    own = claude(away_from_home, folder)
    older = own.rename(own.with_name(own.name.replace("my-code", "my_code")))  # as the agent named it once
    session = opened("claude-code", folder)
    refresh(session)
    assert state(session) == [(State.MAYBE, str(folder), str(folder))]
    assert name_projects(session).named == 1
    known = known_projects(session)
    belongs = memory_for(session, known, str(folder))
    assert belongs is not None and belongs_here(belongs) == "The memory made in this folder lies under another name."
    assert memory_for(session, known, str(two)) is None
    shutil.copytree(older, older.with_name("-some_where"))
    refresh(session)
    found = known_projects(session).projects
    assert [(each.verdict.state, each.verdict.candidates) for each in found] == [(State.UNKNOWN, (str(folder),))] * 2, "no guess"
    shutil.rmtree(older.with_name("-some_where"))
    refresh(session)
    done = applying.apply(moving.follow(session, [known.projects[0].slug]))
    assert (own / "memory" / "MEMORY.md").is_file() and not (older / "memory").exists()
    assert done.message.startswith(f"Followed ~/.claude/projects/{older.name}/memory to {folder}: 1 file."), done.message
    assert state(session) == [(State.HERE, str(folder), "")]
    undoing.undo(session)
    (own / "memory").mkdir(parents=True, exist_ok=True)
    (own / "memory" / "MEMORY.md").write_text("- another\n")
    refresh(session)
    wanted = [(State.HERE, str(folder), ""), (State.UNKNOWN, "", "")]
    assert sorted(state(session)) == wanted, "two memories of one folder are not joined by themselves"


def test_what_stays_of_an_old_folder_is_named_before_and_after(tmp_path: Path, away_from_home: Path) -> None:
    old, new = a_folder(tmp_path / "old"), tmp_path / "new"
    own = claude(away_from_home, old)
    (own / "two.jsonl").write_text("{}\n")
    (own / "0b5e").mkdir()
    (away_from_home / ".claude.json").write_text(json.dumps({"projects": {str(old): {"allowedTools": ["x"]}}}))
    refresh(opened("claude-code", old))
    os.rename(old, new)
    session = opened("claude-code", new)
    session.dry_run = True
    plan = moving.follow(session)
    said = " ".join([applying.apply(plan).message, *plan.notes])
    assert f"2 transcripts and 1 entry of other kinds stay in ~/.claude/projects/{encoded(str(old))}." in said
    assert f"What ~/.claude.json has set for {old} stays there." in said
    session.dry_run = False
    assert said.split(".", 1)[1] in applying.apply(moving.follow(session)).message


def test_two_indexes_become_one_and_a_topic_of_the_same_name_stays_beside(tmp_path: Path, away_from_home: Path) -> None:
    old, new = a_folder(tmp_path / "old"), tmp_path / "new"
    claude(away_from_home, old, MEMORY="# Memory\n- [Ports](ports.md)\n- old fact\n", ports="old\n")
    refresh(opened("claude-code", old))
    os.rename(old, new)
    own = claude(away_from_home, new, MEMORY="# Memory\n- [Ports](ports.md)\n- new fact\n", ports="new\n")
    session = opened("claude-code", new)
    first = everything(session.root)
    done = applying.apply(moving.follow(session))
    assert f"1 transcript stays in ~/.claude/projects/{encoded(str(old))}." in done.message, "no memory, so it does not move"
    assert (own / "memory" / "MEMORY.md").read_text() == (
        "# Memory\n- [Ports](ports.md)\n- new fact\n- old fact\n- [Ports 2](ports-2.md) — old\n"
    )
    assert ((own / "memory" / "ports.md").read_text(), (own / "memory" / "ports-2.md").read_text()) == ("new\n", "old\n")
    assert undoing.undo(session).done and everything(session.root) == first


def test_work_trees_share_a_memory_and_what_is_of_no_folder_is_left_alone(tmp_path: Path, away_from_home: Path) -> None:
    main = a_folder(tmp_path / "main")
    (main / ".git").mkdir()
    claude(away_from_home, main)
    (away_from_home / ".claude" / "agent-memory" / "tester").mkdir(parents=True)
    (away_from_home / ".claude" / "agent-memory" / "tester" / "MEMORY.md").write_text("- x\n")
    inner = main / "src"
    inner.mkdir()
    session = opened("claude-code", inner)
    assert own_folder(session) == str(main) and session.project == f"project:{encoded(str(main))}"
    refresh(session)
    by_slug = {each.slug: each for each in known_projects(session).projects}
    assert by_slug[session.project].verdict.state is State.HERE and not by_slug["agent:tester"].of_folder
    for plan in (partial(moving.move, session, "agent:tester", str(inner)), partial(moving.archive, session, "agent:tester")):
        with pytest.raises(BadTarget, match="not the memory of a folder"):
            plan()
    with pytest.raises(BadName, match="no project and no folder"):
        moving.target_of(session, "nothing")


@pytest.mark.parametrize("kind", ["claude-code", "oh-my-pi"])
def test_a_memory_is_put_away_and_named(kind: str, tmp_path: Path, away_from_home: Path) -> None:
    folder = a_folder(tmp_path / "a")
    (claude if kind == "claude-code" else lessons)(away_from_home, folder)
    session = opened(kind, folder)
    first = everything(session.root)
    moving.label(session, session.project, "mine")
    assert [each.label for each in known_projects(session).projects] == ["mine"]
    undoing.undo(session)
    applying.apply(moving.archive(session, session.project))
    assert known_projects(session).projects == ()
    assert undoing.undo(session).done and everything(session.root) == first
