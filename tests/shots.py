"""Makes the pictures in screenshots/ from the demo store, always the same ones.

python -m tests.shots            write them
python -m tests.shots --check    exit 1 when one would change
"""

from __future__ import annotations

import asyncio
import calendar
import html
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple
from unittest import mock

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)

from dulwich.repo import Repo
from rich.cells import cell_len
from textual.screen import ModalScreen

from tests.ui.driving import done, running, typed, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.conflict import Conflicts, conflicts
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.demo import PROJECT, make_demo
from zsmem_tui.service.folders import Beside, folders_of
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.scan import scan
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.conflict import ConflictDialog
from zsmem_tui.ui.open_store import MoreStores

FOLDER = Path(__file__).parent.parent / "screenshots"
NOW = datetime(2026, 5, 25, 14, 7)

SAMPLES = Path(__file__).parent / "samples"
HOME = Path("/tmp/zsmem-ann")
WORKED_IN = "/home/ann/code/lantern"
"""The folder that the samples and the demo's first project are about."""

OTHERS = (
    ("claude-code", "claude-code/home", ".claude"),
    ("ethos", "ethos/home", ".ethos"),
    ("opencode", "opencode-agent-memory/home", ".config/opencode/memory"),
    ("oh-my-pi", "oh-my-pi/home", ".omp/agent/memories"),
)
"""Each other kind of store with its sample, and where the store lies in that."""


class Shot(NamedTuple):
    name: str
    keys: Sequence[str]
    """Keys by name; what begins with a quote is typed."""
    size: tuple[int, int] = (120, 36)
    theme: str = "dark"
    alone: bool = True
    """Whether it is also a file of its own, not only a part of the animated one."""
    past: bool = False
    """Whether an agent has written since the person last looked."""
    conflict: bool = False
    """Whether two texts with two conflicts are being decided."""
    several: bool = False
    """Whether other agents remember something of the same folder."""
    projects: bool = False
    """Whether projects have folders: one that moved, some that are gone, work trees of one repository."""
    brought: bool = False
    """Whether another agent's memory lies in the home folder, to be brought in."""


SHOTS = (
    Shot("browse", ["j", "l", "j", "enter"], alone=False),
    Shot("note", ["slash", "'architecture", "enter", "j", "enter", "O", "down", "down", "down", "enter"]),
    Shot("search", ["s", "'scheduler deploy quokka", "down", "j", "j"]),
    Shot("wider", ["s", "'postgres retry", "f8", "f8", "down", "j", "j", "j"], theme="light"),
    Shot("edit", ["j", "l", "j", "enter", "e", *["down"] * 9, "end", "' and the retry test"]),
    Shot("prompt", ["f2", "j"], size=(140, 36)),
    Shot("triage", ["6", "w", *["j"] * 6, "space", "space"]),
    Shot("facts", ["7", "f", "j", "j", "space", "j", "space"]),
    Shot("review", ["f3"], alone=False, past=True),
    Shot("lines", ["f3", "enter", "space", "space", "n"], past=True),
    Shot("conflict", ["m"], conflict=True),
    Shot("stores", [".", "j", "l", "j", "j", "enter"], several=True),
    Shot("transfer", ["f4", "enter", "j"], brought=True),
    Shot("doctor", ["f6", "j", "j"]),
    Shot("projects", ["0"], projects=True),
    Shot("family", ["g"], size=(100, 24), projects=True),
    Shot("keys", ["question_mark"]),
    Shot("small", ["j", "l", "j"], size=(80, 24)),
)

TOUR = ("browse", "search", "facts", "edit", "triage", "review")
"""The pictures of one size that the animated one is made of."""


def an_agent_writes(session: Session, place: Path) -> None:
    """What was there is recorded; then an agent changes a scratchpad, a log and MEMORY.md."""
    session.history.catch_up(scan(session.root, session.layout))
    pad, memory = place / "projects" / PROJECT / "SCRATCHPAD.md", place / "MEMORY.md"
    pad.write_text(pad.read_text().replace("- [ ] ", "- [x] ", 1) + "- [ ] ask Mara whether the nightly job may use both runners\n")
    facts = memory.read_text().replace("keep lines under 88", "keep lines under 100", 1)
    memory.write_text(facts.replace("## Preferences\n", "## Preferences\n\n- Commit messages say why, in the present tense.", 1))
    log = place / "projects" / PROJECT / "daily" / "2026-05-25.md"
    log.write_text(log.read_text() + "\n### 13:58 — nightly job\nMoved to 02:30; the backup holds the disk until then.\n")
    paths = [pad, memory, log]
    for number, path in enumerate(paths):
        os.utime(path, (0, calendar.timegm(NOW.timetuple()) - 600 * number - 300))
    session.history.observe([str(path.relative_to(place)) for path in paths])


def folders_of_projects(session: Session, home: Path) -> None:
    """Folders for the memory of the demo's projects and of a few more; then one is renamed, and two are deleted."""
    git = home / "git"
    for name in ("compass", "harbour", "tea-timer", "spike", "old-site"):
        (git / name).mkdir(parents=True)
        (git / name / "README.md").write_text(name)
    with Repo.init(str(git / "compass")):
        pass
    for tree in ("compass-fix", "compass-docs"):
        noted = git / "compass/.git/worktrees" / tree
        noted.mkdir(parents=True)
        (noted / "commondir").write_text("../..\n")
        (git / tree).mkdir()
        (git / tree / ".git").write_text(f"gitdir: {noted}\n")
    for number, folder in enumerate(sorted(git.iterdir())):
        place = Path(session.root, "projects", project_slug(str(folder)))
        place.mkdir()
        (place / "SCRATCHPAD.md").write_text(f"- [ ] release {folder.name}\n- [ ] tell Mara\n")
        (place / "notes").mkdir()
        (place / "notes/deploy.md").write_text(f"# Deploy {folder.name}\n\n- push the tag\n")
        for path in place.rglob("*.md"):
            os.utime(path, (0, calendar.timegm(NOW.timetuple()) - 86_400 * (number * 3 + 1)))
    session.folder, session.project = str(git / "beacon"), project_slug(str(git / "beacon"))
    name_projects(session, commits=False)
    (git / "harbour").rename(git / "beacon")
    for name in ("spike", "old-site"):
        shutil.rmtree(git / name)


def other_agents(place: Path, config: Config) -> Beside:
    """The samples of other agents' memory, which is about the same folder as the demo's first project."""
    found = []
    for kind, sample, root in OTHERS:
        home = place / kind
        shutil.copytree(SAMPLES / sample, home)
        for path in home.rglob("*"):
            os.utime(path, (0, calendar.timegm(NOW.timetuple()) - 3600 * (len(path.name) + 1)))
        found.append(open_store(config, f"{kind}:{home / root}", group="engineer" if kind == "ethos" else "", cwd=WORKED_IN))
    return Beside(found, [WORKED_IN], {f"{each.layout.kind}:{each.root}": folders_of(each, [WORKED_IN]) for each in found})


def two_conflicts(base: str) -> Conflicts:
    """The person and an agent have changed two items of a list, some way apart."""
    found = [line for line in base.split("\n") if line.startswith("- ")][:9:8]
    mine = theirs = base
    for line in found:
        mine, theirs = mine.replace(line, f"{line} (checked)"), theirs.replace(line, f"{line} since May")
    return conflicts(base.encode(), mine.encode(), theirs.encode())


@contextmanager
def _at_home() -> Iterator[None]:
    """A home folder whose path is the same wherever this runs: slugs are made of paths."""
    HOME.mkdir(exist_ok=True)
    try:
        with mock.patch.dict(os.environ, {"HOME": str(HOME), "ZSMEM_STATE_DIR": str(HOME / "state")}):
            yield
    finally:
        shutil.rmtree(HOME)


async def take(shot: Shot) -> str:
    """One picture as SVG, of a store that no other picture, and no other run, has used: nothing of theirs is in it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "memory"
        make_demo(date(2026, 5, 25), str(place))
        session = Session(str(place), PROJECT, config=Config(theme=shot.theme), clock=lambda: NOW, history_home=f"{folder}/history")
        if shot.past:
            an_agent_writes(session, place)
        if shot.projects:
            with _at_home():
                folders_of_projects(session, HOME)
                return await _drawn(shot, session)
        if shot.brought:
            session.folder = WORKED_IN
            shutil.copytree(SAMPLES / "claude-code/home", f"{folder}/home")
            with mock.patch.dict(os.environ, {"HOME": f"{folder}/home"}):
                return await _drawn(shot, session)
        if not shot.several:
            return await _drawn(shot, session)
        session.folder = WORKED_IN
        beside = other_agents(Path(folder), session.config)
        beside.folders_of[f"zerostack:{session.root}"] = {PROJECT: WORKED_IN}
        return await _drawn(shot, session, lambda: beside)


async def _drawn(shot: Shot, session: Session, more: MoreStores | None = None) -> str:
    app = ZsmemApp(session, more=more, now_ns=lambda: calendar.timegm(NOW.timetuple()) * 10**9, follow=False)
    async with running(app, size=shot.size) as pilot:
        await _settled(app)
        if shot.conflict:
            dialog = ConflictDialog("MEMORY.md", two_conflicts(Path(session.root, "MEMORY.md").read_text(encoding="utf-8")))
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
        return _with_cell_widths(app.export_screenshot(title="zsmem"))


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
