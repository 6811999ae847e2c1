"""The palette, and opening a file from anywhere: the same line to type in, with what fits below it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.screen import ModalScreen

from zsmem_tui.service import help
from zsmem_tui.service.quick_open import Matches, OpenedStore, QuickIndex, Target
from zsmem_tui.ui.background import begin
from zsmem_tui.ui.dialogs import finder_rows as finder
from zsmem_tui.ui.dialogs.ask import find, show_page
from zsmem_tui.ui.dialogs.finder_rows import FinderRows, Offer, PageOffer
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import MAIN_SCOPES, PANES, with_bases
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.memory.pane_focus import SCOPE_OF

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

MOST_ROWS: Final = 50
"""Rows that are shown; who wants a later one types a letter more."""

FILES_IN_PALETTE: Final = 10
"""Files that the palette shows below the actions."""


class Palette:
    """Finding an action, a page of help or a file by its name. The index is made when it is needed first, and stays."""

    def __init__(self, app: ZsmemApp) -> None:
        self._app = app
        self._index: QuickIndex | None = None

    def show_files(self) -> None:
        """A file of any open store."""
        if isinstance(self._app.screen, ModalScreen):
            return  # a question is answered before anything else begins
        stores, index, now_ns = self._stores(), self._made_index(), self._app.now_ns()
        shown: dict[str, Target] = {}
        ready = False

        def look(query: str, cancelled: Callable[[], bool]) -> FinderRows:
            found = index.find(stores, query, MOST_ROWS, cancelled=cancelled)
            shown.update((_id(target), target) for target in found.targets)
            rows = [finder.FinderRow(_id(target), finder.target_row(target, query, now_ns)) for target in found.targets]
            return finder.FinderRows(rows, finder.told(found, query, reading=not ready))

        def prepare(cancelled: Callable[[], bool]) -> None:
            nonlocal ready
            index.read_headings(stores, cancelled=cancelled)
            ready = True

        words = "a file by a part of its name, a heading in it, or its project"
        find(self._app, "Open", words, look, lambda id: self._open(shown[id]), prepare)

    def show_actions(self) -> None:
        """Any action, the pages of help, and the files whose names fit."""
        if isinstance(self._app.screen, ModalScreen):
            return
        tool = self._app.tool
        scopes = ("app", *with_bases(tool.SCOPE_OF.values() if tool else MAIN_SCOPES))
        pages = [finder.PageOffer(name, title) for name, title in help.GUIDE.items()]
        every: list[Offer | PageOffer] = [*finder.offers(self._app.actions, scopes), *pages]
        by_id = {_offer_id(offer): offer for offer in every}
        stores, index, now_ns = self._stores(), self._made_index(), self._app.now_ns()
        shown: dict[str, Target] = {}

        def look(query: str, cancelled: Callable[[], bool]) -> FinderRows:
            offers = finder.fitting(query, every, MOST_ROWS)
            rows = [finder.FinderRow(_offer_id(offer), finder.offer_row(offer, query)) for offer in offers]
            if query.strip(" "):
                files: Matches = index.find(stores, query, FILES_IN_PALETTE, cancelled=cancelled)
                shown.update((_id(target), target) for target in files.targets)
                rows += [finder.FinderRow(_id(target), finder.target_row(target, query, now_ns)) for target in files.targets]
            return finder.FinderRows(rows, "" if rows else finder.nothing_fits(query))

        def chosen(id: str) -> None:
            if id in shown:
                self._open(shown[id])
            elif isinstance(offer := by_id[id], finder.PageOffer):
                at = pages.index(offer)
                others = [(page.title, partial(help.read, page.name)) for page in [*pages[at + 1 :], *pages[:at]]]
                show_page(self._app, offer.title, help.read(offer.name), others)
            else:
                begin(self._app, partial(self._run, offer.action, here=offer.here), group="palette")

        find(self._app, "Palette", "an action by its name or by what it does, a page of help, or a file", look, chosen)

    def _open(self, target: Target) -> None:
        """Show a file where it was found; `esc` leads back to where the person is now."""
        self._app.read_file(target.ref, target.line or 0, store=target.store)
        self._app.main.tree_pane.reveal(target.store, target.ref)

    async def _run(self, action: Action, *, here: bool) -> None:
        """Do what was chosen, in the pane that it belongs to; where that is on no screen yet, open the one that has it."""
        main, tool = self._app.main, self._app.tool
        if not main.is_mounted:
            return  # the program is ending
        if not here:
            await self._go_to(action)
            return
        scope = self._scope_of(action)
        if tool is not None and scope:
            await self._app.run_action(action.act, default_namespace=tool.widget_of(scope))
        elif scope:
            if scope == "editor" and main.editor.ref is None:
                self._app.say("Nothing is being edited: e edits a file.", warning=True)
                return
            targets = {"tree": main.tree_pane.project_tree, "viewer": main.viewer.view, "query": main.search.line}
            if scope == "editor":
                targets["editor"] = main.editor.area
            main.focus_pane("hits" if scope == "hits" else PANES[scope])
            await self._app.run_action(action.act, default_namespace=targets.get(scope, main.search.hits))
        else:
            await self._app.run_action(action.act, default_namespace=self._app)

    def _scope_of(self, action: Action) -> str:
        """Where on the screen an action works, first of all where the person is; empty: everywhere, or nowhere on it."""
        tool, focused = self._app.tool, self._app.focused
        known = tool.SCOPE_OF if tool is not None else SCOPE_OF
        scopes = [*([known.get(focused.id or "", "")] if focused is not None else []), *known.values()]
        return next((each for each in scopes if each and action.scope in with_bases([each])), "")

    async def _go_to(self, action: Action) -> None:
        """Open the screen that an action is of, and say which key it has there."""
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
        """What is known of every store that is open."""
        stores = self._app.main.stores
        several = len(stores) > 1
        return [
            OpenedStore(store.key, store.title if several else "", store.session.root, store.catalog, store.group_name)
            for store in stores
            if store.catalog is not None
        ]

    def _made_index(self) -> QuickIndex:
        if self._index is None:
            self._index = QuickIndex()
        return self._index


def _offer_id(offer: Offer | PageOffer) -> str:
    """What an offer is known by among the rows of the palette."""
    first = offer[0]
    return f"help\0{first}" if isinstance(first, str) else first.id


def _id(target: Target) -> str:
    """What a target is known by among the rows of a dialog."""
    return f"{target.store}\0{target.ref.path}\0{target.line}"
