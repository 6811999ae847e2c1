"""Where `core.markdown` and markdown-it-py differ in what the lines of texts are: headings, code, tables, rules.

    python -m tests.bench.markdown [FOLDER ...] [--show N]

Without a folder: the texts of this repository, and what the packages beside it say of themselves. Front matter is left out, for it
is no Markdown; so is the empty line that a fence without an end ends in.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt

from zsmem_tui.core.markdown import Kind, Line, front_matter, scan
from zsmem_tui.core.text import lines

HERE = Path(__file__).parents[2]
_NAMES = {Kind.FENCE: "code", Kind.CODE: "code", Kind.INDENTED: "indented", Kind.RULE: "rule", Kind.TABLE: "table"}


def own_kinds(rows: Sequence[str]) -> list[str]:
    """What the lines are, by `scan`."""
    return [_name(line) for line in scan(rows)]


def _name(line: Line) -> str:
    leaf = line.leaf
    while leaf.inner is not None:
        leaf = leaf.inner
    return f"h{leaf.level}" if leaf.kind is Kind.HEADING else _NAMES.get(leaf.kind, "")


def library_kinds(rows: Sequence[str]) -> list[str]:
    """What they are by markdown-it-py."""
    out = [""] * len(rows)
    for token in MarkdownIt("commonmark").enable("table").disable("inline").parse("\n".join(rows)):
        start, stop = token.map or (0, 0)
        if token.type == "heading_open":
            name, stop = f"h{token.tag[1]}", stop - (token.markup[:1] in ("=", "-"))
        elif token.type in ("fence", "table_open", "hr"):
            name = {"fence": "code", "table_open": "table", "hr": "rule"}[token.type]
        elif token.type == "code_block":
            name = "indented"
        else:
            continue
        for at in range(start, stop):
            if name != "indented" or rows[at].strip(" \t>"):
                out[at] = name
    return out


def differences(text: str) -> tuple[int, list[tuple[int, str, str, str]]]:
    """How many lines a text has, and those that are not the same to both, with their numbers from 1."""
    rows = [row.replace("\r", " ").replace("\0", "\ufffd") for row in lines(text)]
    rows = rows[front_matter(rows) :]
    every = enumerate(zip(own_kinds(rows), library_kinds(rows), rows, strict=True), 1)
    found = [(number, own, other, row) for number, (own, other, row) in every if own != other]
    return len(rows), [each for each in found if each[0] < len(rows) or each[3].strip()]


def texts(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """The Markdown below some folders, as far as it is UTF-8."""
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix == ".md" or path.name == "METADATA"):
            try:
                yield path, path.read_bytes().decode()
            except (UnicodeDecodeError, OSError):
                continue


def main() -> None:
    """Compare, and say how many lines differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="*", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N lines that differ")
    asked = parser.parse_args()
    beside = [Path(place) for place in sys.path if place.endswith("site-packages")]
    count = differing = 0
    for path, text in texts(asked.folder or [HERE / "zsmem_tui", HERE / "tests", HERE / ".github", *beside]):
        size, found = differences(text)
        for number, own, other, row in found[: max(asked.show - differing, 0)]:
            print(f"{path}:{number}: {own or 'text'}, not {other or 'text'}: {row[:80]}")
        count, differing = count + size, differing + len(found)
    rows = [row for _, text in texts(asked.folder or [HERE]) for row in lines(text)]
    start = time.process_time()
    scan(rows)
    spent = time.process_time() - start
    print(f"{count:,} lines, {differing} differ; {spent / max(len(rows), 1) * 1e6:.2f} us a line")


if __name__ == "__main__":
    main()
