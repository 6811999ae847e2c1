"""When the doctor looks at a store by itself: once it is at rest, so that it is never in the way of keys."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from zsmem_tui.ui.background import begin

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore

REST_SECONDS = 1.0
"""Seconds that a store is left alone after it was read, or has changed."""

OWN_SECONDS = 0.1
"""The same after a step of the person, who looks at what became of it."""


def soon(main: MainScreen, store: OpenStore, *, is_own: bool = False) -> None:
    """Look at a store once nothing has changed in it for a while; what was to be looked at before is looked at then."""
    if main.follows and not store.session.refusal:
        seconds = OWN_SECONDS if is_own else REST_SECONDS
        begin(main, partial(_look, main, store, seconds), group=f"doctor {store.key}", exclusive=True)


async def _look(main: MainScreen, store: OpenStore, seconds: float) -> None:
    await asyncio.sleep(seconds)
    if store.catalog is not None and not store.catalog.problem:
        from zsmem_tui.ui.doctor import verbs as diagnosing  # with every rule of the doctor, long after the first frame

        await diagnosing.look(main, store, at_rest=True)
