"""What commands, flows and screens know of the program around them.

They are handed these small protocols instead of the app and its screens, so that none of them imports what imports it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

if TYPE_CHECKING:
    import asyncio

    from textual.app import App
    from textual.await_complete import AwaitComplete
    from textual.message import Message
    from textual.screen import Screen
    from textual.widget import Widget

    from zsmem_tui.core.catalog import Catalog
    from zsmem_tui.core.refs import MemRef
    from zsmem_tui.service.facts.rows import Scope
    from zsmem_tui.service.opening import Beside
    from zsmem_tui.service.previewing import Subject
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.aside import Aside
    from zsmem_tui.ui.conversations import Conversations
    from zsmem_tui.ui.format.strip import Counts
    from zsmem_tui.ui.keys.action import Action
    from zsmem_tui.ui.layer import Layer
    from zsmem_tui.ui.messages import FileChosen
    from zsmem_tui.ui.open_store import OpenStore
    from zsmem_tui.ui.panes.editor import EditorPane
    from zsmem_tui.ui.panes.search import SearchPane
    from zsmem_tui.ui.panes.tree import TreePane
    from zsmem_tui.ui.panes.viewer import ViewerPane
    from zsmem_tui.ui.widgets.bars import StatusLine


class FactsAbout(NamedTuple):
    """Which facts: of a scope, of a project or of `ref`. The cursor is on the one at `line` (from 0) of `ref` at first."""

    project: str
    scope: Scope
    ref: MemRef | None = None
    line: int = 0


class Speaker(Protocol):
    """Where a result is told."""

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result."""


class Split(Protocol):
    """Two panes and the edge between them."""

    def step(self, step: int) -> None:
        """Move the edge by a key's step: backwards when negative; 0 puts it where it is without anybody's doing."""


class Place(Speaker, Protocol):
    """A screen that a conversation is about."""

    session: Session
    host: Host

    @property
    def app(self) -> App[object]:
        """The program, as Textual knows it: dialogs, clipboard, terminal."""


class Panes(Protocol):
    """The panes of the main screen, and which of them is in use."""

    way_back: Callable[[], object] | None
    """Leads to where the person came from when they went into the viewer; None: to the tree."""

    @property
    def current(self) -> str:
        """The pane in use."""

    @property
    def tree_pane(self) -> TreePane:
        """The tree of projects."""

    @property
    def search(self) -> SearchPane:
        """The search line and its hits."""

    @property
    def viewer(self) -> ViewerPane:
        """The text that is read."""

    @property
    def editor(self) -> EditorPane:
        """The text that is edited."""

    @property
    def split(self) -> Split:
        """The panes, and the edge between tree and text."""

    @property
    def status(self) -> StatusLine:
        """What is, and what happened."""

    def way_to(self, name: str) -> Callable[[], object] | None:
        """What leads to a pane again, to its hits where there are some; None for the viewer, where everything else leads."""

    def focus_pane(self, name: str) -> None:
        """Go to a pane; to the editor instead of the viewer while a file is edited."""

    def has_class(self, *names: str) -> bool:
        """Whether it has these style classes."""

    def add_class(self, *names: str) -> object:
        """Give it style classes."""

    def remove_class(self, *names: str) -> object:
        """Take style classes away."""

    def toggle_class(self, *names: str) -> object:
        """The other way round."""

    def post_message(self, message: Message) -> bool:
        """Tell a fact."""


MoreStores = Callable[[], "Beside"]
"""The stores that are open beside the first, and the folders that are known: slow, for a thread."""


class Main(Place, Panes, Protocol):
    """The main screen: the stores that are open, and what is shown of them. `session` is that of the store in use."""

    stores: list[OpenStore]
    """Every store that is open, the one that the program was started for first."""
    here: OpenStore
    """The store in use. It does not change while a conversation is under way."""
    more: MoreStores | None
    every_store: MoreStores | None
    """Finds every agent's memory; None: only what was named is open. `more` is the same until it was asked once."""
    folders: tuple[str, ...]
    follows: bool
    counts: Counts
    """What waits behind each screen."""
    attended: asyncio.Event
    """Set while the terminal has the keyboard, as far as it says so."""
    was_read: bool
    """Whether the stores have been read, or are being read, for the first time."""
    wanted: FileChosen | None
    """The file that was asked for last; an answer about another one comes too late."""
    after_editor: Callable[[], object] | None
    """Leads to where the person was when they began to edit; None: to the viewer."""

    @property
    def empty(self) -> bool:
        """Whether no store holds anything that could be shown."""

    @property
    def is_mounted(self) -> bool:
        """Whether it is on the screen."""

    def run_worker(self, work: Callable[[], Awaitable[None]], *, group: str, exclusive: bool) -> object:
        """Do something in the background, instead of what is done there in a group that is `exclusive`.

        What is replaced before it began is never called.
        """

    def store_of(self, key: str) -> OpenStore:
        """The open store with a key; without one, the one in use."""

    def use(self, store: OpenStore) -> bool:
        """Whatever is done from now on is done in this store; False while a file of another one is edited, which is said."""

    def say(self, text: str, *, warning: bool = False, news: bool = False) -> None:
        """Tell a result; what others did, as `news`, comes after a result that is being told."""

    def follow(self) -> object:
        """Read the stores from the start, and follow them."""

    async def look_now(self, store: OpenStore | None = None) -> None:
        """Look at a store (default: the one in use) at once: something was done to it here."""

    def open_file(self, event: FileChosen) -> object:
        """Read a file into the viewer."""

    async def open_editor(
        self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file in the viewer's place, the cursor on `line`, at `row` of the screen."""

    def close_editor(self) -> None:
        """Show the viewer again."""

    def show_catalog(self, store: OpenStore, catalog: Catalog) -> None:
        """Show what a store holds."""

    def show_unseen(self, store: OpenStore, refs: frozenset[MemRef], wipes: list[Wipe]) -> None:
        """Show which files of a store others changed, and which texts they wiped."""

    def tell_right(self) -> None:
        """Say what is true of the store in use, and what asks to be seen in any."""


class Tool(Place, Protocol):
    """A screen for one job, over the main one."""

    aside: Aside
    """How it makes room for the main one, and comes back."""

    PAGE: ClassVar[str]
    SCOPE_OF: ClassVar[dict[str, str]]

    def widget_of(self, scope: str = "") -> Widget:
        """The widget that a scope of actions belongs to."""

    @property
    def is_mounted(self) -> bool:
        """Whether it is on the screen."""

    @property
    def is_active(self) -> bool:
        """Whether nothing lies over it."""

    @property
    def split(self) -> Split:
        """The panes, and the edge between them."""

    def load(self) -> object:
        """Show how things are now."""

    def dismiss(self) -> AwaitComplete:
        """Close it, with whatever lies over it."""

    def back(self) -> None:
        """One step back."""

    def toggle_class(self, *names: str) -> object:
        """Put style classes on, or take them away."""


class Openers(Protocol):
    """Ways to the other screens, and to the editor."""

    def read(self, ref: MemRef, line: int, *, store: str = "") -> None:
        """Show a file in the viewer, at `line`; `esc` there leads back to where the person is, as it is."""

    def edit(self, ref: MemRef, line: int | None = None, *, row: int | None = None) -> None:
        """Edit a file on the main screen, the cursor on `line`, at `row` of the screen where the person saw it.

        Leaving the editor leads back to where the person is, as it is.
        """

    def open_history(self, ref: MemRef | None) -> None:
        """Show the versions of a file (None: of all files)."""

    def open_review(self) -> None:
        """Show what others wrote."""

    def open_prompt(self, about: Subject) -> None:
        """Show what the agent sees."""

    def open_facts(self, about: FactsAbout) -> None:
        """Show facts."""


class Host(Speaker, Protocol):
    """The program: its screens, its actions, one conversation at a time. What is said to it is told where the person looks."""

    actions: tuple[Action, ...]
    """Every action, with the person's own keys."""
    conversations: Conversations
    """What is asked and done for the person, one after the other."""
    tour_line: str
    """What the tour says now; empty while there is none."""
    told: Sequence[tuple[int, str]]
    """What status lines said, with the time in nanoseconds since 1970; the latest last, as far back as it is kept."""

    @property
    def main(self) -> Main:
        """The main screen, whatever lies over it."""

    @property
    def tool(self) -> Tool | None:
        """The tool that lies over the main screen."""

    @property
    def tools(self) -> Sequence[Tool]:
        """All tools that lie over it, the one on top last."""

    @property
    def openers(self) -> Openers:
        """Ways to the other screens."""

    @property
    def now_ns(self) -> Callable[[], int]:
        """The clock, in nanoseconds since 1970."""

    def talk(self, conversation: Coroutine[Any, Any, Any], about: Layer[Any] | None = None) -> None:
        """Start a conversation once the one before has ended, in the store that is in use now.

        One `about` a screen that is closed by then is not begun.
        """

    def push_screen(self, screen: Screen[Any]) -> object:
        """Put a screen on top."""

    def show_store(self, session: Session) -> None:
        """Show another store instead."""
