"""How busy a core is with the program standing idle over 34,500 files, with the keyboard and without.

python -m tests.bench.idle            needs `pip install '.[bench]'`
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import ttybench
from tests.bench.first_snapshot import PROJECT, ZSMEM, children
from tests.bench.measure import corpus

SECONDS = 20.0
SETTLED = 0.5
"""Seconds of a core in five of the clock below which no work of the start is left."""

TAKEN_IN = 2.0
"""Seconds after which nothing is left of the focus going or coming, which restyles the screen once."""

QUIET_LOOKS = 4
"""Looks in a row that find nothing at work: between two parts of the start there is a moment of rest."""

LOOKS = 25
"""At whether a process wants a core: one that is between two reads wants none for a moment."""

LOST, CAME_BACK = b"\x1b[O", b"\x1b[I"


def busy(session: ttybench.Session, seconds: float) -> float:
    """Per cent of a core, with the processes that it has begun: one that only waits takes nothing."""
    before, start = session.cpu_seconds(), time.monotonic()
    session.record(seconds, seconds)
    while (left := start + seconds - time.monotonic()) > 0:
        session.record(left, left)
    return 100 * (session.cpu_seconds() - before) / (time.monotonic() - start)


def at_work(pid: int) -> bool:
    """Whether a process that it has begun wants a core: one that gives way may get none for long on a busy machine."""
    for child in children(pid):
        for _ in range(LOOKS):
            try:
                state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                break
            if state in "RD":
                return True
            time.sleep(0.02)
    return False


def main() -> None:
    folder = tempfile.mkdtemp(prefix="zsmem-bench-")
    env = {"ZSMEM_STATE_DIR": os.path.join(folder, "state"), "HOME": folder}
    root = str(corpus("L"))
    subprocess.run([ZSMEM, "--root", root, "history", "--limit", "1"], env=os.environ | env, check=True, stdout=subprocess.DEVNULL)
    session = ttybench.Session([ZSMEM, "--root", root, "--project", PROJECT], env=env)
    try:
        session.record(2.0, 5.0)
        until = time.monotonic() + 600
        quiet = 0
        while quiet < QUIET_LOOKS and time.monotonic() < until:
            is_quiet = not at_work(session.pid) and busy(session, 5.0) <= 100 * SETTLED / 5
            quiet = quiet + 1 if is_quiet else 0
        if time.monotonic() >= until:
            print("work of the start was not over after ten minutes: what follows is not idle")
        for label, keys in (("with the keyboard", b""), ("without it", LOST), ("with it again", CAME_BACK)):
            session.write(keys)
            session.record(TAKEN_IN, TAKEN_IN)
            print(f"idle with 34,500 files, {label}: {busy(session, SECONDS):.2f} % of a core (aim 1.5)", flush=True)
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, Python {sys.version.split()[0]}")
    finally:
        session.close(["ctrl+q"])
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
