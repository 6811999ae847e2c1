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
    from zsmem_tui.service.session import Session
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
    has_lists: bool = True
    """Whether an open memory has a checklist, or had an open item; if none has, Triage is on the strip only while it is open."""


class Tab(NamedTuple):
    """A screen on the strip: its help page, the id of the action that opens it, and its names from long to short."""

    page: str
    action: str
    names: tuple[str, ...]


class Spot(NamedTuple):
    """The position of a screen on the strip: its text with the bracket or blank before and after it, from cell `start` on."""

    tab: Tab
    text: str
    start: int
    here: bool

    @property
    def end(self) -> int:
        """The first cell after it."""
        return self.start + cell_len(self.text)


MEMORY: Final = Tab("memory", "app.tree", ("Memory", "Mem", "Mem"))

_LAST_PANE: Final = "app.search"
"""What the last digit of a pane leads to: the panes of memory are one place on the strip."""

TRIAGE: Final = Tab("triage", "app.triage", ("Triage", "Triage", "Tri"))

TABS: Final = (
    MEMORY,
    Tab("prompt", "app.prompt", ("Prompt", "Prompt", "Prm")),
    Tab("review", "app.review", ("Review", "Review", "Rev")),
    TRIAGE,
    Tab("facts", "app.facts", ("Facts", "Facts", "Fct")),
    Tab("doctor", "app.doctor", ("Doctor", "Doc", "Doc")),
    Tab("transfer", "app.transfer", ("Import and export", "In/Out", "I/O")),
    Tab("projects", "app.projects", ("Projects", "Proj", "Prj")),
)
"""The screens in the order of their keys."""


_LONG_NAME: Final = 9
"""Characters of a name that is too long for a place in the smallest terminal."""


def place(page: str, actions: Iterable[Action]) -> str:
    """The key and the name of a screen; empty if it has none on the strip."""
    tab = next((each for each in (*TABS, *_LESS_OFTEN.values()) if each.page == page), None)
    keys = [key_name(each.listed[0]) for each in actions if tab is not None and each.id == tab.action and each.keys]
    return " ".join((*keys, *[each for each in tab.names if len(each) < _LONG_NAME][:1])) if tab is not None else ""


_NO_COUNT: Final = ("transfer", "projects", "facts", "memory")

_SHORTER_FIRST: Final = (*_NO_COUNT, "triage", "doctor", "review", "prompt")
"""The order in which names are shortened: screens with no count first."""

_LESS_OFTEN: Final = {
    "connect": Tab("connect", "app.connect", ("Connect",)),
    "history": Tab("history", "", ("History",)),
    TRIAGE.page: TRIAGE,
}
"""Screens that are on the strip only while they are open, the last one where no memory has a checklist."""


def counts(here: OpenStore, project: str, stores: Sequence[OpenStore], before: Counts) -> Counts:
    """The counts for a project of a store, as far as known; each equals what that screen shows when opened, Review's the folder's.

    `stores` are all open ones. A screen that was on the strip `before` stays there.
    """
    own = here.catalog.project(project) if here.catalog else None
    uses = ((store, store.prompts.get(project if store is here else store.session.project)) for store in stores)
    held = sum(each[1] for store, use in uses if use for each in use.open_items.items() if here.has_in(project, store, each[0]))
    return Counts(
        "?" if here.prompts.get(project, False) is None else share(here.prompts.get(project)),
        sum(len(store.waiting) for store in stores),
        count := (own.open_items or 0 if own else 0) + held,
        here.found_in(project, stores),
        any(store.checkup.is_part for store in stores if not store.session.refusal),
        before.has_lists or count > 0 or has_lists(store.session for store in stores),
    )


def has_lists(sessions: Iterable[Session]) -> bool:
    """Whether one of these stores keeps checklists."""
    return any(has_checklist(session.layout) for session in sessions)


def share(use: PromptUse | None) -> str:
    """The percentage of the cap that memory takes, with `!` if some is cut; empty if unknown, or if nothing is loaded.

    If a whole file is lost, `lost!`, since the percentage would mislead.
    """
    if use is None or use.left_out:
        return "lost!" if use else ""
    percent = f"{use.used * 100 // use.cap}%" if use.cap and not use.is_empty else ""
    return f"{percent}!" if use.cut else percent


class _Layout(NamedTuple):
    """A layout of the strip: by the page of a screen, the index of its name, the text after it, and the cells kept for that."""

    short: Mapping[str, int]
    said: Mapping[str, str]
    room: Mapping[str, int]
    """Cells kept for counts, so that names do not move when counts change."""
    is_tight: bool = False


_DOT: Final = "·"
"""Between a name and its count."""

_NO_NAME: Final = 3
"""The index for "no name"."""

_ROOM: Final = {"prompt": len("·158%!"), "review": len("·99"), "triage": len("·99"), "doctor": len("·99+")}


def spots(actions: Sequence[Action], counts: Counts, page: str, width: int) -> list[Spot]:
    """The position of each screen; `page` is the open one, which gets brackets instead of blanks.

    If there is too little room, names without a count are shortened first; then blanks, other names and counts give way, and names
    are dropped last.
    """
    always = [tab for tab in TABS if tab is not TRIAGE or counts.has_lists]
    tabs = list(dict.fromkeys([*always, *filter(None, [_LESS_OFTEN.get(page)])]))
    known = {_LAST_PANE, *(tab.action for tab in tabs)}
    order = lambda key: (len(key), not key.isdigit())  # noqa: E731 - short ones first, digits before letters
    keys = {each.id: min(map(key_name, each.listed), key=order, default="") for each in actions if each.id in known}
    keys[MEMORY.action] += f"-{keys[_LAST_PANE]}" * (keys[MEMORY.action] + keys[_LAST_PANE]).isdigit()
    every = list(_layouts(counts))

    def needed(look: _Layout) -> int:
        return sum(_tab_text(tab, keys, look)[1] for tab in always) + (len(always) + 1 if look.is_tight else 2 * len(always))

    look = next((each for each in every if needed(each) <= width), every[-1])
    found: list[Spot] = []
    for tab in tabs:
        here = tab.page == page
        before = "[" if here else "]" if look.is_tight and found and found[-1].here else " "
        behind = ("]" if here else " ") if tab is tabs[-1] or not look.is_tight else ""
        found.append(Spot(tab, f"{before}{_tab_text(tab, keys, look)[0]}{behind}", found[-1].end if found else 0, here))
    return [spot for spot in found if spot.end <= width]


def _layouts(counts: Counts) -> Iterator[_Layout]:
    """Yield all layouts, widest first."""
    said = {"review": _count_text(counts.review, signs.OTHERS), "triage": _count_text(counts.triage)}
    said |= {"prompt": _DOT * bool(counts.prompt) + counts.prompt, "doctor": _count_text(counts.doctor, more=counts.more_found)}
    short, room = {"transfer": 1}, dict(_ROOM)  # its name has three words
    yield _Layout({}, said, room)
    yield _Layout(short, said, room)
    for name in _NO_COUNT:
        yield _Layout(short := short | {name: 1}, said, room)
    short = {"transfer": 1}
    yield _Layout(short, said, room, True)
    for level, name in [(1, name) for name in _SHORTER_FIRST] + [(2, name) for name in _SHORTER_FIRST]:
        short = short | {name: level}
        yield _Layout(short, said, room, True)
    for name, less in (("triage", ""), ("prompt", counts.prompt[-1:].strip("%")), ("doctor", "!" if counts.doctor else "")):
        said, room = said | {name: less}, room | {name: int(name != "triage")}
        yield _Layout(short, said, room, True)
    for name in _SHORTER_FIRST:
        short = short | {name: _NO_NAME}
        yield _Layout(short, said, room, True)


def _tab_text(tab: Tab, keys: Mapping[str, str], look: _Layout) -> tuple[str, int]:
    """The text for a screen, and the maximum number of cells that it takes."""
    name = "".join(tab.names[look.short.get(tab.page, 0) :][:1])
    head, said = " ".join(filter(None, (keys.get(tab.action, ""), name))), look.said.get(tab.page, "")
    return f"{head}{said}", cell_len(head) + max(cell_len(said), look.room.get(tab.page, 0))


def _count_text(count: int, sign: str = _DOT, *, more: bool = False) -> str:
    return f"{sign}{count}{signs.MORE if more else ''}" if count else ""


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
        """Render the screens; the open one is bold and in brackets."""
        parts: list[tuple[str, str]] = []
        for spot in self.spots:
            key, blank, rest = spot.text[1:].partition(" ")
            style = "bold $primary" if spot.here else "$text-muted"
            parts += [(spot.text[0], "bold $primary"), (key, style if spot.here else "bold $accent"), (f"{blank}{rest}", style)]
        return Content.assemble(*parts)

    async def on_click(self, event: Click) -> None:
        """Go to the clicked screen, as its key does."""
        at = event.get_content_offset_capture(self).x
        spot = next((each for each in self.spots if each.start <= at < each.end), None)
        act = next((action.act for action in self._host.actions if spot is not None and action.id == spot.tab.action), "")
        if act:
            await self.app.run_action(act)
