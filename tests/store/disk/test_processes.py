"""Which process is alive, and whether it can be the one that made a file."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from tests import forking
from zsmem_tui.store.disk import processes


def test_this_process_is_alive_and_neither_one_that_ended_nor_a_number_that_none_has() -> None:
    assert processes.alive(os.getpid()) and not any(map(processes.alive, (forking.a_dead_process(), 0, -1, 2**80)))


@pytest.mark.parametrize(("error", "expected"), [(PermissionError(1, "no"), True), (ProcessLookupError(3, "gone"), False)])
def test_a_process_of_somebody_else_is_alive(monkeypatch: pytest.MonkeyPatch, error: OSError, expected: bool) -> None:
    def refuse(pid: int, signal: int) -> None:
        assert signal == 0, "one that ends nobody"
        raise error

    monkeypatch.setattr(os, "kill", refuse)
    assert processes.alive(4711) is expected


def test_a_process_that_began_after_a_file_was_made_did_not_make_it() -> None:
    assert processes.owns(os.getpid(), time.time_ns())
    assert not processes.owns(forking.a_dead_process(), time.time_ns())
    if os.path.exists("/proc/self/stat"):
        with subprocess.Popen("cat", stdin=subprocess.PIPE) as young:
            assert not processes.owns(young.pid, time.time_ns() - 60 * 10**9) and processes.owns(young.pid, time.time_ns())


def test_a_name_of_another_kind_is_of_no_living_process() -> None:
    assert processes.is_of_living(processes.unique_name()) and processes.is_of_living(f"{time.time_ns()}-{os.getpid()}")
    assert not any(map(processes.is_of_living, ("", "1", f"x-{os.getpid()}", f"{time.time_ns()}-x", f"-{os.getpid()}")))


def test_where_the_system_does_not_tell_when_a_process_began_it_may_own_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_begun", lambda pid: None)
    assert processes.owns(os.getpid(), 0)
