"""The first snapshot of 34,500 files: against `git add` of the same tree, and what the program feels of it.

    python -m tests.bench.first_snapshot            needs `git` and `pip install '.[bench]'`

Seconds are those of a core, in one run; keys are timed from outside through a terminal, in turn with the snapshot at work and done.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.bench import ttybench
from tests.bench.measure import corpus, row
from zsmem_tui.service.session import Session
from zsmem_tui.store.scan import scan

ZSMEM = str(Path(sys.executable).parent / "zsmem")
PROJECT = "proj000-00000000"
HERE = "import sys; from tests.bench.first_snapshot import record; record(*sys.argv[1:])"


def record(root: str, home: str) -> None:
    """What is measured: one first look."""
    session = Session(root, PROJECT, history_home=home)
    session.history.catch_up(scan(session.root, session.layout))


def cpu(*command: str, cwd: str | None = None) -> tuple[float, float]:
    """Seconds of a core that a command takes, and the most memory that it held, in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, held(process.pid, "VmHWM"))
        time.sleep(0.05)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


def held(pid: int, name: str = "VmRSS") -> float:
    """Megabytes that a process holds."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), 0.0)


def against_git(root: str, folder: str) -> None:
    tree = os.path.join(folder, "tree")
    shutil.copytree(root, tree)
    subprocess.run(["git", "init", "-q", folder], check=True)
    theirs, their_peak = cpu("git", "add", "tree", cwd=folder)
    ours, peak = cpu(sys.executable, "-c", HERE, root, os.path.join(folder, "history"))
    row("first snapshot, against git add", ours, theirs, 3.0, "s")
    print(f"most memory while at it: {peak:.0f} MB in a process of its own, git {their_peak:.0f} MB; load {os.getloadavg()[0]:.1f}")


def children(pid: int) -> list[int]:
    try:
        found = [place.read_text().split() for place in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [int(each) for words in found for each in words]


def pressed(session: ttybench.Session) -> list[float]:
    """Milliseconds from a key to its paint, a few in a row."""
    paints = [session.measure(partial(session.write, key), quiet=0.05) for key in (b"j", b"k") * 4]
    return [paint.painted for paint in paints if paint.painted is not None]


class Felt(NamedTuple):
    """Keys while another process was at work and after, milliseconds; memory held before, at most, and after, in MB."""

    during: list[float]
    after: list[float]
    memory: tuple[float, float, float]
    seconds: float


def in_the_program(root: str, folder: str) -> Felt:
    env = {"ZSMEM_STATE_DIR": os.path.join(folder, "state"), "HOME": folder}
    session = ttybench.Session([ZSMEM, "--root", root, "--project", PROJECT], env=env)
    during: list[float] = []
    before = peak = 0.0
    try:
        session.record(1.0, 5.0)
        session.write(b"l")
        until = time.monotonic() + 300
        while not children(session.pid) and time.monotonic() < until:
            before = held(session.pid)
            session.record(0.02, 0.05, first=0.05)
        start = time.monotonic()
        while children(session.pid) and time.monotonic() < until:
            during += pressed(session)
            peak = max(peak, held(session.pid))
        took = time.monotonic() - start
        session.record(2.0, 4.0)
        after = [each for _ in range(5) for each in pressed(session)]
        session.record(3.0, 10.0)
        return Felt(during, after, (before, peak, held(session.pid)), took)
    finally:
        session.close(["ctrl+q"])


def main() -> None:
    root = str(corpus("L"))
    folder = tempfile.mkdtemp(prefix="zsmem-bench-")
    try:
        against_git(root, folder)
        first, again = in_the_program(root, folder), in_the_program(root, folder)
    finally:
        shutil.rmtree(folder)
    row("key to paint during it, against after", statistics.median(first.during), statistics.median(first.after), 1.3)
    print(
        f"slowest key {max(first.during):.0f} ms of {len(first.during)} in {first.seconds:.0f} s, {max(first.after):.0f} ms after"
    )
    row("memory after it, against a start where all is recorded", first.memory[2], again.memory[2], 1.2, "MB")
    print(f"at most {first.memory[1]:.0f} MB while at it; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
