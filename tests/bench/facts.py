"""10,000 facts of 500 files read at once and again, the history of one file filled in, and a fit of a store of twice the cap.

python -m tests.bench.facts             with the word `read`, only the first part, which takes seconds
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

from zsmem_tui.service import fit, history
from zsmem_tui.service.facts.provenance import Provenance
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session

ROUNDS = 7


def many(root: Path) -> None:
    """50 projects with 500 files, 20 facts each, and a long-term memory that is full."""
    root.joinpath("MEMORY.md").write_text("".join(f"- a fact of all projects, number {number}\n" for number in range(1_200)))
    for project in range(50):
        home = root / "projects" / f"p{project}-00000000"
        home.joinpath("notes").mkdir(parents=True)
        home.joinpath("SCRATCHPAD.md").write_text("".join(f"- [ ] item {number}\n" for number in range(20)))
        for note in range(9):
            items = "".join(f"- fact {number} of note {note}, about the build and where it lies\n" for number in range(12))
            rest = "A paragraph\nof two lines.\n\n" * 6 + "| a | b |\n|---|---|\n" + f"| {project} | {note} |\n" * 2
            home.joinpath("notes", f"n{note}.md").write_text(f"# Note {note}\n\n{items}\n{rest}")


def full(root: Path) -> None:
    """A long-term memory of twice the cap, in sections."""
    parts = (f"## Part {part}\n\n" + "".join(f"- fact {part}.{number} {'x' * 60}\n" for number in range(45)) for part in range(20))
    root.joinpath("MEMORY.md").write_text("\n".join(parts))


def timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1_000


def session(folder: str, name: str) -> Session:
    later = datetime.now() + timedelta(minutes=1)
    return Session(f"{folder}/{name}", "p0-00000000", clock=lambda: later, history_home=f"{folder}/history-{name}")


def reading(folder: str) -> None:
    """What a screen of all facts waits for: the first of them, all, and all once more."""
    first, cold, warm = [], [], []
    count = 0
    for _ in range(ROUNDS):
        parts = FactReader(session(folder, "many")).parts(Scope.ALL, least=40)
        first.append(timed(lambda: next(parts)))  # noqa: B023
        reader = FactReader(session(folder, "many"))
        cold.append(timed(lambda: reader.read(Scope.ALL)))  # noqa: B023
        warm.append(timed(lambda: reader.read(Scope.ALL)))  # noqa: B023
        count = len(reader.read(Scope.ALL).rows)
    print(f"{count} facts, the first of them     {median(first):7.0f} ms")
    print(f"{count} facts, all files read        {median(cold):7.0f} ms")
    print(f"{count} facts, nothing changed       {median(warm):7.0f} ms", flush=True)


def ages(folder: str) -> None:
    ours = session(folder, "many")
    history.look_at_all(ours)
    rows = [row for row in FactReader(ours).read(Scope.ALL).rows if row.ref.path == "MEMORY.md"]
    print(
        f"ages of {len(rows)} facts                {median(timed(lambda: Provenance(ours).fill(rows)) for _ in range(3)):7.0f} ms"
    )


def fitted(folder: str) -> None:
    full(Path(folder, "full"))
    proposed = [timed(lambda: fit.propose(session(folder, "full"))) for _ in range(ROUNDS)]
    found = fit.propose(session(folder, "full")).fit
    print(f"fit, {found.before.needed} of {found.before.cap} bytes, {len(found.moves)} moves {median(proposed):7.0f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("many", "full"):
            Path(folder, name).mkdir()
        many(Path(folder, "many"))
        reading(folder)
        if "read" not in sys.argv[1:]:
            ages(folder)
            fitted(folder)


if __name__ == "__main__":
    main()
