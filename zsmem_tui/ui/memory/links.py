"""Following a link of the file that is read, and coming back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, assert_never

from zsmem_tui.core.link_target import Leads, LeadsAway, LeadsNowhere, LeadsTo, by_name, by_path, heading_line
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.session import Session
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.reading.inline import LINE, WIKI, link_words
from zsmem_tui.ui.reading.links import Spot
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.wording import title_of

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


async def follow(main: MainScreen, target: str) -> None:
    """Go where a link of the open file leads; when that is no file of its store, say so."""
    here = _here(main)
    if here is None:
        main.say("No file is open here: there is no link to follow.", warning=True)
        return
    if target.startswith(LINE):
        main.viewer.view.trail.leave(here)
        _go(main, here._replace(line=int(target.removeprefix(LINE))))
        main.say(f"{link_words(target).capitalize()} · [ goes back")
        return
    store = main.store_of(here.store)
    match leads(store, here.ref, target):
        case LeadsTo(path, heading):
            ref = _refs(store).get(path, here.ref)  # a link within a file that the store holds no more
            line = await _line(main, store.session, ref, heading)
            main.viewer.view.trail.leave(here)
            _go(main, Spot(store.key, ref, line or 0))
            title = title_of(ref, store.session)
            if heading and line is None:
                main.say(f"{title} has no heading {visible_line(heading)!r} · [ goes back", warning=True)
            else:
                main.say(f"{title} · [ goes back")
        case LeadsAway(address):
            main.say(f"{visible_line(address)} is on the web: zsmem opens nothing there. y copies it.", warning=True)
        case LeadsNowhere(why):
            main.say(visible_line(why), warning=True)
        case other:
            assert_never(other)


def back_or_forward(main: MainScreen, step: int) -> None:
    """To the place that a link was followed from, or there again."""
    here = _here(main)
    spot = main.viewer.view.trail.go(step, here) if here is not None else None
    if spot is None:
        where = "go back to: enter follows a link" if step < 0 else "go forward to"
        main.say(f"There is nothing to {where}.", warning=True)
    else:
        _go(main, spot)


def leads(store: OpenStore, ref: MemRef, target: str) -> Leads:
    """Where a link in a file leads."""
    home = store.session.layout.home_of(ref.project) if ref.project else ""
    paths = _refs(store)
    if target.startswith(WIKI):
        return by_name(target.removeprefix(WIKI), ref.path, home, paths)
    return by_path(target, ref.path, home, paths, store.session.root)


def _here(main: MainScreen) -> Spot | None:
    file = main.viewer.file
    return Spot(main.viewer.store, file.ref, main.viewer.view.line_meant) if file is not None else None


def _refs(store: OpenStore) -> dict[str, MemRef]:
    catalog = store.catalog
    if catalog is None:
        return {}
    groups = (catalog.shared, *(project.files for project in catalog.projects))
    return {entry.ref.path: entry.ref for entries in groups for entry in entries}


async def _line(main: MainScreen, session: Session, ref: MemRef, heading: str) -> int | None:
    """The line of a heading of a file; None where there is none, or none is meant."""
    if not heading:
        return None
    file = await attempt(asyncio.to_thread(open_file, session, ref), lambda _: None)
    return heading_line(heading, Page(file.text).outline) if file is not None else None


def _go(main: MainScreen, spot: Spot) -> None:
    main.tree_pane.reveal(spot.store, spot.ref)
    main.post_message(FileChosen(spot.ref, enter=True, line=spot.line, store=spot.store, back=main.way_back))
