"""What an action is, where its keys work, and the keys that screens have in common."""

from __future__ import annotations

from typing import Final, NamedTuple


class Action(NamedTuple):
    """One thing that a person can do.

    `scope` is where its keys work: `app` (everywhere), or a pane. `act` is the Textual action it runs. `bar` puts it into the key
    bar; `palette` into the command palette. `bare` says that it does something also where its pane has nothing to show: the key bar
    leaves the others out there. Without `keys` it is in the palette only, until the settings give it some; `silent` keys work, but
    are listed nowhere.
    """

    id: str
    scope: str
    keys: str
    act: str
    label: str
    help: str
    bar: bool = False
    palette: bool = True
    bare: bool = False
    silent: str = ""

    @property
    def listed(self) -> list[str]:
        """Its keys, as Textual calls them, those that are listed."""
        return self.keys.split(",") if self.keys else []

    @property
    def bound(self) -> list[str]:
        """All its keys."""
        return self.listed + (self.silent.split(",") if self.silent else [])


class Scope(NamedTuple):
    """A place where keys work. The keys of its `bases` work there as well."""

    name: str
    title: str
    bases: tuple[str, ...] = ()


class Room(NamedTuple):
    """A pane or a screen: its actions, where their keys work, and the page of help that explains it (empty: none)."""

    page: str
    title: str
    scopes: tuple[Scope, ...]
    actions: tuple[Action, ...]


def choose(scope: str, label: str, about: str = "", *, keys: str = "enter,l,right") -> Action:
    """What choosing a row of a list does."""
    return Action(f"{scope}.open", scope, keys, "choose", label, f"{about or label}.", bar=True, palette=False)


_LIST: Final = "list"
_TEXT: Final = "text"
_DIFF: Final = "diff"
_MARKS: Final = "marks"
WAYS: Final = "ways"
"""The base of the panes that lead to what waits."""

LIST: Final = (_LIST,)
"""The bases of a list."""

TEXT: Final = (_LIST, _TEXT)
"""The bases of a text that scrolls."""

DIFF: Final = (_LIST, _TEXT, _DIFF)
"""The bases of a text with places to go to, one after the other: changes, or matches."""

MARKED: Final = (_LIST, _MARKS)
"""The bases of a list whose rows can be marked, for a verb that is then about all that are marked."""

SHARED: Final = Room(
    "",
    "",
    (
        Scope(_LIST, "Every list and text"),
        Scope(_TEXT, "Every text"),
        Scope(_DIFF, "Texts with changes or matches"),
        Scope(_MARKS, "Lists with rows to mark"),
        Scope(WAYS, "Tree, text, hits and what waits"),
    ),
    (
        Action("list.down", _LIST, "j,down", "move(1)", "Down", "One row down.", palette=False),
        Action("list.up", _LIST, "k,up", "move(-1)", "Up", "One row up.", palette=False),
        Action("list.page_down", _LIST, "pagedown", "page(1)", "Page down", "One page down.", palette=False),
        Action("list.page_up", _LIST, "pageup", "page(-1)", "Page up", "One page up.", palette=False),
        Action("list.first", _LIST, "g,home", "edge(-1)", "First", "To the first row.", palette=False),
        Action("list.last", _LIST, "G,end", "edge(1)", "Last", "To the last row.", palette=False),
        Action("text.page", _TEXT, "space", "page(1)", "Next page", "One page down.", palette=False),
        Action("diff.next", _DIFF, "n", "next(1)", "Next", "The next change, or the next match.", bar=True),
        Action("diff.previous", _DIFF, "N", "next(-1)", "Previous", "The one before.", palette=False),
        Action("marks.mark", _MARKS, "space", "screen.mark", "Mark", "Mark the row; in a run, leave it and go on.", bar=True),
        Action("marks.range", _MARKS, "v", "mark_range", "Range", "Mark from the row marked last to this one."),
        Action("marks.all", _MARKS, "asterisk", "mark_all('all')", "All shown", "Mark all that are shown, or none."),
        Action("marks.group", _MARKS, "V", "mark_all('group')", "The group", "Mark the group of the cursor."),
        Action("ways.today", WAYS, "", "app.today", "Today", "What others wrote, and what else waits.", silent="home"),
    ),
)
"""The keys of every list and of every text."""
