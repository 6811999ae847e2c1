"""Every verb over several files is whole or gone whichever call the system fails at, and what it says of that is so."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.failing import Fault, failing, full_disk, no_waiting
from tests.service.test_killed import CHANGING, KINDS, Home, Kind
from zsmem_tui.core.errors import MemError
from zsmem_tui.service import undoing

Failing = Callable[[pytest.MonkeyPatch, int], AbstractContextManager[Fault]]

FAILING: dict[str, Failing] = {
    "EIO": lambda patch, at: failing(patch, at, errno.EIO, calls=CHANGING),
    "ENOSPC once": lambda patch, at: full_disk(patch, at, stays=False),
    "ENOSPC": lambda patch, at: full_disk(patch, at),
    "EIO of any call": lambda patch, at: failing(patch, at, errno.EIO),
}
WRITING = [how for how in FAILING if how != "EIO of any call"]
UNREAD = list(zip(("export markdown", "export claude-code", "bundle in", "bundle out"), itertools.repeat("EIO of any call")))
"""An export leaves out what cannot be read."""

BEYOND = 10**6
"""A call that no verb comes to."""


def begun(place: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind) -> Home:
    shutil.rmtree(place, ignore_errors=True)
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(place / "state"))
    home = Home(place)
    home.fill()
    kind.before(home)
    return home


def check(place: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str, moments: int) -> None:
    no_waiting(monkeypatch)
    kind = KINDS[name]
    home = begun(place, monkeypatch, kind)
    before = home.state()
    with FAILING[how](monkeypatch, BEYOND) as fault:
        kind.act(home)
    after, count = home.state(), fault.count
    assert before != after and count > 8
    step = max(count // moments, 1) if moments else 1
    for at in range(1, count + 1, step):
        home, said = begun(place, monkeypatch, kind), ""
        with FAILING[how](monkeypatch, at) as fault:
            try:
                kind.act(home)
            except MemError as error:
                said = error.message
        now, why = home.state(), f"{name}, {how} at {at} of {count}, {fault.failed}: {said}"
        if not said and how not in WRITING:
            assert now != before, why
            continue
        if not said:
            assert now == after, f"{why}: {sorted(set(now.items()) ^ set(after.items()))}"
        elif re.search(r"[Nn]othing was|was not", said) and not re.search(r"Before that|could not be", said):
            assert now == before, f"{why}: {sorted(set(now.items()) ^ set(before.items()))}"
        home.start()
        assert home.state() in (before, after), why
        if home.state() == before:
            for lock in place.rglob("*.lock"):  # of git, that could not be removed: after a while it counts as left
                os.utime(lock, (1, 1))
            kind.act(home)
            assert home.state() == after, f"{why}: it cannot be done again"


@pytest.mark.draw(4)
@pytest.mark.parametrize(("name", "how"), [*zip(KINDS, itertools.cycle(WRITING)), *UNREAD])
def test_a_verb_that_fails_is_whole_or_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str) -> None:
    check(tmp_path / "here", monkeypatch, name, how, 4)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "how"), [*itertools.product(KINDS, WRITING), *UNREAD])
def test_a_verb_that_fails_at_any_call_is_whole_or_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    check(tmp_path / "here", monkeypatch, name, how, 0)


def test_what_was_put_away_on_a_full_disk_stays_away_and_comes_back_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)
    for at in range(1, 400):
        home = begun(tmp_path / "here", monkeypatch, KINDS["project archive"])
        before = home.state()
        with FAILING["ENOSPC"](monkeypatch, at) as fault:
            try:
                KINDS["project archive"].act(home)
            except MemError:
                assert not [*Path(os.environ["ZSMEM_STATE_DIR"]).rglob("*.tar.gz")], f"{at}: {fault.failed}"
                continue
        undoing.undo(home.session())
        assert home.state() == before, f"{at}: {fault.failed}"
        if not fault.failed:
            return
    raise AssertionError("it never came to an end")
