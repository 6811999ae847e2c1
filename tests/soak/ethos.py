"""Two processes that add to the memory of one Ethos personality, beside a person who edits the same file.

    python -m tests.soak.ethos [COUNT]

COUNT updates each (default 400). Counts the updates and edits that are in the file afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from zsmem_tui.core.outcomes import Conflicted
from zsmem_tui.store import writing

PATH = "personalities/eng/MEMORY.md"

WRITER = """
import sys
from zsmem_tui import EthosMemory, MemoryUpdate
memory = EthosMemory(sys.argv[1], "eng")
for number in range(int(sys.argv[3])):
    report = memory.sync([MemoryUpdate("add", f"- {sys.argv[2]} {number} of many")])
    if not report.confirmed:
        print(f"- {sys.argv[2]} {number} of many", flush=True)
"""


class Race(NamedTuple):
    """How many of whose lines are in the file, how many were said not to last, and how long it took."""

    updates: int
    edits: int
    wanted_updates: int
    wanted_edits: int
    said: int
    twice: int
    seconds: float


def race(home: str, count: int, writers: int = 2) -> Race:
    """One race; the person edits as long as the writers write."""
    root = f"{home}/.ethos"
    path = Path(root, PATH)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"# What I know\n\n- the first\n")
    begun = time.monotonic()
    names = [f"writer{number}" for number in range(writers)]
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, root, name, str(count)], stdout=subprocess.PIPE, text=True)
        for name in names
    ]
    edits = 0
    while any(process.poll() is None for process in running):
        base = path.read_bytes()
        mine = base.replace(b"- the first\n", f"- the first\n- the person's edit {edits} of some\n".encode(), 1)
        time.sleep(0.03)  # a person types
        outcome = writing.save(root, PATH, mine, base)
        edits += not isinstance(outcome, Conflicted)
    said = [line for process in running for line in process.communicate()[0].split("\n") if line]
    assert all(process.returncode == 0 for process in running)
    lines = path.read_text().split("\n")
    wanted = [f"- {name} {number} of many" for name in names for number in range(count)]
    edited = [f"- the person's edit {number} of some" for number in range(edits)]
    twice = sum(lines.count(line) > 1 for line in (*wanted, *edited))
    there = set(lines)
    return Race(
        sum(line in there for line in wanted),
        sum(line in there for line in edited),
        len(wanted),
        edits,
        len(said),
        twice,
        time.monotonic() - begun,
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        print(race(home, count))


if __name__ == "__main__":
    main()
