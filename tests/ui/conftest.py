"""What every test of the screens has: nothing changes by itself, neither what a doctor found nor what was said a while ago."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

import pytest
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

from zsmem_tui.ui.memory import checkups as checking
from zsmem_tui.ui.stylesheet import Memory, RememberingStylesheet
from zsmem_tui.ui.widgets import bars


@pytest.fixture(autouse=True)
def no_doctor_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "REST_SECONDS", 3_600)
    monkeypatch.setattr(checking, "OWN_SECONDS", 3_600)


@pytest.fixture(autouse=True)
def what_is_said_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "SAID_SECONDS", 3_600)


class Kept:
    """What every app of a run would find again: rules by their text and the theme's variables, memories by their rules."""

    def __init__(self) -> None:
        self.rules: dict[tuple[Any, ...], list[RuleSet]] = {}
        self.memories: dict[tuple[int, ...], Memory] = {}
        self.parse = Stylesheet._parse_rules
        self.remember = RememberingStylesheet.memory_of

    def parse_rules(self, sheet: Stylesheet, *what: Any, **more: Any) -> list[RuleSet]:
        key = (frozenset(sheet._variables.items()), *what, *more.items())
        if key not in self.rules:
            self.rules[key] = self.parse(sheet, *what, **more)
        return self.rules[key]

    def memory_of(self, rules: list[RuleSet], before: Memory) -> Memory:
        key = (id(before) if before.rules else 0, *map(id, rules))
        known = self.memories.get(key)
        if known is None:
            known = self.memories[key] = self.remember(rules, before)
        else:
            known.rules = rules
        return known


KEPT = Kept()


@pytest.fixture(autouse=True)
def rules_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading and matching the rules is most of an app's start: the apps of a run share what the first of them found."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", lambda *what, **more: KEPT.parse_rules(*what, **more))
    monkeypatch.setattr(RememberingStylesheet, "memory_of", staticmethod(KEPT.memory_of))


_drawing = Screen._compositor_refresh
_waits: WeakSet[Screen[Any]] = WeakSet()


def _draw(app: App[Any]) -> None:
    if app._screen_stack and app.screen in _waits:
        _waits.remove(app.screen)
        _drawing(app.screen)


_PAUSE, _PRESS = Pilot.pause, Pilot.press


async def _pause(pilot: Pilot[Any], delay: float | None = None) -> None:
    await _PAUSE(pilot, delay)
    _draw(pilot.app)


async def _press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await _PRESS(pilot, key)
        _draw(pilot.app)


@pytest.fixture(autouse=True)
def the_screen_is_drawn_when_a_test_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """No terminal is there to draw for: a screen is drawn once after each key and pause, not at every change before that."""
    monkeypatch.setattr(Screen, "_compositor_refresh", lambda screen: _waits.add(screen))
    monkeypatch.setattr(Pilot, "pause", _pause)
    monkeypatch.setattr(Pilot, "press", _press)


_COLLECT_EVERY = 60
_run = itertools.count(1)


@pytest.fixture(autouse=True)
def old_apps_go() -> Iterator[None]:
    """An app is a circle of objects, and circles are looked for seldom here (`tests/conftest.py`): now and then, all go."""
    yield
    if next(_run) % _COLLECT_EVERY == 0:
        gc.unfreeze()  # each app exempted what was there when it started, the apps before it too
        gc.collect()
        gc.freeze()
