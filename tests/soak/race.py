"""An agent that reads, appends and renames every 4 ms without a lock, against a person whose edits are saved through us.

    python -m tests.soak.race [ROUNDS]

Both write 400 lines. Counts what is left of each, how much of the rest was reported at once as not lasting, and whether every line
that was ever in the file is in it now or in its history.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

from zsmem_tui.core.outcomes import Saved
from zsmem_tui.service.session import Session
from zsmem_tui.store import saving

LINES = 400


AGENT = """
import os, sys, time
path = sys.argv[1]
for number in range(int(sys.argv[2])):
    with open(path, "rb") as stream: text = stream.read()
    with open(path + ".tmp", "wb") as stream: stream.write(text + b"- agent %d\\n" % number)
    os.rename(path + ".tmp", path)
    time.sleep(0.004)
"""


def round_of(home: str, count: int = LINES) -> tuple[int, int, int, int]:
    """One race: lines left of the agent and the person, the person's lost and not reported, lines in neither file nor history."""
    folder = f"{home}/memory"
    session = Session(folder, "p", history_home=f"{home}/history")
    path = Path(folder, "MEMORY.md")
    path.parent.mkdir()
    path.write_bytes(b"# Facts\n\n- the first\n\n# More\n\n- the last\n")
    agent = subprocess.Popen([sys.executable, "-c", AGENT, str(path), str(count)])
    dice = random.Random(7)
    reported = set()
    for number in range(count):
        base = path.read_bytes()
        line = b"- person %d\n" % number
        lines = base.split(b"\n")
        place = dice.randrange(2, len(lines))
        mine = b"\n".join([*lines[:place], line[:-1], *lines[place:]])
        outcome = saving.save(folder, "MEMORY.md", mine, base, recorder=session.recorder())
        if not isinstance(outcome, Saved) or not outcome.confirmed:
            reported.add(number)
    agent.wait()
    left = path.read_bytes().split(b"\n")
    agents = sum(b"- agent %d" % number in left for number in range(count))
    persons = {number for number in range(count) if b"- person %d" % number in left}
    session.history.drain()
    known = set(left)
    for version in session.history.versions("MEMORY.md"):
        known.update((session.history.text(version.after) or b"").split(b"\n"))
    gone = sum(line not in known for who in (b"agent", b"person") for line in [b"- %b %d" % (who, n) for n in range(count)])
    return agents, len(persons), len(set(range(count)) - persons - reported), gone


def main() -> None:
    for pause in (saving.CONFIRM_AFTER, 0.003):
        saving.CONFIRM_AFTER = pause  # type: ignore[misc]
        print(f"looking again after {pause * 1000:.0f} ms")
        for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
            with tempfile.TemporaryDirectory() as folder:
                agents, persons, lost, gone = round_of(folder)
            print(f"  round {number + 1}: agent {agents} of {LINES} (aim 397), person {persons}, ", end="")
            print(f"lost and not reported {lost}, in neither file nor history {gone}")


if __name__ == "__main__":
    main()
