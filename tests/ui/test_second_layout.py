"""The program over a store of another shape: its files are in the tree, and every screen opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW
from tests.layouts import NOTEBOOK, a_notebook
from tests.ui.driving import NOW_NS, running, screen_text, shows
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp


@pytest.mark.slow
async def test_every_screen_opens_over_a_kind_without_projects_logs_or_checklist(tmp_path: Path) -> None:
    session = Session(str(a_notebook(tmp_path / "store")), "work-1a2b3c4d", layout=NOTEBOOK, clock=lambda: NOW)
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS)) as pilot:
        await shows(pilot, "FACTS.md", "tea", "The build wants tea.")
        assert "MEMORY.md" not in screen_text(pilot.app)
        for key, words in (("f2", "[facts]"), ("f3", "Nothing to review"), ("f5", "FACTS.md")):
            await pilot.press(key)
            await shows(pilot, words)
            await pilot.press("escape")
        await shows(pilot, "The build wants tea.")
