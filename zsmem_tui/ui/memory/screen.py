"""The main screen: tree, search, viewer or editor, and what they tell each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.layout import group_word, only_instructions
from zsmem_tui.core.light_imports import late_modules, load_hashlib
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui import wording
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.keys.bindings import pane_bindings
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.pane_focus import PanesScreen, unless_gone
from zsmem_tui.ui.memory.search import PASSING_SECONDS, SearchPane
from zsmem_tui.ui.memory.tree import TreePane
from zsmem_tui.ui.memory.viewer import ViewerPane
from zsmem_tui.ui.messages import FileChosen, GroupChosen, Said
from zsmem_tui.ui.open_store import At, OpenStore, is_named
from zsmem_tui.ui.widgets import strip
from zsmem_tui.ui.widgets.bars import Beside, KeyBar, StatusLine, TourBar
from zsmem_tui.ui.widgets.frame import KeyNotice, SplitBody
from zsmem_tui.ui.widgets.strip import ScreenStrip
from zsmem_tui.ui.wording import with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.history import verbs as history_verbs
    from zsmem_tui.ui.memory import editing, file_verbs, reading, store_watcher
    from zsmem_tui.ui.projects import naming
    from zsmem_tui.ui.today import opening as today
else:  # 30 modules, most of them with what writes, after the first frame
    editing, file_verbs, reading, store_watcher = late_modules("zsmem_tui.ui.memory", "editing file_verbs reading store_watcher")
    history_verbs, naming, today = late_modules("zsmem_tui.ui", "history.verbs projects.naming today.opening")

if TYPE_CHECKING:
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import MoreStores


def on_file(verb: Callable[[MainScreen, MemRef], Coroutine[Any, Any, None]]) -> Callable[[MainScreen], None]:
    """Make an action of a verb on a file: on the one that is meant, in its store, once its turn comes, if it is there."""

    def act(main: MainScreen) -> None:
        if (ref := main._file_meant()) is not None:
            main.in_store(main.store_meant(), lambda: main.host.talk(file_verbs.if_there(main, ref, verb)))

    return act


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
        self.split = SplitBody("main", self.say, stacks=True, id="body")
        self.stores = [OpenStore(session) for session in stores]
        self.here = self.stores[0]
        self.session = self.here.session
        self.more = more
        self.every_store = more
        """Finds them also later; None: only what was named is open."""
        self.follows = follow
        self.asked_about_draft = False
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
        self.opens_today = follow
        """Whether what waits may take the reader by itself: at the start only."""
        self.synced = ""
        """How syncing with other machines stands, in words; empty where it is not set up."""

    def compose(self) -> ComposeResult:
        """Where else to go above, tree at the left, search over viewer at the right, two lines below."""
        self.here.begin()
        yield ScreenStrip("memory", self.host)
        yield KeyNotice(id="banner")
        with self.split:
            yield TreePane(self.host.now_ns)
            with Covered(id="right"):
                yield SearchPane(lambda: self.stores)
                yield ViewerPane(keeps_breaks=self.session.config.line_breaks == "keep")
                yield EditorPane()
        yield TourBar()
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
        self.watch(self.editor, "heading", partial(setattr, self.status, "edited"))
        if self.focused is None:  # else a key was quicker than this
            self.tree_pane.project_tree.focus()
        if (seen := self.here.seen()) and seen.file_count:
            self.show_catalog(self.here, seen)
        self.call_after_refresh(self.follow)

    @work(exclusive=True, group="follow")
    async def follow(self) -> None:
        """Read the store, then look at it twice a second."""
        load_hashlib()
        with unless_gone(self):
            await store_watcher.follow(self)

    async def look_now(self, store: OpenStore | None = None) -> None:
        """Look at a store (default: the one in use) at once: something was done to it here."""
        await store_watcher.look(self, store or self.here, folders=True)

    async def look_after(self, store: OpenStore) -> None:
        """Look at a store after a step in it, and at what waits there."""
        await self.look_now(store)
        await history_verbs.tell_unseen(self, store)

    def say(self, text: str, *, warning: bool = False, news: bool = False) -> None:
        """Tell a result, or as `news` what others did; once this screen is gone, nobody."""
        if self.query(StatusLine):
            words = with_titles(text, self.here, self.stores)
            self.status.mention(words) if news else self.status.say(words, warning=warning)

    async def open_editor(
        self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file in the viewer's place, the cursor on `line`, at `row` of the screen."""
        await self.editor.open(ref, base, title=wording.title_of(ref, self.session), text=text, line=line, row=row)
        self.add_class("-editing")
        self.focus_pane("editor")

    def close_editor(self) -> None:
        """Show the viewer again."""
        self.editor.close()
        self.remove_class("-editing")

    @on(EditorPane.Typed)
    @work(exclusive=True, group="meter")
    async def _typed(self) -> None:
        with unless_gone(self):
            await editing.measure(self)

    @on(EditorPane.DraftDue)
    async def _draft_due(self) -> None:
        await editing.keep_draft(self)

    async def show_what_waits(self) -> None:
        """Today, where something waits."""
        await today.open_what_waits(self)

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.text, warning=event.warning)

    @on(FileChosen)
    def _file_chosen(self, event: FileChosen) -> None:
        self.wanted = event
        if event.enter or self.current in ("tree", "search"):
            self.remove_class("-today")
        if self.editor.ref is None:
            reading.look_into(self, event.store, event.ref.project)
            if not event.in_tree:
                self.tree_pane.go_along(event.store or self.here.key, event.ref)
            self.open_file(event)
        elif event.enter:
            self.say(f"{wording.title_of(self.editor.ref, self.session)} is being edited: esc leaves it first.", warning=True)

    @on(GroupChosen)
    def _group_chosen(self, event: GroupChosen) -> None:
        if self.empty or self.editor.ref is not None:
            return  # the welcome is on the screen, or a text that is edited
        self.set_class(self.has_class("-today") and self.current != "tree", "-today")
        self.wanted = None
        self.workers.cancel_group(self, "open")
        reading.look_into(self, event.at.store, event.at.group)
        reading.show_group(self, event.at)

    def store_of(self, key: str) -> OpenStore:
        """The open store with a key; without one, or where it has been closed, the one in use."""
        return next((store for store in self.stores if store.key == key), self.here)

    def agent_of(self, store: OpenStore) -> OpenStore:
        """The store whose prompt and tasks are meant where the person is in one: for instructions, that of an agent."""
        if not only_instructions(store.session.layout):
            return store
        agents = (each for each in self.stores if each.session.layout.has_prompt(each.session.project))
        return next(agents, store)

    def use(self, store: OpenStore) -> bool:
        """Whatever is done from now on is done in this store; False while a file of another one is edited, which is said."""
        if store is self.here:
            return True
        if self.editor.ref is not None:
            self.host.say(f"{wording.title_of(self.editor.ref, self.session)} is being edited: esc leaves it first.", warning=True)
            return False
        self.here, self.session = store, store.session
        self.tell_right()
        return True

    @work(exclusive=True, group="open")
    async def open_file(self, event: FileChosen) -> None:
        """Read a file into the viewer; whatever else was asked for is not shown any more."""
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
        if only_instructions(store.session.layout):
            self._find_told()  # one may import others
        if self.viewer.about is not None:
            reading.show_group_again(self)
        if nothing_yet and not self.empty and store is not self.here:
            if self.current == "viewer":
                self.focus_pane("tree")  # the welcome had the focus
            if self.wanted is None and self.viewer.file is None and self.viewer.about is None:
                _choose(self, GroupChosen(At(store.key)))
        self.tell_right()

    def _show_welcome(self, problem: str) -> None:
        """The page where there is nothing to show, or why the one store cannot be read."""
        looked = [(store.session.layout.kind, store.session.root) for store in self.stores]
        is_looking = self.more is not None
        if self.every_store is not None and not is_looking:
            from zsmem_tui.service.stores import places  # every agent's rules, which are loaded by now

            looked = places(self.session.config, self.session.folder)
        self.viewer.show_nothing(reading.welcome(self.session, problem, looked=looked, is_looking=is_looking), "2 Welcome")

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

    def show_sync(self, words: str) -> None:
        """Say how syncing stands; nothing where it is not set up."""
        self.synced = words
        self.tell_right()

    def tell_right(self) -> None:
        """Say what is true of the store in use, and what asks to be seen in any."""
        self.search.tell_scope()
        here = self.here
        counted = wording.counts(here.catalog, group_word(here.session.layout)) if here.catalog else ""
        seen = self.project_in_view()
        project = here.group_name(seen) if seen != EVERYBODY else ""
        use, share = wording.prompt_in(here, seen), strip.share(here.prompts.get(seen))
        words = f"{here.title}: {use}" if use and is_named(here, self.stores) else use
        self.status.right = Beside(project, counted, words, f"prompt {share}" if share else "")
        self.host.counts = waits = strip.counts(here, self.agent_of(here), seen, self.stores)
        if here.prompts and (seen not in here.prompts or (seen not in here.told and self.stores[1:])):
            self._find_told()
        review = sum(len(store.unreviewed) for store in self.stores) - waits.review
        found = sum(store.checkup.count for store in self.stores) - waits.doctor
        more = any(store.checkup.left for store in self.stores)
        beyond = self.synced, wording.to_review(0, review), wording.to_decide(0, found)
        every = self.synced, wording.to_review(waits.review, review), wording.to_decide(waits.doctor, found, more=more)
        self.status.alerts = "  ".join(filter(None, beyond)), "  ".join(filter(None, every))
        wiped = next((store for store in (here, *self.stores) if store.wipes), here)
        problem = next((store.problem for store in (here, *self.stores) if store.problem), "")
        self.query_one(KeyNotice).words = partial(wording.banner, wiped.wipes, wiped.session, problem)

    @work(exclusive=True, group="told")
    async def _find_told(self) -> None:
        """Find out how full the prompt of the memory that is meant is, and which instructions are counted with it."""
        await asyncio.sleep(PASSING_SECONDS)
        store, seen = self.here, self.project_in_view()
        await store_watcher.measure(store, seen)
        if self.stores[1:]:
            await asyncio.to_thread(store.find_told, seen)
        self.tell_right()

    def in_store(self, store: OpenStore, act: Callable[[], object]) -> None:
        """Do it in one of the stores that are open: at once where that can be in use, else when nothing is under way in another."""
        if store is self.here:
            act()
        elif not self.host.conversations.under_way:
            if self.use(store):
                act()
        else:
            self.host.talk(self._in_store(store, act))

    async def _in_store(self, store: OpenStore, act: Callable[[], object]) -> None:
        if self.use(store):
            act()

    def _file_meant(self) -> MemRef | None:
        """The file that is meant; when there is none, that is said."""
        if (ref := self.file_meant()) is None:
            self.say(self.nothing_meant(), warning=True)
        return ref

    async def back(self) -> None:
        """One step back: close what is open in the pane, then go to where the person came from."""
        if self.current == "editor":
            if not self.editor.close_find():
                await editing.leave(self)
        elif self.has_class("-max"):
            self.remove_class("-max")
        elif self.current == "tree":
            self.tree_pane.close_filter() or self.tree_pane.project_tree.unmark()
        elif self.current == "viewer":
            if not self.viewer.view.selecting.stop() and not self.viewer.close_find():
                self._leave_viewer()
        else:
            self.search.close()
            self.focus_pane("tree")

    def _leave_viewer(self) -> None:
        """To where the person came from: a pane, or the screen they were on, as they left it."""
        back, self.way_back = self.way_back, None
        if back is not None:
            back()
        else:
            self.focus_pane("tree")

    action_edit = on_file(lambda main, ref: editing.edit(main, ref))
    action_edit_outside = on_file(lambda main, ref: editing.edit_outside(main, ref))
    action_rename = on_file(lambda main, ref: file_verbs.rename(main, ref))
    action_alias = on_file(lambda main, ref: file_verbs.add_aliases(main, ref))
    action_delete = on_file(lambda main, ref: (file_verbs.delete if main.current == "tree" else file_verbs.delete_read)(main, ref))
    _copy_file_text = on_file(lambda main, ref: file_verbs.copy_text(main, ref))

    @in_turn
    async def action_save(self) -> None:
        """Save what is edited."""
        await editing.save(self)

    @in_turn
    async def action_go_to_line(self) -> None:
        """Go to a line of the editor's text by its number."""
        await editing.go_to_line(self)

    def action_to_clipboard(self) -> None:
        """What is selected in the text that is read, or all of it; else the file that is meant, or the line of a hit."""
        if self.current == "viewer":
            self.viewer.copy()
        else:
            self._copy_file_text()

    def action_carry(self, is_move: bool) -> None:
        """Copy or move the files that are marked, or the one that is meant, to another place."""
        if marked := (self.tree_pane.project_tree.marked_files() if self.current == "tree" else []):
            stores = [store for store in self.stores if any(at.store == store.key for at in marked)]
            parts = [(store, [at.ref for at in marked if at.ref is not None and at.store == store.key]) for store in stores]
            at = self.here if self.here in stores else stores[0]
            self.in_store(at, lambda: self.host.talk(file_verbs.carry(self, parts, is_move=is_move)))
        elif (ref := self._file_meant()) is not None:
            self.in_store(self.store_meant(), lambda: self.host.talk(file_verbs.carry(self, [(self.here, [ref])], is_move=is_move)))

    def action_add(self) -> None:
        """Something new in the project that is meant."""
        project = self.project_meant()
        self.in_store(self.store_meant(), lambda: self.host.talk(file_verbs.add(self, project)))

    def action_history(self) -> None:
        """All versions of the file that is meant; of the whole store where the cursor of the tree is on a project."""
        self.in_store(self.store_meant(), self._open_history)

    def _open_history(self) -> None:
        at = self.tree_pane.at_cursor() if self.current == "tree" else None
        if at is not None and at.ref is None and at.group and not at.folder:
            self.host.open_history(None)
        elif (ref := self._file_meant()) is not None:
            self.host.open_history(ref)

    def action_about(self) -> None:
        """Slug and folder of the project that is meant."""
        self.host.talk(naming.about(self, self.store_meant(), self.project_meant()))

    def action_grouping(self) -> None:
        """Group the tree by agent, or by folder."""
        self.say(self.tree_pane.switch_grouping())

    @in_turn
    async def action_outline(self) -> None:
        """Choose a heading of the open file and go to it."""
        await reading.outline(self)

    def action_follow(self) -> None:
        """Go where the chosen link leads; where none is chosen, choose the first in sight."""
        target = self.viewer.view.link_target
        if target:
            self.host.talk(reading.follow(self, target))
        else:
            self.viewer.action_choose_link(1)

    def action_trail(self, step: int) -> None:
        """To the place that a link was followed from, or there again."""
        reading.back_or_forward(self, step)


def _choose(main: MainScreen, event: FileChosen | GroupChosen) -> None:
    """What nobody asked for is shown after the rows, unless somebody asks for something meanwhile."""
    wanted = main.wanted
    main.call_after_refresh(lambda: main.wanted is wanted and main.post_message(event))


def _is_in(store: OpenStore, at: At | None) -> bool:
    """Whether a row of the tree is a store or a group of it."""
    return at is not None and at.ref is None and at.store == store.key
