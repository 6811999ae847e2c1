"""Fuzzy finding: the palette of actions and help pages, and quick opening of files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from zsmem_tui.core.fuzzy import best, marks, named
from zsmem_tui.core.search import Cancelled
from zsmem_tui.core.text import plural
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import help
from zsmem_tui.service.quick_open import Matches, OpenedStore, QuickIndex, Target
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.dialogs.ask import SafeOptionList, show_page
from zsmem_tui.ui.dialogs.help import HelpDialog
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import MAIN_SCOPES, PANE_NAMES, PANES, SCOPES, also, keys_name, with_bases
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.memory.pane_focus import SCOPE_OF
from zsmem_tui.ui.open_store import AWAY, memory_name
from zsmem_tui.ui.widgets.frame import begin
from zsmem_tui.ui.wording import age

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp


Find = Callable[[str, Callable[[], bool]], tuple[list[Option], str]]
"""Returns the rows for a query, the best first, and a summary. Runs in a thread; the second argument returns whether to stop."""

Prepare = Callable[[Callable[[], bool]], None]
"""Prepares the search in a thread; may raise `Cancelled` if its argument returns True."""


class FinderDialog(ModalScreen[str | None], Overlay[str | None]):
    """A dialog that returns the id of the chosen row, or None. `enter` waits for the rows of the current input."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "close"),
        ("down,ctrl+n", "move(1)"),
        ("up", "move(-1)"),
        ("pagedown", "page(1)"),
        ("pageup", "page(-1)"),
        ("ctrl+o", "app.quick_open"),
    ]

    def __init__(self, title: str, placeholder: str, find: Find, prepare: Prepare | None) -> None:
        """`prepare` runs in a thread at the start; when it is done, the search is repeated."""
        super().__init__(classes="dialog-screen")
        self._title = title
        self._placeholder = placeholder
        self._find = find
        self._prepare = prepare
        self._newest = 0
        self._answered: str | None = None
        """The query of the rows on display."""
        self._choose_next = False
        """Whether `enter` was pressed and the rows for the input are still to come."""
        self._busy = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """Yield the input, the summary and the rows."""
        with Vertical(classes="dialog -finder") as box:
            box.border_title = Content(self._title)
            yield Input(placeholder=self._placeholder, id="sought", compact=True)
            yield Static("", id="fitting", markup=False)
            yield SafeOptionList(id="found", markup=False)

    def on_mount(self) -> None:
        """Focus the input and start; does nothing if the dialog was closed already."""
        if not self.query(Input):
            return
        self.set_focus(self.query_one(Input))
        self._look()
        if self._prepare is not None:
            self._get_ready(self._prepare)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        if self._answered == self.query_one(Input).value:
            self._choose()
        else:
            self._choose_next = True

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_move(self, step: int) -> None:
        """Move the cursor of the rows while the input keeps the focus."""
        rows = self.query_one(SafeOptionList)
        rows.action_cursor_down() if step > 0 else rows.action_cursor_up()

    def action_page(self, step: int) -> None:
        """Move the cursor of the rows by a page."""
        self.query_one(SafeOptionList).action_page(step)

    def action_close(self) -> None:
        """Clear the input; if it is empty, close."""
        line = self.query_one(Input)
        if line.value:
            line.value = ""
        else:
            self.dismiss(None)

    def _choose(self) -> None:
        rows = self.query_one(SafeOptionList)
        if rows.highlighted is not None:
            self.dismiss(rows.get_option_at_index(rows.highlighted).id)

    @on(Input.Changed)
    def _look(self) -> None:
        self._newest += 1
        typed = self.query_one(Input).value
        self.query_one(".dialog").border_subtitle = Content(f"enter choose · ↓ ↑ move · esc {'clear' if typed else 'close'}")
        self._ask(self._newest, typed)

    @work(group="finder")
    async def _ask(self, number: int, query: str) -> None:
        """Show the matches, unless the input has changed meanwhile."""
        async with self._busy:  # an outdated search before this one stops soon
            if number != self._newest:
                return
            try:
                options, said = await asyncio.to_thread(self._find, query, lambda: self.closed or number != self._newest)
            except Cancelled:
                return
        if number != self._newest or self.closed:
            return
        rows = self.query_one(SafeOptionList)
        rows.set_options(options)
        rows.highlighted = 0 if options else None
        self.query_one("#fitting", Static).update(Content(said))
        self._answered = query
        if self._choose_next:
            self._choose_next = False
            self._choose()

    @work(group="prepare")
    async def _get_ready(self, prepare: Prepare) -> None:
        try:
            await asyncio.to_thread(prepare, lambda: self.closed)
        except Cancelled:
            return
        if not self.closed:
            self._look()


MOST_ROWS: Final = 50
"""Maximum number of rows."""

FILES_IN_PALETTE: Final = 10
"""Maximum number of files in the palette, after the actions."""


class Palette:
    """Finds actions, help pages and files by name. The index is kept between uses."""

    def __init__(self, app: ZsmemApp) -> None:
        self._app = app
        self._index = QuickIndex()

    def show_files(self) -> None:
        """Let the person open a file of any open store."""
        stores, index, now_ns = self._stores(), self._index, self._app.now_ns()
        shown: dict[str, Target] = {}
        ready = False

        def look(query: str, cancelled: Callable[[], bool]) -> tuple[list[Option], str]:
            found = index.find(stores, query, MOST_ROWS, cancelled=cancelled)
            shown.update((_row_id(target), target) for target in found.targets)
            rows = [Option(target_row(target, query, now_ns), _row_id(target)) for target in found.targets]
            return rows, told(found, query, reading=not ready)

        def prepare(cancelled: Callable[[], bool]) -> None:
            nonlocal ready
            index.read_headings(stores, cancelled=cancelled)
            ready = True

        words = "a file by a part of its name, a heading in it, or its project"
        self._find("Open", words, look, lambda id: self._open(shown[id]), prepare)

    def show_actions(self) -> None:
        """Let the person choose an action, a help page or a file."""
        tool = self._app.tool
        scopes = ("app", *with_bases(tool.SCOPE_OF.values() if tool else MAIN_SCOPES))
        guide = help.guide({store.title for store in self._app.main.stores})
        pages = [Offer(Action(f"{_HELP}.{name}", "f1", "", title, "A page of help."), True) for name, title in guide.items()]
        every = [*offers(self._app.actions, scopes), *pages]
        by_id = {offer.action.id: offer for offer in every}
        stores, index, now_ns = self._stores(), self._index, self._app.now_ns()
        shown: dict[str, Target] = {}

        def look(query: str, cancelled: Callable[[], bool]) -> tuple[list[Option], str]:
            is_tiny = self._app.size.width < 60
            rows = [Option(offer_row(offer, query, is_tiny), offer.action.id) for offer in fitting(query, every, MOST_ROWS)]
            if query.strip(" "):
                files: Matches = index.find(stores, query, FILES_IN_PALETTE, cancelled=cancelled)
                shown.update((_row_id(target), target) for target in files.targets)
                rows += [Option(target_row(target, query, now_ns), _row_id(target)) for target in files.targets]
            nothing = f"No action, page of help or file has “{visible_line(query)}” in its name."
            return rows, "" if rows else f"{nothing} esc empties the line, ? lists all keys."

        def chosen(id: str) -> None:
            if id in shown:
                self._open(shown[id])
            elif (offer := by_id[id]) in pages:
                at = pages.index(offer)
                first, *others = [(each.action.label, partial(help.read, each.action.name)) for each in (*pages[at:], *pages[:at])]
                show_page(self._app, first[0], first[1](), others)
            else:
                begin(self._app, partial(self._run, offer.action, here=offer.here), group="palette")

        self._find("Palette", "an action by its name or by what it does, a page of help, or a file", look, chosen)

    def _find(self, title: str, words: str, look: Find, chosen: Callable[[str], object], prepare: Prepare | None = None) -> None:
        """Show the dialog; `chosen` is called with the id of the chosen row."""
        if isinstance(self._app.screen, HelpDialog):
            self._app.screen.dismiss(None)
        if isinstance(screen := self._app.screen, ModalScreen):  # it has to be answered first
            if not isinstance(screen, FinderDialog):
                self._app.refuse_key("ctrl+p")
            return
        self._app.push_screen(FinderDialog(title, words, look, prepare), lambda id: None if id is None else chosen(id))

    def _open(self, target: Target) -> None:
        """Show a file in the viewer, leaving the editor; `esc` returns to the present screen."""
        read = partial(self._app.read_file, target.ref, target.line, store=target.store)
        self._app.leave_editor_for(read) if self._app.main.editor.ref is not None else read()

    async def _run(self, action: Action, *, here: bool) -> None:
        """Run an action in its pane; if that is not on the screen, open its screen instead."""
        main, tool = self._app.main, self._app.tool
        if not main.is_mounted:
            return  # the program is ending
        if not here:
            await self._go_to(action)
            return
        scope = self._scope_of(action)
        place: Any = self._app
        if tool is not None and scope:
            place = tool.widget_of(scope)
        elif scope:
            if scope == "editor" and main.editor.ref is None:
                self._app.warn("Nothing is being edited: e edits a file.")
                return
            targets = {"tree": main.tree_pane.project_tree, "viewer": main.viewer.view, "query": main.search.line}
            main.focus_pane("hits" if scope == "hits" else PANES[scope])
            place = main.editor.area if scope == "editor" else targets.get(scope, main.search.hits)
        await self._app.run_action(action.act, default_namespace=place)

    def _scope_of(self, action: Action) -> str:
        """The scope on this screen in which an action works, the focused one first; empty if global or none."""
        tool, focused = self._app.tool, self._app.focused
        known = tool.SCOPE_OF if tool is not None else SCOPE_OF
        scopes = [*([known.get(focused.id or "", "")] if focused is not None else []), *known.values()]
        return next((each for each in scopes if each and action.scope in with_bases([each])), "")

    async def _go_to(self, action: Action) -> None:
        """Open the screen of an action, and show its key there."""
        page = PANES[action.scope]
        opener = next((each for each in self._app.actions if each.act.removeprefix("app.") == page), None)
        if opener is not None:
            await self._app.run_action(opener.act)
        elif page in PANES.values() and action.scope in MAIN_SCOPES:
            await self._app.run_action(f"focus_pane('{page}')")
        else:
            await self._app.run_action("history", self._app.main)
        self._app.call_after_refresh(
            lambda: self._app.say(f"{key_name(action.listed[0]) if action.keys else 'ctrl+p'} here: {action.help}")
        )

    def _stores(self) -> list[OpenedStore]:
        """The open stores as the index needs them."""
        stores = self._app.main.stores
        several, folder = len(stores) > 1, f"{self._app.main.session.folder}/"
        found = []
        for store in stores:
            session, whole = store.session, store.folders.get("", "")
            here = {"", session.project} if not whole or folder.startswith(f"{whole}/") else set()
            gone = frozenset(slug for slug, each in store.names.items() if each.mark in AWAY.values())
            if store.catalog is not None:
                title = (memory_name(store, "", stores) if whole else store.title) if several else ""
                found.append(OpenedStore(store.key, title, session.root, store.catalog, store.group_name, frozenset(here), gone))
        return found


def _row_id(target: Target) -> str:
    """A unique id for a target's row."""
    return f"{target.store}\0{target.ref.path}\0{target.line}"


_HELP: Final = "help"
"""The scope of help pages, which are offered like actions."""


class Offer(NamedTuple):
    """An action that can be chosen, or a help page; `here`: it works on this screen, else its screen is opened."""

    action: Action
    here: bool


def offers(actions: Sequence[Action], scopes: Sequence[str]) -> list[Offer]:
    """The actions of this screen's scopes, then those of other screens."""
    shown = [action for action in actions if action.palette and PANES.get(action.scope) != "conflict"]
    found = [Offer(action, True) for action in shown if action.scope in scopes]
    taken: set[tuple[str, ...]] = {(offer.action.label, offer.action.keys) for offer in found}
    for action in shown:
        page = PANES.get(action.scope, "")
        if action.scope not in scopes and page and not taken & {(action.label, action.keys), (action.label, action.keys, page)}:
            found.append(Offer(action, False))
            taken |= {(action.label, action.keys, page)}
    return found


def fitting(query: str, every: Sequence[Offer], limit: int) -> list[Offer]:
    """The offers with a matching name, help, scope or synonym, the best first; among equals, those of this screen."""
    every_action = (offer.action for offer in every)
    names = [named(each.label, f"{each.help} {SCOPES.get(each.scope, '')} {also(each)}") for each in every_action]
    places, _ = best(query, names, limit, sentences=True)
    return [every[at] for at in places]


def offer_row(offer: Offer, query: str, is_tiny: bool = False) -> Content:
    """A row for an action: key, name and help, the name first if there is room for little else; or for a help page."""
    keys = keys_name(offer.action) or " ".join(map(key_name, offer.action.bound[:1]))  # it may have an unlisted key
    does = offer.action.help
    if not offer.here:
        does = f"on {PANE_NAMES[PANES[offer.action.scope]]} · {does}"  # first, since the end may be cut
    elif offer.action.scope not in ("app", _HELP):
        does = f"{does} · {SCOPES[offer.action.scope]}"
    parts = [(f" {keys}" if is_tiny else f"{keys:>9}  ", "bold $accent"), _marked(offer.action.label, query)]
    return Content.assemble(*(reversed(parts) if is_tiny else parts), (f"  {does}", "$text-muted"))


def target_row(target: Target, query: str, now_ns: int) -> Content:
    """A row for a file or heading, with project and age."""
    sign = "# " if target.line is not None else "  "
    about = " · ".join(filter(None, (visible_line(target.where), age(target.modified_ns, now_ns))))
    return Content.assemble((sign, "$accent"), _marked(visible_line(target.words), query), (f"  {about}", "$text-muted"))


def told(found: Matches, query: str, *, reading: bool) -> str:
    """A summary of the matches."""
    still = " · headings are being read" if reading else ""
    files = f"{found.files:,} {plural('file', found.files)}"
    if not found.files:
        return "There is no file in any open store."
    if not query.strip(" "):
        return f"{files}, the one written last first{still}"
    if not found.fitting:
        return f"No file, heading or project of {files} has “{visible_line(query)}” in its name.{still}"
    return f"{found.fitting:,} fit, of {files} and their headings{still}"


def _marked(label: str, query: str) -> Content:
    """A label with matching parts underlined."""
    shown = Content(label).stylize("bold")
    for start, end in marks(query.replace("/", " "), label):
        shown = shown.stylize("underline", start, end)
    return shown
