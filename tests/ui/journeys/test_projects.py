"""Projects and their folders in the running program: names, marks, families, following, merging, archiving, undo."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dulwich.repo import Repo

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, asked, back, by_name, running, screen_text, show_only, shows, typed, until
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.service import applying, stores
from zsmem_tui.service.plan import Edit
from zsmem_tui.service.projects import naming
from zsmem_tui.service.projects.known import KnownProjects, known_projects
from zsmem_tui.service.projects.naming import NamingResult, name_projects
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import folder_walk
from zsmem_tui.store.steps import Batch
from zsmem_tui.ui.app import ZsmemApp


def a_session(tmp_path: Path, folder: Path, *folders: Path, **settings: Any) -> Session:
    """One that works in `folder`; the others have a memory."""
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- a fact\n")
    for each in folders:
        store.has(f"projects/{project_slug(str(each))}/SCRATCHPAD.md", f"- [ ] of {each.name}\n")
    own = project_slug(str(folder))
    return Session(str(store.root), own, config=Config(**settings), clock=lambda: NOW, folder=str(folder))


def an_app(session: Session) -> ZsmemApp:
    return ZsmemApp(session, now_ns=lambda: NOW_NS)


def named(pilot: Any) -> Callable[[], bool]:
    """Whether the search for folders has ended."""
    store = pilot.app.main.here
    return lambda: store.known is not None and store.naming is None


def moved(tmp_path: Path, home: Path, old: str = "foo", new: str = "bar") -> tuple[Path, Path, Session]:
    """A folder with memory that was renamed since it was seen; a session works in it under its new name."""
    (home / old).mkdir()
    (home / old / "README.md").write_text("x")
    naming.name_projects(a_session(tmp_path, home / old, home / old))
    (home / old).rename(home / new)
    return home / old, home / new, a_session(tmp_path, home / new)


@pytest.mark.slow
async def test_memory_of_a_renamed_folder_follows_with_its_history_and_u_takes_it_back(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, session = moved(tmp_path, away_from_home)
    old_pad, new_pad = (Path(session.root, f"projects/{project_slug(str(each))}/SCRATCHPAD.md") for each in (old, new))
    async with running(an_app(session), size=(120, 30)) as pilot:
        await shows(pilot, "The memory of ~/foo seems to belong here. 0 to look.", "» foo", "◆ bar")
        await until(pilot, named(pilot))
        await shows(pilot, "A memory seems to belong to this folder")
        await pilot.press("1", "g", "enter", "escape", "j")
        await shows(pilot, "It has no memory yet.", "The memory of ~/foo seems to belong here.")
        await pilot.press("0")
        await shows(
            pilot,
            "» Moved: A follows",
            "A would move to the memory of ~/bar",
            "SCRATCHPAD.md",
            "It holds 1 file",
            "item in it and its instructions.",
        )
        assert old_pad.exists()
        await pilot.press("A")
        await shows(pilot, "Followed foo-", "1 file", "u to undo", "◆ bar", "Its memory came from")
        assert new_pad.read_text() == "- [ ] of foo\n" and not old_pad.exists()
        await pilot.press("enter")
        await shows(pilot, "☐ of foo")
        await pilot.press("H")
        await shows(pilot, "Followed foo-", "before zsmem")
        await pilot.press("escape", "escape")
        await shows(pilot, "Why, and what would move")
        await pilot.press("u")
        await shows(pilot, "Undid: Followed foo-", "» foo")
        assert old_pad.read_text() == "- [ ] of foo\n" and not new_pad.exists()
        await pilot.press("escape")
        await shows(pilot, "» foo")
        # what this screen finds by a look, the tree shows, too
        new.rename(old)
        await pilot.press("0")
        await shows(pilot, "Projects · all")
        await until(pilot, lambda: "» Moved" not in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.tool is None and "» foo" not in screen_text(pilot.app))
        old.rename(new)
        # what an agent writes into the old place all the time stays, and is said
        count = 0
        put = applying.put

        def written(batch: Batch, edit: Edit) -> None:
            nonlocal count
            if edit.is_left:
                count += 1
                old_pad.write_text(old_pad.read_text() + f"- [ ] line {count}\n")
            put(batch, edit)

        await pilot.press("0")
        await shows(pilot, "A would move to the memory of ~/bar")
        monkeypatch.setattr(applying, "put", written)
        await pilot.press("A")
        await shows(pilot, "Written meanwhile, and so still there", "u to undo")
        text = "".join(path.read_text() for path in Path(session.root, "projects").rglob("*.md"))
        assert count and all(f"- [ ] line {number}\n" in text for number in range(1, count + 1))


@pytest.mark.slow
async def test_what_the_other_agents_keep_of_it_is_listed_and_follows_with_it(tmp_path: Path, away_from_home: Path) -> None:
    old, new, session = moved(tmp_path, away_from_home)
    claude = AStore(away_from_home / ".claude").has(f"projects/{encoded(str(old))}/memory/MEMORY.md", "- of Claude's\n")
    before = claude.tree()
    second = stores.open_store(Config(), "claude-code", cwd=str(new), clock=lambda: NOW)
    async with running(ZsmemApp(session, beside=[second], now_ns=lambda: NOW_NS), size=(120, 30)) as pilot:
        await until(pilot, named(pilot))
        await until(pilot, lambda: all(store.catalog for store in pilot.app.main.stores))
        await pilot.press("0")
        await shows(pilot, "zerostack: SCRATCHPAD.md", "Claude Code: ", "memory/MEMORY.md")
        await pilot.press("A")
        await shows(pilot, "Followed ~/foo to ~/bar in zerostack and Claude Code: 2 files")
        assert claude.tree() == {f"projects/{encoded(str(new))}/memory/MEMORY.md": b"- of Claude's\n"}
        await pilot.press("u")
        await shows(pilot, "Undid: Followed ~/foo to ~/bar in zerostack and Claude Code · U to redo")
        assert claude.tree() == before


@pytest.mark.slow
@pytest.mark.parametrize("follows_from", ["file", "group"])
async def test_a_folder_that_is_renamed_while_a_search_ends_is_searched_for_and_all_screens_follow_it(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch, follows_from: str
) -> None:
    old, new = away_from_home / "foo", away_from_home / "bar"
    old.mkdir()
    (old / "README.md").write_text("x")
    change = project_register.change

    def renamed(*about: Any) -> None:
        change(*about)
        if old.exists():
            old.rename(new)

    monkeypatch.setattr(project_register, "change", renamed)
    async with running(an_app(a_session(tmp_path, old, old, away_from_home / "zoo")), size=(120, 30)) as pilot:
        await until(pilot, named(pilot))
        await pilot.press("G", "k", *(["k"] if follows_from == "group" else []))
        await shows(pilot, "2 foo · scratchpad" if follows_from == "file" else "2 foo ─")
        await pilot.press("0")
        await shows(pilot, "» Moved: A follows", "A would move to the memory of ~/bar")
        await pilot.press("A")
        await shows(pilot, "Followed foo-")
        await pilot.press("4")
        await shows(pilot, "bar · prompt", "Scratchpad (open items)")
        await pilot.press("1")
        await shows(pilot, "2 bar · scratchpad" if follows_from == "file" else "2 bar ─", "3 Search · bar")
        assert pilot.app.main.session.folder == str(new)


@pytest.mark.slow
async def test_a_folder_that_is_renamed_while_a_search_looks_elsewhere_is_searched_for(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, dead, gate, count = *(away_from_home / name for name in ("foo", "bar", "dead")), threading.Event(), 0
    for each in (old, dead):
        each.mkdir()
        (each / "README.md").write_text("x")
    naming.name_projects(session := a_session(tmp_path, old, old, dead))
    dead.rename(tmp_path / "elsewhere")
    walk = folder_walk.walk

    def renamed(*about: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if old.exists():
            old.rename(new)
            gate.wait(20)
        return walk(*about, **named)

    monkeypatch.setattr(folder_walk, "walk", renamed)
    async with running(an_app(session), size=(120, 30)) as pilot:
        await until(pilot, lambda: count)
        await pilot.press("0")
        await shows(
            pilot, "Projects · all · by state · 2", "∅ dead", "∅ ◆ foo", "∅ Gone, or moved: still looking", "still looked for"
        )
        gate.set()
        await shows(pilot, "» Moved: A follows", "∅ dead")
        await until(pilot, named(pilot))
        await until(pilot, lambda: "∅ Gone  " in screen_text(pilot.app))
        assert count == 2, "again for that one, and not for the other"


async def test_the_page_of_a_project_whose_folder_is_gone_says_so(tmp_path: Path, away_from_home: Path) -> None:
    here, dead = away_from_home / "foo", away_from_home / "dead"
    for each in (here, dead):
        each.mkdir()
    naming.name_projects(session := a_session(tmp_path, here, here, dead))
    dead.rmdir()
    async with running(an_app(session), size=(120, 30)) as pilot:
        await shows(pilot, "∅ dead")
        await pilot.press("1", "G")
        await shows(pilot, "Its folder is gone: 0 shows what can be done.")


@pytest.mark.slow
async def test_what_a_search_finds_while_the_screen_reads_what_was_known_before_is_shown(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = a_session(tmp_path, away_from_home / "foo", away_from_home / "foo")
    (away_from_home / "foo").mkdir()
    (away_from_home / "foo/README.md").write_text("x")
    reads, begun, gate = iter(range(99)), threading.Event(), threading.Event()

    def slow(session: Session) -> KnownProjects:
        found = known_projects(session)
        if next(reads) == 1:  # the last one of a screen that opens, with the times of sessions
            begun.set()
            gate.wait(20)
        return found

    async with running(an_app(session), size=(120, 30)) as pilot:
        await until(pilot, lambda: any(each.facts for each in project_register.load(session.root).records.values()))
        await until(pilot, named(pilot))
        (away_from_home / "foo").rename(away_from_home / "bar")
        monkeypatch.setattr("zsmem_tui.ui.projects.screen.known_projects", slow)
        monkeypatch.setattr("zsmem_tui.ui.projects.screen.TELL_SECONDS", 3)
        await pilot.press("0")
        await until(pilot, begun.is_set)
        store = pilot.app.main.here
        await until(pilot, lambda: any(each.verdict.moved_to for each in store.known.projects))
        gate.set()
        await shows(pilot, "» Moved: A follows")


async def test_a_folder_that_is_renamed_while_the_program_runs_is_found_and_the_program_works_in_it(
    tmp_path: Path, away_from_home: Path
) -> None:
    old, new = away_from_home / "foo", away_from_home / "bar"
    old.mkdir()
    (old / "README.md").write_text("x")
    session = a_session(tmp_path, old, old)
    async with running(an_app(session), size=(120, 30)) as pilot:
        await until(pilot, lambda: any(each.facts for each in project_register.load(session.root).records.values()))
        await until(pilot, named(pilot))
        old.rename(new)
        await pilot.press("0")
        await shows(pilot, "» Moved: A follows", "A would move to the memory of ~/bar")
        assert " agent" not in screen_text(pilot.app), "no session is known of any: there is no column for that"
        await pilot.press("A")
        await shows(pilot, "Followed foo-", "u to undo")
        await until(pilot, lambda: session.project == project_slug(str(new)))
        await pilot.press("escape")
        await shows(pilot, "◆ bar", " bar · ", "1 project")


@pytest.mark.slow
async def test_a_store_without_projects_says_so_by_its_own_words(tmp_path: Path, away_from_home: Path) -> None:
    place = away_from_home / ".config/opencode/memory"
    place.mkdir(parents=True)
    (place / "human.md").write_text("- tea\n")
    session = stores.open_store(Config(), "opencode", cwd=str(tmp_path), clock=lambda: NOW)
    async with running(an_app(session), size=(120, 30)) as pilot:
        await pilot.press("0")
        await shows(pilot, "opencode keeps no memory by project")


async def test_thirty_dead_projects_are_brought_in_order_with_four_keys_on_the_smallest_screen_too(
    tmp_path: Path, away_from_home: Path
) -> None:
    dead = [away_from_home / f"dead-{number}" for number in range(30)]
    session = a_session(tmp_path, tmp_path, *dead)
    async with running(an_app(session), size=(80, 24)) as pilot:
        await until(pilot, named(pilot))
        await pilot.press("0")
        await shows(pilot, "Projects · all · by state · 30", "∅ Gone", "∅ dead-0", "dead-0-")
        await pilot.press("V")
        await shows(pilot, "30 projects marked: 30 files", "30 marked · Projects")
        await pilot.press("d")
        await asked(pilot, "Archive 30 projects: nothing is written before A")
        await pilot.press("A")
        await shows(pilot, "Archived 30 projects: 30 files", "u to undo", "There is no project in this store yet.")
        assert not list(Path(session.root, "projects").iterdir())
        await pilot.press("u")
        await asked(pilot, "Undo", "Archived 30 projects", "It brings back 30 files.")
        await pilot.press("j", "enter")
        await shows(pilot, "Undid: Archived 30 projects", "∅ dead-0")
        assert len(list(Path(session.root, "projects").iterdir())) == 30
        await pilot.resize_terminal(20, 6)
        await shows(pilot, "dead-0")
        await pilot.press("l")
        await shows(pilot, "dead-0  kept in")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: pilot.app.tool is None)


async def test_a_family_stands_together_and_is_merged_named_and_told_about(tmp_path: Path, away_from_home: Path) -> None:
    lantern, part, other = (away_from_home / name for name in ("lantern", "lantern/aaa", "mmm"))
    part.mkdir(parents=True)
    other.mkdir()
    with Repo.init(str(lantern)):
        pass
    session = a_session(tmp_path, other, lantern, part, other)
    async with running(an_app(session), size=(120, 36)) as pilot:
        await until(pilot, named(pilot))
        await shows(pilot, "⑂ lantern", "⑂ aaa")
        tree = pilot.app.main.tree_pane.project_tree
        names = [row.node.name for row in tree.rows if row.above < 0 and row.node.at.group]
        assert names == ["mmm", "⑂ aaa", "⑂ lantern"]
        await pilot.press("0")
        await show_only(pilot, "of one repository")
        await shows(pilot, "Projects · of one repository", "⑂ One repository: lantern")
        await pilot.press("g", "j", "M")
        await asked(pilot, "Merge the memory of", "type to filter", "mmm")
        await typed(pilot, "aaa" if "Merge the memory of lantern" in screen_text(pilot.app) else "lantern")
        await pilot.press("enter")
        await asked(pilot, "nothing is written before A", "merged", "+")
        await pilot.press("A")
        await shows(pilot, "Merged", "u to undo", "No two projects are of one repository")
        await pilot.press("u")
        await shows(pilot, "Undid: Merged", "⑂ lantern")
        await pilot.press("r")
        await asked(pilot, "empty: no name of yours")
        await typed(pilot, "x" * 101)
        await pilot.press("enter")
        await asked(pilot, "A name may have 100 characters")
        await pilot.press(*["ctrl+u"], *"Light", "enter")
        await shows(pilot, "Named", "“Light” · u to undo", "⑂ Light")
        await by_name(pilot, "About")
        await asked(pilot, "About Light", "memory", "git")
        await pilot.press("escape", "escape", "escape")
        await shows(pilot, "⑂ Light", "1 Memory")
        await pilot.press("u")
        await shows(pilot, "Undid: Named", "⑂ lantern", "⑂ aaa")


async def test_a_folder_that_may_be_another_is_followed_by_a_plan_alone_and_a_move_goes_to_any_folder(
    tmp_path: Path, away_from_home: Path
) -> None:
    _, new, session = moved(tmp_path, away_from_home)
    (new / "README.md").unlink()  # nothing but its number speaks for it now
    target = away_from_home / "else"
    async with running(an_app(session), size=(80, 24)) as pilot:
        await until(pilot, named(pilot))
        await pilot.press("0")
        await shows(pilot, "≈ Perhaps moved", "which is no proof")
        await pilot.press("A")
        await asked(pilot, "Follow foo: nothing is written before A", "which is no proof")
        await pilot.press("escape")
        await shows(pilot, "Nothing was written.")
        await pilot.press("m")
        await asked(pilot, "Move the memory of foo to:", "~/bar", "Another folder")
        await typed(pilot, "anot")
        await pilot.press("enter")
        await asked(pilot, "The folder whose memory it shall be")
        await pilot.press("ctrl+u", *"nope!", "enter")
        await asked(pilot, "! nope! is no project and no folder", "nope!")
        await pilot.press("ctrl+u")
        await typed(pilot, "~/else")
        await pilot.press("enter")
        await asked(pilot, "! There is no folder", "Nothing was done")
        target.mkdir()
        await pilot.press("enter")
        await asked(pilot, "Move foo to", "moved 13B")
        await pilot.press("A")
        await shows(pilot, "Moved foo-", "u to undo", "else")
        assert Path(session.root, f"projects/{project_slug(str(target))}/SCRATCHPAD.md").exists()


async def test_names_are_shown_while_folders_are_looked_for_which_one_key_stops(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = project_slug("/x/first")
    ended = threading.Semaphore(0)

    def slow(session: Session, *, cancelled: Any, progress: Any, on_named: Any) -> NamingResult:
        on_named(slug, "/x/first")
        progress(NamingResult(1, 2, 12_345))
        while not cancelled():
            threading.Event().wait(0.01)
        ended.release()
        return NamingResult(1, 2, 12_345, ("/root cannot be read: permission denied.",), is_whole=False)

    monkeypatch.setattr(naming, "name_projects", slow)
    session = a_session(tmp_path, tmp_path, Path("/x/first"), Path("/x/second"))
    async with running(an_app(session), size=(80, 24)) as pilot:
        await until(pilot, lambda: any(row.node.name == "first" for row in pilot.app.main.tree_pane.project_tree.rows))
        assert project_slug("/x/second") in screen_text(pilot.app)
        await pilot.press("0")
        await shows(pilot, "looking: 1 of 2 known, 12,345 folders · S stops", "? Folder unknown")
        await pilot.press("S")
        await shows(pilot, "! /root cannot be read: permission denied.")
        assert ended.acquire(timeout=10)
        await pilot.press("S")
        await shows(pilot, "S stops")
    assert ended.acquire(timeout=10)


@pytest.mark.slow
async def test_a_damaged_register_is_said_and_so_is_a_root_that_cannot_be_read(tmp_path: Path, away_from_home: Path) -> None:
    session = a_session(tmp_path, tmp_path, away_from_home / "x", roots=(str(tmp_path / "away"),))
    place = Path(project_register.place_of(session.root))
    place.parent.mkdir(parents=True)
    place.write_text("{broken")
    async with running(an_app(session), size=(120, 24)) as pilot:
        await shows(pilot, "is damaged", "0 shows 1 more.")
        await until(pilot, named(pilot))
        await pilot.press("0")
        await shows(pilot, "! ", "is damaged:", "No such")


async def test_other_kinds_of_stores_have_it_too(tmp_path: Path) -> None:
    from zsmem_tui.service.stores import open_store  # every agent's rules

    claude = AStore(tmp_path / "claude").has("agent-memory/tester/MEMORY.md", "- a\n")
    session = open_store(Config(), f"claude-code:{claude.root}", clock=lambda: NOW)
    async with running(an_app(session), size=(80, 24)) as pilot:
        await pilot.press("0")
        await shows(pilot, "agent tester", "not named after a folder")
        assert not any(key in screen_text(pilot.app) for key in ("A Follow", "m Move", "d Archive"))
        for key in ("d", "m", "r", "A", "M"):
            await pilot.press(key)
            await shows(pilot, "Nothing was done.")


@pytest.mark.slow
async def test_a_renamed_folder_of_claude_code_is_followed_with_two_keys(tmp_path: Path, away_from_home: Path) -> None:
    from zsmem_tui.service.stores import open_store  # every agent's rules

    old, new = away_from_home / "alpha", away_from_home / "beta"
    old.mkdir()
    (old / "Makefile").touch()
    name = f"projects/{encoded(str(old))}"
    claude = AStore(tmp_path / "claude").has(f"{name}/memory/MEMORY.md", "- port 9999\n").has(f"{name}/1.jsonl", "{}\n")
    claude.has(f"{name}/memory/project_a.md", "---\nname: a\ndescription: what\n---\n\nA.\n")
    there = f"projects/{encoded(str(new))}/memory"
    name_projects(open_store(Config(), f"claude-code:{claude.root}", cwd=str(old), clock=lambda: NOW))
    os.rename(old, new)
    session = open_store(Config(), f"claude-code:{claude.root}", cwd=str(new), clock=lambda: NOW)
    async with running(an_app(session), size=(100, 30)) as pilot:
        await shows(pilot, "alpha seems to belong here. 0 to look.")
        await pilot.press("0")
        await shows(pilot, "» Moved: A follows", "1 transcript stays in", "A Follow")
        await pilot.press("A")
        await shows(pilot, "Followed ~/alpha to ~/beta: 2 files", "u to undo")
        assert claude.at(f"{there}/MEMORY.md").read_text() == "- port 9999\n"
        await pilot.press("u")
        await until(pilot, lambda: claude.at(f"{name}/memory/MEMORY.md").is_file())
        # the cursor stays on the index, which is elsewhere then
        main = pilot.app.main
        await back(pilot)
        await until(pilot, lambda: main.tree_pane.reveal(main.here.key, session.ref_at(f"{name}/memory/MEMORY.md")))
        await pilot.press("1", "U")
        await shows(pilot, "Redid: Followed")
        await until(pilot, lambda: getattr(main.tree_pane.file_at_cursor(), "path", "") == f"{there}/MEMORY.md")


async def test_the_instructions_of_a_folder_that_is_renamed_come_along_with_its_memory(away_from_home: Path) -> None:
    from zsmem_tui.service import folders  # every agent's rules

    here, old, new = (away_from_home / name for name in ("here", "alpha", "beta"))
    for folder in (here, old):
        AStore(folder).has("CLAUDE.md", f"- how to build {folder.name}\n").has("Makefile", "")
        claude = AStore(away_from_home / ".claude").has(f"projects/{encoded(str(folder))}/memory/MEMORY.md", "- port 9999\n")
        claude.has(f"projects/{encoded(str(folder))}/1.jsonl", f'{{"cwd": "{folder}"}}\n')
    session = stores.open_store(Config(), f"claude-code:{claude.root}", cwd=str(here), clock=lambda: NOW)
    app = ZsmemApp(session, more=lambda: folders.beside(session, Config(), cwd=str(here)), now_ns=lambda: NOW_NS)
    async with running(app, size=(110, 30)) as pilot:
        main = app.main
        kept = {str(old), str(claude.root)}
        await until(pilot, lambda: {each.session.root for each in main.stores if any(each.session.history.latest())} >= kept)
        await until(pilot, named(pilot))
        old.rename(new)
        await shows(pilot, "! The instructions of", "It is ~/beta now: 0 and A there follow")
        await pilot.press("W")
        await asked(pilot, "It is ~/beta now", "Make it anew")
        await pilot.press("escape", "0")
        await shows(pilot, "» Moved: A follows")
        await pilot.press("home", "A")
        await shows(pilot, "Followed ~/alpha to ~/beta")
        await until(pilot, lambda: str(new) in {each.session.root for each in main.stores})
        assert str(old) not in {each.session.root for each in main.stores} and "are gone" not in screen_text(app)
