"""Search over five stores of five agents, 10,000 files, through a terminal: from the key to the painted result, warm.

python -m tests.bench.stores_search         the stores take a minute to make, once a machine
"""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from tests.bench.measure import corpus, row
from tests.bench.screen import RUNS, ZSMEM, bench, steps
from zsmem_tui.config.locate import folder_project

FILES = 2_000
"""Files of each store."""

AIM = 200
"""Milliseconds from the key to the painted result."""


def texts() -> Iterator[str]:
    """The texts of a generated store, over and over."""
    return itertools.cycle(path.read_text() for path in sorted(corpus("M").glob("projects/*/notes/*.md"))[: FILES * 2])


def machine() -> Path:
    """A home folder with five stores, made once a machine; the folder worked in is `lantern` in it."""
    home = Path(tempfile.gettempdir()) / "zsmem-five-stores"
    done = home / ".made"
    if done.exists():
        return home
    folder = str(home / "lantern")
    encoded = re.sub("[^A-Za-z0-9]", "-", folder)
    days = (date(2026, 5, 25) - timedelta(days=back) for back in range(FILES))
    places = {
        "zerostack": (f"{_own_root(home)}/projects/{folder_project(folder)}/notes/n{number}.md" for number in range(FILES)),
        "claude": (f"{home}/.claude/projects/{encoded}/memory/n{number}.md" for number in range(FILES)),
        "ethos": (f"{home}/.ethos/personalities/p{number // 100}/n{number % 100}.md" for number in range(FILES)),
        "opencode": (f"{home}/.config/opencode/memory/n{number}.md" for number in range(FILES)),
        "memsearch": (f"{folder}/.memsearch/memory/{day}.md" for day in days),
    }
    from_corpus = texts()
    for paths in places.values():
        for place in map(Path, paths):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(next(from_corpus))
    done.write_text("")
    return home


def _own_root(home: Path) -> Path:
    return home / ".local/share/zerostack/agent/memory"


def typed(word: str, wider: int) -> float:
    """Milliseconds from the last letter of a word to what it found on the screen, searched this often wider before."""
    home = machine()
    painted = rf"{word} +[0-9]+ +(top 50 of )?[0-9]+ files"
    script = [
        "sleep 2",
        "key s",
        *["key f8"] * wider,
        f"type {word} => {painted}",
        "sleep 1",
        f"key backspace => {word[:-1]} +[0-9]+ +(top 50 of )?[0-9]+ files",
        "sleep 1",
        f"type {word[-1]} => {painted}",
    ]
    words = [part for step in script for part in ("-s", step)]
    start = f"cd {home}/lantern && HOME={home} XDG_DATA_HOME= XDG_CONFIG_HOME= ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM}"
    found = steps(bench("keys", "-n", RUNS, "--timeout", "60", "--ready", "5 stores", *words, "--", "sh", "-c", start))
    return [value for name, value in found.items() if f"type {word[-1]} " in name and "matched" in name][-1]


if __name__ == "__main__":
    for label, word in (("rare", "quokkafish"), ("common", "schedule")):
        one, all_of_them = typed(word, 0), typed(word, 3)
        row(f"{label} word, five stores against one", all_of_them, one, 5)
        print(f"{label} word in 10,000 files of five stores: painted {all_of_them:.0f} ms after the key (aim {AIM})")
