"""The strip at the top of every screen: the screens one can go to, their keys, and counts of what waits there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click
from textual.widget import Widget

from zsmem_tui.core.layout import has_checklist
from zsmem_tui.ui import signs
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.names import key_name

if TYPE_CHECKING:
    from zsmem_tui.service.watching import PromptUse
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore


class Counts(NamedTuple):
    """The counts on the strip, as far as known; 0 and empty strings are not shown."""

    prompt: str = ""
    review: int = 0
    triage: int = 0
    doctor: int = 0
    more_found: bool = False
    """Whether the doctor has not checked everything yet."""
    more_new: bool = False
    """Whether not all that others wrote is counted yet."""
    has_lists: bool = True
    """Whether an open memory has a checklist or an open item; where none has, Triage is on the strip only while it is open."""


class Tab(NamedTuple):
    """A screen on the strip: its help page, the id of the action that opens it, and its names from long to short."""

    page: str
    action: str
    names: tuple[str, ...]


class Spot(NamedTuple):
    """The position of a screen on the strip: its text with the blanks around it, from cell `start` on."""

    tab: Tab
    text: str
    start: int

    @property
    def end(self) -> int:
        """The first cell after it."""
        return self.start + cell_len(self.text)


TABS: Final = (
    Tab("memory", "app.tree", ("Memory",)),
    Tab("prompt", "app.prompt", ("Prompt",)),
    Tab("review", "app.review", ("Review",)),
    Tab("triage", "app.triage", ("Triage",)),
    Tab("facts", "app.facts", ("Facts",)),
    Tab("doctor", "app.doctor", ("Doctor",)),
    Tab("transfer", "app.transfer", ("Import and export", "Import/export", "Import")),
    Tab("projects", "app.projects", ("Projects",)),
)
"""The screens in the order of their keys."""


_LONG_NAME: Final = 9
"""Characters of a name that is too long for a place in the smallest terminal."""


def place(page: str, actions: Iterable[Action]) -> str:
    """The key and the name of a screen; empty if it has none on the strip."""
    tab = next((each for each in (*TABS, *_LESS_OFTEN.values()) if each.page == page), None)
    keys = [key_name(each.listed[0]) for each in actions if tab is not None and each.id == tab.action and each.keys]
    return " ".join((*keys, *[each for each in tab.names if len(each) < _LONG_NAME][:1])) if tab is not None else ""


_NAMELESS_FIRST: Final = ("transfer", "projects", "triage", "facts", "memory", "doctor", "review", "prompt")
"""The order in which names are dropped: those of the screens that are needed less often first."""

_LESS_OFTEN: Final = {"connect": Tab("connect", "app.connect", ("Connect",)), "history": Tab("history", "", ("History",))}
"""Screens that are on the strip only while they are open."""


def counts(here: OpenStore, project: str, stores: Sequence[OpenStore]) -> Counts:
    """The counts for a project of a store, as far as known; each equals what that screen shows when opened, Review's the folder's.

    `stores` are all open ones.
    """
    own = here.catalog.project(project) if here.catalog else None
    uses = ((store, store.prompts.get(project if store is here else store.session.project)) for store in stores)
    held = sum(each[1] for store, use in uses if use for each in use.open_items.items() if here.has_in(project, store, each[0]))
    items = (own.open_items or 0 if own else 0) + held
    return Counts(
        "?" if here.prompts.get(project, False) is None else share(here.prompts.get(project)),
        sum(len(store.waiting) for store in stores),
        items,
        here.found_in(project, stores),
        any(store.checkup.is_part for store in stores if not store.session.refusal),
        any(store.is_comparing for store in stores),
        items > 0 or any(has_checklist(store.session.layout) for store in stores),
    )


def share(use: PromptUse | None) -> str:
    """The percentage of the cap that memory takes, with `!` if some is cut; empty if unknown, or if nothing is loaded.

    If a whole file is lost, `lost!`, since the percentage would mislead.
    """
    if use is None or use.left_out:
        return "lost!" if use else ""
    percent = f"{use.used * 100 // use.cap}%" if use.cap and not use.is_empty else ""
    return f"{percent}!" if use.cut else percent


class _Layout(NamedTuple):
    """A layout of the strip: by the page of a screen, its name, the text after it, and the cells kept for that."""

    names: Mapping[str, str]
    said: Mapping[str, str]
    room: Mapping[str, int]
    """Cells kept for counts, so that nothing moves when counts change."""
    is_tight: bool = False


_ROOM: Final = {"prompt": len(" 158%!"), "review": len(f" {signs.OTHERS}99"), "triage": len(" 99"), "doctor": len(" 99+")}


def spots(actions: Sequence[Action], counts: Counts, page: str, width: int) -> list[Spot]:
    """The position of each screen; `page` is the open one.

    If there is too little room, first the longest name is shortened; then counts, blanks and at last names give way.
    """
    always = [tab for tab in TABS if counts.has_lists or page == tab.page or tab.page != "triage"]
    tabs = [*always, *filter(None, [_LESS_OFTEN.get(page)])]
    known = {tab.action for tab in tabs}
    order = lambda key: (len(key), not key.isdigit())  # noqa: E731 - short ones first, digits before letters
    keys = {each.id: min(map(key_name, each.listed), key=order, default="") for each in actions if each.id in known}
    every = list(_layouts(counts))
    look = next((each for each in every if sum(cell_len(_tab_text(tab, keys, each)) for tab in always) <= width), every[-1])
    found: list[Spot] = []
    for tab in tabs:
        found.append(Spot(tab, _tab_text(tab, keys, look), found[-1].end if found else 0))
    return [spot for spot in found if spot.end <= width]


def _layouts(counts: Counts) -> Iterator[_Layout]:
    """Yield all layouts, widest first."""
    said = {"prompt": _count_text(counts.prompt), "triage": _count_text(counts.triage)}
    said["review"] = _count_text(counts.review, signs.OTHERS, behind=signs.MORE * counts.more_new)
    said["doctor"] = _count_text(counts.doctor, behind=signs.MORE * counts.more_found)
    names, room = {tab.page: tab.names[0] for tab in (*TABS, *_LESS_OFTEN.values())}, _ROOM
    yield _Layout(names, said, room)
    for tab in TABS:
        for name in tab.names[1:]:
            yield _Layout(names := names | {tab.page: name}, said, room)
    for page, less in (("triage", ""), ("prompt", counts.prompt[-1:].strip("%")), ("doctor", "!" if counts.doctor else "")):
        said, room = said | {page: less}, room | {page: int(page != "triage")}
        yield _Layout(names, said, room)
    yield _Layout(names, said, room, True)
    said, room = said | {"review": signs.OTHERS if counts.review else ""}, room | {"review": 1}
    for page in ("", *_NAMELESS_FIRST):
        names = names | {page: ""}
        yield _Layout(names, said, room, True)


def _tab_text(tab: Tab, keys: Mapping[str, str], look: _Layout) -> str:
    """The text for a screen, with the cells kept for its count."""
    head, said = " ".join(filter(None, (keys.get(tab.action, ""), look.names[tab.page]))), look.said.get(tab.page, "")
    return f" {head}{said}{' ' * (look.room.get(tab.page, 0) - cell_len(said))}{'' if look.is_tight else ' '}"


def _count_text(count: int | str, sign: str = "", *, behind: str = "") -> str:
    return f" {sign}{count}{behind}" if count else ""


class ScreenStrip(Widget):
    """The strip, one row high."""

    def __init__(self, page: str, host: ZsmemApp) -> None:
        """`page` is the help page of the screen that the strip is on."""
        super().__init__(id="strip")
        self.page = page
        self._host = host

    def on_mount(self) -> None:
        """Follow the app's counts."""
        self.watch(self._host, "counts", self._tell)

    def _tell(self) -> None:
        self.refresh()

    @property
    def spots(self) -> list[Spot]:
        """The positions at the current width."""
        return spots(self._host.actions, self._host.counts, self.page, self.content_size.width)

    def render(self) -> Content:
        """Render the screens; the open one is bold and reversed, with a blank at either side."""
        parts: list[tuple[str, str]] = []
        for spot in self.spots:
            key, blank, rest = spot.text[1:].partition(" ")
            parts += [(" ", ""), (key, "bold $accent"), (f"{blank}{rest}", "$text-muted")]
        here = next((spot for spot in self.spots if spot.tab.page == self.page), None)
        row = Content.assemble(*parts)
        return row.stylize("bold reverse $primary", here.start, here.start + len(here.text.rstrip()) + 1) if here else row

    async def on_click(self, event: Click) -> None:
        """Go to the clicked screen, as its key does."""
        at = event.get_content_offset_capture(self).x
        spot = next((each for each in self.spots if each.start <= at < each.end), None)
        act = next((action.act for action in self._host.actions if spot is not None and action.id == spot.tab.action), "")
        if act:
            await self.app.run_action(act)
