"""Small stores for tests."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from types import MappingProxyType
from typing import Any

import pytest

from zsmem_tui import Mem, Profile
from zsmem_tui.config.model import Config
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.search import SearchResults
from zsmem_tui.service import copying, formats, history, importing
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.searching import Query, Scope, Sought, search
from zsmem_tui.service.session import Session

SAMPLES = Path(__file__).parent / "samples"
PROJECT = "demo-1a2b3c4d"
NOW = datetime(2026, 5, 25, 14, 7, 9)


class AStore:
    """A store in a temporary folder, with what a test puts there and what it wants to know."""

    def __init__(self, root: Path, project: str = PROJECT) -> None:
        self.root = root
        self.project = project
        root.mkdir(parents=True, exist_ok=True)

    def has(self, path: str, content: str | bytes) -> AStore:
        """Put a file at `path` (`~/` stands for the project's folder)."""
        place = self.at(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def can_be_entered(self) -> AStore:
        """By everybody, as far as the folders of the tests go: for those of who is root, who change to another user."""
        for folder in (self.root, *self.root.parents):
            if Path(gettempdir()) in folder.parents:
                folder.chmod(0o755)
        return self

    def at(self, path: str) -> Path:
        return self.root / path.replace("~/", f"projects/{self.project}/")

    def raw(self, path: str) -> bytes:
        return self.at(path).read_bytes()

    def tree(self) -> dict[str, bytes]:
        """Every file below the root with its bytes; links and folders are left out."""
        found = {}
        for folder, _, names in os.walk(self.root):
            for name in names:
                place = Path(folder, name)
                if place.is_file() and not place.is_symlink():
                    found[str(place.relative_to(self.root))] = place.read_bytes()
        return found

    def mem(self, profile: Profile = Profile.DOCUMENTED, **options: object) -> Mem:
        return Mem(self.root, self.project, "2026-05-25", profile=profile, **options)  # type: ignore[arg-type]

    def session(self, **settings: object) -> Session:
        config = Config(**settings)  # type: ignore[arg-type]
        return Session(str(self.root), self.project, config=config, clock=lambda: NOW)

    def looked_at(self) -> Session:
        """A session, with all that is there now in the history."""
        session = self.session()
        history.look_at_all(session)
        return session


@contextmanager
def held_by_another(folder: Path) -> Iterator[None]:
    """Another zsmem, which was stopped, holds the lock on a folder."""
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(handle)


def at_the_first_pause(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Somebody acts once, in the first moment in which a write of ours watches whether it lasts."""
    done: list[bool] = []

    def sleep(seconds: float) -> None:
        if not done:
            done.append(True)
            act()

    monkeypatch.setattr("time.sleep", sleep)


def not_there(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """What samples call a folder is not there, whatever the machine has that the test runs on."""
    real = os.lstat

    def lstat(path: str, **options: object) -> os.stat_result:
        if str(path).startswith(f"{folder}/"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return real(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "lstat", lstat)


def put_samples(home: Path, project: Path | None, *names: str) -> None:
    """What agents of these names have in a home folder, and in the folder of a project."""
    for name in names:
        shutil.copytree(SAMPLES / name / "home", home, dirs_exist_ok=True)
        if project and (SAMPLES / name / "project").is_dir():
            shutil.copytree(SAMPLES / name / "project", project, dirs_exist_ok=True)


def live_at(place: Path, patch: pytest.MonkeyPatch) -> None:
    """Have a home folder and nothing that leads elsewhere."""
    for name in [each for each in os.environ if each.endswith(("_DIR", "_HOME"))]:
        patch.delenv(name)
    patch.setenv("HOME", str(place))


def plan_import(session: Session, name: str, path: Path | str = "", **options: Any) -> Plan:
    """The plan to bring in the memory at a path (default: the place of the agent), in the format of that name."""
    return importing.plan(session, formats.of_agent(name), str(path), **options)


def plan_copy(
    source: Session, refs: Sequence[MemRef], target: Session, *, names: Mapping[str, str] = MappingProxyType({}), **more: Any
) -> Plan:
    """What copying files of one store to another would do; `names` are by their paths here."""
    places = {os.path.join(source.root, path): name for path, name in names.items()}
    return copying.plan([(source, refs)], target, names=places, **more)


def look_for(words: str, *sessions: Session, scope: Scope = Scope.AGENT, whole_words: bool = False) -> SearchResults:
    """What a search of these stores finds."""
    return search(Query(words, tuple(map(Sought, sessions)), scope, whole_words=whole_words))
