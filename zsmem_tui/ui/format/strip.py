"""The strip at the top: every screen with its key and what waits there, in as many words as there is room for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    """A screen on the strip: the `page` of help that explains it, the id of the action that leads to it, and its name."""

    page: str
    action: str
    name: str


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


MEMORY: Final = Tab("memory", "app.tree", "Memory")

TABS: Final = (
    MEMORY,
    Tab("prompt", "app.prompt", "Prompt"),
    Tab("review", "app.review", "Review"),
    Tab("triage", "app.triage", "Triage"),
    Tab("facts", "app.facts", "Facts"),
    Tab("doctor", "app.doctor", "Doctor"),
    Tab("transfer", "app.transfer", "Transfer"),
    Tab("projects", "app.projects", "Projects"),
)
"""The screens in the order of their keys."""

_FOLDED_FIRST: Final = ("projects", "transfer", "facts", "memory", "triage", "doctor", "review", "prompt")
"""Whose names give way where room is short, those first that nothing waits behind; of the screen that is seen it never does."""

_LESS_OFTEN: Final = {
    "costs": Tab("costs", "app.costs", "Costs"),
    "connect": Tab("connect", "app.connect", "Connect"),
    "history": Tab("history", "", "History"),
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
    """Every screen in its place; `page` is the one that is seen, which stands in brackets. Names give way where room is short."""
    extra = _LESS_OFTEN.get(page)
    tabs = [*TABS, extra] if extra else list(TABS)
    shown = {tab.action for tab in tabs}
    keys = {each.id: min(map(key_name, each.keys.split(",")), key=_shortest) for each in actions if each.id in shown}
    said = {"prompt": counts.prompt, "review": _number(counts.review, "●"), "triage": _number(counts.triage)}
    said["doctor"] = _number(counts.doctor, more=counts.more_found)
    waits = {tab.page for tab in tabs if said.get(tab.page)}
    folded = [name for name in sorted(_FOLDED_FIRST, key=lambda name: name in waits) if name != page]
    found = _placed(tabs, keys, said, page, frozenset())
    for count in range(len(folded) + 1):
        if found[-1].end <= width:
            return found
        found = _placed(tabs, keys, {name: words.replace(" ", "") for name, words in said.items()}, page, frozenset(folded[:count]))
    return [spot for spot in found if spot.end <= width]


def _placed(
    tabs: Sequence[Tab], keys: Mapping[str, str], said: Mapping[str, str], page: str, folded: Collection[str]
) -> list[Spot]:
    """The screens side by side, those that are `folded` without their names."""
    found: list[Spot] = []
    start = 0
    for tab in tabs:
        name = "" if tab.page in folded else tab.name
        words = " ".join(each for each in (keys.get(tab.action, ""), name, said.get(tab.page, "")) if each)
        found.append(Spot(tab, f"[{words}]" if tab.page == page else f" {words} ", start, tab.page == page))
        start = found[-1].end
    return found


def _shortest(key: str) -> tuple[int, bool]:
    """Digits come before letters: along the strip they stand in a row."""
    return len(key), not key.isdigit()


def _number(count: int, sign: str = "", *, more: bool = False) -> str:
    return f"{sign}{count}{'+' if more else ''}" if count else ""
