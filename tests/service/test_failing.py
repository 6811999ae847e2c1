"""Import and export on a system that fails at any one call: a sentence is true, and nothing is left half done."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.failing import failing
from zsmem_tui.core.errors import MemError
from zsmem_tui.service import applying, bundles, exporting, formats, importing
from zsmem_tui.service.plan import Applied, Plan, Policy

MOST = 2400
"""Calls after which every one of these is done."""

EVERY = pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 7])
"""At each call, or at some of them."""


def memory(root: Path) -> dict[str, bytes]:
    """What is there, apart from what the write path keeps hidden because it could not be read."""
    return {path: raw for path, raw in AStore(root).tree().items() if not path.rpartition("/")[2].startswith(".")}


def at_every_call(
    monkeypatch: pytest.MonkeyPatch,
    begin: Callable[[], object],
    act: Callable[[], object],
    check: Callable[[str, str], None],
    code: int,
    step: int,
) -> None:
    """Do `act` with a failure at each call in turn, each time after `begin`; `check` gets the sentence (if any) and the call."""
    for at in range(1, MOST, step):
        begin()
        said = ""
        with failing(monkeypatch, at, code) as fault:
            try:
                act()
            except MemError as error:
                said = error.message
        check(said, f"{at}: {fault.failed}: {said}")
        if not fault.failed:
            return
    raise AssertionError("it never came to an end")


@pytest.fixture
def source(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "theirs").has("MEMORY.md", "fact\n").has("~/notes/a.md", "theirs\n").has("~/notes/b.md", "b\n")


@EVERY
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_bundle_comes_in_whole_or_not_at_all(
    tmp_path: Path, source: AStore, monkeypatch: pytest.MonkeyPatch, code: int, step: int
) -> None:
    place = tmp_path / "a.tar.gz"
    bundles.export_to(source.session(), str(place))
    root = tmp_path / "mine"
    state: list[Plan] = []

    def begin() -> None:
        shutil.rmtree(root, ignore_errors=True)
        session = AStore(root).has("~/notes/a.md", "mine\n").session()
        state[:] = [bundles.plan(session, str(place), policy=Policy.REPLACE)]

    def check(said: str, why: str) -> None:
        now = memory(root)
        assert not [name for name in os.listdir(root) if name.startswith(".zsmem")], why
        if not said:
            assert now == source.tree(), why
        elif "could not be taken back" not in said:
            assert now == {f"projects/{source.project}/notes/a.md": b"mine\n"}, why
            assert "Nothing was" in said, why
            assert sorted(os.listdir(root)) == ["projects"], why

    at_every_call(monkeypatch, begin, lambda: applying.apply(state[0]), check, code, step)


@EVERY
def test_a_bundle_is_planned_or_it_is_said_why_not(
    tmp_path: Path, source: AStore, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    place = tmp_path / "a.tar.gz"
    bundles.export_to(source.session(), str(place))
    session = AStore(tmp_path / "mine").has("~/notes/a.md", "mine\n").session()
    at_every_call(monkeypatch, lambda: None, lambda: bundles.plan(session, str(place)), lambda said, why: None, errno.EIO, step)


@EVERY
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("format", ["markdown", "claude-code"])
def test_an_export_is_whole_or_nothing(
    tmp_path: Path, source: AStore, monkeypatch: pytest.MonkeyPatch, code: int, format: str, step: int
) -> None:
    root = tmp_path / "out"
    before = {"MEMORY.md": b"# Memory Index\n\n- mine\n"}

    def begin() -> None:
        shutil.rmtree(root, ignore_errors=True)
        AStore(root).has("MEMORY.md", before["MEMORY.md"])

    def check(said: str, why: str) -> None:
        now = {path: raw for path, raw in memory(root).items() if path != "MEMORY.bak"}
        if "could not be taken back" not in said:
            assert (now == before) is bool(said), why

    at_every_call(
        monkeypatch,
        begin,
        lambda: applying.apply(exporting.plan(source.session(), formats.of_agent(format), str(root))),
        check,
        code,
        step,
    )


@EVERY
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_bundle_goes_out_whole_or_not_at_all(
    tmp_path: Path, source: AStore, monkeypatch: pytest.MonkeyPatch, code: int, step: int
) -> None:
    folder = tmp_path / "out"
    place = folder / "a.tar.gz"
    older = tmp_path / "older.tar.gz"
    bundles.export_to(AStore(tmp_path / "other").has("MEMORY.md", "x").session(), str(older))

    def begin() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(older, place)

    def check(said: str, why: str) -> None:
        assert (place.read_bytes() == older.read_bytes()) is bool(said), why
        assert os.listdir(folder) == ["a.tar.gz"] if said else len(os.listdir(folder)) == 2, why

    at_every_call(monkeypatch, begin, lambda: bundles.export_to(source.session(), str(place)), check, code, step)


@EVERY
def test_an_import_says_what_landed(tmp_path: Path, source: AStore, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    root = tmp_path / "mine"
    state: list[Plan] = []
    done: list[Applied] = []

    def begin() -> None:
        shutil.rmtree(root, ignore_errors=True)
        session = AStore(root).session()
        state[:] = [importing.plan(session, formats.of_agent("zerostack"), str(source.root), policy=Policy.REPLACE)]
        done.clear()

    def check(said: str, why: str) -> None:
        written = {edit.ref.path for edit in done[0].plan.changes} if done else set()
        assert written == memory(root).keys() and ("Nothing was written" not in said or not written), why

    at_every_call(monkeypatch, begin, lambda: done.append(applying.apply(state[0])), check, errno.EIO, step)
