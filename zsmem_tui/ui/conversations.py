"""Conversations, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from textual.app import App
from textual.css.query import NoMatches

from zsmem_tui.ui.layer import Layer


class Conversations:
    """Runs the flows as workers of the app, each once the one before has ended: a save that is under way is never cut off."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._turn = asyncio.Lock()
        self.begun = 0
        """How many were started and have not ended, also those whose turn has not come."""

    @property
    def under_way(self) -> bool:
        """Whether one has begun and not ended."""
        return self._turn.locked()

    def start(self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Layer[Any] | None = None) -> None:
        """Begin it when its turn comes and `ready` says yes. One `about` a screen that is closed by then is not begun."""
        self.begun += 1
        self._app.run_worker(self._in_turn(conversation, ready, about), group="conversation")

    async def _in_turn(self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Layer[Any] | None) -> None:
        try:
            async with self._turn:
                if (about is None or not about.closed) and ready():
                    await conversation
        except NoMatches:
            if self._app.is_running and not (about is not None and about.closed):
                raise  # else the screen went away meanwhile
        finally:
            self.begun -= 1
            conversation.close()  # it may never have had its turn
