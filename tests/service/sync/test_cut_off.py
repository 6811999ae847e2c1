"""A run that ends half-way, at any step: the next one loses nothing, sends nothing twice and takes nothing back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.failing import full_disk, no_waiting
from tests.service.sync.machines import Machine, in_branch
from zsmem_tui.core.errors import Conflict, MemError, WriteFailed
from zsmem_tui.service import applying
from zsmem_tui.service.sync import running
from zsmem_tui.store.sync import branch, remembered
from zsmem_tui.store.sync.branch import Branch
from zsmem_tui.store.sync.remote import GitProgram

BASE = "# Memory\n\n- one\n- two\n- three\n"
STEPS = ((remembered, "save"), (Branch, "point"), (GitProgram, "push"), (applying, "apply"))


class Killed(BaseException):
    """The program ends here."""


class World:
    """Two machines that had the same once, and changed much since; the laptop is about to sync."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.kept = folder / "world", folder / "kept"
        folder = self.folder
        self.remote = folder / "remote.git"
        self.a = Machine(folder, "laptop", patch).has("MEMORY.md", BASE).set_up(self.remote)
        self.b = Machine(folder, "desktop", patch).set_up(self.remote)
        for name in ("gone here", "gone there", "changed"):
            self.a.has(f"{name}.md", f"{name}\nmore\n", root=self.a.notes)
        self.a.sync()
        self.b.sync()
        (self.b.notes / "gone there.md").unlink()
        self.b.has("MEMORY.md", f"{BASE}- of b\n").has("both.md", "b wrote this\n", root=self.b.notes)
        self.b.has("blocked.md", "no place at a\n", root=self.b.notes).has("changed.md", "changed\nmore\nb\n", root=self.b.notes)
        self.b.sync()
        (self.a.notes / "gone here.md").unlink()
        self.a.has("MEMORY.md", BASE.replace("- one", "- of a\n- one")).has("both.md", "a wrote that\n", root=self.a.notes)
        (self.a.notes / "blocked.md").mkdir()
        shutil.copytree(self.folder, self.kept, symlinks=True)

    def begin(self, patch: pytest.MonkeyPatch) -> None:
        """Be as it was, where nobody waits."""
        os.chdir("/")
        shutil.rmtree(self.folder)
        shutil.copytree(self.kept, self.folder, symlinks=True)
        self.patch = self.a.patch = self.b.patch = patch
        no_waiting(patch)
        self.a.wake()

    def cut_off(self, at: int, *, is_late: bool, after: bool) -> bool:
        """Let a run of the laptop end at the `at`-th step, before or after that is done; False where it has fewer."""
        left = [at]
        with self.patch.context() as patch:
            for place, name in STEPS:
                patch.setattr(place, name, self._counted(getattr(place, name), left, after))
            if is_late:
                patch.setattr(GitProgram, "push", rejected_once(GitProgram.push))
            try:
                self.a.sync()
            except Killed:
                return True
        return False

    def _counted(self, real: Callable[..., Any], left: list[int], after: bool) -> Callable[..., Any]:
        def call(*words: Any, **named: Any) -> Any:
            left[0] -= 1
            if not left[0] and not after:
                raise Killed
            done = real(*words, **named)
            if not left[0]:
                raise Killed
            return done

        return call

    def check(self) -> None:
        """Both end with the same, everything once."""
        self.a.sync()
        self.b.sync()
        (self.a.notes / "blocked.md").rmdir()
        self.a.sync()
        assert self.a.sync().changed == self.b.sync().changed == 0
        one, other = ({each.name: each.read_text() for each in machine.notes.iterdir()} for machine in (self.a, self.b))
        assert one == other
        assert self.a.tree() == self.b.tree() == {"MEMORY.md": b"# Memory\n\n- of a\n- one\n- two\n- three\n- of b\n"}
        assert sorted(one) == ["blocked.md", "both-2.md", "both.md", "changed.md"]
        assert {one["both.md"], one["both-2.md"]} == {"a wrote that\n", "b wrote this\n"}
        assert one["changed.md"] == "changed\nmore\nb\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    with pytest.MonkeyPatch.context() as patch:
        return World(tmp_path_factory.mktemp("sync"), patch)


@pytest.fixture
def world(made: World, monkeypatch: pytest.MonkeyPatch) -> World:
    made.begin(monkeypatch)
    return made


def rejected_once(real: Callable[..., Any]) -> Callable[..., Any]:
    """A push of which the first is refused, because somebody else was first."""
    count = [0]

    def push(*words: Any, **named: Any) -> bool:
        count[0] += 1
        return count[0] > 1 and bool(real(*words, **named))

    return push


@pytest.mark.parametrize(("at", "is_late", "after"), [(2, False, False), (2, False, True), (6, True, True)])
def test_a_run_that_ends_before_or_after_writing_here_or_after_sending(world: World, at: int, is_late: bool, after: bool) -> None:
    assert world.cut_off(at, is_late=is_late, after=after)
    world.check()


def test_what_was_taken_back_after_a_kill_comes_again(world: World) -> None:
    before = world.a.read("MEMORY.md")
    assert world.cut_off(2, is_late=False, after=True)
    assert world.a.read("MEMORY.md").endswith("- of b\n")
    world.a.has("MEMORY.md", before + "- later\n").sync()
    assert {"- of b", "- later"} < set(world.a.read("MEMORY.md").split("\n"))
    assert "- of b" in in_branch(world.remote)["zerostack/global/MEMORY.md"]


def filled(world: World, at: int, *, stays: bool) -> bool:
    """Let a run of the laptop find no room from the `at`-th call that needs some on; False where it needs less."""
    with full_disk(world.patch, at, stays=stays) as fault:
        try:
            world.a.sync()
        except MemError as error:
            assert "memory is saved" not in error.message and ".." not in error.message
    world.check()
    return bool(fault.failed)


@pytest.mark.parametrize("at", [1, 9, 30])
def test_a_disk_that_is_full_loses_nothing(world: World, at: int) -> None:
    assert filled(world, at, stays=True)


@pytest.mark.slow
@pytest.mark.parametrize("stays", [True, False])
def test_a_disk_that_is_full_at_any_call_loses_nothing(world: World, monkeypatch: pytest.MonkeyPatch, stays: bool) -> None:
    at = 1
    while filled(world, at, stays=stays):
        world.begin(monkeypatch)
        at += 3
    assert at > 30


def test_a_disk_that_is_full_when_it_is_set_up_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, remote = Machine(tmp_path, "a", monkeypatch).wake(), tmp_path / "remote.git"
    machine.has("MEMORY.md", BASE)
    for at in range(1, 100):
        with full_disk(monkeypatch, at, stays=True) as fault:
            try:
                machine.set_up(remote)
            except MemError as error:
                assert "No space left" in error.message
        if not fault.failed:
            break
    machine.set_up(remote).sync()
    assert in_branch(remote)


def test_a_lock_that_a_killed_run_left_stops_nothing(world: World) -> None:
    for name in ("base", "there"):
        lock = Path(branch.home(), f"refs/zsmem/{name}.lock")
        lock.touch()
        os.utime(lock, (1, 1))
    world.check()


@pytest.mark.slow
@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("after", [False, True])
def test_a_run_that_ends_at_any_step(world: World, monkeypatch: pytest.MonkeyPatch, is_late: bool, after: bool) -> None:
    at = 0
    is_cut = True
    while is_cut:
        at += 1
        world.begin(monkeypatch)
        is_cut = world.cut_off(at, is_late=is_late, after=after)
        try:
            world.check()
        except AssertionError as error:
            raise AssertionError(f"cut off at step {at}, {is_late=}, {after=}") from error
    assert at > 4


@pytest.mark.parametrize("error", [Conflict("x"), WriteFailed("x", "The disk is full.")])
def test_what_came_too_late_and_could_not_be_written_here_comes_with_the_next_run(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Conflict | WriteFailed
) -> None:
    count = [0]
    real = applying.apply

    def apply(*words: Any, **named: Any) -> Any:
        count[0] += 1
        if count[0] < 3:
            raise Conflict("x") if count[0] == 1 else error  # somebody wrote meanwhile: too late; then it is sent first
        return real(*words, **named)

    with monkeypatch.context() as patch:
        patch.setattr(applying, "apply", apply)
        if isinstance(error, WriteFailed):
            with pytest.raises(WriteFailed):
                world.a.sync()
        else:
            world.a.sync()
    assert "a wrote that\n" in in_branch(world.remote).values()
    world.check()


def test_a_run_that_is_always_too_late_waits_longer_each_time_and_gives_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    waits, tries = list[float](), list[str]()

    def push(_: GitProgram, commit: str, expected: str) -> bool:
        tries.append(commit)
        return False

    def uniform(low: float, high: float) -> float:
        waits.append(high)
        return low

    with monkeypatch.context() as patch:
        patch.setattr(GitProgram, "push", push)
        patch.setattr("random.uniform", uniform)
        with pytest.raises(Conflict, match="Nothing was sent"):
            world.a.sync()
    assert len(tries) == running.TRIES == len(waits) + 1
    assert all(longer > shorter for shorter, longer in pairwise(waits))
    assert not any("a wrote" in text for text in in_branch(world.remote).values())
    assert world.a.read("MEMORY.md").endswith("- of b\n"), "what others wrote is here"
    world.check()
