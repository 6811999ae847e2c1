"""What a process that was killed leaves locked in a history is cleared by the next one, and only that."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from dulwich.repo import Repo

from tests import forking
from tests.builders import AStore
from zsmem_tui.service import history
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import processes

LOCKS = ("HEAD.lock", "packed-refs.lock", "refs/heads/main.lock", "refs/zsmem/reviewed.lock", "objects/aa/bb.lock")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = AStore(tmp_path / "memory").has("MEMORY.md", "hunter2secret\n").session()
    writing.save(session.root, "MEMORY.md", b"clean\n", b"hunter2secret\n", recorder=session.recorder())
    session.history.drain()
    return session


def left_in(session: Session, marker: bytes | None) -> list[Path]:
    git = Path(session.history.home, "git")
    places = [git / name for name in (*LOCKS, "objects/pack/tmpx.pack")]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"")
    if marker is not None:
        Path(session.history.home, "at-work").write_bytes(marker)
    return places


@pytest.mark.parametrize("marker", ["dead", "", "nonsense", "this one"])
def test_the_locks_of_a_dead_process_stop_nobody(session: Session, marker: str) -> None:
    found = {"dead": forking.a_dead_process(), "this one": os.getpid()}.get(marker, marker)
    places = left_in(session, str(found).encode())
    assert history.forget(session, "hunter2secret").message == "Forgot it in 1 version and 1 other place where zsmem keeps things."
    assert not any(place.exists() for place in places) and not Path(session.history.home, "at-work").exists()


def test_a_lock_that_nobody_is_known_to_have_left_stays_for_an_hour(session: Session) -> None:
    places = left_in(session, None)
    session.history.drain()
    list(session.history.latest())
    assert all(place.exists() for place in places)
    for place in places:
        os.utime(place, (time.time() - 4_000,) * 2)
    list(session.history.latest())
    assert [place.name for place in places if place.exists()] == ["bb.lock", "tmpx.pack"]


def test_what_a_living_process_holds_on_a_file_system_without_locks_stays(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "owns", lambda pid, made: True)
    places = left_in(session, b"4711")
    list(session.history.latest())
    assert all(place.exists() for place in places)


CHILD = """
import os, sys
from zsmem_tui.service.session import Session
from zsmem_tui.service import history
session = Session(sys.argv[1], "p")
real, left = os.open, [int(sys.argv[2])]
def opened(path, flags, *rest, **named):
    name = str(path if not isinstance(path, bytes) else path.decode())
    if "/git/" in name and (name.endswith(".lock") or ".zsmem-" in name):
        left[0] -= 1
        if left[0] == 0:
            real(path, flags, *rest, **named)
            os.kill(os.getpid(), 9)
    return real(path, flags, *rest, **named)
os.open = opened
history.forget(session, "hunter2secret")
"""


@pytest.mark.parametrize("moment", [1, 2, 4, 6, 8])
def test_forget_works_after_one_that_was_killed(session: Session, moment: int) -> None:
    done = forking.python(CHILD, session.root, moment)
    assert done.returncode == -9, done.stderr
    assert history.forget(session, "hunter2secret").message.startswith(("Forgot it in 1", "No version holds it"))
    assert all(b"hunter2secret" not in (session.history.text(each.after) or b"") for each in session.history.latest() if each.path)
    git = Path(session.history.home, "git")
    assert not [name for _, _, names in os.walk(git) for name in names if name.endswith(".lock") or ".zsmem-" in name]


def test_a_file_that_is_still_read_while_it_is_let_go_of_is_no_damage(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def still_read(repo: Repo) -> None:
        raise BufferError("cannot close exported pointers exist")

    monkeypatch.setattr(Repo, "close", still_read)
    assert history.latest(session, 5) and not session.history.problem
