"""Agents that write the same file as we do, in every way in which programs write files.

    python -m tests.soak.race [ROUNDS] [BUSY]

`rename` reads, holds the file for a while and renames a new one over it; `w`, `a` and `r+` write in place, slowly. Two processes of
ours write beside each, with BUSY busy loops (default 2) on the machine. Counts the lines of each that are in the file, those gone
without a word, and those that are in neither file nor history.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.builders import NOW
from zsmem_tui.service import losses
from zsmem_tui.service.session import Session

AGENT = """
import os, sys, time
path, count, hold, mode = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
for number in range(count):
    line = b"- agent %d\\n" % number
    if mode == "rename":
        with open(path, "rb") as stream: text = stream.read()
        time.sleep(hold)
        with open(path + ".tmp", "wb") as stream: stream.write(text + line)
        os.rename(path + ".tmp", path)
    elif mode == "w":
        with open(path, "rb") as stream: text = stream.read()
        with open(path, "wb", buffering=0) as stream:
            for part in (text[: len(text) // 2], text[len(text) // 2 :], line):
                stream.write(part)
                time.sleep(hold / 3)
    else:
        with open(path, mode + "b", buffering=0) as stream:
            time.sleep(hold)
            stream.seek(0, 2)
            stream.write(line)
    time.sleep(0.004)
"""

WRITER = """
import sys
from zsmem_tui import Mem
mem = Mem(sys.argv[1], "p", "2026-05-25")
for number in range(int(sys.argv[3])):
    if not mem.write("long_term", f"- {sys.argv[2]} {number}").confirmed:
        print(f"- {sys.argv[2]} {number}", flush=True)
"""

MODES = (("rename", 0.0), ("rename", 0.005), ("rename", 0.02), ("rename", 0.1), ("w", 0.03), ("a", 0.03), ("r+", 0.03))


class Round(NamedTuple):
    """`left` lines in the file of each writer, and how many are gone unsaid, in neither file nor history, or there twice."""

    left: dict[str, int]
    unsaid: int
    nowhere: int
    twice: int


def round_of(home: str, count: int, mode: str, hold: float, writers: int = 2) -> Round:
    """One race of `count` lines each."""
    root = f"{home}/memory"
    path = Path(root, "MEMORY.md")
    path.parent.mkdir()
    path.write_bytes(b"# Facts\n\n- the first\n")
    agent = subprocess.Popen([sys.executable, "-c", AGENT, str(path), str(count), str(hold), mode])
    names = [f"writer{number}" for number in range(writers)]
    ours = [
        subprocess.Popen([sys.executable, "-c", WRITER, root, name, str(count)], stdout=subprocess.PIPE, text=True)
        for name in names
    ]
    said = {line for process in ours for line in process.communicate()[0].split("\n")}
    agent.wait()
    session = Session(root, "p", clock=lambda: NOW)
    said.update(line for each in losses.dropped(session) for line in each.lines)
    losses.mend(session)
    text = path.read_text().split("\n")
    session.history.observe(["MEMORY.md"])
    known = set(text)
    for version in session.history.versions("MEMORY.md"):
        for id in (version.before, version.after):
            known.update((session.history.text(id) or b"").decode().split("\n"))
    every = {name: [f"- {name} {number}" for number in range(count)] for name in ("agent", *names)}
    lines = [line for each in every.values() for line in each]
    return Round(
        {name: sum(line in text for line in each) for name, each in every.items()},
        sum(line not in text and line not in said for line in lines),
        sum(line not in known for line in lines),
        sum(text.count(line) > 1 for line in lines),
    )


def main() -> None:
    rounds, busy = (int(word) for word in [*sys.argv[1:], *("1", "2")[len(sys.argv) - 1 :]])
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        for mode, hold in MODES:
            count = 400 if hold == 0 else 60
            for _ in range(rounds):
                with tempfile.TemporaryDirectory() as folder:
                    os.environ["ZSMEM_STATE_DIR"] = f"{folder}/state"
                    found = round_of(folder, count, mode, hold)
                print(f"{mode} holding {hold * 1000:.0f} ms: of {count} lines each {found.left}, unsaid {found.unsaid}, ", end="")
                print(f"in neither file nor history {found.nowhere}, twice {found.twice}", flush=True)
    finally:
        for loop in loops:
            loop.kill()


if __name__ == "__main__":
    main()
