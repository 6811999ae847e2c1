"""Overlay screens, and conversations: actions that may ask the person, run one after the other."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Final, ParamSpec, TypeVar

from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.css.query import NoMatches
from textual.events import Event, InputEvent, Paste
from textual.message import Message
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.timer import Timer
from textual.worker import Worker

from zsmem_tui.service.patience import Patience, patient
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.keys.typed_ahead import KeyDone, KeysInOrder
from zsmem_tui.ui.messages import Said, Told
from zsmem_tui.ui.textual_private import ForgettingScreen
from zsmem_tui.ui.widgets.bars import Act, StatusLine, acting
from zsmem_tui.ui.widgets.frame import begin
from zsmem_tui.ui.widgets.row_list import AtRow

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.review.page import Judging
    from zsmem_tui.ui.tool import ToolScreen


_DEAD: Final = " does nothing here · "
_UNDER_WAY: Final = " is under way …"
_WAITING: Final = "Waiting for another program that is writing here · esc gives up waiting"


class Overlay(ForgettingScreen[ScreenResultType]):
    """A screen over another one: a tool, a dialog, the palette. It can be dismissed once; later keys are ignored.

    Textual's `dismiss` removes the topmost screen, whichever that is, so a double `enter` would close two screens or end the
    program.
    """

    CSS_PATH = f"{__file__.rpartition('/')[0]}/styles/layers.tcss"

    PAGE: ClassVar[str] = ""
    """The screen's help page; empty for none."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close the screen with `result`, and all screens over it; does nothing the second time."""
        if self.closed or self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.screen.dismiss(None)
        self.closed = True
        self.workers.cancel_node(self)
        gone: AwaitComplete = super().dismiss(result)
        return gone

    def holds(self, key: str) -> bool:
        """Whether it says first that quitting by `key` drops what was typed."""
        return False

    def say_dead(self, name: str) -> None:
        """Say that a key does nothing here, before those that do something."""
        for box in self.query(".dialog"):
            keys = str(box.border_subtitle or "").rpartition(_DEAD)[2]
            box.border_subtitle = Content(f"{name}{_DEAD}{keys}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Run no action before the screen is mounted or after it was closed."""
        return self.is_mounted and not self.closed and super().check_action(action, parameters)

    def run_worker(self, work: Any, *rest: Any, **named: Any) -> Worker[Any]:
        """Run a worker; if the screen is closed, an empty one."""
        return super().run_worker(partial(asyncio.sleep, 0) if self.closed else work, *rest, **named)

    def is_wanted(self, message: Message) -> bool:
        """Drop input after the screen was closed, and messages about rows that are gone."""
        if self.closed and isinstance(message, Told):  # its status line is seen no more
            self.app.post_message(Said(message.text, message.warning, passes=False))
        if self.closed and _is_news(message):
            return False
        return not isinstance(message, AtRow) or message.is_listed


def _is_news(message: Message) -> bool:
    """Whether a message is about input or a widget; others are internal to Textual, which needs them to clean up."""
    if isinstance(message, Event):
        return isinstance(message, InputEvent | Paste)
    return not isinstance(message, KeyDone) and not type(message).__module__.startswith("textual.messages")


AnyScreen = TypeVar("AnyScreen", bound="MainScreen | ToolScreen | Judging")
About = ParamSpec("About")

LONG_SECONDS: Final = 0.2
"""Seconds after which a wait for another program is shown."""

LOOK_SECONDS: Final = 0.1
"""Seconds between checks on the running conversation."""

SILENT_LOOKS: Final = 2
"""Checks without a dialog after which the running conversation is named."""

ENDS_ROW: Final = "esc drops the rest"
"""Said while the same waits for its turn again."""


class Conversations:
    """Runs conversations as workers of the app, each after the one before has ended, so that a save is never cut off."""

    def __init__(self, app: KeysInOrder, tell: Callable[..., object]) -> None:
        """Slow work is shown by `tell`, as a `warning` if the person can do something."""
        self._app = app
        self._tell = tell
        self.acted = False
        """Whether the running one has done something, so that a warning is none that it cannot."""
        self.act = Act()
        """The running one, or the last."""
        self._turn = asyncio.Lock()
        self._ended = False
        self._doing = self._latest = ""
        self.patience: Patience | None = None
        """How long the running conversation waits for other programs; None if none is running."""
        self.pressed = 0.0
        """When the key was pressed that began the running one."""
        self.begun = 0
        """The number of conversations that are queued or running, or whose end the app has still to hear of."""
        self._where: Screen[Any] | None = None
        """The screen on which the running one was begun."""
        self._queued: dict[Coroutine[Any, Any, Any], tuple[Screen[Any] | None, float, str]] = {}
        """The queued ones, with where, when and by what they began; to be closed if their worker is cancelled before it starts."""
        self.coming: list[str] = []
        """The labels of the actions whose conversations wait for their turn."""

    @property
    def waits(self) -> bool:
        """Whether the running one has been waiting for another program for some time."""
        return (own := self.patience) is not None and (since := own.waits_since) is not None and own.now() - since > LONG_SECONDS

    def give_up(self, seconds: float) -> None:
        """Let the running one wait for other programs for at most `seconds` more."""
        if self.patience is not None:
            self.patience.end_within(seconds)

    def name(self, label: str, *, is_of_dialog: bool) -> None:
        """Keep the label of an action as the name of the next conversation; that of a dialog's action, of the running one."""
        self._doing, self._latest = (label or self._doing, self._latest) if is_of_dialog else (self._doing, label)

    def _look(self, before: Sequence[Timer | None], silent: Iterator[int], *, is_over: bool = False) -> None:
        """Say what is under way, but neither beside its question nor once it `is_over`, nor over what was said since `before`."""
        words, (number, of) = f"{self._doing or 'This'}{_UNDER_WAY}", self.patience.far if self.patience is not None else (0, 0)
        far = f" {number:,} of {of:,} files" if of > 1 else ""
        ahead, ends = self._app.ahead, " · the program ends then" if "Quit" in self.coming else ""
        more = len([*itertools.takewhile(self._doing.__eq__, (*self.coming, *(label for _, label in ahead)))])
        waits = f" · {more:,} more wait, {ENDS_ROW}" if more else f" · {key_name(ahead[0][0])} waits for it" if ahead else ends
        is_silent = all(not each.said or each.shown in before or each.said.startswith(words) for each in self._status_lines())
        if self.waits and not is_over:
            self._tell(_WAITING, warning=True)
        elif is_over or isinstance(self._app.screen, ModalScreen):
            for each in self._status_lines():
                if each.said == _WAITING or _UNDER_WAY in each.said:
                    each.clear()
        elif is_silent and next(silent) >= SILENT_LOOKS:
            self._tell(f"{words}{far}{waits}")

    def _status_lines(self) -> Iterator[StatusLine]:
        return (line for screen in self._app.screen_stack for line in screen.query(StatusLine))

    @property
    def under_way(self) -> bool:
        """Whether a conversation is running."""
        return self._turn.locked()

    def start(self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Overlay[Any] | None = None) -> None:
        """Queue a conversation. It is dropped if `ready` returns False or the screen it is `about` is closed by then."""
        self.begun += 1
        self._queued[conversation] = self._shown(), self._app.pressed, self._latest
        self.coming.append(self._latest)
        begin(self._app, partial(self._in_turn, conversation, ready, about), group="conversation")
        if self._ended:
            self.close()

    def close(self) -> None:
        """The program is ending: drop all queued conversations."""
        self._ended = True
        while self._queued:
            self._queued.popitem()[0].close()
            self.begun -= 1

    def is_left(self) -> bool:
        """Whether the person has gone to another screen since the running one was begun."""
        return self._where is not None and self._shown() is not self._where

    def _shown(self) -> Screen[Any] | None:
        """The topmost screen that is no dialog."""
        return next((each for each in reversed(self._app.screen_stack) if not isinstance(each, ModalScreen)), None)

    async def _in_turn(self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Overlay[Any] | None) -> None:
        where, pressed, doing = self._queued.pop(conversation)
        try:
            async with self._turn:
                if doing in self.coming:  # else it was dropped
                    self.coming.remove(doing)
                if (about is None or not about.closed) and ready():
                    self._where, self.pressed = where, pressed
                    with patient(Patience()) as self.patience:
                        self._doing, self.acted, before = doing, False, [each.shown for each in self._status_lines()]
                        acting.set(act := Act())
                        self.act = act
                        looks = self._app.set_interval(LOOK_SECONDS, look := partial(self._look, before, itertools.count(1)))
                        try:
                            await conversation
                            if act.refused and not self.acted:
                                self._app.drop_keys(act.refused, queued=True)
                        finally:
                            looks.stop()
                            look(is_over=True)
        except NoMatches:
            if self._app.is_running and not (about is not None and about.closed):
                raise  # otherwise the screen was closed meanwhile
        finally:
            self.patience = self._where = None
            conversation.close()  # in case it never started
            if not self._app.call_later(self._count_down):  # behind what it has sent, which may move the focus
                self._count_down()

    def _count_down(self) -> None:
        self.begun -= 1


def in_turn(
    conversation: Callable[Concatenate[AnyScreen, About], Coroutine[Any, Any, object]],
) -> Callable[Concatenate[AnyScreen, About], None]:
    """Make an action of a coroutine method.

    It is queued as a conversation, and dropped if its screen is closed by then.
    """

    def act(screen: AnyScreen, /, *about: About.args, **named: About.kwargs) -> None:
        screen.host.talk(conversation(screen, *about, **named), screen if isinstance(screen, Overlay) else None)

    act.__doc__ = conversation.__doc__
    return act
