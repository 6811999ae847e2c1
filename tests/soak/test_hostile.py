"""Hostile strings through every sink of the command line and the screens."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.soak.hostile import STEERING, strings
from tests.ui.driving import an_app, drawn, running, until
from zsmem_tui.cli import main as cli
from zsmem_tui.cli.colour import Paint
from zsmem_tui.ui.memory.screen import MainScreen

OURS = re.compile("\x1b\\[(?:0|" + "|".join(paint for paint in Paint if paint) + ")m")
"""What turns our own colours on and off."""

VERBS = (
    "list", "projects", "status", "search word", "search --json word", "context --explain", "history",
    "scratch list", "scratch list --all", "projects --json", "list --json", "scratch list --json", "status --json",
)  # fmt: skip
"""What prints words about texts. `read` and `context` give the bytes as they are: that is their purpose."""

TOUR = (
    *(
        "l",
        "j",
        "j",
        "j",
        "j",
        "j",
        "enter",
        "R",
        "R",
        "G",
        "O",
        "escape",
        "1",
        "s",
        *"word",
        "down",
        "j",
        "enter",
        "escape",
        "escape",
    ),
    *("1", "f2", "j", "tab", "E", "escape", "escape", "6", "j", "w", "slash", "x", "enter", "escape", "escape", "escape"),
    *("f3", "j", "enter", "n", "escape", "escape", "H", "enter", "escape", "escape"),
    *("f4", "j", "escape", "ctrl+p", *"word", "escape"),
)


def filled(root: Path, seed: int, count: int) -> AStore:
    """A store with each string as a text, as an item, and, where a file system takes it, as the name of a note and of a project."""
    store = AStore(root)
    every = strings(seed, count)
    lines = [each.encode("utf-8", "surrogateescape") for each in every]
    valid = [line for line in lines if _valid(line)]
    store.has("MEMORY.md", b"".join(b"- word %b\n# %b\n" % (line, line) for line in valid[: count // 2]))
    store.has("~/SCRATCHPAD.md", b"".join(b"- [ ] word %b\n" % line for line in valid[count // 2 :]))
    store.has("~/daily/2026-05-25.md", b"".join(lines))
    for number, line in enumerate(lines):
        name = line.replace(b"/", b"-").replace(b"\0", b"").replace(b".", b"-")[:100] + b"%d" % number
        folder = os.fsencode(store.at("~/notes" if number % 10 else "projects"))
        path = os.path.join(folder, name + b".md") if number % 10 else os.path.join(folder, name, b"SCRATCHPAD.md")
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(os.fsdecode(path)).write_bytes(b"word " + line)
    return store


def _valid(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


class ATerminal(io.TextIOWrapper):
    """A stream that says it is a terminal; a pipe gets the bytes of a file as they are."""

    def isatty(self) -> bool:
        return True


def printed(store: AStore, verb: str) -> str:
    """What a verb says on a terminal, on both streams."""
    out, err = (ATerminal(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        cli.main([*verb.split(" "), "--root", str(store.root), "--project", store.project])
    return "".join(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]


def check_words(store: AStore) -> None:
    for verb in VERBS:
        for colours in ("never", "always"):
            painted = printed(store, f"{verb} --color {colours}")
            found = STEERING.search(OURS.sub("", painted) if colours == "always" else painted)
            assert found is None, (verb, colours, found)


async def check_screens(store: AStore, size: tuple[int, int]) -> None:
    async with running(an_app(store), size=size) as pilot:
        for key in TOUR:
            await pilot.press(key)
            shown = "".join(segment.text for strip in drawn(pilot.app) for segment in strip)
            filtered = re.sub("\n", "", shown)
            assert STEERING.search(filtered) is None, (key, STEERING.search(filtered))
        await until(pilot, lambda: any(isinstance(screen, MainScreen) for screen in pilot.app.screen_stack))


def test_hostile_strings_in_the_words_of_the_command_line(tmp_path: Path) -> None:
    check_words(filled(tmp_path / "store", 1, 200))


@pytest.mark.slow
async def test_hostile_strings_on_every_screen(tmp_path: Path) -> None:
    await check_screens(filled(tmp_path / "store", 2, 60), (120, 40))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
async def test_ten_thousand_hostile_strings(tmp_path: Path, seed: int) -> None:
    store = filled(tmp_path / "store", seed, 1_000)
    check_words(store)
    await check_screens(store, ((20, 6), (80, 24), (200, 60))[seed % 3])
