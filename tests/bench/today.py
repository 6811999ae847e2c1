"""How long what waits takes to be told, beside reading the rows of the tree: `python -m tests.bench.today`.

Both are done in turn on the same store, and told as a ratio, which another load on the machine changes little. A store with few
files, one with many, and one of which everything waits.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.bench.measure import interleaved, load
from tests.builders import AStore
from zsmem_tui.service import history, today
from zsmem_tui.store.scan import scan

ROUNDS = 5


def many(store: AStore, count: int) -> None:
    for number in range(count):
        store.has(f"projects/p{number % 100:02}-11112222/notes/note{number}.md", f"# Note {number}\n\n- a fact\n")


def measured(folder: Path, name: str, seen: int, unseen: int) -> None:
    store = AStore(folder / name).has("MEMORY.md", "- known\n")
    many(store, seen)
    history.look_at_all(store.session())
    store.has("MEMORY.md", "- known\n" + "".join(f"- new {number}\n" for number in range(5)))
    for number in range(unseen):
        store.has(f"~/notes/new{number}.md", f"- new {number}\n")
    session = store.session()
    history.look_at_all(session)
    taken = interleaved(
        {"rows": lambda: scan(session.root, session.layout), "page": lambda: today.today([today.news(session)])}, ROUNDS
    )
    ratio = taken["page"] / taken["rows"]
    print(f"{name:>22}: rows {taken['rows']:7.1f} ms, page after them {taken['page']:7.1f} ms, {ratio:5.2f} times")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="zsmem-bench-") as folder:
        os.environ |= {"HOME": folder, "ZSMEM_STATE_DIR": f"{folder}/state"}
        print(load())
        measured(Path(folder), "60 files", 60, 0)
        measured(Path(folder), "60 files, 40 new", 60, 40)
        measured(Path(folder), "34500 files", 34_500, 0)
        measured(Path(folder), "34500 files, 2000 new", 34_500, 2_000)


if __name__ == "__main__":
    main()
