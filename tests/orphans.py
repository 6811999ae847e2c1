"""A process that was begun by a program which is then killed: for tests that say that it does not stay."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from zsmem_tui.store.disk.processes import alive

SECONDS = 60


def outlives(code: str, root: str, place: Path) -> bool:
    """Whether the process that writes its number to `place` is still there some time after the one that runs `code` was killed."""
    with subprocess.Popen([sys.executable, "-c", code, root], stderr=subprocess.PIPE) as parent:
        until = time.monotonic() + SECONDS
        while not place.exists() and time.monotonic() < until and parent.poll() is None:
            time.sleep(0.02)
        child = int(place.read_text())
        parent.send_signal(signal.SIGKILL)
    while alive(child) and time.monotonic() < until:
        time.sleep(0.02)
    return alive(child)
