"""A large store is recorded by another process just as this one would record it, whatever happens to either."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.orphans import outlives
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import beside
from zsmem_tui.store.disk.processes import alive
from zsmem_tui.store.history import apart
from zsmem_tui.store.history.apart import Bounds
from zsmem_tui.store.history.history import History
from zsmem_tui.store.scan import scan

NAMES = ["plain", "two\nlines", "'quoted\"", "-rf", "\udcff", "tab\there", " blank ", "%41", "\u202eback", "*[?]", "$(id)"]
KILLED = "import os; os.kill(os.getpid(), 9)"
KILLED_AT_A_SYNC = """
import os, sys; sys.path[:] = sys.argv[2:]
real, left = os.fsync, [{moment}]
def sync(handle):
    left[0] -= 1
    if left[0] == 0: os.kill(os.getpid(), 9)
    real(handle)
os.fsync = sync
from zsmem_tui.store.history.apart import serve; serve()
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AStore:
    monkeypatch.setattr(apart, "MUCH_FILES", 5)
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\ntwo\n")
    for number, name in enumerate(NAMES):
        store.has(f"projects/p/notes/{name}.md", f"{name!a}\n" * number)
    secret = tmp_path / "secret"
    secret.write_bytes(b"elsewhere\n")
    store.at("projects/p/notes/link.md").symlink_to(secret)
    return store


@pytest.fixture
def only_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("this process did it itself")

    monkeypatch.setattr(History, "catch_up", never)


def look(session: Session, size: int = 0) -> None:
    apart.catch_up(session.history, scan(session.root, session.layout), Bounds(size=size))


def all_are_there(session: Session) -> None:
    assert len(list(session.history.latest())) == len(NAMES) + 1
    assert session.history.outside == {"projects/p/notes/link.md"}  # its text is nobody's memory


def state_of(session: Session) -> tuple[object, ...]:
    """All that a history says, but for times and what is made of them."""
    history = session.history
    with history.opened() as repo:
        folders = (repo.folder_of(repo.head), repo.reviewed)
    rows = [(each.path, each.origin, each.who, each.before, each.after, each.added, each.removed) for each in history.latest()]
    known = Path(history.home, "known").read_bytes().partition(b"\n")[2]
    return folders, rows, sorted(known.split(b"\n")), [history.text(each.after) for each in history.latest()]


def in_this_process(store: AStore, home: Path) -> tuple[object, ...]:
    other = Session(str(store.root), "p", history_home=str(home))
    other.history.catch_up(scan(other.root, other.layout))
    return state_of(other)


@pytest.mark.usefixtures("only_apart")
def test_another_process_records_the_same_as_this_one(store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = store.session()
    look(session)
    monkeypatch.undo()
    assert state_of(session) == in_this_process(store, tmp_path / "other")
    assert not session.history.is_new
    all_are_there(session)


@pytest.mark.usefixtures("only_apart")
def test_what_changed_since_and_what_is_out_of_bounds_is_seen_to_there_too(store: AStore) -> None:
    session = store.session()
    look(session)
    store.has("MEMORY.md", "one\n")
    store.at("projects/p/notes/plain.md").unlink()
    look(session)
    assert [(each.path, each.removed) for each in session.history.latest()][:2] == [
        ("projects/p/notes/plain.md", 0),
        ("MEMORY.md", 1),
    ]


@pytest.mark.parametrize(
    "code", [KILLED, "import sys; sys.exit(3)", "print('nonsense')", *[KILLED_AT_A_SYNC.format(moment=n) for n in (2, 6)]]
)
def test_what_a_process_that_died_had_not_done_is_done_here(
    store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(beside, "CODE", code)
    session = store.session()
    look(session)
    assert state_of(session) == in_this_process(store, tmp_path / "other")
    left = [name for _, _, names in os.walk(session.history.home) for name in names if ".zsmem-" in name or name.endswith(".lock")]
    assert left == []


@pytest.mark.usefixtures("only_apart")
def test_what_is_wrong_with_the_history_is_told_as_if_it_had_been_found_here(store: AStore) -> None:
    session = store.session()
    look(session)
    Path(session.history.home, "git", "zsmem-format").write_text("99\n")
    with pytest.raises(HistoryError, match="was written by a newer zsmem") as told:
        look(session)
    assert session.history.problem == told.value.message and told.value.hint


def test_it_ends_when_nobody_wants_it_any_more(store: AStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "pid"
    monkeypatch.setattr(beside, "CODE", f"import os, time; open({str(place)!r}, 'w').write(str(os.getpid())); time.sleep(600)")
    session = store.session()
    catalog = scan(session.root, session.layout)
    apart.catch_up(session.history, catalog, Bounds(), cancelled=lambda: place.exists() and bool(place.read_text()))
    assert not alive(int(place.read_text()))


PARENT = """
import sys
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import beside
from zsmem_tui.store.history import apart
from zsmem_tui.store.scan import scan
apart.MUCH_FILES = 5
beside.CODE = "import sys; sys.path[:] = sys.argv[2:]" + chr(10) + '''
import os, time
from zsmem_tui.store.history.apart import serve
from zsmem_tui.store.history.history import History
def slow(self, here):
    open(os.path.join(self.home, "pid.new"), "w").write(str(os.getpid()))
    os.rename(os.path.join(self.home, "pid.new"), os.path.join(self.home, "pid"))
    time.sleep(600)
History.catch_up_with = slow
serve()
'''
session = Session(sys.argv[1], "p")
session.history.drain()
list(session.history.latest())
apart.catch_up(session.history, scan(session.root, session.layout), apart.Bounds())
"""


def test_it_ends_with_the_program_that_began_it_even_if_that_is_killed(store: AStore) -> None:
    session = store.session()
    assert not outlives(PARENT, session.root, Path(session.history.home, "pid"))
    look(session)
    all_are_there(session)


def test_a_small_store_takes_no_other_process(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MUCH_FILES", 2_000)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("another process was begun")

    monkeypatch.setattr(subprocess, "Popen", never)
    session = store.session()
    look(session)
    all_are_there(session)
    for _ in range(2):
        store.has("MEMORY.md", store.raw("MEMORY.md") + b"more\n")
        look(session)
    assert len(session.history.versions("MEMORY.md")) == 3
    look(session, size=1)
    assert len(session.history.versions("MEMORY.md")) == 1, "what is out of bounds goes here, too"
