"""What an action is, and the keys that lists have in common."""

from __future__ import annotations

from typing import NamedTuple


class Action(NamedTuple):
    """One thing that a person can do.

    `scope` is where its keys work: `app` (everywhere), or a pane. `act` is the Textual action it runs: `do` runs what
    `ui.commands` calls by that name. `bar` puts it into the key bar; `palette` into the command palette. `bare` says that it
    does something also where its pane has nothing to show: the key bar leaves the others out there.
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


def list_keys(scope: str, enter: str = "", about: str = "") -> tuple[Action, ...]:
    """The keys of every list of rows; `enter` is what choosing a row does, `about` the same at length."""
    chosen = (Action(f"{scope}.open", scope, "enter,l,right", "choose", enter, f"{about or enter}.", bar=True, palette=False),)
    return (
        *(chosen if enter else ()),
        Action(f"{scope}.down", scope, "j,down", "move(1)", "Down", "One row down.", palette=False),
        Action(f"{scope}.up", scope, "k,up", "move(-1)", "Up", "One row up.", palette=False),
        Action(f"{scope}.page_down", scope, "pagedown", "page(1)", "Page down", "One page down.", palette=False),
        Action(f"{scope}.page_up", scope, "pageup", "page(-1)", "Page up", "One page up.", palette=False),
        Action(f"{scope}.first", scope, "g,home", "edge(-1)", "First", "The first row.", palette=False),
        Action(f"{scope}.last", scope, "G,end", "edge(1)", "Last", "The last row.", palette=False),
    )


def decide_keys(scope: str, noun: str) -> tuple[Action, ...]:
    """The keys that mark rows of a list whose items are decided one by one, for a verb that is then about all that are marked."""
    return (
        Action(f"{scope}.mark", scope, "space", "screen.mark", "Mark", f"Mark the {noun}; in a run, leave it and go on.", bar=True),
        Action(f"{scope}.range", scope, "v", "mark_range", "Range", f"Mark from the {noun} marked last to this one."),
        Action(f"{scope}.all", scope, "asterisk", "mark_all('all')", "All shown", "Mark all that are shown, or none."),
        Action(f"{scope}.group", scope, "V", "mark_all('group')", "The group", "Mark the group of the cursor."),
    )
