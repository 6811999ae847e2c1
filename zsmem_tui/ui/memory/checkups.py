"""What the doctor finds in a store, and when it looks by itself: once that is at rest, so that it is never in the way of keys."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.limits import AT_REST_BYTES
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.widgets.frame import begin

if TYPE_CHECKING:
    from zsmem_tui.core.checks.checkup import Checkup
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


REST_SECONDS = 1.0
"""Seconds that a store is left alone after it was read, or has changed."""

OWN_SECONDS = 0.1
"""The same after a step of the person, who looks at what became of it."""

BREATH_SECONDS: Final = 0.002
"""Seconds that a look at rest leaves to others after each file."""


def soon(main: MainScreen, store: OpenStore, *, is_own: bool = False) -> None:
    """Look at a store once nothing has changed in it for a while; what was to be looked at before is looked at then."""
    if main.follows and not store.session.refusal:
        seconds = OWN_SECONDS if is_own else REST_SECONDS
        begin(main, partial(_look, main, store, seconds), group=f"doctor {store.key}", exclusive=True)


async def _look(main: MainScreen, store: OpenStore, seconds: float) -> None:
    await asyncio.sleep(seconds)
    if store.catalog is not None and not store.catalog.problem:
        await look(main, store, at_rest=True)


async def look(main: MainScreen, store: OpenStore, *, at_rest: bool = False) -> Checkup | None:
    """What the doctor finds in a store now, shown wherever it is counted; None where it was refused.

    `at_rest`, when nobody asked for it, large stores are looked into in part only. What is cancelled stops.
    """
    from zsmem_tui.service.checkups import Rounds  # with every rule of the doctor, long after the first frame
    from zsmem_tui.ui.memory.reading import mark_lines  # likewise
    from zsmem_tui.ui.today import opening as today  # likewise

    rounds = store.rounds = store.rounds or Rounds(store.session)
    over = threading.Event()
    cancelled = partial(over.wait, BREATH_SECONDS) if at_rest else over.is_set
    try:
        most = AT_REST_BYTES if at_rest else None
        work = asyncio.to_thread(rounds.look, main.folders, catalog=store.catalog, most=most, cancelled=cancelled)
        found = await attempt(work, lambda _: None)
    finally:
        over.set()
    if found is not None and main.is_mounted and store in main.stores:
        is_news = _shown_of(found) != _shown_of(store.checkup)
        store.checkup = found
        if is_news:
            main.tree_pane.show(main.stores, main.folders)
            main.tell_right()
            await today.show(main)
            for tool in main.host.tools:
                if tool.is_mounted:
                    tool.widget_of().refresh()  # rows that are about lines that something was found in
            if main.viewer.store == store.key:
                await mark_lines(main)
    return found


def _shown_of(found: Checkup) -> object:
    """What of it is on the main screen."""
    return found.counts, found.lines, bool(found.left), found.is_looked
