"""When Today opens, and what it shows: looked at beside every store, also where the page itself is never needed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.screen import ModalScreen

from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.service import today as waiting
from zsmem_tui.service.news import Today
from zsmem_tui.ui.wording import nobody_since

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore
    from zsmem_tui.ui.today.pane import TodayPane


async def look(main: MainScreen, store: OpenStore) -> None:
    """Look at what waits in a store, and show it where the page is, or is due; until the doctor has looked, with known errors."""
    store.news = await asyncio.to_thread(waiting.news, store.session)
    known = dict(store.news.errors)
    if not store.checkup.is_looked and known != store.checkup.counts:
        store.checkup = Checkup(counts=known, is_looked=False)
        main.tree_pane.show(main.stores, main.folders)
        main.tell_right()
    await show(main)


async def show(main: MainScreen) -> None:
    """Show what is known of all stores; while the person has done nothing yet, the page opens for what waits."""
    found = _found(main)
    pane = _page(main)
    if pane is not None and pane.is_mounted:
        pane.show(found)
    elif pane is None and found.waits and is_due(main):
        await open_page(main, found)


def _page(main: MainScreen) -> TodayPane | None:
    """The page, where it was opened."""
    if not main.query("#today"):
        return None
    from zsmem_tui.ui.today.pane import TodayPane  # with the verbs of facts, once it is there

    return main.query_one(TodayPane)


def _found(main: MainScreen) -> Today:
    stores = [store for store in main.stores if store.news is not None]
    looked = [store for store in stores if store.checkup.is_looked]
    faults = [(store.session, store.checkup.to_decide) for store in looked]
    unchecked = sum(store.checkup.left_here for store in looked) if len(looked) == len(main.stores) else None
    hints = list({store.hint: (store.session, store.hint) for store in reversed(stores) if store.hint}.values())
    news = [store.news for store in stores if store.news is not None]
    return waiting.today(news, faults, hints, [(store.session, store.unconnected) for store in stores], unchecked)


def is_due(main: MainScreen) -> bool:
    """Whether the page may take the reader by itself: at the start, as long as no key was pressed."""
    host = main.host
    is_free = main.editor.ref is None and host.tool is None and not isinstance(host.screen, ModalScreen) and not host.tours
    return main.opens_today and not host.has_keys and is_free


async def open_page(main: MainScreen, found: Today | None = None) -> None:
    """Show the page in the reader's place, and go to it."""
    pane = _page(main)
    if pane is None:
        from zsmem_tui.ui.today.pane import TodayPane  # with the verbs of facts, most of the time that a start does without them

        pane = TodayPane(main)
        await main.query_one("#right").mount(pane)
    pane.found = found if found is not None else _found(main)
    main.add_class("-today")
    pane.begin()
    if main.editor.ref is None:
        main.focus_pane("viewer")
    main.host.run_worker(_name_unconnected(main), group="unconnected", exclusive=True)


async def _name_unconnected(main: MainScreen) -> None:
    """Say which agents are not connected, once the page is there: their settings are read for it."""
    for store in list(main.stores):
        store.unconnected = await asyncio.to_thread(waiting.unconnected, store.session)
    await show(main)


async def open_what_waits(main: MainScreen) -> None:
    """Show the page where something waits."""
    if (found := _found(main)).waits:
        await open_page(main, found)


async def open_again(main: MainScreen) -> None:
    """What waits now, in all stores; where nothing does, that is said."""
    for store in list(main.stores):
        store.news = await asyncio.to_thread(waiting.news, store.session)
    found = _found(main)
    if found.rows:
        await open_page(main, found)
    else:
        main.say(f"{found.nothing}{nobody_since(found.last, main.host.now_ns())}")


def say_nothing_waits(main: MainScreen) -> None:
    """After a start at which nothing waits: since when, unless all of it is new to the person."""
    found = _found(main)
    if (
        not found.waits
        and found.is_whole
        and not any(store.news is not None and store.news.is_first for store in main.stores)
        and is_due(main)
    ):
        main.say(f"{found.nothing}{nobody_since(found.last, main.host.now_ns())}", news=True)
