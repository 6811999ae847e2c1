"""Conversations, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from textual.app import App
from textual.css.query import NoMatches

from zsmem_tui.ui.background import begin
from zsmem_tui.ui.layer import Layer


class Conversations:
    """Runs the flows as workers of the app, each once the one before has ended: a save that is under way is never cut off."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._turn = asyncio.Lock()
        self._ended = False
        self.begun = 0
        """How many were started and have not ended, also those whose turn has not come."""
        self._not_begun: list[Coroutine[Any, Any, Any]] = []
        """Those whose worker has not begun: one that is cancelled before never does."""

    @property
    def under_way(self) -> bool:
        """Whether one has begun and not ended."""
        return self._turn.locked()

    def start(self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Layer[Any] | None = None) -> None:
        """Begin it when its turn comes and `ready` says yes. One `about` a screen that is closed by then is not begun."""
        self.begun += 1
        self._not_begun.append(conversation)
        begin(self._app, partial(self._in_turn, conversation, ready, about), group="conversation")
        if self._ended:
            self.close()

    def close(self) -> None:
        """The program is ending: whatever has not begun never will."""
        self._ended = True
        for conversation in self._not_begun:
            conversation.close()
        self.begun -= len(self._not_begun)
        self._not_begun.clear()

    async def _in_turn(self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Layer[Any] | None) -> None:
        self._not_begun.remove(conversation)
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
