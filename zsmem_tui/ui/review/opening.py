"""Collecting what waits in all stores, and opening the page of Review when it is due."""

from __future__ import annotations

import asyncio
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from textual.screen import ModalScreen

from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.service import today as waiting
from zsmem_tui.service.news import News, Today
from zsmem_tui.ui.open_store import Extent, OpenStore
from zsmem_tui.ui.wording import is_typed, pressed

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.review.page import ReviewPage

OPENS_SECONDS = 2.0
"""Seconds after the first rows in which the page may open by itself: later, somebody reads something else."""


async def look(main: MainScreen, store: OpenStore) -> None:
    """Collect what waits in a store and update the page; until the doctor has run, with the errors known from before."""
    known = dict((await _read(main, store)).errors)
    if not store.checkup.is_looked and known != store.checkup.counts:
        store.checkup = Checkup(counts=known, is_looked=False)
        main.tree_pane.show(main.stores, main.folders)
        main.tell_right()
    await show(main)


async def show(main: MainScreen) -> None:
    """Update the lists; if the page was not opened and is due, open it."""
    found, shown = _found(main), pages(main)
    for each in shown:
        if each.is_there:
            each.show(found)
    if not shown and found.waits and is_due(main):
        await open_page(main, found, by_itself=True)


async def list_so_much(main: MainScreen, extent: Extent) -> None:
    """Read what of it is not known, or could not be read, and update the lists."""
    is_other, main.extent = extent[:2] != main.extent[:2], extent
    for store in list(main.stores):
        problems = await asyncio.to_thread(store.session.folder_problems)
        if is_other or store.news is None or store.news.problem or problems:
            await _read(main, store)
    await show(main)


async def _read(main: MainScreen, store: OpenStore) -> News:
    """Collect what waits in a store, again if another extent is wanted meanwhile."""
    while True:
        extent = main.extent
        store.news = await asyncio.to_thread(waiting.news, store.session, is_of_all=extent.is_of_all, most_files=extent.files)
        if extent[:2] == main.extent[:2]:
            return store.news


def pages(main: MainScreen) -> list[ReviewPage]:
    """The lists that are there: that of the page, and that of the screen with the changes beside it."""
    tools = [each for each in main.host.tools if each.PAGE == "review"]
    if not tools and not main.query("#today"):
        return []
    from zsmem_tui.ui.review.page import ReviewPage  # deferred: imports the actions on facts

    return [page for screen in (main, *tools) for page in screen.query(ReviewPage)]


def _found(main: MainScreen) -> Today:
    stores = [store for store in main.stores if store.news is not None]
    looked = [store for store in stores if store.checkup.is_looked]
    faults = [(store.session, store.checkup.to_decide) for store in looked]
    unchecked = sum(store.checkup.left_here for store in looked) if len(looked) == len(main.stores) else None
    hints = list({store.hint: (store.session, store.hint) for store in reversed(stores) if store.hint}.values())
    news = [store.news._replace(checked_ns=store.checkup.since) for store in stores if store.news is not None]
    return waiting.today(news, faults, hints, [(each.session, each.unconnected) for each in stores], unchecked, main.extent.lines)


def is_due(main: MainScreen) -> bool:
    """Whether the page may open by itself, or a message say so once a key was pressed: at the start, with nothing else open."""
    host = main.host
    is_free = main.editor.ref is None and host.tool is None and not isinstance(host.screen, ModalScreen) and not host.tours
    return main.opens_today and is_free


async def open_page(main: MainScreen, found: Today, *, by_itself: bool = False) -> None:
    """Open the page with this and focus it; `by_itself`, only say so if a key was pressed before or it comes too late."""
    is_late = by_itself and (main.host.has_keys or monotonic() - main.seen_at > OPENS_SECONDS)
    pane = next((each for each in pages(main) if each.screen is main), None)
    if pane is None and not is_late:
        from zsmem_tui.ui.review.page import ReviewPage  # deferred: imports the actions on facts

        pane = ReviewPage(main, main, partial(list_so_much, main), partial(main.host.show_changes, into=True), id="today")
        await main.query_one("#right").mount(pane)
    if pane is None or is_late or (by_itself and (main.host.has_keys or not is_due(main))):
        if is_due(main):
            main.opens_today = False
            what = "Others wrote here" if any(row.pick is not None for row in found.rows) else "Something waits"
            if not main.told_draft:  # which could not be read any more
                main.say(f"{what}: {pressed('5', is_typed(main))} shows it.", news=True)
        return
    pane.found = found
    main.add_class("-today")
    pane.begin()
    if main.editor.ref is None:
        main.focus_pane("today")
    main.host.run_worker(_name_unconnected(main), group="unconnected", exclusive=True)


async def _name_unconnected(main: MainScreen) -> None:
    """Add hints on agents that are not connected, which requires reading their settings."""
    for store in list(main.stores):
        store.unconnected = await asyncio.to_thread(waiting.unconnected, store.session)
    await show(main)


async def open_what_waits(main: MainScreen) -> None:
    """Open the page if something waits."""
    if (found := _found(main)).waits:
        await open_page(main, found)


async def open_review(main: MainScreen) -> None:
    """Open the page; where it has the keys already, or text is edited in its place, the full screen."""
    host = main.host
    is_seen, main.opens_today = host.tool is None and main.current == "today", False
    if host.tool is not None and host.tool.PAGE == "review" and main.has_class("-today"):
        host.leave_tools()  # back to the row that it was opened from
        return
    if is_seen or main.editor.ref is not None:
        host.show_changes(main.waiting_row if is_seen else None)
        return
    await list_so_much(main, Extent())
    if not host.conversations.is_left():  # what was typed meanwhile is for where the person went
        host.leave_tools()
        main.status.clear()
        await open_page(main, _found(main))


def say_nothing_waits(main: MainScreen) -> None:
    """After the start, say that nothing waits and since when, unless the person uses the stores for the first time."""
    found = _found(main)
    is_first = any(store.news is not None and store.news.is_first for store in main.stores)
    if not found.waits and found.is_whole and not is_first and is_due(main) and not main.host.has_keys:
        own = found._replace(found=main.host.counts.doctor)  # as the strip has it
        main.say(own.nothing(main.host.now_ns(), pressed("8", is_typed(main))), news=True)
