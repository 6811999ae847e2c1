"""The demo: a small home folder with the memory of two agents, a history, and things to decide for every screen."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project_folders import ProjectRecord
from zsmem_tui.core.version import agent_author
from zsmem_tui.service.demo_folders import new_folder, whole
from zsmem_tui.service.projects import naming
from zsmem_tui.service.session import Session, local_clock
from zsmem_tui.service.stores import open_store
from zsmem_tui.store import project_register, writing
from zsmem_tui.store.disk import files, temporary
from zsmem_tui.store.disk.folders import every_file
from zsmem_tui.store.disk.replace import put_over
from zsmem_tui.store.scan import scan
from zsmem_tui.store.transfer import demo

PROJECT: Final = "lantern-2cf21588"
"""The project that the demo opens with, under its original slug."""

_FOLDERS: Final = {
    PROJECT: "code/lantern",
    "harbor-api-d08a5407": "code/harbor-api",
    "kite-07324233": "code/kite",
    "dotfiles-e1082724": "dotfiles",
    "old-thesis-60eac238": "code/old-thesis",
    "---7245befc": "code/翻訳",
}
"""The folder of each demo project, relative to the demo's home folder."""

Clock = Callable[[], datetime]

_FILES: Final = {
    "lantern": ("programme/expand.py", "migrations/NNNN_name.sql", "tests/fakegw.py"),
    "kite": ("sw.ts", "sw.js"),
}
"""Files that the demo's texts mention, except for one that is meant to be missing."""

_RENAMED: Final = ("code/harbor-api", "code/harbour-api")
_GONE: Final = "code/old-thesis"

_YOU: Final = "you"


class _Write(NamedTuple):
    """A write in the demo's history: in `path`, `old` was replaced by `new`, by `who` (empty: an unknown program)."""

    hours: float
    who: str
    path: str
    old: str
    new: str
    label: str = ""
    seen: bool = False


def make_demo(today: date, root: str) -> str:
    """Copy the demo store to `root`, with its dates shifted so that `today` is the last day; return `root`."""
    demo.make_demo(locate.shipped("demo", "store"), today, root)
    return root


def move_in(config: Config) -> tuple[Config, str]:
    """Create the demo's home folder and make it this process's home; return the settings for it and the folder to work in.

    Nothing done there affects the user's memory or agents' settings. Raises `MemError`; then the home is unchanged.
    """
    with whole():
        home = new_folder()
        with locate.moved_home(home):
            return config._replace(root="", stores=(), roots=()), make_home(home, config)


def make_home(home: str, config: Config, clock: Clock = local_clock) -> str:
    """Fill `home`, this process's home folder; return the project folder in it to work in."""
    now = clock()
    places = {slug: os.path.join(home, *path.split("/")) for slug, path in _FOLDERS.items()}
    renamed = {f"projects/{slug}": f"projects/{project_slug(place)}" for slug, place in places.items()}
    root = locate.memory_root()
    demo.make_demo(locate.shipped("demo", "store"), now.date(), root, renamed)
    _replay_history(Session(root, project_slug(places[PROJECT]), config=config, clock=clock), renamed, now)
    _make_project_folders(root, places, clock)
    _remember_elsewhere(config, places[PROJECT], now)
    return places[PROJECT]


def _replay_history(session: Session, renamed: dict[str, str], now: datetime) -> None:
    """Replay the store's history: every write at its time, and the reviews."""
    shift = now.date() - demo.LAST_DAY
    with_dates = [
        each._replace(
            path=demo.placed(each.path, renamed),
            old=demo.shifted(each.old.encode(), shift).decode(),
            new=demo.shifted(each.new.encode(), shift).decode(),
        )
        for each in past()
    ]
    lived = _texts(session.root, with_dates)
    first = now - timedelta(hours=with_dates[0].hours + 24)
    for write, before, _ in reversed(lived):
        demo.write_as_others(session.root, write.path, before, _ns(first))
    _at(session, first)
    session.history.catch_up(scan(session.root, session.layout))
    for write, _, after in lived:
        _at(session, now - timedelta(hours=write.hours))
        _replay_write(session, write, after)


def past() -> Sequence[_Write]:
    """Every write of the demo's history, in order of time."""
    with_all = tomllib.loads(files.read(locate.shipped("demo", "past.toml"))[0].decode())
    return sorted((_Write(**each) for each in with_all["write"]), key=lambda each: -each.hours)


def _texts(root: str, writes: Sequence[_Write]) -> list[tuple[_Write, bytes, bytes]]:
    """The writes with the complete texts before and after each, computed backwards from the final texts in the store."""
    now: dict[str, bytes] = {}
    found = []
    for each in reversed(writes):
        after = now[each.path] if each.path in now else files.read(os.path.join(root, each.path))[0]
        now[each.path] = after.replace(each.new.encode(), each.old.encode(), 1)
        found.append((each, now[each.path], after))
    return found[::-1]


def _replay_write(session: Session, write: _Write, after: bytes) -> None:
    when = session.now_ns()
    if write.who:
        session.writer = None if write.who == _YOU else agent_author(write.who)
        recorder = session.recorder(write.label)
        writing.update(session.root, write.path, lambda _: after, recorder=recorder, modified=when, watched=False)
        if session.writer is None:
            recorder.record_step_end()
        session.writer = None
    else:
        demo.write_as_others(session.root, write.path, after, when)
        session.history.observe([write.path])
    if write.seen:
        session.history.drain()
        session.history.mark_reviewed({each.path: each.now for each in session.history.pending_review()})


def _at(session: Session, when: datetime) -> None:
    session.clock = lambda: when


def _make_project_folders(root: str, places: Mapping[str, str], clock: Clock) -> None:
    """Create the projects' folders. One is renamed after it was recorded, and one is deleted."""
    long_ago = _ns(clock() - timedelta(days=90))
    for place in places.values():
        for name in ("README.md", *_FILES.get(os.path.basename(place), ())):
            demo.write_as_others(place, name, f"{name} of {os.path.basename(place)}\n".encode(), long_ago)
    told = files.read(locate.shipped("demo", "lantern", "AGENTS.md"))[0]
    demo.write_as_others(places[PROJECT], "AGENTS.md", told, long_ago)
    records = {project_slug(place): ProjectRecord(project_slug(place), (place,)) for place in places.values()}
    project_register.change(root, lambda known: known._replace(records=records))
    naming.refresh(Session(root, project_slug(places[PROJECT]), clock=clock))
    home = os.path.dirname(os.path.dirname(places[PROJECT]))
    put_over(os.path.join(home, _RENAMED[0]), os.path.join(home, _RENAMED[1]))
    temporary.drop_folder(os.path.join(home, _GONE))


def _remember_elsewhere(config: Config, folder: str, now: datetime) -> None:
    """Add the memory of Claude Code for the folder."""
    other = open_store(config, "claude-code", cwd=folder)
    sample = locate.shipped("demo", "claude-code")
    place = other.layout.home_of(other.project)
    for number, path in enumerate(every_file(sample)):
        raw = files.read(os.path.join(sample, path))[0]
        demo.write_as_others(other.root, f"{place}/{path}", raw, _ns(now - timedelta(hours=5 + 31 * number)))


def _ns(when: datetime) -> int:
    return int(when.timestamp() * 10**9)
