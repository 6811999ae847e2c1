"""Starting the full-screen program."""

from __future__ import annotations

import argparse
import sys
from types import SimpleNamespace

import pytest

from zsmem_tui.ui import run


def test_a_busy_thread_gives_the_screen_its_turn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    app = SimpleNamespace(run=lambda: seen.append(-1), end_soon=None, last_words="", return_code=0, left_over=())
    monkeypatch.setattr(sys, "setswitchinterval", seen.append)
    monkeypatch.setattr(run, "_no_screen", lambda: "")
    monkeypatch.setattr(run, "_stores", lambda *_: ([None], None))
    monkeypatch.setattr(run, "_app", lambda *_, **__: app)
    monkeypatch.setattr(run, "Ending", lambda _: SimpleNamespace(watch=lambda: None, leave=None))
    assert run.run(argparse.Namespace(profile=None, cwd=None, demo=False, tour=False)) == 0
    assert seen == [run.TURN_SECONDS, -1] and run.TURN_SECONDS <= 0.001
