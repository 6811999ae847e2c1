"""Running the doctor on a store, in the background once the store is idle, and showing the findings."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.limits import AT_REST_BYTES
from zsmem_tui.ui.messages import Checked
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.widgets.frame import begin

if TYPE_CHECKING:
    from zsmem_tui.core.checks.checkup import Checkup
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


REST_SECONDS = 1.0
"""Seconds without a change in a store before the doctor runs on it."""

OWN_SECONDS = 0.1
"""The same after the person's own action, whose effect they want to see."""

BREATH_SECONDS: Final = 0.002
"""Seconds that a background run pauses after each file."""


def soon(main: MainScreen, store: OpenStore, *, is_own: bool = False) -> None:
    """Schedule a run of the doctor on a store once it is idle, in place of a run scheduled before."""

    async def look_later() -> None:
        await asyncio.sleep(OWN_SECONDS if is_own else REST_SECONDS)
        if store.catalog is not None and not store.catalog.problem:
            await look(main, store, at_rest=True)

    if main.follows and not store.session.refusal:
        begin(main, look_later, group=f"doctor {store.key}", exclusive=True)


async def look(main: MainScreen, store: OpenStore, *, at_rest: bool = False) -> Checkup | None:
    """Run the doctor on a store and update all counts on the screen; None if the store refuses.

    `at_rest` is a background run, which covers large stores only in part.
    """
    from zsmem_tui.service.checkups import Rounds  # deferred: imports all of the doctor's rules
    from zsmem_tui.ui.memory.reading import mark_lines  # deferred: likewise
    from zsmem_tui.ui.review import opening  # deferred: likewise

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
        is_news = _visible_part(found) != _visible_part(store.checkup)
        store.checkup = found
        if is_news:
            main.tree_pane.show(main.stores, main.folders)
            main.tell_right()
            for tool in main.host.tools:
                if tool.is_mounted:
                    tool.widget_of().refresh()  # rows may show lines with findings
                    tool.post_message(Checked())
            if main.viewer.store == store.key:
                await mark_lines(main)
        await opening.show(main)  # also with the same findings: the page leaves out those of an older text
    return found


def _visible_part(found: Checkup) -> object:
    """The part of the findings that the main screen shows."""
    return found.counts, found.lines, found.faults, bool(found.left), found.is_looked
