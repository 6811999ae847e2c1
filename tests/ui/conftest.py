"""What every test of the screens has: nothing changes by itself, neither what a doctor found nor what was said a while ago."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.several import Machine
from zsmem_tui.ui.memory import checkups as checking
from zsmem_tui.ui.memory import search
from zsmem_tui.ui.review import opening
from zsmem_tui.ui.widgets import bars, cursored


@pytest.fixture(autouse=True)
def no_doctor_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "REST_SECONDS", 3_600)
    monkeypatch.setattr(checking, "OWN_SECONDS", 3_600)


@pytest.fixture(autouse=True)
def what_is_said_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "SAID_SECONDS", 3_600)


@pytest.fixture(autouse=True)
def what_comes_stays_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cursored, "UNSEEN_SECONDS", 3_600)


@pytest.fixture(autouse=True)
def no_enter_is_a_double_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TWICE_SECONDS", 0)


@pytest.fixture(autouse=True)
def what_waits_is_never_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "OPENS_SECONDS", 3_600)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


_COLLECT_EVERY = 200
_run = itertools.count(1)


@pytest.fixture(autouse=True)
def old_apps_go(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An app is a circle of objects, and circles are looked for seldom here (`tests/conftest.py`): now and then, all go."""
    monkeypatch.setattr(gc, "freeze", int)  # each app exempts what is there when it starts: here, the apps before it too
    yield
    if next(_run) % _COLLECT_EVERY == 0:
        gc.collect()
