"""What every test of the screens has: nothing changes by itself, neither what a doctor found nor what was said a while ago."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from zsmem_tui.ui.flows import checking
from zsmem_tui.ui.stylesheet import Memory, RememberingStylesheet
from zsmem_tui.ui.widgets import bars


@pytest.fixture(autouse=True)
def no_doctor_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "REST_SECONDS", 3_600)


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


_COLLECT_EVERY = 60
_run = itertools.count(1)


@pytest.fixture(autouse=True)
def old_apps_go() -> Iterator[None]:
    """An app is a circle of objects, and circles are looked for seldom here (`tests/conftest.py`): now and then, all go."""
    yield
    if next(_run) % _COLLECT_EVERY == 0:
        gc.collect()
