"""How long the rules about credentials and orders take over ordinary Markdown.

    python -m tests.bench.hazards

10 MB, once as 1,000 files and once as one: the pages that the program's help is made of, over and over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from zsmem_tui.core.checks.poison import poison_in
from zsmem_tui.core.checks.scan import Span
from zsmem_tui.core.checks.secret import secrets_in
from zsmem_tui.core.find import use_fastest

PAGES = Path(__file__).parents[2] / "zsmem_tui/help"
FILES, FILE = 1_000, 10_000


def run() -> None:
    use_fastest()
    pages = "\n".join(place.read_text("utf-8") for place in sorted(PAGES.rglob("*.md")))
    text = (pages * (FILES * FILE // len(pages) + 1))[: FILES * FILE]
    files = [text[at : at + FILE] for at in range(0, len(text), FILE)]
    rules: tuple[tuple[str, Callable[[str], list[Span]]], ...] = (("secret", secrets_in), ("poison", poison_in))
    for name, rule in rules:
        rule("the first call loads what it needs")
        for shape, texts in (("1,000 files", files), ("one file", [text])):
            start = time.process_time()
            found = sum(len(rule(each)) for each in texts)
            print(f"{name}, {shape}: {time.process_time() - start:.2f} s for 10 MB, {found} places")


if __name__ == "__main__":
    run()
