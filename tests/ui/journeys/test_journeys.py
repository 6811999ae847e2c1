"""What a person does, from the first key to the last."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.css import stylesheet
from textual.css.parse import parse

from tests.builders import PROJECT, AStore, live_at
from tests.ui.driving import an_app, back, by_name, running, screen_text, shows, to_the_tree, typed, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.search import SearchResults
from zsmem_tui.service import searching, view_state
from zsmem_tui.service.demo_folders import remove_demos
from zsmem_tui.ui import textual_private
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.run import _open_demo

OTHER = "other-99999999"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "# Facts\n\n- redis listens on port 6380\n- tabs, not spaces\n")
        .has("~/SCRATCHPAD.md", "- [ ] rotate the **key**\n- [x] done thing\n")
        .has("~/daily/2026-05-24.md", "\n### 10:00 — yesterday\nredis again\n")
        .has("~/daily/2026-05-25.md", "\n### 11:00 — today\nnothing\n")
        .has(
            "~/notes/deploy.md",
            "# Deploy\n\n" + "- filler line\n" * 60 + "\nthe redis port moved\n\n" + "- more\n" * 40 + "- redis\n",
        )
        .has(f"projects/{OTHER}/notes/elsewhere.md", "redis in another project\n")
        .has(f"projects/{OTHER}/SCRATCHPAD.md", "- [ ] a\n- [ ] b\n")
    )


async def test_reading_through_the_tree_its_help_and_what_the_agent_writes_meanwhile(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await shows(pilot, "1 Memory", "MEMORY.md", f"◆ {PROJECT}", OTHER, "redis listens on port 6380", "2 projects · 7 files")
        assert screen_text(pilot.app).index(PROJECT) < screen_text(pilot.app).index(OTHER)
        await pilot.press("2", "n")
        await shows(pilot, "Nothing to find yet")
        await pilot.press("slash", *"PORT", "enter")
        await shows(pilot, "1 of 1")
        await pilot.press("escape")
        await until(pilot, lambda: "1 of 1" not in screen_text(pilot.app))
        assert pilot.app.focused.id == "page"
        await pilot.press("z")
        await until(pilot, lambda: not any(f"1 Memory {edge}" in screen_text(pilot.app) for edge in "━─"))
        assert "2 MEMORY.md" in screen_text(pilot.app)
        await pilot.press("1")
        await shows(pilot, "1 Memory")
        await pilot.press("escape")
        await shows(pilot, "1 Memory", "2 MEMORY.md")
        await pilot.press("1", "g", "slash", *"else")
        await shows(pilot, "elsewhere")
        assert "◆" not in screen_text(pilot.app)
        await pilot.press("escape")
        await shows(pilot, "◆")
        await pilot.press("slash", *"qqq")
        await shows(pilot, "Nothing is called 'qqq':")
        await pilot.press("escape")
        await shows(pilot, "◆")
        await pilot.press("escape", "1", "g")
        await shows(pilot, "redis listens")
        await pilot.press("D")
        await shows(pilot, "there is memory here already", "redis listens")
        await pilot.press("g", "j", "h", "l")
        await shows(pilot, "scratchpad", "2026-05-25", "deploy")
        text = screen_text(pilot.app)
        assert text.index("2026-05-25") < text.index("2026-05-24")
        await pilot.press("j")
        await shows(pilot, "☐ rotate the key", "☑ done thing")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("R")
        await shows(pilot, "- [ ] rotate the **key**", "raw")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "tree-view")
        await pilot.press("s", *"redis", "down", "enter", "z", "slash", "x")
        for _ in range(8):  # ends in the tree, and never quits
            await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "tree-view")
        assert pilot.app.is_running
        # help: of all keys, of a pane, and every page of it
        await to_the_tree(pilot)
        await pilot.press("question_mark")
        await shows(pilot, "All keys", "Here: Memory", "A note, an entry in today's log", "tab Command line")
        await typed(pilot, "theme")
        await until(pilot, lambda: "A note, an entry in today's log" not in screen_text(pilot.app))
        assert "theme" in screen_text(pilot.app).split("type to see only some")[-1]
        await pilot.press(*"xq")
        await shows(pilot, "Nothing on this page holds “themexq”")
        await pilot.press("escape")
        await shows(pilot, "A note, an entry in today's log")
        await pilot.press("question_mark", "s", "f1")
        await shows(pilot, "Help: Search", "Each hit says why")
        await pilot.press("escape", "ctrl+p", *"outline")
        await shows(pilot, "Outline", "List the headings")
        await pilot.press("enter")
        await until(pilot, lambda: type(pilot.app.screen).__name__ == "ChoiceDialog")
        await shows(pilot, "Facts")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("1", "g")
        await pilot.press("f1")
        await shows(pilot, "Help: Memory", "esc close · j k scroll · / filter · l link · tab All keys")
        await pilot.press("slash", "j", "l")
        await shows(pilot, "esc clear · type to filter · ↓ ↑ scroll · tab All keys")
        await pilot.press("backspace", "backspace")
        await shows(pilot, "esc close · type to filter · ↓ ↑ scroll · tab All keys")
        await pilot.press("enter")
        await shows(pilot, "esc close · j k scroll · / filter · l link · tab All keys")
        for words in (
            "Here: Memory",
            "usage: zsmem",
            "They stand in zsmem",
            "What agents read",
            "claude-code",
            "Agents search letter for letter",
            "Several machines, one memory, over a git repository",
            "The doctor's rules",
            "three ways in",
            "What things take",
            "the files that agents keep anyway",
            "three minutes",
            "Changes",
            "What zerostack's memory does",
            "What Claude Code knows when a session begins",
        ):
            await pilot.press("tab")
            await shows(pilot, words)
        await pilot.press("tab")
        await shows(pilot, "Help: Memory", "tab All keys")
        await pilot.press("shift+tab", "shift+tab", "G", "tab")
        await shows(
            pilot, "What Claude Code knows when a session begins"
        )  # from its first line, wherever the page before it was left
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "tree-view")
        # what the agent writes shows up, nothing jumps, and a store that goes comes back
        await pilot.press("1", "g")
        await pilot.press("j", "j", "j", "j", "j")
        await shows(pilot, "# Deploy"[2:], "filler line")
        await pilot.press("enter", "G")
        await until(pilot, lambda: pilot.app.main.viewer.view.scroll_offset.y > 20)
        top = pilot.app.main.viewer.view.scroll_offset.y
        store.has("~/notes/brand-new.md", "x\n")
        await shows(pilot, "brand-new")
        store.has("~/notes/deploy.md", store.raw("~/notes/deploy.md") + b"agent line\n")
        await until(pilot, lambda: pilot.app.main.viewer.file.text.endswith("agent line\n"))
        await shows(pilot, "The text as it stands in the file.")  # what a key led to stays its time
        pilot.app.main.status.clear()
        store.has("~/notes/deploy.md", store.raw("~/notes/deploy.md") + b"another\n")
        await shows(pilot, "Reloaded")
        assert pilot.app.main.viewer.view.scroll_offset.y == top
        assert pilot.app.main.tree_pane.project_tree.key.ref.name == "deploy" and pilot.app.focused.id == "page"
        store.root.rename(store.root.with_name("moved"))
        await shows(pilot, "The memory cannot be read.", "is gone", "0 projects")
        store.root.with_name("moved").rename(store.root)
        await shows(pilot, "2 projects · 8 files")
        await pilot.press("1", "g")
        await shows(pilot, "redis listens")


@pytest.mark.slow
async def test_searching_opening_a_hit_coming_back_what_is_wider_and_answers_that_come_late(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(store, keys={"app.search": "f10"})) as pilot:
        await pilot.press("f10")
        await until(pilot, lambda: pilot.app.focused.id == "query")
        await pilot.press(*"redis port nowhere-to-be-found")
        await shows(
            pilot,
            "redis 4 lines",
            "port 2 lines",
            "0 here",
            "3 files",
            "MEMORY.md  [matched: redis, port]",
            "MEMORY.md first · 2 of 3",
        )
        await pilot.press("down", "j")
        await shows(pilot, "note deploy  [matched: redis, port]", "the redis port moved")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await shows(pilot, "1 of 3", "the redis port moved")
        await pilot.press("n", "n")
        await shows(pilot, "3 of 3")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        assert pilot.app.main.search.hits.cursor == 1
        assert pilot.app.main.search.line.value == "redis port nowhere-to-be-found"
        await pilot.press("f10", "ctrl+l", *"redis")
        await shows(pilot, f"3 Search · {PROJECT} ", "3 files")
        await pilot.press("f8", "f8")
        await shows(pilot, "wider: all projects", "4 files", "the agent does not search this", f"{OTHER} · note elsewhere")
        await pilot.press("f8")
        await shows(pilot, f"3 Search · {PROJECT} ", "3 files", f"Searching only {PROJECT} again.")
        await pilot.press("ctrl+l", *"zzz", "f8")
        await shows(pilot, "in any project", "ctrl+o finds a file by", "ctrl+l empties the line.")
        await pilot.press("f8", "f8")
        await shows(pilot, f"3 Search · {PROJECT} ")
        await pilot.press("down")
        await shows(pilot, "No hit to go to: type other words")
        await pilot.press("ctrl+l", "space", "space")
        await shows(pilot, "only blanks")
        # an older answer never replaces a newer one
        real = searching.search

        asked: list[str] = []
        answered: list[str] = []

        def slow(query, **options):  # type: ignore[no-untyped-def]
            asked.append(query.words)
            time.sleep(0.3 if len(query.words) < 5 else 0)
            try:
                return real(query, **options)
            finally:
                answered.append(query.words)

        monkeypatch.setattr(searching, "search", slow)
        await pilot.press("f10", "ctrl+l", *"redis")
        await shows(pilot, "redis 4")
        await until(pilot, lambda: len(asked) == len(answered))
        await pilot.pause()
        assert "redis 4" in screen_text(pilot.app)
        # hits are shown while a search goes on
        go_on = threading.Event()

        def going_on(query, *, so_far=None, **options):  # type: ignore[no-untyped-def]
            whole = real(query, **options)
            if so_far is not None:
                so_far(SearchResults([("redis", 1)], whole.hits[:1]))
                go_on.wait(20)
            return whole

        monkeypatch.setattr(searching, "search", going_on)
        await pilot.press("f10", "ctrl+l", *"redis")
        await shows(pilot, "redis 1", "1 file so far")
        go_on.set()
        await shows(pilot, "redis 4", "3 files")
        assert "so far" not in screen_text(pilot.app)


async def test_the_welcome_says_where_memory_will_be_and_opens_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_at(tmp_path / "own", monkeypatch)
    store = AStore(tmp_path / "store")
    store.root.rmdir()
    app = ZsmemApp(store.session(), open_demo=partial(_open_demo, Config()))
    try:
        async with running(app, size=(200, 60)) as pilot:
            await shows(pilot, "There is no memory yet.", "D opens a sample")
            await pilot.press("H")
            await shows(pilot, "There is no file yet: a in the tree (1) adds one.")
            await pilot.press("7")
            await shows(pilot, "No fact yet. a adds one", "At a fact, or marked ones of one agent: what each key does")
            await pilot.press("escape", "s", *"zzz")
            await shows(pilot, "0 files", "There is no memory yet: nothing can be found.")
            assert "searches wider" not in screen_text(pilot.app)
            await pilot.press("ctrl+l", "escape", "D")
            await shows(pilot, "zerostack", "Claude Code", "翻訳", "lantern", "harbor-api", "nothing here is yours")
            await by_name(pilot, "By folder")
            await shows(pilot, "1 Memory by folder", "▸ ~/dotfiles  ", "∅ old-thesis  ", "For everybody")
    finally:
        remove_demos()
    assert not store.root.exists()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
async def test_all_keys_begin_with_those_of_what_is_in_use(store: AStore, size: tuple[int, int]) -> None:
    async with running(an_app(store), size=size) as pilot:
        for keys, words in (
            ("2", ["Here: Viewer", "Find words in this file."]),
            ("7", ["Here: Facts"]),
            (["f3", "f3", "tab"], ["Here: Review", "Review: the changes"]),
            (["f2", "tab"], ["Here: Prompt", "Prompt: the text"]),
        ):
            await pilot.press(*keys)
            await shows(pilot, "? Keys")
            await pilot.press("question_mark")
            await shows(pilot, "esc close", *words)
            assert "rebind" not in screen_text(pilot.app) and "settings file" not in screen_text(pilot.app)
            await pilot.press("escape")
            await back(pilot)


OVER_EVERYTHING = {
    "": (["1", "j", "l", "j"], ["2", "G", "R"], ["s", "r", "e"], ["down", "j"], ["z"], ["question_mark"], ["escape"]),
    "prompt": (["f2", "j", "enter", "j", "G", "escape", "E", "|", "escape"],),
    "review": (["f3", "enter", "n", "escape"],),
    "history": (["1", "g", "H", "j", "enter", "escape"],),
    "triage": (["6", "w", "j", "G", "space", "slash", "f", "escape", "Q", "space", "escape", "f1"],),
    "facts": (["7", "w", "j", "G", "space", "v", "slash", "f", "escape", "Q", "space", "escape", "equals_sign"], ["j", "f1"]),
}
"""For each screen, keys that go over all of it."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(20, 6), (30, 10), (59, 20), (80, 24), (99, 30), (200, 60)])
async def test_every_pane_and_every_screen_at_every_size(store: AStore, size: tuple[int, int]) -> None:
    before = store.tree()
    async with running(an_app(store, inject_cap=60), size=size) as pilot:
        await until(pilot, lambda: any(pilot.app.main.session.history.latest()))
        store.has("projects/new-00000000/notes/n.md", "ンンンンンン wide 😀\n")
        await until(pilot, lambda: pilot.app.main.here.unreviewed)
        for screen, keys in OVER_EVERYTHING.items():
            for each in keys:
                await pilot.press(*each)
                await pilot.pause()
                assert len(screen_text(pilot.app).split("\n")) == size[1], screen
            await back(pilot)
        await pilot.resize_terminal(20, 6)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert pilot.app.is_running and before.items() <= store.tree().items()


async def test_themes_no_style_sheet_is_read_twice_and_jumps_are_not_animated_whatever_the_terminal_asks_for(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[object, object]] = []

    def reads(scope: str, css: str, read_from: tuple[str, str], **how: Any) -> Any:
        read.append((read_from, how["tie_breaker"]))  # which of two rules wins: a base class that comes later has less weight
        return parse(scope, css, read_from, **how)

    monkeypatch.setattr(textual_private, "_RULES", {})
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "full")
    monkeypatch.setattr(stylesheet, "parse", reads)
    async with running(an_app(store, theme="dark")) as pilot:
        await shows(pilot, "redis listens")
        started = len(read)
        await pilot.press("7")
        await until(pilot, lambda: pilot.app.tool)
        assert started and len(set(read)) == len(read) > started
        await back(pilot)
        backs = [pilot.app.screen.styles.background]
        for words in ("Light theme.", "Dark theme.", "Light theme."):
            await pilot.press("f9")
            await shows(pilot, words)
            backs.append(pilot.app.screen.styles.background)
        assert backs[:2] == backs[2:] and len(set(backs)) == 2
        await until(pilot, lambda: view_state.read("theme") == {"switched_from": "dark"})
        assert [an_app(store, theme=each).theme for each in ("dark", "nord")] == ["zsmem-light", "nord"], "unless that is newer"
        store.has("MEMORY.md", "first line\n\n" + "- filler\n" * 3_000 + "- the-very-end\n")
        assert pilot.app.animation_level == "none"
        await pilot.app.main.look_now()
        await pilot.press("2", "R", "G")
        await shows(pilot, "the-very-end")
