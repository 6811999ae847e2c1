"""Handling keys strictly one after the other, so that keys typed ahead go to the screen that they are meant for."""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from time import monotonic
from typing import Final

from textual.app import App, ScreenStackError
from textual.events import Event, InputEvent, Key, MouseDown, Paste
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import ModalScreen

from zsmem_tui.ui.textual_private import ALT_DIGITS, EndingApp

COMPOSE_LOOKS: Final = 1000
"""How often, 2 ms apart, a key looks whether a new screen is composed."""

LOST_SECONDS: Final = 0.05
"""Seconds between looks whether the widget that handles a key was removed meanwhile, as a dialog is that a key closes."""

HOLD_SECONDS: Final = 5.0
"""Maximum seconds that keys wait for the action of the key before, so that a long import does not block the keyboard."""

LOOK_SECONDS: Final = 0.02
"""Seconds between checks whether that action has ended."""

PAUSE_SECONDS: Final = 0.7
"""Seconds without a key after which letters are no longer for the line that did not open."""

_OF_LINES: Final = ("enter", "backspace", "down", "up")
"""Keys that are pressed between and behind the letters of a line."""


class KeyDone(Message):
    """Sent after a key through the same queue: the key has been handled."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class KeysInOrder(EndingApp):
    """An app for people who type ahead: after `T` `/`, letters are for the screen that `T` opens, however slowly it opens.

    Textual sends each key at once to the widget with the focus, even while the key before is still being handled, so that a letter
    meant for an input would act as a command on the screen below.
    """

    line_keys: frozenset[str] = frozenset()
    """The keys behind which letters are typed."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead: deque[Event] = deque()
        self._number = 0
        self._under_way = False
        self._target: MessagePump = self
        self.has_keys = False
        """Whether a key or a mouse button has been pressed since the start."""
        self.types = False
        """Whether the key under way is for a line, a text or a dialog: a letter then runs no action that works everywhere."""
        self.refused = 0.0
        """When it was said last why what a key has queued cannot be done."""
        self._waits_since = 0.0
        self._has_timer = False
        self._pressed = 0.0
        """When the last key sent was pressed."""
        self._letters_until = 0.0
        """The time until which letters are dropped, as the line that they are for did not open."""

    async def on_event(self, event: Event) -> None:
        """Handle an event, keys in order; input while the program ends is dropped."""
        if isinstance(event, InputEvent) and self.return_code is not None:
            return
        self.has_keys = self.has_keys or isinstance(event, Key | MouseDown)
        if isinstance(event, Key) and "alt+" in event.key:
            event.character = None  # terminals send the letter, too, and Textual would insert it
        try:
            if not isinstance(event, Key | Paste):
                await super().on_event(event)
            elif isinstance(event, Key) and self.gives_up(event):
                return
            elif event.is_forwarded:
                await super().on_event(event)
                self._send_done()  # its action may have sent the widget what closes the screen
                await self._send()
            elif not self._is_left_over(event):
                self._ahead.append(event)
                await self._send()
        except ScreenStackError:
            if self.screen_stack:
                raise  # otherwise the program ended while handling the key

    def is_busy(self) -> bool:
        """Whether the action of the key before is running without a dialog, so that the next keys must wait for its result."""
        return False

    def _must_wait(self) -> bool:
        """Whether the next key has to wait; if so, a timer is set."""
        is_busy = self.is_busy()
        self._waits_since = (self._waits_since or monotonic()) if is_busy else 0.0
        if not is_busy or monotonic() - self._waits_since >= HOLD_SECONDS:
            return False
        if not self._has_timer:
            self._has_timer = True
            self.set_timer(LOOK_SECONDS, self._look_again)
        return True

    async def _look_again(self) -> None:
        self._has_timer = False
        await self._send()

    def gives_up(self, event: Key) -> bool:
        """Whether a key, before its turn, was used up to end a wait."""
        return False

    def drop_keys(self, said: float = 0.0, *, queued: bool = False) -> None:
        """Drop the waiting keys from before a refusal was `said` (default: now), but `esc`, unless they are typed here.

        If `queued`, what others queued is dropped with them.
        """
        if not takes_letters(self):
            said = said or monotonic()
            gone = [each for each in self._ahead if each.time < said and not (isinstance(each, Key) and each.key == "escape")]
            self._ahead = deque(each for each in self._ahead if each not in gone)
            self.refused = said if queued else self.refused
            if any(isinstance(each, Key) and each.key in self.line_keys for each in gone):
                self.drop_letters()

    def drop_letters(self) -> None:
        """Drop letters, up to a pause: the line that they are for did not open."""
        self._letters_until = monotonic() + PAUSE_SECONDS
        while self._ahead and self._is_left_over(self._ahead[0]):
            self._ahead.popleft()

    def _is_left_over(self, event: Event) -> bool:
        """Whether it was typed for a line that did not open."""
        is_typed = isinstance(event, Paste) or (isinstance(event, Key) and (event.is_printable or event.key in _OF_LINES))
        is_left_over = is_typed and monotonic() < self._letters_until
        self._letters_until = monotonic() + PAUSE_SECONDS if is_left_over else 0.0
        return is_left_over

    def _behind_escape(self, event: Key) -> str:
        """The letter that was typed so soon after `esc` that the terminal's bytes are those of `alt` and it; else empty."""
        typed = ALT_DIGITS.get(event.character or "", event.key.removeprefix("alt+") if event.key.startswith("alt+") else "")
        return typed if len(typed) == 1 and not self.is_known(event) and not takes_letters(self) else ""

    @property
    def ahead(self) -> list[tuple[str, str]]:
        """The keys that wait for their turn, each with the label of what it does here."""
        keys = [each.key for each in self._ahead if isinstance(each, Key)]
        bound = {} if takes_letters(self) else self.screen.active_bindings
        return [(key, bound[key].binding.description if key in bound else "") for key in keys]

    def is_known(self, event: Key) -> bool:
        """Whether a key does something here."""
        return any(key in self.screen.active_bindings for key in event.aliases)

    @property
    def pressed(self) -> float:
        """When the key under way was pressed, in monotonic time; if there is none, now."""
        return self._pressed if self._under_way else monotonic()

    def on_key_done(self, message: KeyDone) -> None:
        """A key has been handled."""
        if message.number == self._number and self._under_way:
            self.call_later(self._send_next, message.number)  # after the key's messages, one of which may move the focus

    async def _send_next(self, number: int) -> None:
        if number == self._number and self._under_way:
            self._under_way = False
            await self._send()

    def _send_done(self) -> None:
        """Send the widget that the key went to a `KeyDone`, behind the key and what the key has sent it."""
        self._number += 1
        self._under_way = self._target.post_message(KeyDone(self._number))
        self.set_timer(LOST_SECONDS, partial(self._check_lost, self._number, self._target))

    def _check_lost(self, number: int, target: MessagePump) -> None:
        """Go on if the widget that a key was sent to has been removed, as then no `KeyDone` comes."""
        if number == self._number and self._under_way:
            if target.is_running:
                self.set_timer(LOST_SECONDS, partial(self._check_lost, number, target))
            else:
                self.on_key_done(KeyDone(number))

    async def _send(self) -> None:
        """Send the next key once the top screen is composed and has a focus.

        Keys left when the program ends are dropped; late timers and messages may call this, too.
        """
        try:
            while self._ahead and not self._under_way and not self._must_wait():
                event = self._ahead.popleft()
                for _ in range(COMPOSE_LOOKS):
                    if self.screen.is_mounted:
                        break
                    await asyncio.sleep(0.002)
                if isinstance(event, Key) and (typed := self._behind_escape(event)):
                    self._ahead.appendleft(Key(typed, typed))
                    event = Key("escape", "\x1b")
                self._number += 1
                self._under_way = True
                self._pressed = max(event.time, self.refused)  # one that was not dropped counts
                self._target = self.focused or self.screen
                self.types = isinstance(event, Key) and event.is_printable and takes_letters(self)
                await super().on_event(event)
                self.types = False
                self._send_done()
        except ScreenStackError:
            if self.screen_stack:
                raise
            self._ahead.clear()


def takes_letters(app: App[None]) -> bool:
    """Whether a letter is typed here, or for a dialog."""
    return isinstance(app.screen, ModalScreen) or (app.focused is not None and app.focused.check_consume_key("u", "u"))


def keys_wait(app: KeysInOrder) -> bool:
    """Whether a pressed key is still to be handled."""
    return app._under_way or bool(app._ahead)
