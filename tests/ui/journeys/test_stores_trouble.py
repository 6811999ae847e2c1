"""Something is wrong with one of several stores: its row says what, and the others go on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import AStore
from tests.failing import no_permission
from tests.ui.driving import NOW_NS, an_app, running, screen_text, shows, to_changes, until, watching
from tests.ui.several import CLAUDE, FOLDER, Machine, at, both
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.service.folders import Beside
from zsmem_tui.service.stores import open_store, sessions
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.memory import store_watcher as following
from zsmem_tui.ui.widgets.bars import StatusLine

SAMPLES = Path(__file__).parents[2] / "samples"
TOPIC = f"{CLAUDE}/project_deploy.md"


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores are looked at as often as a test wants them to be."""
    monkeypatch.setattr(following, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(following, "OTHERS_EVERY", 0.1)
    monkeypatch.setattr("zsmem_tui.store.watch.FOLDERS_EVERY", 0.1)


async def followed(pilot: Pilot[Any], machine: Machine) -> None:
    """What somebody writes into the first store is still seen."""
    machine.own.has("~/notes/news.md", "- news\n")
    main = pilot.app.main  # type: ignore[attr-defined]
    await until(
        pilot, lambda: any("news" in entry.ref.path for project in main.stores[0].catalog.projects for entry in project.files)
    )


def becomes_a_file(root: Path) -> None:
    root.write_text("no folder\n")


def becomes_a_dead_link(root: Path) -> None:
    root.symlink_to(root.with_name("nowhere"))


def stays_away(root: Path) -> None:
    pass


@pytest.mark.slow
@pytest.mark.draw(3)
@pytest.mark.parametrize(
    ("how", "sign", "reason"),
    [
        (stays_away, "! gone", "renamed, or its disk is away"),
        (becomes_a_file, "! unreadable", "is not a folder"),
        (becomes_a_dead_link, "! unreadable", "is a link to a place"),
    ],
)
async def test_a_store_that_goes_is_a_row_with_its_reason_until_it_is_back(
    machine: Machine, how: Callable[[Path], None], sign: str, reason: str
) -> None:
    root = machine.claude.root
    away = root.with_name("away")
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        root.rename(away)
        how(root)
        await shows(pilot, sign)
        await pilot.press("G")
        await shows(pilot, reason)
        await followed(pilot, machine)
        await pilot.press("d", "e", "u", "f2", "escape", "g")
        assert "memories" not in str(pilot.app.main.tree_pane.border_subtitle)  # only what is there counts
        if not root.is_dir() and os.path.lexists(root):
            root.unlink()
        away.rename(root)
        await until(pilot, lambda: sign not in screen_text(pilot.app))
        assert (await at(pilot, "project_deploy.md")).path == TOPIC
    assert machine.claude.raw(TOPIC).endswith(b"- ask Bob for the tag\n")


@pytest.mark.slow
async def test_an_agent_that_writes_into_another_store_disturbs_nothing_and_a_link_into_one_is_not_written_through(
    machine: Machine,
) -> None:
    machine.looked_at()
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await at(pilot, "notes/deploy.md")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await pilot.press(*"Mine")
        machine.claude.has(TOPIC, "---\nname: deploy\n---\n\n- ask Eve for the tag\n")
        await until(pilot, lambda: pilot.app.main.stores[1].unreviewed)
        await shows(pilot, "●1 Claude Code")
        assert "Changed on disk" not in screen_text(pilot.app)
        await pilot.press("ctrl+s", "escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        assert machine.own.raw("~/notes/deploy.md").startswith(b"Mine# Deploy")
        assert b"Eve" in machine.claude.raw(TOPIC)
        place = machine.claude.at(f"{CLAUDE}/project_linked.md")
        place.symlink_to(machine.own.at("MEMORY.md"))
        await pilot.app.main.look_now(pilot.app.main.stores[1])
        await at(pilot, "project_linked.md")
        await shows(pilot, "Ann likes tea")
        await pilot.press("e")
        await shows(pilot, "is a link that leaves the store", "Edit that file where it lies")
        assert pilot.app.main.editor.ref is None
        place.unlink()
        place.write_text("- mine\n")
        await pilot.app.main.look_now(pilot.app.main.stores[1])
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        place.unlink()
        place.symlink_to(machine.own.at("MEMORY.md"))
        await pilot.press(*"Mine", "ctrl+s")
        await shows(pilot, "is a link that leaves the store", "Your text is still here")
        assert pilot.app.main.editor.unsaved
        await followed(pilot, machine)
    assert machine.own.raw("MEMORY.md") == b"- Ann likes tea\n" and place.is_symlink()


async def test_two_stores_at_one_root_are_one_and_a_row_that_says_so(machine: Machine) -> None:
    named = [f"claude-code:{machine.claude.root}", f"markdown:{machine.claude.root}"]
    first, second = sessions(Config(), named=named, cwd=FOLDER)
    app = ZsmemApp(first, beside=[second], now_ns=lambda: NOW_NS)
    async with running(app, (160, 40)) as pilot:
        await shows(pilot, "▾ Claude Code", "▸ Markdown", "! unreadable")
        await pilot.press("G")
        await shows(pilot, "it is the same folder as")
        assert "Markdown" in screen_text(app)


async def test_stores_that_cannot_be_found_are_said_and_the_own_one_is_followed(machine: Machine) -> None:
    def more() -> Beside:
        raise ConfigError("settings: there is no kind of store 'x'. No store was opened.")

    first, _ = machine.sessions()
    async with running(ZsmemApp(first, more=more, now_ns=lambda: NOW_NS)) as pilot:
        await shows(pilot, "there is no kind of store 'x'. No store was opened.")
        await followed(pilot, machine)


@pytest.mark.slow
async def test_thousands_of_files_that_are_no_memory_are_not_looked_at(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    junk = [f"junk-{number}.txt" for number in range(5_000)]
    real_listdir, real_stat = os.listdir, os.stat
    looked: list[str] = []

    def listdir(path: str) -> list[str]:
        return real_listdir(path) + (junk if str(path).startswith(str(machine.claude.root)) else [])

    def stat(path: str, **named: Any) -> os.stat_result:
        looked.extend([str(path)] if "junk" in str(path) else [])
        return real_stat(path, **named)

    monkeypatch.setattr(os, "listdir", listdir)
    monkeypatch.setattr(os, "stat", stat)
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await at(pilot, "project_deploy.md")
        await followed(pilot, machine)
    assert looked == []


@pytest.mark.parametrize(
    ("kind", "place", "group"),
    [
        ("claude-code", "claude-code/home/.claude", ""),
        ("ethos", "ethos/home/.ethos", "personality:engineer"),
        ("oh-my-pi", "oh-my-pi/home/.omp/agent/memories", ""),
    ],
)
async def test_files_that_cannot_be_read_in_one_store_do_not_stop_the_others(
    kind: str, place: str, group: str, machine: Machine, tmp_path: Path
) -> None:
    root = tmp_path / "theirs"
    shutil.copytree(SAMPLES / place, root)
    first, _ = machine.sessions()
    second = open_store(Config(), f"{kind}:{root}", group=group, cwd="/home/ann/code/lantern")
    async with running(ZsmemApp(first, beside=[second], now_ns=lambda: NOW_NS), (160, 40)) as pilot:
        await until(pilot, lambda: all(store.prompts for store in pilot.app.main.stores))
        await pilot.press("G", "l")
        for number, path in enumerate(sorted(path for path in root.rglob("*.md") if path.is_file())):
            path.unlink()
            if number % 3 == 0:
                path.mkdir()
            elif number % 3 == 1:
                os.mkfifo(path)
            else:
                path.symlink_to("nowhere")
        if kind == "ethos":
            (root / "personalities/engineer/MEMORY.md").rmdir()
            (root / "personalities/engineer/MEMORY.md").write_bytes(bytes(range(256)))
        await followed(pilot, machine)
        if kind == "ethos":
            await shows(pilot, "prompt unknown [4]")
            await pilot.press("f2")
            await shows(pilot, "is encrypted by Ethos. It was not read.")


async def test_the_store_in_use_goes_and_loses_nothing_and_the_others_stay_on_the_screen(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, away = machine.claude.root, machine.claude.root.with_name("away")
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await at(pilot, TOPIC)
        await watching(pilot)
        root.rename(away)
        await shows(pilot, "! gone", "Claude Code's memory is gone: 4 files. Its folder", "renamed, or its disk is away")
        main = pilot.app.main
        assert main.current == "tree" and "The memory cannot be read" not in screen_text(pilot.app)
        await at(pilot, "deploy.md")
        await shows(pilot, "push the tag")
        away.rename(root)
        await until(pilot, lambda: "! gone" not in screen_text(pilot.app))
        await at(pilot, TOPIC)
        await shows(pilot, "ask Bob for the tag")
        # one of its files is edited: nothing is lost
        await at(pilot, "project_deploy.md")
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.main.editor.ref is not None)
        await pilot.press("ctrl+end", *"Mine")
        root.rename(away)
        root.write_text("no folder\n")
        await shows(pilot, "Your text is still here")
        assert pilot.app.main.status.said == ""
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Nothing was written" in screen_text(pilot.app) or "still here" in screen_text(pilot.app))
        assert root.is_file() and pilot.app.main.editor.unsaved
        await followed(pilot, machine)
        root.unlink()
        away.rename(root)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: b"Mine" in machine.claude.raw(TOPIC))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.main.editor.ref is None)
        # nobody may read it any more
        with no_permission(monkeypatch, machine.claude.root):
            await shows(pilot, "! unreadable")
            await pilot.press("1", "G")
            await shows(pilot, "cannot be read:", "denied.")  # where the path is long, in two rows
            await followed(pilot, machine)
        await until(pilot, lambda: "! unreadable" not in screen_text(pilot.app))


@pytest.mark.slow
async def test_the_store_in_use_comes_back_and_its_page_says_what_it_holds(machine: Machine) -> None:
    root, away = machine.claude.root, machine.claude.root.with_name("away")
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await at(pilot, TOPIC)
        root.rename(away)
        await shows(pilot, "renamed, or its disk is away")
        away.rename(root)
        await until(pilot, lambda: "is away" not in screen_text(pilot.app) and "• 0 files" not in screen_text(pilot.app))
        machine.claude.has(f"{CLAUDE}/project_more.md", "- more\n")
        await shows(pilot, "in 3 files")


@pytest.mark.slow
async def test_the_page_of_a_store_and_of_a_group_says_what_is_in_it_now(machine: Machine) -> None:
    async with running(machine.app(), (160, 40)) as pilot:
        await both(pilot)
        await pilot.press("G")
        await shows(pilot, "2 Claude Code", "2 projects · 4 files")
        machine.claude.has(f"{CLAUDE}/project_more.md", "- more\n")
        await shows(pilot, "2 projects · 5 files")
        await pilot.press("l", "j", "j", "h", "j")
        await shows(pilot, "2 -home-ann-far", "in 1 file")
        machine.claude.has("projects/-home-ann-far/memory/project_far.md", "- far\n")
        await shows(pilot, "in 2 files")
        shutil.rmtree(machine.claude.at("projects/-home-ann-far"))
        await shows(pilot, "! -home-ann-far's memory is gone: 2 files.")
        await until(pilot, lambda: screen_text(pilot.app).count("-home-ann-far") == 1)  # no row of the tree names it
        await shows(pilot, "2 /home/ann/lantern", "This is the folder you work in.")


async def test_what_is_in_a_folder_that_cannot_be_read_is_unknown_on_every_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- all\n").has("~/SCRATCHPAD.md", "- [ ] one\n")
    for name in "abc":
        store.has(f"~/notes/{name}.md", f"# {name}\n\n- fact {name}\n")
    told: list[str] = []
    say = StatusLine.say

    def noted(bar: StatusLine, text: str, **how: bool) -> None:
        told.append(text)
        say(bar, text, **how)

    monkeypatch.setattr(StatusLine, "say", noted)
    async with running(an_app(store), (160, 40)) as pilot:
        await watching(pilot)
        main = pilot.app.main
        before = [version.id for version in main.session.history.latest()]
        with no_permission(monkeypatch, store.at("~/notes")):
            await shows(pilot, "notes: Permission denied. Its files are unknown, not deleted.", "Prompt ?")
            await to_changes(pilot)
            await shows(pilot, "What waits cannot be told", "notes: Permission denied.")
            assert "Nothing to review" not in screen_text(pilot.app)
            await pilot.press("4")
            await shows(pilot, "left out.")
            await pilot.press("7")
            await shows(pilot, "left alone.")
            await pilot.press("8")
            await until(pilot, lambda: any("Permission denied" in row for row in screen_text(pilot.app).split("\n")[1:-3]))
            assert "Nothing found" not in screen_text(pilot.app)
            await pilot.press("1")
        await shows(pilot, "notes can be read again.")
        await until(pilot, lambda: "Prompt ?" not in screen_text(pilot.app) and "a" in {e.ref.path[-4:-3] for e in _files(main)})
        assert [version.id for version in main.session.history.latest()] == before
        assert not [text for text in told if "disk" in text or "Reloaded" in text or " gone" in text]
        store.has("~/notes/b.md", "# b\n")
        await shows(pilot, "b changed on disk")


def _files(main: Any) -> list[Any]:
    return [entry for project in main.here.catalog.projects for entry in project.files]
