"""Keys one after the other: each is done with before the next one is sent to where the focus is then."""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from typing import Final

from textual.app import ScreenStackError
from textual.events import Event, InputEvent, Key, Paste
from textual.message import Message
from textual.message_pump import MessagePump

from zsmem_tui.ui.textual_private import EndingApp

COMPOSE_SECONDS: Final = 2.0
"""Seconds that a key waits for a screen that was just opened; then it goes where it can."""

MOUNT_SECONDS: Final = 0.002
"""Seconds between two looks at whether it has its widgets."""

LOST_SECONDS: Final = 0.3
"""Seconds after which a key that says nothing any more, as its widget was closed with it, is taken for done with."""


HOLD_SECONDS: Final = 5.0
"""Seconds that keys wait for what the key before began; whatever takes longer, such as an import, does not stop the keyboard."""

LOOK_SECONDS: Final = 0.02
"""Seconds between two looks at whether that has ended."""


class KeyDone(Message):
    """Every widget that a key was sent to has seen it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class KeysInOrder(EndingApp):
    """An app for people who type ahead: `T` `/` and a word are for the screen that `T` opens, however slowly it comes.

    Textual sends each key at once to what has the focus at that moment, also while the key before is still on its way, so that a
    letter meant for a line to type in would act as a verb on the screen below it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ahead: deque[Event] = deque()
        self._number = 0
        self._under_way = False
        self.has_keys = False
        """Whether a key was pressed since the start."""
        self._held = 0.0
        self._looks = False

    async def on_event(self, event: Event) -> None:
        """As always, with keys in order; one that comes while the program ends is dropped."""
        if isinstance(event, InputEvent) and self.return_code is not None:
            return
        self.has_keys = self.has_keys or isinstance(event, Key)
        if isinstance(event, Key) and "alt+" in event.key:
            event.character = None  # terminals send the letter, too, and Textual would type it
        try:
            if not isinstance(event, Key | Paste):
                await super().on_event(event)
            elif isinstance(event, Key) and self.gives_up(event):
                return
            elif event.is_forwarded:
                await super().on_event(event)
                self._done(self._number)
            else:
                self._ahead.append(event)
                if self._under_way:
                    self.set_timer(LOST_SECONDS, partial(self._done, self._number))
                else:
                    await self._send()
        except ScreenStackError:
            if self.screen_stack:
                raise  # else the program ended while the key was on its way

    def is_busy(self) -> bool:
        """Whether what the key before began is under way and asks nothing: the keys behind it are for what comes of it."""
        return False

    def _keeps(self) -> bool:
        """Whether the next key has to wait; a timer sends it then."""
        if not self.is_busy():
            self._held = 0.0
            return False
        if self._held >= HOLD_SECONDS:
            return False
        if not self._looks:
            self._looks = True
            self.set_timer(LOOK_SECONDS, self._look_again)
        return True

    async def _look_again(self) -> None:
        self._looks = False
        self._held += LOOK_SECONDS
        await self._send()

    def gives_up(self, event: Key) -> bool:
        """Whether a key, before its turn has come, ends a wait and nothing else."""
        return False

    async def on_key_done(self, message: KeyDone) -> None:
        """Nobody wanted the key, or somebody took it."""
        self._done(message.number)

    def _done(self, number: int) -> None:
        if number == self._number and self._under_way:
            self.call_later(self._go_on, number)  # behind what the key asked for: Textual moves the focus a message later

    async def _go_on(self, number: int) -> None:
        if number == self._number and self._under_way:
            self._under_way = False
            await self._send()

    def _look_for(self, number: int, target: MessagePump) -> None:
        """Go on without a key whose widget was closed with it: nobody says that it is done with."""
        if number == self._number and self._under_way:
            if target.is_running:
                self.set_timer(LOST_SECONDS, partial(self._look_for, number, target))
            else:
                self._done(number)

    async def _wait_for_widgets(self) -> None:
        """Until the screen on top has been composed, if that does not take too long."""
        waited = 0.0
        while not self.screen.is_mounted and waited < COMPOSE_SECONDS:
            await asyncio.sleep(MOUNT_SECONDS)
            waited += MOUNT_SECONDS

    async def _send(self) -> None:
        """Send the next key, once the screen on top has its widgets and says which of them has the focus.

        Those that still wait when the program ends are dropped: timers and messages of before come here then too.
        """
        try:
            while self._ahead and not self._under_way and not self._keeps():
                event = self._ahead.popleft()
                await self._wait_for_widgets()
                self._number += 1
                self._under_way = True
                target = self.focused or self.screen
                await super().on_event(event)
                self._under_way = target.post_message(KeyDone(self._number))
                self.set_timer(LOST_SECONDS, partial(self._look_for, self._number, target))
        except ScreenStackError:
            if self.screen_stack:
                raise
            self._ahead.clear()


def keys_wait(app: KeysInOrder) -> bool:
    """Whether a key that was pressed has not arrived yet."""
    return app._under_way or bool(app._ahead)
