"""Words near a term on 4,001 files / 40 MB: what the first one costs, one more, and a search in the same texts.

python -m tests.bench.recall
"""

from __future__ import annotations

import time

from tests.bench.measure import corpus, interleaved, timed
from zsmem_tui import Mem
from zsmem_tui.core.recall.near_words import near_words

PROJECT = "bigmono-deadbeef"
TERMS = ["kuberentes", "migratoin", "throttlings", "observibility", "i18n", "rollback", "zzqqxwyk"]


def main() -> None:
    mem = Mem(corpus("M"), PROJECT, "2026-05-25")
    folders = mem.searched_folders()
    files = list(mem.texts.files(mem.root, folders))
    count = timed(lambda: mem.texts.vocabulary(mem.root, folders))
    words = mem.texts.vocabulary(mem.root, folders)
    print(f"{len(files)} files, {len(words.files)} words, counted once in {count * 1000:.0f} ms")
    first = {term: timed(lambda term=term: near_words([term], words)) * 1000 for term in TERMS}  # type: ignore[misc]
    print("asked for the first time:", ", ".join(f"{term} {took:.1f} ms" for term, took in first.items()))
    for term in TERMS:
        took = interleaved({"near": lambda: near_words([term], words), "search": lambda: mem.search(term)}, 15)  # noqa: B023
        ratio = took["near"] / took["search"]
        print(f"{term}: near {took['near']:.2f} ms, a search {took['search']:.1f} ms, near / search {ratio:.2f}")
    begun = time.perf_counter()
    mem.search(TERMS[0], near=True)
    print(f"search with near words, nothing changed: {(time.perf_counter() - begun) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
