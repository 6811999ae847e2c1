"""Search over a whole store of 34,500 files / 353 MB: freshness, warm, cold, memory held, from the key to the painted result.

python -m tests.bench.whole             the store takes a minute to make, once a machine
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from tests.bench.measure import corpus, finder, interleaved, load, processor, quiet, row
from tests.bench.screen import RUNS, SMALL, bench, program, steps
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Query, Scope, Sought
from zsmem_tui.service.session import Session

QUERIES = {
    "absent": ["zzqqxwyk"],
    "rare": ["quokkafish"],
    "common": ["schedule"],
    "8 absent terms": ["zzqqxwyk", "qqvvzzk", "xwqzzy", "wqzzvk", "vvqqzx", "zqwxkk", "kkqzvw", "yqzzwv"],
}


def bare(root: Path) -> int:
    """One look at every file, and nothing made of it."""
    count = 0
    folders = [str(root)]
    while folders:
        with os.scandir(folders.pop()) as found:
            for entry in found:
                if entry.is_dir():
                    folders.append(entry.path)
                else:
                    entry.stat()
                    count += 1
    return count


def resident() -> float:
    """Megabytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def look_for(session: Session, words: str, scope: Scope = Scope.ALL, max_age: float = 600) -> None:
    searching.search(Query(words, (Sought(session),), scope), max_age=max_age)


def in_process(root: Path) -> None:
    session = Session(str(root), SMALL)
    look_for(session, "warm", Scope.PROJECT, 0)
    before = resident()
    look_for(session, "warm", Scope.ALL, 0)
    held, folders = resident() - before, searching.all_folders(session)
    size = sum(file.size for file in session.texts.files(session.root, folders)) / 1e6
    row("texts held", held, size, 1.6, "MB")
    found = processor({"ours": lambda: list(session.texts.files(session.root, folders)), "bare": partial(bare, root)}, 7)
    row("freshness, against scandir", found["ours"], found["bare"], 3)
    for label, terms in QUERIES.items():
        ours = partial(look_for, session, " ".join(terms))
        found = processor({"ours": ours, "finder": partial(quiet, finder(terms, str(root)))}, 5)
        row(f"warm, {label}", found["ours"], found["finder"], 1.0)
    session.texts.forget()
    for label in ("rare", "common"):
        acts = {"ours": partial(quiet, verb(root, *QUERIES[label])), "finder": partial(quiet, finder(QUERIES[label], str(root)))}
        found = processor(acts, 5)
        row(f"cold, with the start of zsmem, {label}", found["ours"], found["finder"], 3)
        found = interleaved(acts, 5)
        row("  by the clock", found["ours"], found["finder"], 3)


def verb(root: Path, *words: str) -> list[str]:
    """The command of a person who searches the whole store."""
    return [str(Path(sys.executable).parent / "zsmem"), "--root", str(root), "--project", SMALL, "search", "--all", *words]


def on_screen() -> None:
    for label, word, aim in (("rare", "quokkafish", 150), ("common", "schedule", 500)):
        whole = rf"{word} +[0-9]+ +(top 50 of )?[0-9]+ files +"
        script = [
            "sleep 3",
            "key s",
            "key f8",
            "key f8",
            f"type {word} => {whole}",
            "sleep 12",
            f"key backspace => {word[:-1]} +[0-9]+",
            "sleep 2",
            f"type {word[-1]} => {whole}",
        ]
        words = [part for step in script for part in ("-s", step)]
        found = steps(bench("keys", "-n", RUNS, "--timeout", "90", "--ready", "prompt", *words, "--", *program("L", SMALL)))
        last = {name: value for name, value in found.items() if f"type {word[-1]} " in name}
        echo = next(value for name, value in last.items() if "painted" in name)
        painted = [value for name, value in last.items() if "matched" in name][-1]
        print(f"{label} word, from the key: echo {echo:.0f} ms (aim 30), painted result {painted:.0f} ms (aim {aim})")


if __name__ == "__main__":
    print(load())
    in_process(corpus("L"))
    on_screen()
