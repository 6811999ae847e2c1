"""How long naming 500 memories among 50,000 folders takes, what it holds, and how fast the next start reads what was found.

    python -m tests.bench.projects

Of the folders, 400 belong to a memory; 60 memories are of folders that are gone, 40 of none that can be found.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

from zsmem_tui.core.names import project_slug
from zsmem_tui.service.projects.known import known_projects
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register

FOLDERS = 29_400
"""With the folders in and above them, these make 50,000."""
SLUGS = 500
TICK = 0.005
"""Seconds between two looks at the clock of the thread that stands for the keys."""


def resident() -> int:
    """Bytes that the process holds."""
    with open("/proc/self/statm", "rb") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def make(home: Path, root: Path) -> None:
    """The folders, and the memories."""
    places = []
    for number in range(FOLDERS):
        place = home / f"area-{number % 40}" / f"group-{number // 40 % 25}" / f"project-{number}"
        if number % 3:
            place = place / "src"
        place.mkdir(parents=True)
        (place / "README.md").touch()
        places.append(place)
    step = FOLDERS // (SLUGS - 100)
    wanted = [str(places[at * step]) for at in range(SLUGS - 100)]
    for folder in wanted:
        for name in range(30):
            (Path(folder) / f"file-{name}.txt").touch()
    for at in range(0, len(wanted), 10):
        (Path(wanted[at]) / ".git").mkdir()
    wanted += [f"{home}/area-1/gone-{number}" for number in range(60)] + [f"/nowhere/at all/{number}" for number in range(40)]
    for folder in wanted:
        pad = root / "projects" / project_slug(folder) / "SCRATCHPAD.md"
        pad.parent.mkdir(parents=True)
        pad.write_text("- [ ] x\n")


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, root = Path(folder, "home"), Path(folder, "store")
        os.environ |= {"HOME": str(home), "ZSMEM_STATE_DIR": f"{folder}/state"}
        make(home, root)
        session = Session(str(root), "nobody-00000000")
        waits: list[float] = []
        ended = threading.Event()

        def keys() -> None:
            while not ended.is_set():
                before = time.perf_counter()
                time.sleep(TICK)
                waits.append(time.perf_counter() - before - TICK)

        other = threading.Thread(target=keys)
        other.start()
        held, peak = resident(), 0

        def look(_: object) -> None:
            nonlocal peak
            peak = max(peak, resident())

        before, busy = time.perf_counter(), time.process_time()
        done = name_projects(session, progress=look)
        seconds, used = time.perf_counter() - before, time.process_time() - busy
        ended.set()
        other.join()
        look(None)
        waits.sort()
        print(
            f"{done.folders} folders, {done.named} of {done.memories} memories named: {seconds:.2f} s (aim 5), {used:.2f} s of CPU"
        )
        print(f"held at most: {(peak - held) / 2**20:.0f} MB more (aim 60)")
        print(
            f"another thread waited: {1000 * waits[-1]:.0f} ms at most, {1000 * waits[len(waits) * 99 // 100]:.0f} ms in 99 of 100"
        )
        times = []
        for _ in range(5):
            before = time.perf_counter()
            project_register.load(str(root))
            times.append(1000 * (time.perf_counter() - before))
        size = os.path.getsize(project_register.place_of(str(root)))
        print(f"register of {size >> 10} KB read: {min(times):.1f} ms at best, {max(times):.1f} ms at worst of 5 (aim 20)")
        before = time.perf_counter()
        known_projects(session)
        print(f"every memory judged from it: {1000 * (time.perf_counter() - before):.0f} ms")


if __name__ == "__main__":
    run()
