"""What every test of the screens has: nothing changes by itself, neither what a doctor found nor what was said a while ago."""

from __future__ import annotations

import pytest

from zsmem_tui.ui.flows import checking
from zsmem_tui.ui.widgets import bars


@pytest.fixture(autouse=True)
def no_doctor_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "REST_SECONDS", 3_600)


@pytest.fixture(autouse=True)
def what_is_said_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "SAID_SECONDS", 3_600)
