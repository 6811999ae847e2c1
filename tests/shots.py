"""Makes the pictures in screenshots/ from the sample that `zsmem --demo` opens, always the same ones.

python -m tests.shots            write them
python -m tests.shots --check    exit 1 when one would change
"""

from __future__ import annotations

import asyncio
import calendar
import fcntl
import html
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest import mock

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)

from rich.cells import cell_len
from textual.screen import ModalScreen

from tests.ui.driving import done, running, typed, until
from zsmem_tui.config.locate import moved_home
from zsmem_tui.config.model import Config
from zsmem_tui.core.conflict import Conflicts, conflicts
from zsmem_tui.service.demo import make_home
from zsmem_tui.service.folders import beside
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.conflict import ConflictDialog
from zsmem_tui.ui.open_store import MoreStores

FOLDER = Path(__file__).parent.parent / "screenshots"
NOW = datetime(2026, 5, 25, 14, 7)

HOME = Path("/tmp/zsmem-ann")
"""The home folder of the sample: its path is the same wherever this runs, since names of projects are made of paths."""


class Shot(NamedTuple):
    name: str
    keys: Sequence[str]
    """Keys by name; what begins with a quote is typed."""
    size: tuple[int, int] = (120, 36)
    theme: str = "dark"
    alone: bool = True
    """Whether it is also a file of its own, not only a part of the animated one."""
    conflict: bool = False
    """Whether two texts with two conflicts are being decided."""
    shows: str = ""
    """Words that must be in it."""


SHOTS = (
    Shot("browse", ["j", "l", "j", "enter"], alone=False),
    Shot("note", ["ctrl+o", "'architecture", "enter", "O", "down", "down", "down", "enter"]),
    Shot("search", ["s", "'scheduler deploy quokka", "down", "j", "j"]),
    Shot("wider", ["s", "'postgres retry", "alt+w", "alt+w", "down", "j", "j", "j"], theme="light"),
    Shot("edit", ["j", "l", "j", "enter", "e", *["down"] * 9, "end", "' and the retry test"]),
    Shot("prompt", ["4", "{", "|"], size=(140, 40)),
    Shot("triage", ["6", "w", *["j"] * 6, "space", "space"]),
    Shot("facts", ["7", "f", "j", "enter", "j", "j", "space", "j", "space"]),
    Shot("review", ["5", "5"], alone=False),
    Shot("today", ["5", "home", "j"], shows="Others wrote"),
    Shot("lines", ["5", "5", "enter", "g", "space"]),
    Shot("conflict", ["m"], conflict=True),
    Shot("stores", ["G", "k", "l", "j", "l", "j", "enter"]),
    Shot("transfer", ["9", "enter", "j"]),
    Shot("doctor", ["8", "j"]),
    Shot("projects", ["0", "g"]),
    Shot("keys", ["question_mark"]),
    Shot("small", ["j", "l", "j"], size=(80, 24)),
)

TOUR = ("browse", "search", "facts", "edit", "triage", "review")
"""The pictures of one size that the animated one is made of."""


def two_conflicts(base: str) -> Conflicts:
    """The person and an agent have changed two items of a list, some way apart."""
    found = [line for line in base.split("\n") if line.startswith("- ")][:9:8]
    mine = theirs = base
    for line in found:
        mine, theirs = mine.replace(line, f"{line} (checked)"), theirs.replace(line, f"{line} since May")
    return conflicts(base.encode(), mine.encode(), theirs.encode())


@contextmanager
def _at_home() -> Iterator[None]:
    """Live in the sample's home folder, in which nothing is yet, and in one time zone. Other runs wait for their turn."""
    with open(f"{HOME}.lock", "w") as turn, mock.patch.dict(os.environ):
        fcntl.flock(turn, fcntl.LOCK_EX)
        shutil.rmtree(HOME, ignore_errors=True)  # of a run that was killed
        HOME.mkdir()
        try:
            with moved_home(str(HOME)):
                os.environ["TZ"] = "UTC"
                time.tzset()
                yield
        finally:
            shutil.rmtree(HOME)
    time.tzset()


async def take(shot: Shot) -> str:
    """One picture as SVG, of a sample that no other picture, and no other run, has used: nothing of theirs is in it."""
    with _at_home():
        config = Config(theme=shot.theme)
        folder = make_home(str(HOME), config, lambda: NOW)
        session = Session.open(config, cwd=folder, clock=lambda: NOW)
        name_projects(session)
        return await _drawn(shot, session, partial(beside, session, config, cwd=folder))


async def _drawn(shot: Shot, session: Session, more: MoreStores) -> str:
    app = ZsmemApp(session, more=more, now_ns=lambda: calendar.timegm(NOW.timetuple()) * 10**9, follow=False)
    app.draws_unseen = True  # code is coloured once it was drawn
    async with running(app, size=shot.size) as pilot:
        await _settled(app)
        if shot.conflict:
            found = two_conflicts(Path(session.root, "MEMORY.md").read_text(encoding="utf-8"))
            dialog = ConflictDialog("MEMORY.md", found, names=("Theirs, on disk", "Mine"), leaving="go on editing")
            app.push_screen(dialog)
            await until(pilot, lambda: dialog.focused is not None)
        for key in shot.keys:
            if key.startswith("'"):
                await typed(pilot, key[1:])
            else:
                await pilot.press(key)
                await pilot.pause()
            await _settled(app)
        app.main.status.said = ""
        for area in app.main.query("#text"):
            area.cursor_blink = False  # type: ignore[attr-defined]
        await pilot.pause()
        svg = app.export_screenshot(title="zsmem")
        assert shot.shows in html.unescape(svg).replace("\xa0", " "), f"{shot.name} does not show {shot.shows}"
        return _with_cell_widths(svg)


async def _settled(app: ZsmemApp) -> None:
    """Until nothing works any more; who asked for a dialog waits for its answer, which is never given here."""
    waiting = isinstance(app.screen, ModalScreen)
    await done(app.workers, lambda worker: not waiting or worker.node in app.screen.walk_children(with_self=True))


def _with_cell_widths(svg: str) -> str:
    """The picture with wide characters two cells wide: the export counts characters."""

    def widen(found: re.Match[str]) -> str:
        text = html.unescape(found[3])
        factor = cell_len(text) / max(len(text), 1)
        return f"{found[1]}{float(found[2]) * factor:g}{found[0][found.end(2) - found.start() :]}"

    return re.sub(r'(<text [^>]*textLength=")([0-9.]+)"[^>]*>([^<]*)</text>', widen, svg)


def animated(frames: Sequence[str], seconds: int = 3) -> str:
    """Pictures of one size, shown one after the other, without end; whoever wants no motion sees the first."""
    opening = re.match(r'<svg [^>]*viewBox="([^"]*)"', frames[0])
    assert opening
    share = 100 / len(frames)
    turns = [f"#frame-{number} {{ animation-delay: {number * seconds}s }}" for number in range(len(frames))]
    style = (
        f".frame {{ visibility: hidden; animation: turn {len(frames) * seconds}s step-end infinite }} "
        f"@keyframes turn {{ 0% {{ visibility: visible }} {share:g}% {{ visibility: hidden }} }} "
        f"{' '.join(turns)} @media (prefers-reduced-motion) {{ .frame {{ animation: none }} #frame-0 {{ visibility: visible }} }}"
    )
    drawn = "".join(f'<g class="frame" id="frame-{number}">{frame}</g>' for number, frame in enumerate(frames))
    return f'<svg viewBox="{opening[1]}" xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{drawn}</svg>\n'


def main() -> int:
    stale = []
    drawn = {shot.name: asyncio.run(take(shot)) for shot in SHOTS}
    drawn["tour"] = animated([drawn[name] for name in TOUR])
    hidden = {shot.name for shot in SHOTS if not shot.alone}
    for name, svg in drawn.items():
        if name in hidden:
            continue
        place = FOLDER / f"{name}.svg"
        if "--check" in sys.argv:
            if not place.exists() or place.read_text(encoding="utf-8") != svg:
                stale.append(name)
        else:
            FOLDER.mkdir(exist_ok=True)
            place.write_text(svg, encoding="utf-8")
    if stale:
        print(f"These pictures are stale: {', '.join(stale)}. Run: python -m tests.shots")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
