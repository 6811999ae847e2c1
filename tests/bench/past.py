"""Blocks of the past and the changes of a block, in a history of 10,000 versions of 200 files.

    python -m tests.bench.past          making the history takes two minutes

Half of the versions are of files that go into the prompt. The aims are for a machine at rest.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from tests.bench.history_questions import words
from tests.bench.measure import write_lines
from zsmem_tui.core.version import Origin
from zsmem_tui.service import past, previewing
from zsmem_tui.service.session import Session
from zsmem_tui.store.history.commit_message import Meta
from zsmem_tui.store.history.journal import held

VERSIONS: Final = 10_000
FILES: Final = 200
PAGE: Final = 50
PROJECT: Final = "p0"
START: Final = datetime(2026, 1, 1)


def make(session: Session) -> None:
    dice = random.Random(1)
    days = [f"projects/{PROJECT}/daily/{(START + timedelta(days=day)).date()}.md" for day in range(120)]
    notes = [f"projects/{PROJECT}/notes/n{each}.md" for each in range(FILES - len(days) - 2)]
    texts: dict[str, list[bytes]] = {}
    for number in range(VERSIONS):
        day = days[number * len(days) // VERSIONS]
        kinds = ("MEMORY.md", f"projects/{PROJECT}/SCRATCHPAD.md", day, dice.choice(notes), dice.choice(notes), dice.choice(notes))
        path = dice.choice(kinds)
        lines = texts.setdefault(path, [b"- [ ] " * ("SCRATCH" in path) + words(dice) for _ in range(150)])
        lines[dice.randrange(150)] = b"- [ ] " * ("SCRATCH" in path) + words(dice)
        when = int(START.timestamp()) + number * 120 * 86_400 // VERSIONS
        meta = Meta(when * 10**9, Origin.YOU if number % 3 else Origin.OTHER, "" if number % 3 else "agent A", f"b{number}")
        with session.history.opened() as repo:
            session.history._record(repo, {path: held(b"\n".join(lines))}, meta)
            if number % 200 == 0:
                repo.repack_if_needed()
    write_lines(session.root, texts)


def timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000


def longest_wait(act: Callable[[], object]) -> float:
    """How long another thread waited at most, in ms, while something was worked out."""
    waits = [0.0]
    is_over = threading.Event()

    def look() -> None:
        last = time.perf_counter()
        while not is_over.is_set():
            time.sleep(0.001)
            waits.append(time.perf_counter() - last - 0.001)
            last = time.perf_counter()

    beside = threading.Thread(target=look)
    beside.start()
    act()
    is_over.set()
    beside.join()
    return max(waits) * 1000


def main() -> None:
    folder = tempfile.mkdtemp(prefix="zsmem-bench-")
    try:
        session = Session(f"{folder}/memory", PROJECT, history_home=f"{folder}/history")
        make(session)
        about = previewing.subject(session)
        loading = timed(session.past.timeline)
        timeline = session.past.timeline()
        print(f"reading {len(timeline.versions)} versions, once: {loading:.0f} ms")
        dice = random.Random(2)
        points = [timeline.after(dice.randrange(len(timeline.versions))) for _ in range(200)]
        each = [timed(lambda point=point: previewing.preview(session, about._replace(at=point))) for point in points]  # type: ignore[misc]
        now = statistics.median(timed(lambda: previewing.preview(session, about)) for _ in range(50))
        middle = statistics.median(each)
        print(f"any version: median {middle:.1f} ms, worst {max(each):.0f} ms (aim 50); {middle / now:.1f} x the block of now")
        walk = past.Walk(session, about)
        found: list[past.Change] = []

        def page() -> None:
            while len(found) < PAGE:
                found.extend(walk.more(PAGE))

        print(f"the first {PAGE} changes: {timed(page):.0f} ms (aim 200)")
        rest = timed(lambda: found.extend(walk.every()))
        print(f"all {len(found)} changes: {rest:.0f} ms (aim 2,000)")
        waited = longest_wait(lambda: list(past.Walk(session, about).every()))
        print(f"another thread waited {waited:.0f} ms at most meanwhile (aim 30)")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
