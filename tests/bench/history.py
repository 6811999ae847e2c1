"""How fast and how small the history is.

    python -m tests.bench.history

Ratios are against work of the same shape done in the same run: writing the files with fsync, and reading them.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from pathlib import Path

from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.scan import scan


def text(dice: random.Random, size: int) -> bytes:
    """Words, one sentence a line."""
    words = [f"{dice.randrange(10**5)}" for _ in range(size // 6)]
    return b"".join(" ".join(words[at : at + 8]).encode() + b"\n" for at in range(0, len(words), 8))


def main() -> None:
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        session = Session(f"{folder}/memory", "p", history_home=f"{folder}/history")
        place = Path(session.root, "MEMORY.md")
        place.parent.mkdir()
        lines = text(dice, 32_768).split(b"\n")
        place.write_bytes(b"\n".join(lines))
        taken, plain = [], []
        for _ in range(100):
            base = place.read_bytes()
            lines[dice.randrange(len(lines))] = text(dice, 60).strip()
            writing.save(session.root, "MEMORY.md", b"\n".join(lines), base, confirm=False, recorder=session.recorder())
            start = time.perf_counter()
            session.history.drain()
            taken.append(time.perf_counter() - start)
            start = time.perf_counter()
            with open(f"{folder}/plain", "wb") as stream:
                stream.write(b"\n".join(lines))
                stream.flush()
                os.fsync(stream.fileno())
            plain.append(time.perf_counter() - start)
        size = sum(each.stat().st_size for each in Path(session.history.home).rglob("*") if each.is_file())
        middle = statistics.median(taken)
        print(
            f"record one change: median {middle * 1000:.1f} ms (aim 30), worst {max(taken) * 1000:.0f} ms, packing included; ",
            end="",
        )
        print(f"{middle / statistics.median(plain):.1f} x one write with fsync")
        print(f"100 versions of a 32 KiB file: {size / 1e6:.2f} MB on disk (aim below 1), {size / (100 * 32_768):.3f} x the texts")
        for number in range(1_000 - len(taken) - 1):
            base = place.read_bytes()
            lines[dice.randrange(len(lines))] = b"%d" % number
            place.write_bytes(b"\n".join(lines))
            session.history.observe(["MEMORY.md"])
        opened = []
        for _ in range(9):
            start = time.perf_counter()
            found = session.history.versions("MEMORY.md")
            session.history.text(found[0].after), session.history.text(found[0].before)
            opened.append(time.perf_counter() - start)
        print(f"open the history of a file with {len(found)} versions: median {statistics.median(opened) * 1000:.0f} ms (aim 200)")
    with tempfile.TemporaryDirectory() as folder:
        session = Session(f"{folder}/memory", "p", history_home=f"{folder}/history")
        for number in range(3_000):
            place = Path(session.root, f"projects/p{number % 30}/notes/n{number}.md")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text(dice, 8_192))
        catalog = scan(session.root, session.layout)
        start = time.perf_counter()
        for project in catalog.projects:
            for entry in project.files:
                Path(session.root, entry.ref.path).read_bytes()
        reading = time.perf_counter() - start
        start = time.perf_counter()
        session.history.catch_up(catalog)
        first = time.perf_counter() - start
        start = time.perf_counter()
        session.history.catch_up(catalog)
        again = time.perf_counter() - start
        print(
            print(
                f"first snapshot of 3,000 files: {first:.2f} s (aim 3), {first / reading:.1f} x reading; next start {again:.2f} s"
            )
        )


if __name__ == "__main__":
    main()
