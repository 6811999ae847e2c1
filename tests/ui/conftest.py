"""What every test of the screens has: a doctor that looks when it is asked only, so that nothing changes by itself."""

from __future__ import annotations

import pytest

from zsmem_tui.ui.flows import checking


@pytest.fixture(autouse=True)
def no_doctor_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "REST_SECONDS", 3_600)
