"""Screens that lie over another one, and conversations, one after the other."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Final, ParamSpec, TypeVar

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches
from textual.events import Event, InputEvent, Paste
from textual.message import Message
from textual.screen import ModalScreen, ScreenResultType
from textual.worker import Worker

from zsmem_tui.service.patience import Patience, patient
from zsmem_tui.ui.keys.typed_ahead import KeyDone
from zsmem_tui.ui.textual_private import ForgettingScreen
from zsmem_tui.ui.widgets.frame import begin
from zsmem_tui.ui.widgets.row_list import AtRow

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.today.pane import TodayList
    from zsmem_tui.ui.tool import ToolScreen


class Overlay(ForgettingScreen[ScreenResultType]):
    """A tool, a question, the palette. Its answer counts once; a key that comes while it goes does nothing more.

    Textual's own `dismiss` takes the topmost screen away, whichever that is, and a second one takes the next: two quick `enter`
    would close two screens, or end the program where only one is left.
    """

    CSS_PATH = f"{__file__.rpartition('/')[0]}/styles/layers.tcss"

    PAGE: ClassVar[str] = ""
    """The page of help about it; empty: it needs none."""

    closed = False
    """Whether it has been answered or left. It may still be on its way off the screen."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Answer with `result` and go, with whatever lies over this; the second time, nothing."""
        if self.closed or self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.screen.dismiss(None)
        self.closed = True
        self.workers.cancel_node(self)
        gone: AwaitComplete = super().dismiss(result)
        return gone

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An action on a screen that has not come yet, or is going, is not run."""
        return self.is_mounted and not self.closed and super().check_action(action, parameters)

    def run_worker(self, work: Any, *rest: Any, **named: Any) -> Worker[Any]:
        """As always; of a screen that is closed nothing begins any more."""
        return super().run_worker(_nothing if self.closed else work, *rest, **named)

    def is_wanted(self, message: Message) -> bool:
        """Nobody waits for input for a screen that is closed, nor for news of rows that are no longer listed."""
        if self.closed and _is_news(message):
            return False
        return not isinstance(message, AtRow) or message.is_listed

    @property
    def is_gone(self) -> bool:
        """Once it is closed, its widgets go."""
        return self.closed


def _is_news(message: Message) -> bool:
    """Whether a message is about what a person or a widget did; the others are Textual's, which it needs to clear up."""
    if isinstance(message, Event):
        return isinstance(message, InputEvent | Paste)
    return not isinstance(message, KeyDone) and not type(message).__module__.startswith("textual.messages")


async def _nothing() -> None:
    return None


AnyScreen = TypeVar("AnyScreen", bound="MainScreen | ToolScreen | TodayList")
About = ParamSpec("About")

LONG_SECONDS: Final = 0.4
"""Seconds after which a person is told what is waited for."""

LOOK_SECONDS: Final = 0.25
"""Seconds between two looks at what is under way."""

SILENT_LOOKS: Final = 2
"""Looks without a question on the screen after which a person is told what is under way."""


class Conversations:
    """Runs the flows as workers of the app, each once the one before has ended: a save that is under way is never cut off."""

    def __init__(self, app: App[None], tell: Callable[..., object], told: Callable[[], Sequence[object]]) -> None:
        """What takes long is told with `tell`; as a `warning` where the person can do something about it.

        `told` is all that was said. What says itself how far it is needs no more words.
        """
        self._app = app
        self._tell = tell
        self._told = told
        self._turn = asyncio.Lock()
        self._ended = False
        self.patience: Patience | None = None
        """Of the one that has begun and not ended: for how long it waits for other programs."""
        self.begun = 0
        """How many were started and have not ended, also those whose turn has not come."""
        self._not_begun: list[Coroutine[Any, Any, Any]] = []
        """Those whose worker has not begun: one that is cancelled before never does."""

    @property
    def waits(self) -> bool:
        """Whether the one under way has waited for another program for so long that the person has seen it."""
        patience = self.patience
        since = patience.waits_since if patience is not None else None
        return patience is not None and since is not None and patience.now() - since > LONG_SECONDS

    def give_up(self, seconds: float) -> None:
        """Let the one under way wait for other programs so much longer at most."""
        if self.patience is not None:
            self.patience.end_within(seconds)

    def _look(self, doing: str, before: Sequence[object], silent: Iterator[int]) -> None:
        if self.waits:
            self._tell("Waiting for another program that is writing here · esc gives up waiting", warning=True)
        elif self._told() is before and not isinstance(self._app.screen, ModalScreen) and next(silent) == SILENT_LOOKS:
            self._tell(f"{doing or 'This'} is under way …")

    @property
    def under_way(self) -> bool:
        """Whether one has begun and not ended."""
        return self._turn.locked()

    def start(
        self,
        conversation: Coroutine[Any, Any, Any],
        ready: Callable[[], bool],
        about: Overlay[Any] | None = None,
        *,
        doing: str = "",
    ) -> None:
        """Begin it when its turn comes and `ready` says yes. One `about` a screen that is closed by then is not begun.

        `doing` is what the person knows it by.
        """
        self.begun += 1
        self._not_begun.append(conversation)
        begin(self._app, partial(self._in_turn, conversation, ready, about, doing), group="conversation")
        if self._ended:
            self.close()

    def close(self) -> None:
        """The program is ending: whatever has not begun never will."""
        self._ended = True
        for conversation in self._not_begun:
            conversation.close()
        self.begun -= len(self._not_begun)
        self._not_begun.clear()

    async def _in_turn(
        self, conversation: Coroutine[Any, Any, Any], ready: Callable[[], bool], about: Overlay[Any] | None, doing: str
    ) -> None:
        self._not_begun.remove(conversation)
        try:
            async with self._turn:
                if (about is None or not about.closed) and ready():
                    with patient(Patience()) as self.patience:
                        look = partial(self._look, doing, self._told(), itertools.count(1))
                        looks = self._app.set_interval(LOOK_SECONDS, look)
                        try:
                            await conversation
                        finally:
                            looks.stop()
        except NoMatches:
            if self._app.is_running and not (about is not None and about.closed):
                raise  # else the screen went away meanwhile
        finally:
            self.patience = None
            self.begun -= 1
            conversation.close()  # it may never have had its turn


def in_turn(
    conversation: Callable[Concatenate[AnyScreen, About], Coroutine[Any, Any, object]],
) -> Callable[Concatenate[AnyScreen, About], None]:
    """Make an action of a screen from a conversation.

    It begins once the one before has ended, unless the screen is closed by then.
    """

    def act(screen: AnyScreen, /, *about: About.args, **named: About.kwargs) -> None:
        screen.host.talk(conversation(screen, *about, **named), screen if isinstance(screen, Overlay) else None)

    act.__doc__ = conversation.__doc__
    return act
