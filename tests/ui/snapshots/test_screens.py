"""Every screen as text, at a small and at a large size: what a change of layout or words does to any of them is seen.

One program is started for each size and goes from screen to screen. Colours are in screenshots/ and in the pictures beside.
"""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.builders import NOW
from tests.ui.driving import NOW_NS, by_name, done, running, screen_text, until
from zsmem_tui.service import history
from zsmem_tui.service.demo import PROJECT, make_demo
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.widgets.row_list import RowList

SMALL, LARGE = (80, 24), (200, 60)
SCREENS = {
    "prompt": "4",
    "review": "5",
    "triage": "6",
    "facts": "7",
    "doctor": "8",
    "transfer": "9",
    "projects": "0",
    "costs": "What costs what",
    "connect": "Connect an agent",
    "history": "H",
}
"""Each screen of its own with the key, or the name, that opens it from the main one."""

OVER = {
    "keys": ("question_mark", "Here:"),
    "help": ("f1", "tab All keys"),
    "palette": ("ctrl+p", "Undo"),
    "files": ("ctrl+o", "enter choose"),
}
"""What opens over the main screen: its key, and what stands in it."""


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """The demo in a home folder of its own; an agent has written to it since the person looked."""
    ours = tmp_path / "bin" / "zsmem"
    ours.parent.mkdir()
    ours.touch(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(ours.parent))
    made = Session(make_demo(date(2026, 5, 25), str(tmp_path / "memory")), PROJECT, clock=lambda: NOW)
    history.look_at_all(made)
    pad = tmp_path / "memory" / "projects" / PROJECT / "SCRATCHPAD.md"
    pad.write_text(pad.read_text().replace("- [ ] ", "- [x] ", 1) + "- [ ] ask Mara about the runners\n")
    os.utime(pad, (NOW.timestamp() - 300,) * 2)
    history.look_at_all(made)
    return made


def picture(app: Any) -> str:
    """The screen without what differs from run to run: blanks at the ends, ages of what was written just now, ids."""
    text = "\n".join(row.rstrip() for row in screen_text(app).split("\n"))
    return re.sub(r"\b[0-9a-f]{12}\b", "0" * 12, text)


@pytest.mark.slow
@pytest.mark.parametrize("size", [pytest.param(SMALL, id="80x24"), pytest.param(LARGE, id="200x60")])
async def test_every_screen_looks_as_before(session: Session, snapshot: Any, size: tuple[int, int]) -> None:
    app = ZsmemApp(session, now_ns=lambda: NOW_NS, follow=False)
    async with running(app, size=size) as pilot:
        await until(pilot, lambda: app.main.here.prompts and app.main.viewer.file)
        await settled(pilot)
        seen = {"memory": picture(app)}
        for name, key in SCREENS.items():
            await (pilot.press(key) if len(key) == 1 else by_name(pilot, key))
            if name == "review":
                await until(pilot, lambda: not app.conversations.begun)
                await settled(pilot)
                seen["page"] = picture(app)
                await pilot.press("5")
            await until(pilot, lambda: app.tool is not None and app.tool.query(RowList))
            await settled(pilot)
            seen[name] = picture(app)
            await pilot.press("escape")
            await until(pilot, lambda: app.tool is None)
            if name == "review":
                await pilot.press("1", "j", "k")
        for name, (key, words) in OVER.items():
            await pilot.press(key)
            await until(pilot, lambda words=words: words in screen_text(app))  # type: ignore[misc]
            await settled(pilot)
            seen[name] = picture(app)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.main)
        await pilot.press("e")
        await until(pilot, lambda: app.main.editor.ref is not None)
        await settled(pilot)
        seen["editor"] = picture(app)
    for name, text in seen.items():
        assert text == snapshot(name=name)


async def settled(pilot: Any) -> None:
    """Wait until nothing is read any more, and the screen stays as it is."""
    before = None
    while before != (before := screen_text(pilot.app)) or any(each in before for each in ("Reading …", "under way …")):
        await done(pilot.app.workers)
        await pilot.pause(0.05)
