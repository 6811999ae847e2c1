"""On a disk that is full from any moment on, a sentence that nothing was done is so."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.failing import full_disk, no_waiting
from zsmem_tui.core.errors import MemError
from zsmem_tui.service import applying, exporting, file_ops, formats, undoing
from zsmem_tui.service.projects import moving
from zsmem_tui.service.session import Session

MOST = 400
"""Calls after which every one of these is done."""

OTHER = "other-00000000"
A, B = f"projects/{PROJECT}/notes/a.md", f"projects/{PROJECT}/notes/b.md"


def agents_md(session: Session) -> object:
    return applying.apply(exporting.plan(session, formats.of_agent("agents-md"), session.folder))


ACTS: dict[str, Callable[[Session], object]] = {
    "archive": lambda session: applying.apply(moving.archive(session, PROJECT, OTHER)),
    "move": lambda session: applying.apply(moving.move(session, PROJECT, "third-00000000")),
    "merge": lambda session: applying.apply(moving.merge(session, [PROJECT], OTHER)),
    "agents-md": agents_md,
    "rename": lambda session: file_ops.rename(session, session.ref_at(A), "zz"),
    "delete": lambda session: file_ops.delete(session, session.ref_at(A)),
    "overwrite": lambda session: session.mem().write("long_term", "all", "overwrite"),
    "delete a note": lambda session: session.mem().edit("note", "a"),
}


def begun(home: Path) -> tuple[AStore, Session]:
    shutil.rmtree(home, ignore_errors=True)
    store = AStore(home / "memory").has("MEMORY.md", "- one\n- two\n").has("~/notes/a.md", "a\n").has("~/notes/b.md", "b\n")
    store.has(f"projects/{OTHER}/notes/a.md", "else\n")
    (home / "p").mkdir()
    (home / "p/AGENTS.md").write_text("# mine\n")
    session = store.session(profile="zerostack-1.7")
    session.folder = str(home / "p")
    return store, session


def everything(home: Path) -> dict[str, bytes]:
    return AStore(home).tree()


@pytest.mark.draw(3)
@pytest.mark.parametrize("stays", [True, False], ids=["full from then on", "full for a moment"])
@pytest.mark.parametrize("act", ACTS)
def test_that_nothing_was_done_is_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, stays: bool) -> None:
    no_waiting(monkeypatch)
    home = tmp_path / "home"
    for at in range(1, MOST):
        _, session = begun(home)
        before, said = everything(home), ""
        with full_disk(monkeypatch, at, stays=stays) as fault:
            try:
                ACTS[act](session)
            except MemError as error:
                said = error.message
        now = everything(home)
        if re.search(r"[Nn]othing was|was not", said) and not re.search(r"Before that|could not be taken back", said):
            assert now == before, f"{at}: {fault.failed}: {said}"
        if not said:
            assert now != before, f"{at}: {fault.failed}"
        if not fault.failed:
            return
    raise AssertionError("it never came to an end")


def test_what_was_put_away_on_a_full_disk_stays_away_and_comes_back_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    for at in range(1, MOST):
        store, session = begun(home)
        before = store.tree()
        with full_disk(monkeypatch, at) as fault:
            try:
                applying.apply(moving.archive(session, PROJECT))
            except MemError:
                continue
        undoing.undo(store.session())
        assert store.tree() == before, f"{at}: {fault.failed}"
        store.session().history.step()
        if not fault.failed:
            return
