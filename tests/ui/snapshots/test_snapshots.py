"""Pictures that a change must not alter unseen: without colour, and very small. (screenshots/ has the others.)"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tests.builders import NOW
from tests.ui.driving import until
from zsmem_tui.service.demo import PROJECT, make_demo
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.typed_ahead import keys_wait

NOW_NS = 1_779_718_029 * 10**9


def demo_app(tmp_path: Path) -> ZsmemApp:
    root = make_demo(date(2026, 5, 25), str(tmp_path / "memory"))
    return ZsmemApp(Session(root, PROJECT, clock=lambda: NOW), now_ns=lambda: NOW_NS, follow=False)


def after(*keys: str) -> Callable[[Any], Any]:
    async def run(pilot: Any) -> None:
        await until(pilot, lambda: pilot.app.main.here.prompts)
        for line in pilot.app.main.query(Input):
            line.cursor_blink = False
        for key in keys:
            await pilot.press(key)
            await pilot.app.workers.wait_for_complete()
            await until(pilot, lambda: not keys_wait(pilot.app) and not pilot.app.conversations.begun)
        await pilot.pause()

    return run


def test_without_colour(snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = demo_app(tmp_path)
    assert snap_compare(app, terminal_size=(100, 30), run_before=after("s", *"deploy nowhere", "down", "j"))


def test_on_twenty_by_six(snap_compare: Any, tmp_path: Path) -> None:
    assert snap_compare(demo_app(tmp_path), terminal_size=(20, 6), run_before=after("j", "j"))
