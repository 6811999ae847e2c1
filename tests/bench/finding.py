"""Opening any file by what one half remembers: 34,500 files with two headings each, every keystroke beside a look at all paths."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from tests.builders import AStore
from zsmem_tui.service.quick_open import OpenedStore, QuickIndex
from zsmem_tui.service.watching import StoreFollower

FILES: Final = 34_500
ROWS: Final = 50
WORDS: Final = (
    *("redis", "port", "plan", "notes", "auth", "cache", "build", "deploy"),
    *("kite", "harbor", "lantern", "docker", "queue", "session", "token"),
)
QUERIES: Final = ("r", "re", "red", "redi", "redis", "redis 4711", "rdsprt", "harbor12 plan", "zzzq")

Answer = TypeVar("Answer")


def a_store(folder: Path) -> AStore:
    some = random.Random(2)
    store = AStore(folder)
    for number in range(FILES):
        project = f"{some.choice(WORDS)}{number % 300}-{number % 300:08x}"
        name = f"{some.choice(WORDS)}-{some.choice(WORDS)}-{number}"
        headings = f"# {some.choice(WORDS)} {some.choice(WORDS)}\n\nwords\n\n## {some.choice(WORDS)} {number}\n\n"
        store.has(f"projects/{project}/notes/{name}.md", headings + "- a fact about it\n" * 20)
    return store


def timed(act: Callable[[], Answer]) -> tuple[float, Answer]:
    """Milliseconds of this process, and what came of it."""
    began = time.process_time()
    answer = act()
    return (time.process_time() - began) * 1000, answer


def holding(paths: list[str], query: str) -> list[str]:
    return [path for path in paths if query in path]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        session = a_store(Path(folder)).session()
        catalog = StoreFollower(session).first()
        stores = [OpenedStore("one", "", session.root, catalog, session.group_name)]
        index = QuickIndex()
        first, found = timed(lambda: index.find(stores, "", ROWS))
        print(f"{found.files:,} files; load {os.getloadavg()[0]:.0f}; all times of this process")
        headings, _ = timed(lambda: index.read_headings(stores))
        print(f"first list {first:.0f} ms; headings, once and in the background, {headings:.0f} ms")
        paths = [entry.ref.path.lower() for project in catalog.projects for entry in project.files]
        for query in QUERIES:
            plain, _ = timed(partial(holding, paths, query))
            took, found = timed(partial(index.find, stores, query, ROWS))
            print(f"{query!r:>16}: {took:4.0f} ms, {found.fitting:,} fit of {FILES * 3:,}; a look at all paths {plain:.1f} ms")


if __name__ == "__main__":
    main()
