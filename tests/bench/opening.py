"""Large Markdown in the full-screen program, timed from outside: the first page, a key in the meantime, the file's text, memory.

By the clock and, for a shared machine, by the processor time of the program; the doctor's own look at the file is over by then.

python -m tests.bench.opening           needs `pip install '.[bench]'`
"""

from __future__ import annotations

import re
import statistics
import tempfile
import time
from pathlib import Path

from tests.bench.measure import load
from tests.bench.screen import ZSMEM
from tests.bench.ttybench import Session, key_bytes

PROJECT = "demo-1a2b3c4d"
MB = 2**20
RUNS = 3


def sections(size: int) -> str:
    """Headings, paragraphs and lists, no line twice: the doctor has nothing to say."""
    found = ["# top of it\n"]
    length = 0
    while length < size:
        number = len(found)
        found.append(
            f"\n## Section {number}\n\nWords of paragraph {number} that is *somewhat* long, with a [link](http://example.org/{number}).\n\n"
        )
        found += [f"- fact {number * 100 + line} of fifty bytes, with `code {number}` and **more**\n" for line in range(12)]
        length += sum(map(len, found[number:]))
    return "".join(found)


def one_line(size: int) -> str:
    return "top of it " + "some words and `code` " * (size // 22)


def key(session: Session, name: str, pattern: str, timeout: float = 60.0) -> float:
    """Milliseconds from a key until a pattern is on the screen."""
    paint = session.measure(lambda: session.write(key_bytes(name)), re.compile(pattern), quiet=0.03, timeout=timeout)
    if paint.matched is None:
        raise TimeoutError(f"{name}: never saw {pattern!r}; screen:\n{session.terminal.text()}")
    return paint.matched


def at_rest(session: Session) -> None:
    """Wait until the program has nothing more to do, also nothing that waits for a second of rest."""
    quiet = 0
    while quiet < 3:
        before = session.cpu_seconds()
        time.sleep(1)
        session.record(0.05, 0.2)
        quiet = quiet + 1 if session.cpu_seconds() - before < 0.1 else 0


def opened(folder: str, size: int) -> dict[str, float]:
    """What one start and one look at the only note take."""
    session = Session([ZSMEM, "--root", folder, "--project", PROJECT], env={"ZSMEM_STATE_DIR": f"{folder}-state"})
    try:
        session.wait_for(re.compile("MEMORY"))
        key(session, "end", "is the project")
        key(session, "l", "large")
        at_rest(session)
        before, cpu = session.memory()["rss_mb"], session.cpu_seconds()
        found = {"page": key(session, "j", "top of it"), "cpu": (session.cpu_seconds() - cpu) * 1000}
        found["key"] = key(session, "k", "is the project")
        key(session, "j", "top of it")
        at_rest(session)
        found["memory"] = (session.memory()["rss_mb"] - before) * MB / size
        key(session, "2", "Raw")
        found["raw"] = key(session, "R", "`code")
        return found
    finally:
        session.close(["ctrl+q"])


def main() -> None:
    print(load())
    for label, size, make, aim in (
        ("1 MB", MB, sections, 300),
        ("10 MB", 10 * MB, sections, 1500),
        ("one line of 10 MB", 10 * MB, one_line, 1500),
    ):
        with tempfile.TemporaryDirectory(prefix="zsmem-opening-") as above:
            note = Path(above, "store", "projects", PROJECT, "notes", "large.md")
            note.parent.mkdir(parents=True)
            note.write_text(make(size))
            Path(above, "store", "MEMORY.md").write_text("# Facts\n")
            runs = [opened(f"{above}/store", size) for _ in range(RUNS)]
        found = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        print(
            f"{label:<18} first page {found['page']:6.0f} ms, {found['cpu']:4.0f} of processor (aim {aim}),",
            end=" ",
        )
        print(
            f"a key right after it {found['key']:4.0f} ms (aim 100),",
            end=" ",
        )
        print(f"raw {found['raw']:5.0f} ms, memory {found['memory']:4.1f} x its size (aim 12)")


if __name__ == "__main__":
    main()
