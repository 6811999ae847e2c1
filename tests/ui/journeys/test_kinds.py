"""Every kind of store in the running program: what it cannot do is said, what it can is undone and has a history."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.builders import NOW
from tests.ui.driving import NOW_NS, asked, back, running, screen_text, shows, to_changes, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import history
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp

SAMPLES = Path(__file__).parents[2] / "samples"
FOLDER = "/home/ann/code/lantern"

KINDS = {
    "claude-code": ("project_", "A note, with its line in MEMORY.md"),
    "ethos": ("personalities/engineer/MEMORY.md", "A note"),
    "opencode": ("human.md", "A block"),
    "oh-my-pi": ("learned.md", "A line in learned.md"),
    "memsearch": (".md", "An entry in today's log"),
}
"""For each kind: a file that may be written, and what can be added."""


@pytest.fixture
def home(away_from_home: Path, tmp_path: Path) -> Path:
    for name in ("claude-code", "ethos", "opencode-agent-memory", "oh-my-pi", "memsearch"):
        shutil.copytree(SAMPLES / name / "home", away_from_home, dirs_exist_ok=True)
        if (SAMPLES / name / "project").is_dir():
            shutil.copytree(SAMPLES / name / "project", tmp_path / "lantern", dirs_exist_ok=True)
    return tmp_path / "lantern"


def an_app(kind: str, home: Path) -> ZsmemApp:
    group = "engineer" if kind == "ethos" else ""
    cwd = str(home) if kind == "memsearch" else FOLDER
    return ZsmemApp(open_store(Config(), kind, group=group, cwd=cwd, clock=lambda: NOW), now_ns=lambda: NOW_NS)


def _is_shown(app: Any, ref: MemRef) -> bool:
    return app.main.viewer.file is not None and app.main.viewer.file.ref == ref


async def at(pilot: Pilot[Any], part: str) -> MemRef:
    """Put the cursor on the first file whose path has this in it, and wait until it is shown."""
    main: Any = pilot.app.main  # type: ignore[attr-defined]
    catalog = main.here.catalog
    every = [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]
    ref: MemRef = next(entry.ref for entry in every if part in entry.ref.path)
    main.tree_pane.project_tree.focus()
    main.tree_pane.reveal(main.here.key, ref)
    main.open_file(_chosen(ref, main.here.key))
    await until(pilot, partial(_is_shown, pilot.app, ref))
    return ref


def _chosen(ref: MemRef, store: str) -> Any:
    from zsmem_tui.ui.messages import FileChosen

    return FileChosen(ref, store=store)


@pytest.mark.draw(3)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_file_of_any_kind_is_edited_undone_and_reviewed_and_what_its_kind_cannot_do_is_said(home: Path, kind: str) -> None:
    part, offered = KINDS[kind]
    async with running(an_app(kind, home)) as pilot:
        app: Any = pilot.app
        if kind == "oh-my-pi":  # what another program makes is not opened in the editor
            await at(pilot, "/MEMORY.md")
            for key in ("e", "o"):
                await pilot.press(key)
                await shows(pilot, "is not edited here", "Copy it to edit the copy")
                app.main.say("")
            assert app.main.editor.ref is None
        ref = await at(pilot, part)
        await pilot.press("a")
        await shows(pilot, offered)
        assert "A scratchpad" not in screen_text(app) and ("today's log" in screen_text(app)) is (kind == "memsearch")
        if kind == "opencode":
            await pilot.press("enter")
            await asked(pilot, "New block", "2 to 61 letters, digits, - and _", "opencode has it in every prompt.")
            await pilot.press(*"a", "enter")
            await shows(pilot, "opencode cannot call a file 'a'.")
            await pilot.press(*"pi", "enter")
            await until(pilot, lambda: app.main.editor.ref is not None)
            made = Path(app.main.session.root, "api.md").read_text()
            assert made == "---\ndescription: ''\nlabel: api\nlimit: 5000\nread_only: false\n---\n# api\n"
            await pilot.press("escape")
            await until(pilot, lambda: app.main.editor.ref is None)
            await pilot.press("u")
            await shows(pilot, "Undid: Made block api")
            await at(pilot, part)
        elif kind == "claude-code":
            await pilot.press("down", "down", "enter")
            await asked(pilot, "Fact", "What is to be remembered?")
            await pilot.press(*"Tea at five", "enter")
            await shows(pilot, "Tea at five", "2 /home/ann/code/lantern · MEMORY.md")
            await pilot.press("u")
            await until(pilot, lambda: "Tea at five" not in app.main.viewer.file.text)
            await at(pilot, part)
        else:
            await pilot.press("escape")
        place = Path(app.main.session.root, ref.path)
        before = place.read_bytes()
        await pilot.press("e")
        await until(pilot, lambda: app.main.editor.ref is not None)
        await pilot.press("ctrl+end", *"Tea", "ctrl+s")
        await until(pilot, lambda: b"Tea" in place.read_bytes())
        await pilot.press("escape")
        await until(pilot, lambda: app.main.editor.ref is None)
        await pilot.press("H")
        await shows(pilot, "you")
        await back(pilot)
        await pilot.press("u")
        await until(pilot, lambda: place.read_bytes() == before)
        await shows(pilot, "Undid")
        await asyncio.to_thread(history.look_at_all, app.main.session)
        place.write_bytes(before.rstrip(b"\n") + b"\n- the agent was here\n")
        await until(pilot, lambda: app.main.here.unreviewed)
        await to_changes(pilot)
        await shows(pilot, "the agent was here")


async def test_a_read_only_block_is_refused_before_a_text_or_a_place_is_asked_for(home: Path, away_from_home: Path) -> None:
    place = next(away_from_home.rglob("human.md"))
    place.write_bytes(place.read_bytes().replace(b"read_only: false", b"read_only: true"))
    before = place.read_bytes()
    assert b"read_only: true" in before
    async with running(an_app("opencode", home)) as pilot:
        app: Any = pilot.app
        await at(pilot, "human.md")
        for key in "emd":
            await pilot.press(key)
            await shows(pilot, "human.md is marked read_only. Nothing was written. Set read_only to false first.")
            app.main.say("")
        assert app.main.editor.ref is None and app.screen is app.main and place.read_bytes() == before
