"""Which of several open stores an action is done in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zsmem_tui.ui.memory.selection import store_meant

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


def in_store_meant(host: ZsmemApp, act: Callable[[], object]) -> None:
    """Do it in the store that is meant: at once where that is in use, else when nothing is under way in another one."""
    in_store(host, store_meant(host.main), act)


def in_store(host: ZsmemApp, store: OpenStore, act: Callable[[], object]) -> None:
    """Do it in one of the stores that are open, likewise."""
    main = host.main
    if store is main.here:
        act()
    elif not host.conversations.under_way:
        if main.use(store):
            act()
    else:
        host.talk(_in_store(main, store, act))


async def _in_store(main: MainScreen, store: OpenStore, act: Callable[[], object]) -> None:
    if main.use(store):
        act()
