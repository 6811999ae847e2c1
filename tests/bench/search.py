"""Warm search on 4,001 files / 40 MB against ripgrep or grep, what holding costs, and how long other threads wait.

python -m tests.bench.search
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial

from tests.bench.measure import corpus, finder, load, processor, quiet, row
from zsmem_tui import Mem
from zsmem_tui.core.search import Searched, search
from zsmem_tui.core.texts import TextFile

PROJECT = "bigmono-deadbeef"
ABSENT = ["zzqqxwyk", "qqvvzzk", "xwqzzy", "wqzzvk", "vvqqzx", "zqwxkk", "kkqzvw", "yqzzwv"]
STOP_WORDS = ["the", "and", "to"]


def common_words(files: Sequence[TextFile], count: int) -> list[str]:
    """The words that stand in most files, stop words (four letters or fewer) aside."""
    seen: Counter[str] = Counter()
    for file in files[::4]:
        seen.update({word for word in file.folded.decode().split() if len(word) > 4 and word.isalpha()})
    return [word for word, _ in seen.most_common(count)]


def longest_wait(act: object) -> float:
    """Milliseconds that a thread which only wants to run had to wait at most, while `act` ran."""
    worst, running = 0.0, True

    def heartbeat() -> None:
        nonlocal worst
        before = time.perf_counter()
        while running:
            time.sleep(0.0005)
            now = time.perf_counter()
            worst = max(worst, now - before)
            before = now

    thread = threading.Thread(target=heartbeat)
    thread.start()
    time.sleep(0.05)
    worst = 0.0
    act()  # type: ignore[operator]
    found = worst
    running = False
    thread.join()
    return found * 1000


def rendered(files: Sequence[TextFile], query: str) -> str:
    """What an agent gets for a query."""
    batches = (files[at : at + 16] for at in range(0, len(files), 16))
    return search([Searched(batches)], query).render(32768)


def main() -> None:
    os.environ["LC_ALL"] = "C.UTF-8"
    root = corpus("M")
    mem = Mem(root, PROJECT, "2026-05-25")
    start = time.perf_counter()
    files = list(mem.texts.files(mem.root, mem.searched_folders()))
    loaded = time.perf_counter() - start
    size = sum(len(file.raw) for file in files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB, loaded in {loaded * 1000:.0f} ms")
    row("held bytes", mem.texts.held_bytes / 1e6, size / 1e6, 1.6, "MB")
    common = common_words(files, 3)
    print("common words:", *common)
    queries = {
        "absent, 1 term": (ABSENT[:1], 0.3),
        "absent, 3 terms": (ABSENT[:3], 0.3),
        "absent, 8 terms": (ABSENT, 1.0),
        "rare, 1 term": (["quokkafish"], 0.3),
        "rare, 3 terms": (["quokkafish", "wombatron", ABSENT[0]], 0.3),
        "rare, 8 terms": (["quokkafish", "wombatron", *ABSENT[:6]], 1.0),
        "common, 1 term": (common[:1], 0.8),
        "common, 3 terms": (common, 0.8),
        "stop word, 1 term": (STOP_WORDS[:1], 1.5),
        "stop words, 3 terms": (STOP_WORDS, 1.5),
    }
    project = root / "projects" / PROJECT
    places = [str(project / "notes"), str(project / "daily"), str(root / "MEMORY.md")]
    print(f"{'':<34} {'zsmem':>12}  {'finder':>12}  processor time, {load()}")
    for label, (terms, limit) in queries.items():
        query = " ".join(terms)
        ours = partial(rendered, files, query)
        found = processor({"ours": ours, "grep": partial(quiet, finder(terms, *places))}, 9)
        row(label, found["ours"], found["grep"], limit)
    print()
    for label in ("absent, 8 terms", "common, 3 terms", "stop words, 3 terms"):
        query = " ".join(queries[label][0])
        waits = sorted(longest_wait(partial(rendered, files, query)) for _ in range(5))
        print(f"longest wait of another thread, {label:<20} {waits[2]:6.1f} ms (worst of five {waits[-1]:.1f}; aim 15)")
    waits = sorted(longest_wait(lambda: Mem(root, PROJECT, "2026-05-25").search("quokkafish")) for _ in range(3))
    print(
        f"longest wait of another thread, {'cold load and search':<20} {waits[1]:6.1f} ms (worst of three {waits[-1]:.1f}; aim 15)"
    )


if __name__ == "__main__":
    main()
