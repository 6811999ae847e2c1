"""The strip at the top of every screen: where one can go, with which key, and what waits there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click
from textual.widget import Widget

from zsmem_tui.ui import signs
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.names import key_name

if TYPE_CHECKING:
    from zsmem_tui.service.watching import PromptUse
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore


class Counts(NamedTuple):
    """What is known already of what waits behind each screen; 0 or an empty word says nothing."""

    prompt: str = ""
    review: int = 0
    triage: int = 0
    doctor: int = 0
    more_found: bool = False
    """Whether the doctor has not looked into everything yet."""


class Tab(NamedTuple):
    """A screen on the strip: the `page` of help that explains it, the id of the action that leads to it, and its names.

    The first name is that for where there is room; the others are shorter, each as much as can be read without the one before.
    """

    page: str
    action: str
    names: tuple[str, ...]


class Spot(NamedTuple):
    """Where a screen stands on the strip: its text with the brackets or blanks around it, from cell `start` on."""

    tab: Tab
    text: str
    start: int
    here: bool

    @property
    def end(self) -> int:
        """The first cell behind it."""
        return self.start + cell_len(self.text)


MEMORY: Final = Tab("memory", "app.tree", ("Memory", "Mem", "Mem"))

TABS: Final = (
    MEMORY,
    Tab("prompt", "app.prompt", ("Prompt", "Prompt", "Prm")),
    Tab("review", "app.review", ("Review", "Rev", "Rev")),
    Tab("triage", "app.triage", ("Triage", "Tri", "Tri")),
    Tab("facts", "app.facts", ("Facts", "Facts", "Fct")),
    Tab("doctor", "app.doctor", ("Doctor", "Doc", "Doc")),
    Tab("transfer", "app.transfer", ("Import and export", "Import", "Imp")),
    Tab("projects", "app.projects", ("Projects", "Proj", "Prj")),
)
"""The screens in the order of their keys."""

_SHORTER_FIRST: Final = ("projects", "transfer", "facts", "memory", "triage", "doctor", "review", "prompt")
"""Whose names become shorter where room is short, those first that nothing waits behind; that of the screen seen never does."""

_LESS_OFTEN: Final = {
    "connect": Tab("connect", "app.connect", ("Connect",)),
    "history": Tab("history", "", ("History",)),
}
"""Screens that are on the strip only while they are on the screen."""


def counts(here: OpenStore, agent: OpenStore, project: str, stores: Sequence[OpenStore]) -> Counts:
    """What waits in the memory of a project in the store in use, as far as it is known: what each screen shows at first.

    Whatever is open is among the `stores`. The prompt and the tasks are those of an `agent`.
    """
    own = agent.catalog.project(project if agent is here else agent.session.project) if agent.catalog else None
    return Counts(
        share(agent.prompt) if agent.prompt else "",
        len(here.unreviewed_in(project, stores)),
        (own.open_items or 0) if own else 0,
        here.found_in(project, stores),
        bool(here.checkup.left),
    )


def share(use: PromptUse) -> str:
    """How much of its cap memory takes, with `!` where some of it is cut; empty where nothing goes into the prompt.

    Where a file is left out as a whole, what the others take says little.
    """
    if use.left_out:
        return "out!"
    percent = f"{use.used * 100 // use.cap} %" if use.cap and not use.is_empty else ""
    return f"{percent}!" if use.cut else percent


class _Look(NamedTuple):
    """How the screens are told: how short the name of each is, by its page, what is said of each, and the blanks around it."""

    short: Mapping[str, int]
    said: Mapping[str, str]
    is_tight: bool = False


_NO_NAME: Final = 3
"""How short a name is that is not there."""


def spots(actions: Sequence[Action], counts: Counts, page: str, width: int) -> list[Spot]:
    """Every screen in its place; `page` is the one that is seen, which stands in brackets.

    Where room is short, names become shorter before counts and blanks give way, and go only when nothing else can.
    """
    extra = _LESS_OFTEN.get(page)
    tabs = [*TABS, extra] if extra else list(TABS)
    shown = {tab.action for tab in tabs}
    keys = {each.id: min(map(key_name, each.listed), key=_shortest, default="") for each in actions if each.id in shown}
    found: list[Spot] = []
    for look in _looks(counts, page):
        found = _placed(tabs, keys, look, page)
        if found[-1].end <= width:
            return found
    return [spot for spot in found if spot.end <= width]


def _looks(counts: Counts, page: str) -> Iterator[_Look]:
    """All of them, the widest first."""
    said = {"prompt": counts.prompt, "review": _number(counts.review, signs.OTHERS), "triage": _number(counts.triage)}
    said["doctor"] = _number(counts.doctor, more=counts.more_found)
    yield _Look({}, said)
    said["prompt"] = counts.prompt.replace(" ", "")
    order = [name for name in sorted(_SHORTER_FIRST, key=lambda name: bool(said.get(name))) if name != page]
    yield _Look({}, said)
    short = {"transfer": 1}  # of three words; also where it is the one that is seen
    yield _Look(short, said)
    for name in order:
        short = short | {name: 1}
        yield _Look(short, said)
    short = {"transfer": 1}
    for level, name in [(1, name) for name in order] + [(2, name) for name in order]:
        short = short | {name: level}
        yield _Look(short, said, True)
    for fewer in ({"triage": ""}, {"prompt": counts.prompt[-1:].strip("%")}, {"doctor": "!" if counts.doctor else ""}):
        said = said | fewer
        yield _Look(short, said, True)
    for name in order:
        short = short | {name: _NO_NAME}
        yield _Look(short, said, True)


def _placed(tabs: Sequence[Tab], keys: Mapping[str, str], look: _Look, page: str) -> list[Spot]:
    """The screens side by side."""
    found: list[Spot] = []
    start = 0
    for tab in tabs:
        name = "".join(tab.names[look.short.get(tab.page, 0) :][:1])
        said = look.said.get(tab.page, "")
        if said == "!" and name:
            name, said = f"{name}!", ""
        words = " ".join(each for each in (keys.get(tab.action, ""), name, said) if each)
        around = f" {words}" if look.is_tight else f" {words} "
        found.append(Spot(tab, f"[{words}]" if tab.page == page else around, start, tab.page == page))
        start = found[-1].end
    return found


def _shortest(key: str) -> tuple[int, bool]:
    """Digits come before letters: along the strip they stand in a row."""
    return len(key), not key.isdigit()


def _number(count: int, sign: str = "", *, more: bool = False) -> str:
    return f"{sign}{count}{'+' if more else ''}" if count else ""


class ScreenStrip(Widget):
    """One row."""

    def __init__(self, page: str, host: ZsmemApp) -> None:
        """The strip of the screen that `page` of help explains."""
        super().__init__(id="strip")
        self._page = page
        self._host = host

    def on_mount(self) -> None:
        """Tell new counts."""
        self.watch(self._host, "counts", self._tell)

    def _tell(self) -> None:
        self.refresh()

    @property
    def spots(self) -> list[Spot]:
        """What stands where, at the width it has."""
        return spots(self._host.actions, self._host.counts, self._page, self.content_size.width)

    def render(self) -> Content:
        """The screens one after the other; the one that is seen is bold as well as in brackets, its key with it."""
        parts: list[tuple[str, str]] = []
        for spot in self.spots:
            key, blank, rest = spot.text[1:].partition(" ")
            style = "bold $primary" if spot.here else "$text-muted"
            parts += [(spot.text[0], style), (key, style if spot.here else "bold $accent"), (f"{blank}{rest}", style)]
        return Content.assemble(*parts)

    async def on_click(self, event: Click) -> None:
        """Go to the screen that was clicked, as its key does."""
        at = event.get_content_offset_capture(self).x
        spot = next((each for each in self.spots if each.start <= at < each.end), None)
        act = next((action.act for action in self._host.actions if spot is not None and action.id == spot.tab.action), "")
        if act:
            await self.app.run_action(act)
