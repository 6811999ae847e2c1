"""Generated stores are searched as the plain path does it: file by file, line by line, straight from the specification.

Whatever is held, read anew, changed, new or gone: terms, counts, hits, their order and their excerpts are the same.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from zsmem_tui import Mem
from zsmem_tui.core.fold import fold
from zsmem_tui.core.search import Searched, SearchHit, search, split_terms
from zsmem_tui.core.text import lines
from zsmem_tui.store.text_cache import Texts, stream

ALL_WORDS = (
    "the|and|to|redis|Redis|PORT|port|task|Kelvin|\u212aelvin|Straße|STRASSE|GRÖSSE|größe|ÉCOLE|école|Σίσυφος|ΣΊΣΥΦΟΣ|ſsk|sk|İi|ı|i|記憶|設定"
    "|🚀|ПАМЯТЬ|Память|память|ＡＢ|ａｂ|Ⱥ|ⱥ|ẞ|ß|a|aa|aaa|[x]|.md|2026|\u2028x|x\x1cy"
)
WORDS = ALL_WORDS.split("|")
BROKEN = (b"\xff", b"caf\xc3 \xa9 redis", b"\xed\xa0\x80 the")
NAMES = (
    "notes",
    "Redis",
    "task-2026",
    "école",
    "Größe",
    "記憶",
    "MEMORY",
    "k",
    "port and",
    "2026-05-25",
    "2026-05-24",
    "zzz",
    "\udcff",
)

Hit = tuple[str, int, list[str]]


def a_text(rng: random.Random) -> bytes:
    if rng.random() < 0.05:
        return rng.choice(BROKEN)
    if rng.random() < 0.05:
        return " ".join(word.upper() for word in rng.choices(WORDS, k=200)).encode()
    found = [" ".join(rng.choices(WORDS, k=rng.choice((0, 1, 5, 9)))) for _ in range(rng.choice((0, 1, 3, 12, 40)))]
    text = rng.choice(("\n", "\r\n")).join(found)
    return (text + rng.choice(("", "\n", "\n\n"))).encode()


def change(rng: random.Random, home: Path, files: dict[str, bytes]) -> None:
    """Write, write over and remove some files of a store."""
    for _ in range(rng.randint(1, 12)):
        folder = rng.choice(("", "projects/p/notes/", "projects/p/daily/"))
        path = f"{folder}{'MEMORY' if not folder else rng.choice(NAMES)}{rng.choice(('', '.x'))}.md"
        place = home / path
        if path in files and rng.random() < 0.3:
            place.unlink()
            del files[path]
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text := a_text(rng))
        files[path] = text


def plain(files: dict[str, bytes], query: str) -> tuple[list[tuple[str, int]], list[Hit]]:
    """The lines each term matches, and the hits in order (specification, section 6)."""
    terms = split_terms(query)
    counts = dict.fromkeys(terms, 0)
    found = []
    for path, raw in files.items():
        try:
            folded = [fold(line.encode()) for line in lines(raw.decode())]
        except UnicodeDecodeError:
            folded = []
        matching = {term: [number for number, line in enumerate(folded) if fold(term.encode()) in line] for term in terms}
        for term, numbers in matching.items():
            counts[term] += len(numbers)
        total = len({number for numbers in matching.values() for number in numbers})
        name = os.path.basename(path)
        known = "" if "\udcff" in name else fold(name.encode()).decode()
        present = [term for term in terms if (matching[term] if total else fold(term.encode()).decode() in known)]
        if present:
            date = (b"" if not known else name.rpartition(".")[0].encode()) if "/daily/" in path else None
            newest_first = [1] if date is None else [0, *(255 - byte for byte in date), 256]
            parts = [os.fsencode(part) for part in path.split("/")]
            key = (name != "MEMORY.md", -len(present), total == 0, -total, newest_first, parts)
            found.append((key, (path, total, present)))
    return list(counts.items()), [hit for _, hit in sorted(found)]


def seen(home: Path, hit: SearchHit) -> Hit:
    return os.path.relpath(hit.os_path, home), hit.total_hits, hit.matched_terms


def is_searched_plainly(seed: int, home: Path) -> None:
    rng = random.Random(seed)
    files: dict[str, bytes] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zsmem_tui.core.find.SPAN_BYTES", rng.choice((64, 2_000, 10**6)))
        patch.setattr("zsmem_tui.store.text_cache._MOSTLY_BYTES", rng.choice((16, 10**5)))
        texts = Texts(rng.choice((0, 3_000, 10**8)))
        mem = Mem(str(home), "p", "2026-05-25", texts=texts)
        for _ in range(3):
            change(rng, home, files)
            query = " ".join(rng.choices([*WORDS, "zz", "a"], k=rng.choice((1, 1, 2, 3, 8))))
            once = stream(str(home), mem.searched_folders(), keep_bytes=rng.choice((0, 3_000, 10**8)))
            counts, hits = plain(files, query)
            for results in (mem.search(query), search([Searched(once)], query)):
                assert results.terms == counts, (seed, query)
                assert [seen(home, hit) for hit in results.hits] == hits, (seed, query)
                for hit in results.hits[:3]:
                    raw = files[os.path.relpath(hit.os_path, home)]
                    if not hit.filename_only:
                        assert hit.file.raw == raw, (seed, hit.path)
                        assert hit.file.folded == fold(raw), (seed, hit.path)


@pytest.mark.parametrize("seed", range(12))
def test_a_generated_store_is_searched_as_the_plain_path_does(seed: int, tmp_path: Path) -> None:
    is_searched_plainly(seed, tmp_path)


@pytest.mark.slow
def test_1000_generated_stores_are_searched_as_the_plain_path_does(tmp_path: Path) -> None:
    for seed in range(1_000, 2_000):
        is_searched_plainly(seed, tmp_path / str(seed))
