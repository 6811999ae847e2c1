"""What one thing is that a person can do."""

from __future__ import annotations

from typing import NamedTuple


class Action(NamedTuple):
    """One thing that a person can do.

    `scope` is where its keys work: `app` (everywhere), or a pane. `act` is the Textual action it runs: `do` runs what
    `ui.commands` calls by that name. `bar` puts it into the key bar; `palette` into the command palette.
    """

    id: str
    scope: str
    keys: str
    act: str
    label: str
    help: str
    bar: bool = False
    palette: bool = True
