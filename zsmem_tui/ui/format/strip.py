"""The strip at the top: every screen with its key and what waits there, in as many words as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len

from zsmem_tui.ui.keys.names import key_name

if TYPE_CHECKING:
    from zsmem_tui.service.watching import PromptUse
    from zsmem_tui.ui.keys.action import Action
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
    """A screen on the strip: the `page` of help that explains it, the id of the action that leads to it, and its words."""

    page: str
    action: str
    name: str
    short: str


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


MEMORY: Final = Tab("memory", "app.tree", "Memory", "Mem")

TABS: Final = (
    MEMORY,
    Tab("prompt", "app.prompt", "Prompt", "Prm"),
    Tab("review", "app.review", "Review", "Rev"),
    Tab("triage", "app.triage", "Triage", "Tri"),
    Tab("facts", "app.facts", "Facts", "Fac"),
    Tab("doctor", "app.doctor", "Doctor", "Doc"),
    Tab("transfer", "app.transfer", "Transfer", "Tra"),
    Tab("projects", "app.projects", "Projects", "Prj"),
)
"""The screens in the order of their keys."""

_LESS_OFTEN: Final = {
    "costs": Tab("costs", "app.costs", "Costs", "Cos"),
    "connect": Tab("connect", "app.connect", "Connect", "Con"),
    "history": Tab("history", "", "History", "His"),
}
"""Screens that are on the strip only while they are on the screen."""


def counts(here: OpenStore, stores: Sequence[OpenStore]) -> Counts:
    """What waits, as far as it is known: of the store in use, and in any for what is to be reviewed and what was found."""
    projects = here.catalog.projects if here.catalog else ()
    return Counts(
        share(here.prompt) if here.prompt else "",
        sum(len(store.unreviewed) for store in stores),
        sum(project.open_items or 0 for project in projects),
        sum(store.checkup.count for store in stores),
        any(store.checkup.left for store in stores),
    )


def share(use: PromptUse) -> str:
    """How much of its cap memory takes, with `!` where some of it is cut; empty where nothing goes into the prompt."""
    percent = f"{use.used * 100 // use.cap} %" if use.cap and not use.is_empty else ""
    return f"{percent}!" if use.cut else percent


def spots(actions: Sequence[Action], counts: Counts, page: str, width: int) -> list[Spot]:
    """Every screen in its place; `page` is the one that is seen, which stands in brackets. Shorter words where room is short."""
    extra = _LESS_OFTEN.get(page)
    tabs = [*TABS, extra] if extra else list(TABS)
    shown = {tab.action for tab in tabs}
    keys = {each.id: min(map(key_name, each.keys.split(",")), key=_shortest) for each in actions if each.id in shown}
    said = {"prompt": counts.prompt, "review": _number(counts.review, "●"), "triage": _number(counts.triage)}
    said["doctor"] = _number(counts.doctor, more=counts.more_found)
    found: list[Spot] = []
    for named in ("full", "short", "keys"):
        found = []
        start = 0
        for tab in tabs:
            here = tab.page == page
            name = tab.name if named == "full" else tab.short if named == "short" or here else ""
            count = said.get(tab.page, "")
            words = " ".join(
                each for each in (keys.get(tab.action, ""), name, count if name == tab.name else count.replace(" ", "")) if each
            )
            found.append(Spot(tab, f"[{words}]" if here else f" {words} ", start, here))
            start = found[-1].end
        if start <= width:
            return found
    return [spot for spot in found if spot.end <= width]


def _shortest(key: str) -> tuple[int, bool]:
    """Digits come before letters: along the strip they stand in a row."""
    return len(key), not key.isdigit()


def _number(count: int, sign: str = "", *, more: bool = False) -> str:
    return f"{sign}{count}{'+' if more else ''}" if count else ""
