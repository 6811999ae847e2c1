"""The doctor's first look at a large store finds the same, whoever works on it."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import pytest

import zsmem_tui.demo
from tests.builders import AStore
from tests.orphans import outlives
from zsmem_tui.config.model import Config
from zsmem_tui.core.search import Cancelled
from zsmem_tui.service import doctor_sharing
from zsmem_tui.service.doctor import Diagnosis, Doctor
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.disk import beside
from zsmem_tui.store.disk.processes import alive

TODAY = date(2026, 5, 25)
DEMO = Path(zsmem_tui.demo.__path__[0], "store")
KEY = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", "- Backups start at 01:00 in Paris\n- The lift is serviced in March.\n" * 2)
    for at in range(12):
        home = f"projects/p{at}-00000000"
        made.has(f"{home}/SCRATCHPAD.md", f"+ [ ] task {at}\n")
        made.has(f"{home}/notes/n.md", f"- Backups start at 0{at % 9}:00 in Paris\n- See [it](gone.md) and [[other]].\n```\nopen\n")
        made.has(
            f"{home}/notes/two\n\udcff.md", "- We service the lift in March\n- Backups in Paris always start by hand\n" * (at + 1)
        )
        made.has(f"{home}/daily/2026-05-25.md", f"key {KEY}\n" if at % 3 else b"\xff\n")
    made.at("projects/p3-00000000/notes/loop.md").symlink_to("loop.md")
    made.at("projects/p4-00000000/notes/folder.md").mkdir()
    return made


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_sharing, "MUCH", 1)
    monkeypatch.setattr(doctor_sharing, "_LEAST_SHARE", 600)
    monkeypatch.setattr(beside, "cores", lambda: 2)


@pytest.fixture
def left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """This thread takes no share until all the others have done what they can."""
    real = doctor_sharing._Party._next
    is_main = threading.main_thread().ident
    monkeypatch.setattr(doctor_sharing, "_PATIENCE", 60)
    monkeypatch.setattr(doctor_sharing._Party, "_next", lambda own: None if threading.get_ident() == is_main else real(own))


def alone(session: Session) -> Diagnosis:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beside, "cores", lambda: 1)
        patch.setattr(subprocess, "Popen", never)
        return Doctor(session).examine(None, TODAY)


def never(*_: object, **__: object) -> None:
    raise AssertionError("another process was begun, or this one did it itself")


@pytest.mark.usefixtures("shares", "left_to_others")
def test_what_another_process_finds_is_what_this_one_finds(store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claude = tmp_path / "claude"
    for at in range(3):
        memory = claude / "projects" / f"-work-p{at}" / "memory"
        memory.mkdir(parents=True)
        memory.joinpath("MEMORY.md").write_text("- [one](one.md)\n- [two](gone.md)\n")
        memory.joinpath("one.md").write_text(f"---\nname: first\n---\n- See [[first]] and [[none]].\n- Port is 543{at}\n" * 9)
    demo = Session(str(DEMO), "p", history_home=str(tmp_path / "history"))
    other = open_store(Config(), f"claude-code:{claude}", cwd="/work/p1", needs_group=False)
    for session in (store.session(), demo, other):
        expected = alone(session)
        with monkeypatch.context() as patch:
            patch.setattr(doctor_sharing, "told", never)
            physician = Doctor(session)
            assert physician.examine(None, TODAY) == expected and expected.faults
            patch.setattr(doctor_sharing, "shared_look", never)
            assert physician.examine(None, TODAY) == expected


DIES = "import os, signal; os.kill(os.getpid(), 9)"
STARTS_AND_DIES = "import os; os.read(0, 9); os.write(1, bytes(7) + b'\\1-'); os.read(0, 9); os.write(1, bytes(7) + b'\\9tor')"
SAYS_NOTHING = "import time; time.sleep(600)"
SAYS_TOO_MUCH = "import os; os.write(1, b'\\xff' * 100)"


@pytest.mark.usefixtures("shares")
@pytest.mark.parametrize("code", [DIES, STARTS_AND_DIES, SAYS_NOTHING, SAYS_TOO_MUCH])
def test_what_no_other_process_tells_is_done_here(store: AStore, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    begun: list[int] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **rest: object) -> None:
            super().__init__(command, **rest)  # type: ignore[call-overload]
            begun.append(self.pid)

    expected = alone(store.session())
    monkeypatch.setattr(beside, "CODE", code)
    monkeypatch.setattr(subprocess, "Popen", Noted)
    assert Doctor(store.session()).examine(None, TODAY) == expected
    assert len(begun) == 1 and not alive(begun[0])


@pytest.mark.usefixtures("shares")
def test_without_another_process_everything_is_done_here(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = alone(store.session())
    monkeypatch.setattr(sys, "executable", "")
    assert Doctor(store.session()).examine(None, TODAY) == expected
    monkeypatch.setattr(sys, "executable", "/dev/null/python")
    assert Doctor(store.session()).examine(None, TODAY) == expected
    monkeypatch.setattr(doctor_sharing, "MUCH", 1 << 20)
    monkeypatch.setattr(subprocess, "Popen", never)
    assert Doctor(store.session()).examine(None, TODAY) == expected  # little text


@pytest.mark.usefixtures("shares", "left_to_others")
def test_a_file_that_changes_while_others_look_is_read_again(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = doctor_sharing.shared_look

    def changed(*args: object, **rest: object) -> object:
        found = real(*args, **rest)  # type: ignore[arg-type]
        store.has("projects/p1-00000000/notes/n.md", "- Backups start at 05:00 in Paris, in the night\n")
        store.at("projects/p2-00000000/notes/n.md").unlink(missing_ok=True)
        return found

    monkeypatch.setattr("zsmem_tui.service.doctor.shared_look", changed)
    physician = Doctor(store.session())
    physician.examine(None, TODAY)
    assert physician.examine(None, TODAY) == alone(store.session())


PARENT = """
import sys
from zsmem_tui.service import doctor, doctor_sharing, session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.disk import beside
doctor_sharing.MUCH, doctor_sharing._PATIENCE, beside.cores = 1, 600, lambda: 2
doctor_sharing._Party._work = lambda self: __import__("time").sleep(600)
beside.CODE = '''
import os, sys; sys.path[:] = sys.argv[2:]
from zsmem_tui.service import doctor_sharing
def slow(*_):
    open({place!r} + ".new", "w").write(str(os.getpid()))
    os.rename({place!r} + ".new", {place!r})
    while True: pass
doctor_sharing.told = slow
doctor_sharing.serve()
'''
doctor.Doctor(session.Session(sys.argv[1], "p")).examine(None)
"""


def test_it_ends_with_the_program_that_began_it_even_if_that_is_killed(store: AStore, tmp_path: Path) -> None:
    place = tmp_path / "pid"
    code = PARENT.replace("{place!r}", repr(str(place)))
    assert not outlives(code, str(store.root), place)


@pytest.mark.parametrize("answers", [0, 3])
def test_a_shared_look_stops_when_nobody_waits_for_it(store: AStore, shares: None, answers: int) -> None:
    asked: list[bool] = []

    def cancelled() -> bool:
        asked.append(True)
        return len(asked) > answers

    with pytest.raises(Cancelled):
        Doctor(store.session()).examine(cancelled=cancelled)
    assert len(asked) == answers + 1


def test_a_shared_look_that_is_stopped_keeps_what_was_read(store: AStore, shares: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "Helper", no_process)
    doctor, looks = Doctor(store.session()), iter(range(5))
    with pytest.raises(Cancelled):
        doctor.examine(cancelled=lambda: next(looks, None) is None)
    known = dict(doctor._files)
    assert len(known) > 3
    assert doctor.examine() == Doctor(store.session()).examine()
    assert all(doctor._files[path] is kept for path, kept in known.items())


def no_process(*_: object) -> None:
    raise OSError("no more processes")
