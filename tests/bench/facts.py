"""10,000 facts of 500 files read at once and again, the history of one file filled in, and a fit of a store of twice the cap.

python -m tests.bench.facts
"""

from __future__ import annotations

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


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        places = {name: Path(folder, name) for name in ("many", "full")}
        for place in places.values():
            place.mkdir()
        many(places["many"])
        full(places["full"])

        def session(name: str) -> Session:
            later = datetime.now() + timedelta(minutes=1)
            return Session(str(places[name]), "p0-00000000", clock=lambda: later, history_home=f"{folder}/history-{name}")

        cold, warm = [], []
        count = 0
        for _ in range(ROUNDS):
            reader = FactReader(session("many"))
            cold.append(timed(lambda: reader.read(Scope.ALL)))  # noqa: B023
            warm.append(timed(lambda: reader.read(Scope.ALL)))  # noqa: B023
            count = len(reader.read(Scope.ALL).rows)
        print(f"{count} facts, all files read   {median(cold):7.0f} ms")
        print(f"{count} facts, nothing changed  {median(warm):7.0f} ms")
        ours = session("many")
        history.look_at_all(ours)
        rows = [row for row in FactReader(ours).read(Scope.ALL).rows if row.ref.path == "MEMORY.md"]
        print(f"ages of {len(rows)} facts           {median(timed(lambda: Provenance(ours).fill(rows)) for _ in range(3)):7.0f} ms")
        proposed = [timed(lambda: fit.propose(session("full"))) for _ in range(ROUNDS)]
        found = fit.propose(session("full")).fit
        print(f"fit, {found.before.needed} of {found.before.cap} bytes, {len(found.moves)} moves {median(proposed):7.0f} ms")


if __name__ == "__main__":
    main()
