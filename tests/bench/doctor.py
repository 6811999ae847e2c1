"""The doctor over 1,000 files of 10 MB, cold and after one change, and 10,000 facts compared with each other.

    python -m tests.bench.doctor

`wall` is what a person waits on a machine as busy as it is said to be.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.measure import quiet
from tests.bench.measure import timed as waited
from zsmem_tui.core.checks import scan
from zsmem_tui.core.checks.examine import compared, read
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.doctor import Diagnosis, Doctor
from zsmem_tui.service.session import Session

PROJECTS, NOTES, LOGS = 20, 20, 29
FILE_BYTES = 10_000
LARGE_BYTES = 3 * 2**20
NOW = datetime(2026, 5, 25, 14, 0)

_SOUNDS = [first + second for first in "bdfgklmnprst" for second in "aeio"]
_SMALL = ["the", "a", "of", "in", "and", "is", "for", "on", "with", "when", "it", "by", "from", "at", "we", "are"]


class Writer:
    """Facts and entries of words that are as rare as words of people are, none of which makes a rule look closer."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        every = ("".join(self.random.choices(_SOUNDS, k=self.random.randint(2, 4))) for _ in range(7_000))
        self.words = [word for word in every if not scan._words_in(word)][:6_000]
        self.weights = [1 / (rank + 3) for rank in range(len(self.words))]

    def fact(self) -> str:
        own = self.random.choices(self.words, self.weights, k=8)
        small = self.random.choices(_SMALL, k=5)
        text = " ".join(word for pair in zip(own, [*small, "", "", ""], strict=True) for word in pair if word)
        extra = self.random.random()
        if extra < 0.1:
            text += f" in `src/{own[0]}/{own[1]}.py`"
        elif extra < 0.15:
            text += f" every {self.random.randint(2, 90)} minutes"
        elif extra < 0.2:
            text += f", see [the note]({own[2]}.md)"
        elif extra < 0.22:
            text += " until 2026-12-04"
        return text.capitalize()

    def text(self, size: int, start: str) -> str:
        rows = []
        while size > 0:
            rows.append(f"{start}{self.fact()}")
            size -= len(rows[-1]) + 1
        return "\n".join(rows) + "\n"


def store(root: Path) -> None:
    """50 files a project, logs and notes as large as each other, and a long-term memory."""
    writer = Writer(1)
    root.joinpath("MEMORY.md").write_text(writer.text(60_000, "- "))
    for project in range(PROJECTS):
        home = root / "projects" / f"p{project}-00000000"
        for folder in ("notes", "daily"):
            home.joinpath(folder).mkdir(parents=True)
        home.joinpath("SCRATCHPAD.md").write_text(writer.text(2_000, "- [ ] "))
        for note in range(NOTES):
            home.joinpath("notes", f"n{note}.md").write_text(f"# Note {note}\n\n" + writer.text(FILE_BYTES, "- "))
        for log in range(LOGS):
            day = f"2026-{log // 28 + 1:02}-{log % 28 + 1:02}"
            home.joinpath("daily", f"{day}.md").write_text("### 10:00 - work\n\n" + writer.text(FILE_BYTES, ""))


def timed(act: Callable[[], object]) -> float:
    """Milliseconds of processor time: other programs do not count."""
    start = time.process_time()
    act()
    return (time.process_time() - start) * 1_000


def _examine(doctor: Doctor, seen: list[Diagnosis]) -> None:
    seen.append(doctor.examine())


def main() -> None:
    gc.disable()  # as every verb on the command line does
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "store")
        root.mkdir()
        store(root)
        session = Session(str(root), "p0-00000000", clock=lambda: NOW, history_home=f"{folder}/history")
        walls, cpus = [], []
        for _ in range(3):
            doctor = Doctor(session)
            seen: list[Diagnosis] = []
            start = time.process_time()
            walls.append(waited(partial(_examine, doctor, seen)) * 1_000)
            cpus.append((time.process_time() - start) * 1_000)
        found = seen[0]
        print(f"{found.files} files, {found.size / 1e6:.1f} MB, {len(found.faults)} findings, load {os.getloadavg()[0]:.1f}")
        print(f"cold: wall {median(walls):.0f} ms (least {min(walls):.0f}), processor {median(cpus):.0f} ms")
        again = []
        note = root / "projects/p3-00000000/notes/n3.md"
        for round in range(5):
            note.write_text(note.read_text() + f"- one more line {round}\n")
            again.append(timed(doctor.examine))
        print(f"after one change {median(again):.0f} ms, unchanged {timed(doctor.examine):.0f} ms")
        command = [sys.executable, "-m", "zsmem_tui", "doctor", "--all", "--root", str(root), "--today", "2026-05-25"]
        walls = [waited(lambda: quiet(command)) for _ in range(3)]
        print(f"zsmem doctor --all: {median(walls) * 1_000:.0f} ms from start to end (least {min(walls) * 1_000:.0f})")
    facts = Writer(2).text(10_000 * 75, "- ")
    reading = read(MemRef("MEMORY.md", Role.FACTS), facts, "")
    print(f"{len(reading.told)} facts compared with each other: {timed(lambda: compared([reading], '')):.0f} ms")
    large = Writer(2).text(LARGE_BYTES, "- ")

    def looked_into() -> None:
        compared([read(MemRef("projects/p/notes/n.md", Role.NOTE, "p"), large, "")], "p")

    print(f"one note of {LARGE_BYTES / 1e6:.1f} MB of facts: {timed(looked_into) / 1000:.1f} s of a core")


if __name__ == "__main__":
    main()
