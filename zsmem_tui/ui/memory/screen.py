"""The main screen: tree, search, and viewer or editor, and the messages between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui import wording
from zsmem_tui.ui.keys.bindings import pane_bindings
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.pane_focus import PanesScreen
from zsmem_tui.ui.memory.search import PASSING_SECONDS, SearchPane
from zsmem_tui.ui.memory.tree import TreePane
from zsmem_tui.ui.memory.viewer import ViewerPane
from zsmem_tui.ui.messages import FileChosen, GroupChosen
from zsmem_tui.ui.open_store import At, Extent, OpenStore, are_several
from zsmem_tui.ui.perform import copy
from zsmem_tui.ui.widgets import strip
from zsmem_tui.ui.widgets.bars import Beside, KeyBar, StatusLine, TourBar
from zsmem_tui.ui.widgets.frame import KeyNotice, SplitBody, keep_view
from zsmem_tui.ui.widgets.strip import ScreenStrip
from zsmem_tui.ui.wording import with_titles

if TYPE_CHECKING:
    from zsmem_tui.ui.history import verbs as history_verbs
    from zsmem_tui.ui.memory import editing, file_verbs, reading, store_watcher
    from zsmem_tui.ui.projects import naming
    from zsmem_tui.ui.review import opening
else:  # loaded after the first frame: 30 modules
    editing, file_verbs, reading, store_watcher = late_modules("zsmem_tui.ui.memory", "editing file_verbs reading store_watcher")
    history_verbs, naming, opening = late_modules("zsmem_tui.ui", "history.verbs projects.naming review.opening")

if TYPE_CHECKING:  # types only: with an `else`, these would be late modules, and a circle
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import MoreStores


def on_file(verb: Callable[[MainScreen, MemRef], Coroutine[Any, Any, None]]) -> Callable[[MainScreen], None]:
    """Make an action of a coroutine that takes a file: it gets the current file, runs in the file's store, and only if the file
    exists.
    """

    def act(main: MainScreen) -> None:
        if (ref := main._file_meant()) is not None:
            main.in_store(main.store_meant(), lambda: main.host.talk(file_verbs.if_there(main, ref, verb)))

    return act


def talking(conversation: Callable[[MainScreen], Coroutine[Any, Any, object]]) -> Callable[[MainScreen], None]:
    """Make an action of a conversation."""
    return lambda main: main.host.talk(conversation(main))


class Covered(Vertical):
    """A container whose children cover it completely, so its own background need not be drawn."""

    BLANK = True


class MainScreen(PanesScreen):
    """The main screen. Its panes post messages; it calls the service and passes the results on to the panes."""

    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings()]
    BLANK = True
    AUTO_FOCUS = "#tree-view"  # Textual's default would focus the first widget, a hidden input

    def __init__(self, host: ZsmemApp, stores: Sequence[Session], *, follow: bool = True, more: MoreStores | None = None) -> None:
        """`stores` are open from the start, the first is the current one; `more`, called in a thread, returns further stores."""
        super().__init__()
        self.host = host
        self.split = SplitBody("main", self.say, id="body")
        self.stores = [OpenStore(session) for session in stores]
        self.here = self.stores[0]
        self.session = self.here.session
        self.more = more
        self.every_store = more
        """Finds stores that appear later; None if only the stores named on the command line are opened."""
        self.follows = follow
        self.asked_about_draft = False
        self.was_read = False
        """Whether the first read of the stores has begun."""
        self.attended = asyncio.Event()
        """Set while the terminal has the focus, as far as it reports that."""
        self.shown: FileChosen | None = None
        """The last one whose file was shown."""
        self.after_editor: Callable[[], object] | None = None
        """Called when the editor is left, to return to where the person was; None returns to the viewer."""
        self.folders: tuple[str, ...] = (self.session.folder,) if self.session.folder else ()
        """The known folders, the current one first."""
        self.opens_today = follow
        self.extent = Extent()
        """Whether the page of Review may be opened by itself; only at the start."""
        self.seen_at = 0.0
        """When the first rows were shown, on the monotonic clock."""
        self.told_draft = False
        """Whether the status line named a draft from before, in place of asking."""
        self.synced = ""
        """The sync status in words; empty if sync is not set up."""

    def compose(self) -> ComposeResult:
        """Yield the screen strip, the tree at the left, search above viewer or editor, and the status and key lines."""
        self.here.begin()
        yield ScreenStrip("memory", self.host)
        yield KeyNotice(id="banner")
        with self.split:
            yield TreePane(self.host.now_ns)
            with Covered(id="right", classes="-below"):
                yield SearchPane(lambda: self.stores)
                yield ViewerPane(keeps_breaks=self.session.config.line_breaks == "keep")
                yield EditorPane()
        yield TourBar()
        yield StatusLine(id="status")
        yield KeyBar(id="keys")

    @property
    def empty(self) -> bool:
        """Whether no store has any file."""
        return all(store.empty for store in self.stores)

    def on_mount(self) -> None:
        """Paint the rows known so far first, then start reading the stores."""
        self.watch_current()
        self.watch(self, "current", self.tell_right, init=False)
        self.watch(self.app, "app_focus", lambda has_it: self.attended.set() if has_it else self.attended.clear())
        self.watch(self.editor, "heading", partial(setattr, self.status, "edited"))
        if self.focused is None:  # otherwise a key has moved the focus already
            self.tree_pane.project_tree.focus()
        if (seen := self.here.seen()) and seen.file_count:
            self.show_catalog(self.here, seen)
        self.seen_at = monotonic()
        self.call_after_refresh(self.follow)

    def on_screen_resume(self) -> None:
        """The screen above was closed: its project is no longer the one in view."""
        if self.is_mounted:
            self.tell_right()

    @work(exclusive=True, group="follow")
    async def follow(self) -> None:
        """Read the stores, then poll them until the screen is closed."""
        await store_watcher.follow(self)

    async def look_now(self, store: OpenStore | None = None, *, more: bool = False) -> None:
        """Poll a store (default: the current one) at once, after a change made by this program; `more` may have made others."""
        await store_watcher.look(self, store or self.here, folders=True)
        if more:
            await store_watcher.look_for_more(self)

    async def look_after(self, store: OpenStore) -> None:
        """Poll a store after a change, and update its number of files to review."""
        await self.look_now(store)
        await history_verbs.tell_unseen(self, store)

    def say(self, text: str, *, warning: bool = False, news: bool = False, refused: bool = False) -> None:
        """Show a result on the status line, or with `news` a change by others; does nothing if this screen is closed."""
        if self.query(StatusLine):
            words = with_titles(text, self.here, self.stores)
            say = self.status.mention if news else partial(self.status.say, refused=refused)
            say(words, warning=warning)

    def warn(self, text: str) -> None:
        """Say why nothing was done, until a key does something."""
        self.say(text, warning=True, refused=True)

    async def open_editor(
        self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Show the editor in place of the viewer, with the cursor on `line`, and that line at screen row `row`."""
        self.status.clear()
        await self.editor.open(ref, base, title=wording.title_of(ref, self.session), text=text, line=line, row=row)
        self.add_class("-editing")
        self.focus_pane("editor")

    @on(EditorPane.Typed)
    @work(exclusive=True, group="meter")
    async def _typed(self) -> None:
        await editing.measure(self)

    @on(EditorPane.DraftDue)
    @work  # a handler that waits for the disk would hold up the drawing
    async def _draft_due(self) -> None:
        await editing.keep_draft(self)

    async def show_what_waits(self) -> None:
        """Open the page of Review if something waits there."""
        await opening.open_what_waits(self)

    @on(FileChosen)
    def _file_chosen(self, event: FileChosen) -> None:
        self.wanted = event
        if event.enter or self.current in ("tree", "search"):
            self.remove_class("-today")
        if self.editor.ref is None:
            reading.look_into(self, event.store, event.ref.project)
            if not event.in_tree:
                self.tree_pane.go_along(At(event.store or self.here.key, event.ref.project, event.ref))
            self.open_file(event)
        elif event.enter:
            self.warn(self._edited)

    @on(GroupChosen)
    def _group_chosen(self, event: GroupChosen) -> None:
        if self.empty or self.editor.ref is not None:
            return  # the welcome page is shown, or a file is edited
        self.set_class(self.has_class("-today") and self.current != "tree", "-today")
        self.wanted = None
        self.workers.cancel_group(self, "open")
        reading.look_into(self, event.at.store, event.at.group)
        reading.show_group(self, event.at)

    @property
    def _edited(self) -> str:
        """Which file is being edited, and the keys that leave it from here."""
        assert self.editor.ref is not None, "asked while a file is edited"
        keys = "esc" if self.current == "editor" else "2 goes to it, esc"
        return f"{wording.title_of(self.editor.ref, self.session)} is being edited: {keys} leaves it first."

    def use(self, store: OpenStore) -> bool:
        """Make `store` the current one; False, with a message, if a file of another store is being edited."""
        if store is self.here:
            return True
        if self.editor.ref is not None:
            self.host.warn(self._edited)
            return False
        self.here, self.session = store, store.session
        self.tell_right()
        return True

    @asynccontextmanager
    async def unpolled(self, stores: Iterable[OpenStore] = ()) -> AsyncIterator[None]:
        """Hold back the polls of these stores (default: all): changes made meanwhile are not reported as made by others."""
        async with AsyncExitStack() as held:
            for store in tuple(stores) or tuple(self.stores):
                await held.enter_async_context(store.looking)
            yield

    def leave(self, gone: Iterable[OpenStore]) -> None:
        """Show stores no longer, none of them the current one."""
        for store in gone:
            store.follower.stop()
            self.stores.remove(store)
            self.tree_pane.show(self.stores, self.folders)

    @property
    def awaits_file(self) -> bool:
        """Whether a file that the person wants to read is still to come, which keys are meant for."""
        return self.wanted is not None and self.wanted.enter and self.shown is not self.wanted and self.editor.ref is None

    @work(exclusive=True, group="open")
    async def open_file(self, event: FileChosen) -> None:
        """Read a file into the viewer; cancels the file being opened."""
        self.wanted = event
        await reading.show_file(self, event)

    def show_catalog(self, store: OpenStore, catalog: Catalog) -> None:
        """Show the contents of a store, which were just read."""
        was_away = store.catalog is not None and bool(store.catalog.problem)
        nothing_yet = self.empty or was_away
        store.catalog = catalog
        self.tree_pane.show(self.stores, self.folders)
        problem, at = catalog.problem if store is self.here else "", self.tree_pane.at_cursor()
        if self.empty or (problem and len(self.stores) == 1):
            self._show_welcome(problem)
            if self.current == "tree":
                self.focus_pane("viewer")
        elif (problem or was_away) and len(self.stores) > 1:
            if store is self.here:  # the tree's cursor is on its row; other stores keep theirs
                self.post_message(GroupChosen(At(store.key)))
        elif store is self.here and not (self.wanted or self.viewer.file) and at and not at.ref and at.store == store.key:
            _post_unless_asked(self, GroupChosen(at))
        elif nothing_yet and catalog.shared and (self.wanted is None or self.viewer.file is None):
            _post_unless_asked(self, FileChosen(catalog.shared[0].ref, store=store.key))
        if only_instructions(store.session.layout):
            self._find_told()  # the instructions may be imported by other stores
        if self.viewer.about is not None:
            reading.show_group_again(self)
        if nothing_yet and not self.empty and store is not self.here:
            if self.current == "viewer":
                self.focus_pane("tree")  # the welcome page had the focus
            if not catalog.shared and self.wanted is None and self.viewer.file is None and self.viewer.about is None:
                at = at or At(store.key)
                _post_unless_asked(self, FileChosen(at.ref, store=at.store) if at.ref else GroupChosen(at))
        self.tell_right()

    def _show_welcome(self, problem: str) -> None:
        """Show the welcome page, or why the only store cannot be read."""
        looked = [(store.session.layout.kind, store.session.root) for store in self.stores]
        is_looking = self.more is not None
        if self.every_store is not None and not is_looking:
            from zsmem_tui.service.stores import places  # deferred: imports the rules of all agents

            looked = places(self.session.config, self.session.folder)
        self.viewer.show_nothing(reading.welcome(self.session, problem, looked=looked, is_looking=is_looking), "2 Welcome")

    def show_unseen(self, store: OpenStore, refs: frozenset[MemRef], wipes: list[Wipe]) -> None:
        """Show which files of a store others changed since the person last looked, and which of those lost text."""
        if wipes != store.wipes:  # which its empty list says
            reading.reload_tool(self.host)
        is_news, store.unreviewed, store.wipes = (refs, wipes) != (store.unreviewed, store.wipes), refs, wipes
        if store.told_news:  # else none is known yet
            self._put_away(store, store.hidden_wipes.intersection(map(str, wipes)))
        if is_news and wipes and wipes[0].gone == "" and store.session.is_about_folder:
            for each in self.stores:  # one may know where the folder went
                each.names_wanted.set()
        if is_news and self.query(TreePane):
            self.tree_pane.show(self.stores, self.folders)
            if not store.session.store_problem():  # else the store's page tells it
                reading.show_group_again(self)
        self.tell_right()

    def in_review(self, words: str, store: OpenStore, paths: Sequence[str]) -> str:
        """`words` on these files, and the keys that show in Review those that wait; `w`: it opens on the folder alone."""
        if not (waiting := [path for path in paths if store.session.ref_at(path) in store.unreviewed]):
            return words
        count = sum(store.session.ref_at(path) in store.waiting for path in waiting)
        is_there = self.current == "today" if self.host.tool is None else self.host.tool.PAGE == "review"
        if is_there and count == len(waiting):
            return words
        key, every = (wording.pressed(each, wording.is_typed(self)) for each in (("the page", "w") if is_there else ("5", "5 w")))
        left = any(path not in waiting and store.has(store.session.ref_at(path)) for path in paths)  # as a link out of it
        shows = f"{key if count else every} shows {f'{len(waiting)} of them' if left else 'them' if paths[1:] else 'it'}"
        part = f"{key} shows {count} of them, {every} {len(waiting) if left else 'all'}"
        return f"{words.rstrip('.')} · {part if 0 < count < len(waiting) else shows}"

    def on_unmount(self) -> None:
        """Stop the background work of all stores."""
        for store in self.stores:
            store.follower.stop()

    def show_sync(self, words: str) -> None:
        """Show the sync status; empty if sync is not set up."""
        self.synced = words
        self.tell_right()

    def _put_away(self, store: OpenStore, wipes: set[str]) -> None:
        """Tell no more of these wipes, and of no others, also after the next start."""
        if changed := store.hidden_wipes ^ wipes:
            store.hidden_wipes = wipes
            keep_view(self, f"put away {store.key}", lambda: {each: each in wipes or None for each in changed}, self.say)

    def tell_right(self) -> None:
        """Update the right end of the status line, the counts in the strip, and the banner."""
        self.search.tell_scope()
        here, agent = self.here, self.in_view
        own = self.project_in_view(agent)
        project, tool = agent.group_name(own) if own != EVERYBODY else "", self.host.tool
        project = " · ".join(filter(None, (agent.title, project))) if are_several(self.stores) else project
        use, waits = wording.prompt_in(agent, own), strip.counts(agent, own, self.stores)
        share = f"prompt {waits.prompt}" if waits.prompt else ""
        is_of_all = tool is not None and tool.is_of_all
        self.status.right = Beside(tool.scope_name if tool else project, *(("", "") if is_of_all else (use, share)))
        self.host.counts = waits
        if agent.prompts and (own not in agent.prompts or (own not in agent.told and self.stores[1:])):
            self._find_told()
        review = wording.to_review(waits.review, more=waits.more_new)
        every = self.synced, review, wording.to_decide(waits.doctor, more=waits.more_found)
        self.status.alerts = self.synced, "  ".join(filter(None, every))
        wiped = next((store for store in (here, *self.stores) if store.wipes_to_tell), here)
        problem = next((store.problem for store in (here, *self.stores) if store.problem), "")
        went = wiped.went(self.stores) if (wipes := wiped.wipes_to_tell) else ""
        self.query_one(KeyNotice).words = partial(wording.banner, wipes, wiped.session, problem, went)

    @work(exclusive=True, group="told")
    async def _find_told(self) -> None:
        """Compute the prompt's size for the current group, and the instructions that are part of it."""
        await asyncio.sleep(PASSING_SECONDS)
        store = self.in_view
        seen = self.project_in_view(store)
        await store_watcher.measure(store, seen)
        if self.stores[1:]:
            await asyncio.to_thread(store.find_told, seen)
        self.tell_right()

    def in_store(self, store: OpenStore, act: Callable[[], object]) -> None:
        """Call `act` with `store` as the current one: at once if possible, else when the running conversation has ended."""

        async def act_there() -> None:
            if not self.host.conversations.is_left() and self.use(store):
                act()

        if store is not self.here and self.host.conversations.under_way:
            self.host.talk(act_there())
        elif self.use(store):
            act()

    def _file_meant(self) -> MemRef | None:
        """The current file; None, with the reason on the status line, if there is none, or others deleted the one seen last."""
        ref, seen = self.file_meant(), self.tree_pane.seen
        if self.current == "tree" and seen is not None and seen.ref is not None and not self.store_of(seen.store).has(seen.ref):
            name = wording.title_of(seen.ref, self.store_of(seen.store).session)
            self.warn(f"{name} was deleted, and enter opens what is under the cursor now. Nothing was done.")
            return None  # also the next time, until the person goes to a row
        self.tree_pane.seen = None
        if ref is None:
            self.warn(self.nothing_meant())
        return ref

    async def back(self) -> None:
        """Go one step back: close what is open in the pane, else return to the pane before."""
        if self.current == "editor":
            if not self.editor.close_find():
                await editing.leave(self)
        elif self.has_class("-max"):
            self.remove_class("-max")
        elif self.current == "tree":
            if not (self.tree_pane.close_filter() or self.tree_pane.project_tree.unmark()):
                for store in self.stores:
                    if wording.are_only_deleted(store.wipes_to_tell):
                        self._put_away(store, {*map(str, store.wipes)})  # not told again; Review has it still
                self.tell_right()
        elif self.current == "viewer":
            if not self.viewer.view.selecting.stop() and not self.viewer.close_find():
                back, self.way_back = self.way_back or partial(self.focus_pane, "tree"), None
                back()
        elif self.current != "today" or not any(page.close() for page in opening.pages(self)):
            self.search.remove_class("-open")
            self.focus_pane("tree")

    action_edit = on_file(lambda main, ref: editing.edit(main, ref))
    action_edit_outside = on_file(lambda main, ref: editing.edit_outside(main, ref))
    action_rename = on_file(lambda main, ref: file_verbs.rename(main, ref))
    action_alias = on_file(lambda main, ref: file_verbs.add_aliases(main, ref))
    _delete = on_file(lambda main, ref: (file_verbs.delete if main.current == "tree" else file_verbs.delete_read)(main, ref))
    _copy_file_text = on_file(lambda main, ref: file_verbs.copy_text(main, ref))

    action_save = talking(lambda main: editing.save(main))
    action_go_to_line = talking(lambda main: editing.go_to_line(main))
    action_outline = talking(lambda main: reading.outline(main))
    action_about = talking(lambda main: naming.about(main, main.store_meant(), main.project_meant()))

    def action_to_clipboard(self) -> None:
        """Copy the selection or the whole text in the viewer, else the text of the current file or hit line."""
        if self.current != "viewer":
            self._copy_file_text()
        elif not (found := self.viewer.to_copy())[0]:
            self.warn("Nothing to copy.")
        elif copy(self, *found):
            self.viewer.stop_selecting()

    def _on_marked(self, verb: Callable[[Sequence[file_verbs.Part]], Coroutine[Any, Any, None]]) -> bool:
        """Run `verb` with the marked files of each store; False if the tree is not focused or nothing is marked."""
        every = self.tree_pane.project_tree.marked if self.current == "tree" else ()
        marked = sorted(every, key=lambda at: (at.store, at.ref.path if at.ref else ""))
        parts = [(store, [at.ref for at in marked if at.ref is not None and at.store == store.key]) for store in self.stores]
        if parts := [(store, refs) for store, refs in parts if refs]:
            at = next((store for store, _ in parts if store is self.here), parts[0][0])
            self.in_store(at, lambda: self.host.talk(verb(parts)))
        return bool(parts)

    def action_delete(self) -> None:
        """Delete the marked files, or the current one, or the lines selected."""
        if not self._on_marked(lambda parts: file_verbs.delete_marked(self, parts)):
            self._delete()

    def action_carry(self, is_move: bool) -> None:
        """Copy or move the marked files, or the current one."""
        if self._on_marked(lambda parts: file_verbs.carry(self, parts, is_move=is_move)):
            return
        if (ref := self._file_meant()) is not None:
            self.in_store(self.store_meant(), lambda: self.host.talk(file_verbs.carry(self, [(self.here, [ref])], is_move=is_move)))

    def action_add(self) -> None:
        """Add a note or entry to the current project."""
        project = self.project_meant()
        self.in_store(self.store_meant(), lambda: self.host.talk(file_verbs.add(self, project)))

    def action_history(self) -> None:
        """Open the history of the current file; of all of them in the tree on a project or a store, and in Review on no file."""
        self.in_store(self.store_meant(), self._open_history)

    def _open_history(self) -> None:
        at = self.tree_pane.at_cursor() if self.current == "tree" else None
        if at is not None and at.ref is None and not at.folder:
            self.host.open_history(at.group or None)
        elif (ref := self._file_meant()) is not None:
            self.host.open_history(ref)

    def action_grouping(self) -> None:
        """Switch the tree between grouping by agent and by folder, also for the next start."""
        self.say(self.tree_pane.switch_grouping())
        keep_view(self, "tree", lambda: {"by_folder": self.tree_pane.by_folder or None}, self.say)

    def action_follow(self) -> None:
        """Follow the chosen link; if none is chosen, choose the first visible one."""
        if self.search.takes(self.host.pressed):
            return
        target = self.viewer.view.link_target
        if target:
            self.host.talk(reading.follow(self, target))
        else:
            self.viewer.action_choose_link(1)

    def action_trail(self, step: int) -> None:
        """Go back (`step` -1) or forward (1) along the links that were followed."""
        reading.back_or_forward(self, step)


def _post_unless_asked(main: MainScreen, event: FileChosen | GroupChosen) -> None:
    """Post an event after the next refresh, unless a file has been asked for in the meantime."""
    wanted = main.wanted
    main.call_after_refresh(lambda: main.wanted is wanted and main.post_message(event))
