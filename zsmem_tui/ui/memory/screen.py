"""The main screen: tree, search, viewer or editor, and what they tell each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.layout import group_word
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui import wording as format
from zsmem_tui.ui.keys.bindings import pane_bindings
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.pane_focus import PanesScreen, unless_gone
from zsmem_tui.ui.memory.search import SearchPane
from zsmem_tui.ui.memory.tree import TreePane
from zsmem_tui.ui.memory.viewer import ViewerPane
from zsmem_tui.ui.messages import FileChosen, GroupChosen, Said
from zsmem_tui.ui.open_store import At, OpenStore
from zsmem_tui.ui.places import with_titles
from zsmem_tui.ui.widgets import strip_words as strip
from zsmem_tui.ui.widgets.banner import Banner
from zsmem_tui.ui.widgets.bars import Beside, KeyBar, StatusLine
from zsmem_tui.ui.widgets.split import SplitBody
from zsmem_tui.ui.widgets.strip import ScreenStrip, tell
from zsmem_tui.ui.widgets.tour_bar import TourBar

if TYPE_CHECKING:
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import MoreStores


class Covered(Vertical):
    """What it holds covers it: nothing of it is drawn, line for line, below that."""

    BLANK = True


class MainScreen(PanesScreen):
    """Panes post facts; this screen asks the session and hands values back."""

    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings()]
    BLANK = True
    AUTO_FOCUS = "#tree-view"  # Textual's own way gives it to the first of all widgets: a line that is not shown

    def __init__(self, host: ZsmemApp, stores: Sequence[Session], *, follow: bool = True, more: MoreStores | None = None) -> None:
        """`stores` are open from the start, the first in use; `more` says, in a thread, which others there are."""
        super().__init__()
        self.host = host
        self.split = SplitBody("main", self.say, id="body")
        self.stores = [OpenStore(session) for session in stores]
        self.here = self.stores[0]
        self.session = self.here.session
        self.more = more
        self.every_store = more
        """Finds them also later; None: only what was named is open."""
        self.follows = follow
        self.was_read = False
        """Whether the stores have been read, or are being read, for the first time."""
        self.attended = asyncio.Event()
        """Set while the terminal has the keyboard, as far as it says so."""
        self.wanted: FileChosen | None = None
        """The file that was asked for last; an answer about another one comes too late."""
        self.after_editor: Callable[[], object] | None = None
        """Leads to where the person was when they began to edit; None: to the viewer."""
        self.folders: tuple[str, ...] = (self.session.folder,) if self.session.folder else ()
        """The folders that are known, the one worked in first."""
        self.counts = strip.Counts()

    def compose(self) -> ComposeResult:
        """Where else to go above, tree at the left, search over viewer at the right, two lines below."""
        self.here.begin()
        yield ScreenStrip("memory", self.host.actions, lambda: self.counts)
        yield Banner(id="banner")
        with self.split:
            yield TreePane(self.host.now_ns)
            with Covered(id="right"):
                yield SearchPane(lambda: self.stores)
                yield ViewerPane(keeps_breaks=self.session.config.line_breaks == "keep")
                yield EditorPane()
        yield TourBar(lambda: self.host.tour_line)
        yield StatusLine(id="status")
        yield KeyBar(id="keys")

    @property
    def empty(self) -> bool:
        """Whether no store holds anything that could be shown."""
        return all(store.empty for store in self.stores)

    def on_mount(self) -> None:
        """Paint first, with the rows that are known by now; read afterwards."""
        self.watch_current()
        self.watch(self.app, "app_focus", lambda has_it: self.attended.set() if has_it else self.attended.clear())
        self.watch(self.editor, "heading", self.status.show_edited)
        if self.focused is None:  # else a key was quicker than this
            self.tree_pane.focus_tree()
        if (seen := self.here.seen()) and seen.file_count:
            self.show_catalog(self.here, seen)
        self.call_after_refresh(self.follow)

    @work(exclusive=True, group="follow")
    async def follow(self) -> None:
        """Read the store, then look at it twice a second."""
        from zsmem_tui.ui.memory import store_watcher as following  # 30 modules with what writes, after the first frame; so below

        with unless_gone(self):
            await following.follow(self)

    async def look_now(self, store: OpenStore | None = None) -> None:
        """Look at a store (default: the one in use) at once: something was done to it here."""
        from zsmem_tui.ui.memory import store_watcher as following  # as above

        await following.look(self, store or self.here, folders=True)

    def say(self, text: str, *, warning: bool = False, news: bool = False) -> None:
        """Tell a result, or as `news` what others did; once this screen is gone, nobody."""
        if self.query(StatusLine):
            words = with_titles(text, self.here, self.stores)
            self.status.mention(words) if news else self.status.say(words, warning=warning)

    async def open_editor(
        self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file in the viewer's place, the cursor on `line`, at `row` of the screen."""
        await self.editor.open(ref, base, title=format.title_of(ref, self.session), text=text, line=line, row=row)
        self.add_class("-editing")
        self.focus_pane("editor")

    def close_editor(self) -> None:
        """Show the viewer again."""
        self.editor.close()
        self.remove_class("-editing")

    @on(EditorPane.Typed)
    @work(exclusive=True, group="meter")
    async def _typed(self) -> None:
        from zsmem_tui.ui.memory import editing  # as above

        with unless_gone(self):
            await editing.measure(self)

    @on(EditorPane.DraftDue)
    async def _draft_due(self) -> None:
        from zsmem_tui.ui.memory import editing  # as above

        await editing.keep_draft(self)

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.text, warning=event.warning)

    @on(FileChosen)
    def _file_chosen(self, event: FileChosen) -> None:
        from zsmem_tui.ui.memory import reading  # as above

        self.wanted = event
        if self.editor.ref is None:
            reading.look_into(self, event.store, event.ref.project)
            self.open_file(event)
        elif event.enter:
            self.say(f"{format.title_of(self.editor.ref, self.session)} is being edited: esc leaves it first.", warning=True)

    @on(GroupChosen)
    def _group_chosen(self, event: GroupChosen) -> None:
        if self.empty or self.editor.ref is not None:
            return  # the welcome is on the screen, or a text that is edited
        from zsmem_tui.ui.memory import reading  # as above

        self.wanted = None
        self.workers.cancel_group(self, "open")
        reading.look_into(self, event.at.store, event.at.group)
        reading.show_group(self, event.at)

    def store_of(self, key: str) -> OpenStore:
        """The open store with a key; without one, or where it has been closed, the one in use."""
        return next((store for store in self.stores if store.key == key), self.here)

    def use(self, store: OpenStore) -> bool:
        """Whatever is done from now on is done in this store; False while a file of another one is edited, which is said."""
        if store is self.here:
            return True
        if self.editor.ref is not None:
            self.host.say(f"{format.title_of(self.editor.ref, self.session)} is being edited: esc leaves it first.", warning=True)
            return False
        self.here, self.session = store, store.session
        self.search.look_at(store, "")
        self.tell_right()
        return True

    @work(exclusive=True, group="open")
    async def open_file(self, event: FileChosen) -> None:
        """Read a file into the viewer; whatever else was asked for is not shown any more."""
        from zsmem_tui.ui.memory import reading  # as above

        self.wanted = event
        with unless_gone(self):
            await reading.show_file(self, event)

    def show_catalog(self, store: OpenStore, catalog: Catalog) -> None:
        """Show what a store holds."""
        was_away = store.catalog is not None and bool(store.catalog.problem)
        nothing_yet = self.empty or was_away
        store.catalog = catalog
        self.tree_pane.show(self.stores, self.folders)
        problem = catalog.problem if store is self.here else ""
        if self.empty or (problem and len(self.stores) == 1):
            self._show_welcome(problem)
            if self.current == "tree":
                self.focus_pane("viewer")
        elif (problem or was_away) and len(self.stores) > 1:
            if store is self.here:  # its row has the cursor now; the others stay where they are
                self.post_message(GroupChosen(At(store.key)))
        elif store is self.here and self.wanted is None and self.viewer.file is None and _is_in(store, self.tree_pane.at_cursor()):
            _choose(self, GroupChosen(self.tree_pane.at_cursor() or At(store.key)))
        elif nothing_yet and catalog.shared and (self.wanted is None or self.viewer.file is None):
            _choose(self, FileChosen(catalog.shared[0].ref, store=store.key))
        if self.viewer.about is not None:
            from zsmem_tui.ui.memory import reading  # as above

            reading.show_group_again(self)
        if nothing_yet and not self.empty and store is not self.here:
            if self.current == "viewer":
                self.focus_pane("tree")  # the welcome had the focus
            if self.wanted is None and self.viewer.file is None and self.viewer.about is None:
                _choose(self, GroupChosen(At(store.key)))
        self.tell_right()

    def _show_welcome(self, problem: str) -> None:
        """The page where there is nothing to show, or why the one store cannot be read."""
        from zsmem_tui.ui.welcome import welcome  # most people have memory

        looked = [(store.session.layout.kind, store.session.root) for store in self.stores]
        is_looking = self.more is not None
        if self.every_store is not None and not is_looking:
            from zsmem_tui.service.stores import places  # every agent's rules, which are loaded by now

            looked = places(self.session.config, self.session.folder)
        self.viewer.show_nothing(welcome(self.session, problem, looked=looked, is_looking=is_looking), "2 Welcome")

    def show_unseen(self, store: OpenStore, refs: frozenset[MemRef], wipes: list[Wipe]) -> None:
        """Show which files of a store others changed since the person looked, and which texts they wiped."""
        is_news, store.unreviewed, store.wipes = refs != store.unreviewed, refs, wipes
        if is_news and self.query(TreePane):
            self.tree_pane.show(self.stores, self.folders)
        self.tell_right()

    def on_unmount(self) -> None:
        """Begin nothing new in the background."""
        for store in self.stores:
            store.follower.stop()

    def tell_right(self) -> None:
        """Say what is true of the store in use, and what asks to be seen in any."""
        here = self.here
        counted = format.counts(here.catalog, group_word(here.session.layout)) if here.catalog else ""
        own = here.session.project
        project = here.group_name(own) if own != EVERYBODY else ""
        use = f"{here.title}: {here.use}" if len(self.stores) > 1 and here.use else here.use
        share = strip.share(here.prompt) if here.prompt else ""
        left_out = format.left_out(here.prompt) if here.prompt else ""
        self.status.right = Beside(project, counted, use, f"! {left_out}" if left_out else f"prompt {share}" if share else "")
        waiting = format.to_review(sum(len(store.unreviewed) for store in self.stores))
        checkups = [store.checkup for store in self.stores]
        found = format.to_decide(sum(each.count for each in checkups), more=any(each.left for each in checkups))
        self.status.alert = "  ".join(part for part in (waiting, found) if part)
        counts = strip.counts(here, self.stores)
        if counts != self.counts:
            self.counts = counts
            tell(self.app)
        banner = self.query_one(Banner)
        wiped = next((store for store in (here, *self.stores) if store.wipes), here)
        banner.show_wipes(wiped.wipes, wiped.session)
        banner.show_problem(next((store.problem for store in (here, *self.stores) if store.problem), ""))


def _choose(main: MainScreen, event: FileChosen | GroupChosen) -> None:
    """What nobody asked for is shown after the rows, unless somebody asks for something meanwhile."""
    wanted = main.wanted
    main.call_after_refresh(lambda: main.wanted is wanted and main.post_message(event))


def _is_in(store: OpenStore, at: At | None) -> bool:
    """Whether a row of the tree is a store or a group of it."""
    return at is not None and at.ref is None and at.store == store.key
