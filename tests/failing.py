"""A system that fails at one call: for tests that say what must hold whichever call that is."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from zsmem_tui.store.disk import swap

CALLS = ("open", "write", "read", "fsync", "replace", "rename", "unlink", "link", "mkdir", "rmdir", "chmod", "fchmod", "utime")


class Fault:
    """Counts the calls and fails at one of them, once or from then on."""

    def __init__(self, at: int, code: int, *, stays: bool) -> None:
        self.at = at
        self.code = code
        self.stays = stays
        self.count = 0
        self.failed = ""

    def look(self, name: str) -> None:
        self.count += 1
        if self.count == self.at or (self.stays and self.count > self.at):
            self.failed = self.failed or name
            raise OSError(self.code, os.strerror(self.code))


def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sleeps wakes at once, and as much later; who waits for another program so lets it run meanwhile."""
    real, nap, slept = time.monotonic, time.sleep, [0.0]

    def sleep(seconds: float) -> None:
        slept[0] += seconds
        nap(min(seconds, 0.0001))

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: real() + slept[0])


@contextmanager
def no_permission(monkeypatch: pytest.MonkeyPatch, place: Path) -> Iterator[None]:
    """Nobody may look into this folder, whoever runs the test; its own stat values change with that, as those of `chmod` do."""

    def refused(path: object, *, itself: bool) -> bool:
        within = str(path).startswith(f"{place}/") or (itself and str(path) == str(place))
        return within if isinstance(path, str | Path) else False

    with monkeypatch.context() as patch:
        for name in ("listdir", "scandir", "stat", "lstat", "open", "access"):
            real, itself = getattr(os, name), name in ("listdir", "scandir", "access")

            def call(path: Any, *words: Any, _real: Any = real, _name: str = name, _itself: bool = itself, **named: Any) -> Any:
                if not refused(path, itself=_itself):
                    return _real(path, *words, **named)
                if _name == "access":
                    return False
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

            patch.setattr(os, name, call)
        place.chmod(place.stat().st_mode)
        yield
    place.chmod(place.stat().st_mode)


@contextmanager
def failing(
    monkeypatch: pytest.MonkeyPatch, at: int, code: int = errno.EIO, *, stays: bool = False, calls: Iterable[str] = CALLS
) -> Iterator[Fault]:
    """Let the `at`-th call (from 1) of those that touch files fail; with `stays`, every one that writes after it too."""
    fault = Fault(at, code, stays=stays)
    with monkeypatch.context() as patch:
        for module, name in [(os, name) for name in calls] + [(swap, "exchange"), (swap, "move_to_free_name")]:
            real = getattr(module, name)

            def call(*words: object, _real: object = real, _name: str = name, **named: object) -> object:
                fault.look(_name)
                return _real(*words, **named)  # type: ignore[operator]

            patch.setattr(module, name, call)
        yield fault


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch, at: int, *, stays: bool = True) -> Iterator[Fault]:
    """From the `at`-th call on that needs room, there is none; what needs none goes on. Without `stays`, only at that one."""
    fault = Fault(at, errno.ENOSPC, stays=stays)
    with monkeypatch.context() as patch:
        for name in ("open", "write", "fsync", "mkdir", "link"):
            real = getattr(os, name)

            def call(*words: Any, _real: Callable[..., object] = real, _name: str = name, **named: object) -> object:
                if _name != "open" or (len(words) > 1 and words[1] & os.O_CREAT):
                    fault.look(_name)
                return _real(*words, **named)

            patch.setattr(os, name, call)
        yield fault
