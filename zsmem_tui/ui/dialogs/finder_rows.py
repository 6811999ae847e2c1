"""What can be chosen by a few letters, as rows: actions with their keys, files with their projects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from textual.content import Content

from zsmem_tui.core.fuzzy import Named, best, marks, named
from zsmem_tui.core.text import plural
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.quick_open import Matches, Target
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import PANE_NAMES, PANES, SCOPES, keys_name
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.wording import age

_ALSO: Final = {
    "app.prompt": "context budget tokens injected",
    "app.review": "diff changes inbox news of others",
    "app.transfer": "migrate backup bundle markdown",
    "app.doctor": "check lint problems secrets duplicates",
    "app.connect": "mcp server hooks settings",
    "app.theme": "theme colours mode appearance",
    "app.reload": "refresh",
    "app.quit": "exit close",
    "app.keys": "shortcuts bindings",
    "app.help": "manual documentation version settings changes",
    "app.quick": "go to find jump note heading project",
    "app.unwipe": "restore recover lost",
    "app.costs": "tokens bytes money",
    "file.copy": "clipboard paste yank",
    "file.history": "versions log blame git diff",
    "file.outside": "vim emacs nano visual",
    "tree.add": "new note create entry",
    "file.delete": "remove",
}
"""Words that other programs have for the same, by which an action is found too."""


_PAGE: Final = "A page of help."


class FinderRow(NamedTuple):
    """What is chosen, by an id that no other row has, and what it looks like."""

    id: str
    content: Content


class FinderRows(NamedTuple):
    """The rows for some letters, the best first, and a sentence about them."""

    rows: Sequence[FinderRow]
    said: str


Find = Callable[[str, Callable[[], bool]], FinderRows]
"""SafeOptionList for some letters, in a thread; it may raise `Cancelled` where the second argument says so."""


class Offer(NamedTuple):
    """An action that can be chosen: here and now, or once the screen is open that it belongs to."""

    action: Action
    here: bool

    @property
    def found_by(self) -> Named:
        """Its name; then what it does, where, and what others call it."""
        return named(self.action.label, f"{self.action.help} {SCOPES[self.action.scope]} {_ALSO.get(self.action.id, '')}")


class PageOffer(NamedTuple):
    """A page of help that can be read."""

    name: str
    title: str

    @property
    def found_by(self) -> Named:
        """Its title; then that it is a page of help."""
        return named(self.title, _PAGE)


Either = TypeVar("Either", Offer, PageOffer, Offer | PageOffer)


def offers(actions: Sequence[Action], scopes: Sequence[str]) -> list[Offer]:
    """What the palette offers: what can be done on the screen with these scopes, then what other screens can."""
    shown = [action for action in actions if action.palette and PANES.get(action.scope) != "conflict"]
    found = [Offer(action, True) for action in shown if action.scope in scopes]
    taken: set[tuple[str, ...]] = {(offer.action.label, offer.action.keys) for offer in found}
    for action in shown:
        page = PANES.get(action.scope, "")
        if action.scope not in scopes and page and not taken & {(action.label, action.keys), (action.label, action.keys, page)}:
            found.append(Offer(action, False))
            taken |= {(action.label, action.keys, page)}
    return found


def fitting(query: str, every: Sequence[Either], limit: int) -> list[Either]:
    """The offers for a query, the best first; of those that fit alike, what can be done here."""
    places, _ = best(query, [offer.found_by for offer in every], limit, sentences=True)
    return [every[at] for at in places]


def offer_row(offer: Offer | PageOffer, query: str) -> Content:
    """An action: its key, its name, what it does. Or a page of help, with the key of help."""
    if isinstance(offer, PageOffer):
        return Content.assemble((f"{'f1':>9}  ", "bold $accent"), _marked(offer.title, query), (f"  {_PAGE}", "$text-muted"))
    keys = keys_name(offer.action) or " ".join(map(key_name, offer.action.bound[:1]))  # where there is no other, the silent one
    does = offer.action.help
    if not offer.here:
        does = f"on {PANE_NAMES[PANES[offer.action.scope]]} · {does}"  # first: what is cut is the end
    elif offer.action.scope != "app":
        does = f"{does} · {SCOPES[offer.action.scope]}"
    return Content.assemble((f"{keys:>9}  ", "bold $accent"), _marked(offer.action.label, query), (f"  {does}", "$text-muted"))


def target_row(target: Target, query: str, now_ns: int) -> Content:
    """A file, or a heading in one, with its project and how old it is."""
    sign = "# " if target.line is not None else "  "
    where = visible_line(target.where)
    old = age(target.modified_ns, now_ns)
    return Content.assemble(
        (sign, "$accent"), _marked(visible_line(target.words), query), (f"  {where}{' · ' if where else ''}{old}", "$text-muted")
    )


def told(found: Matches, query: str, *, reading: bool) -> str:
    """How many targets fit; where none does, that."""
    still = " · headings are being read" if reading else ""
    files = f"{found.files:,} {plural('file', found.files)}"
    if not found.files:
        return "There is no file in any open store."
    if not query.strip(" "):
        return f"{files}, the one written last first{still}"
    if not found.fitting:
        return f"No file, heading or project of {files} has “{visible_line(query)}” in its name.{still}"
    return f"{found.fitting:,} fit, of {files} and their headings{still}"


def nothing_fits(query: str) -> str:
    """Where neither an action nor a page of help nor a file fits."""
    return f"No action, page of help or file has “{visible_line(query)}” in its name. esc empties the line, ? lists all keys."


def _marked(label: str, query: str) -> Content:
    """A label with the parts that fit a query underlined."""
    shown = Content(label).stylize("bold")
    for start, end in marks(query, label):
        shown = shown.stylize("underline", start, end)
    return shown
