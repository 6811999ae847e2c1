"""A home folder with a project, in which agents are connected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import NOW
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.service import connecting
from zsmem_tui.service.connecting import ConnectPlan, Wish
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer import connections

COMMAND = "/opt/tools/zsmem"


class Home:
    """A throw-away home with a project; agents are connected in it."""

    def __init__(self, home: Path, project: Path) -> None:
        self.home = home
        self.project = project
        self.session = Session(str(home / "memory"), "demo-1a2b3c4d", clock=lambda: NOW, folder=str(project))

    def plan(self, agent: str, **wish: Any) -> ConnectPlan:
        return connecting.plan(self.session, agent, Wish(**wish))

    def connect(self, agent: str, **wish: Any) -> VerbResult:
        return connecting.apply(self.session, self.plan(agent, **wish))

    def has(self, path: str, text: str | bytes) -> Path:
        place = self.home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        return place

    def json(self, path: str) -> Any:
        return json.loads((self.home / path).read_text())

    def files(self) -> dict[str, bytes]:
        """Every file but our own state and the store."""
        found = [each for each in self.home.rglob("*") if each.is_file() and ".local/state" not in str(each)]
        found += [each for each in self.project.rglob("*") if each.is_file()]
        return {str(each): each.read_bytes() for each in found}


@pytest.fixture
def home(away_from_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(connecting, "own_command", lambda: COMMAND)
    monkeypatch.setattr(connections, "LATEST", 0)
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")  # agents of whoever runs the tests would be asked to connect themselves
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    return Home(away_from_home, project)
