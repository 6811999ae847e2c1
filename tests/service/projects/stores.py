"""Generated stores with projects to move about, and everything that is in them."""

from __future__ import annotations

import os
import random
from pathlib import Path

from tests.builders import NOW, AStore
from zsmem_tui.service.session import Session

WORDS = ("deploy", "port 8080", "ask Ann", "日本", "flag", "retry", "TLS", "cache")
SLUGS = ("a-0000000a", "b-0000000b", "c-0000000c")


def a_store(root: Path, seed: int) -> Session:
    """A session over a store with three projects that have much in common, and folders with nothing in them."""
    dice = random.Random(seed)
    store = AStore(root, SLUGS[0])
    for slug in SLUGS:
        home = f"projects/{slug}"
        if dice.random() < 0.8:
            store.has(f"{home}/SCRATCHPAD.md", _checklist(dice))
        for day in dice.sample(range(10, 20), dice.randint(0, 3)):
            store.has(f"{home}/daily/2026-05-{day}.md", _log(dice))
        for name in dice.sample(["x", "y", "z"], dice.randint(1, 3)):
            store.has(f"{home}/notes/{name}.md", _note(dice))
        if dice.random() < 0.4:
            store.has(f"{home}/archive/SCRATCHPAD.md", _checklist(dice))
        if dice.random() < 0.3:
            store.has(f"{home}/notes/x.bak", b"\xff\x00 not text")
        if dice.random() < 0.3:
            store.has(f"{home}/odd/{dice.choice(WORDS)}.txt", _note(dice))
        if dice.random() < 0.4:
            store.at(f"{home}/empty/in/it").mkdir(parents=True)
    store.has("MEMORY.md", "- everybody's\n")
    return Session(str(root), SLUGS[0], clock=lambda: NOW)


def everything(root: str) -> dict[str, bytes | None]:
    """Every file with its bytes, every folder with None."""
    found: dict[str, bytes | None] = {}
    for folder, folders, names in os.walk(root):
        for name in folders:
            found[os.path.relpath(os.path.join(folder, name), root)] = None
        for name in names:
            place = Path(folder, name)
            found[os.path.relpath(place, root)] = place.read_bytes()
    return found


def lines(found: dict[str, bytes | None]) -> set[bytes]:
    """What is said in a store, whatever file it stands in."""
    return {line.strip() for raw in found.values() if raw for line in raw.split(b"\n")} - {b""}


def _checklist(dice: random.Random) -> bytes:
    items = [f"- [{dice.choice(' x')}] {word}\n" for word in dice.sample(WORDS, dice.randint(0, 5))]
    items.insert(dice.randint(0, len(items)), f"# {dice.choice(['Now', 'Later'])}\n")
    text = "".join(items)
    return (text.replace("\n", "\r\n") if dice.random() < 0.2 else text).rstrip(dice.choice(["", "\n"]) or None).encode()


def _log(dice: random.Random) -> bytes:
    return "".join(f"\n### {hour:02}:00 — {dice.choice(WORDS)}\nbody\n" for hour in sorted(dice.sample(range(24), 3))).encode()


def _note(dice: random.Random) -> bytes:
    return dice.choice([b"the same everywhere\n", f"# {dice.choice(WORDS)}\n{dice.random()}\n".encode()])
