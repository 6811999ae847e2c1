"""Actions and scopes, the actions shared by lists and texts, and those that work everywhere."""

from __future__ import annotations

from typing import Final, NamedTuple


class Action(NamedTuple):
    """An action that a person can perform.

    The `id` begins with the scope in which its keys work; `act` is the Textual action to run. `bar` and `palette` tell where it is
    listed. `bare`: it is useful even if the pane is empty, so the key bar shows it then. An action without `keys` is only in the
    palette, unless the settings give it a key; `silent` keys work, but are listed only with the palette.
    """

    id: str
    keys: str
    act: str
    label: str
    help: str
    bar: bool = False
    palette: bool = True
    bare: bool = False
    silent: str = ""

    @property
    def scope(self) -> str:
        """The scope in which its keys work; `app` means everywhere."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """The id without the scope."""
        return self.id.partition(".")[2]

    @property
    def listed(self) -> list[str]:
        """The listed keys, in Textual's names."""
        return self.keys.split(",") if self.keys else []

    @property
    def bound(self) -> list[str]:
        """All keys, including silent ones."""
        return self.listed + (self.silent.split(",") if self.silent else [])


class Scope(NamedTuple):
    """A scope in which keys work, in addition to the keys of its `bases`.

    `place` is what a sentence calls it in another scope of its room, where the room's title would mean here; else its own title.
    """

    name: str
    title: str
    bases: tuple[str, ...] = ()
    place: str = ""


class Room(NamedTuple):
    """A pane or screen: its help page (empty: none), title, scopes and actions."""

    page: str
    title: str
    scopes: tuple[Scope, ...]
    actions: tuple[Action, ...]


def verb(
    id: str, keys: str, label: str, help: str, *, bar: bool = False, palette: bool = True, bare: bool = False, silent: str = ""
) -> Action:
    """Make an action that runs the screen's method named like the action."""
    return Action(id, keys, f"screen.{id.partition('.')[2]}", label, help, bar, palette, bare, silent)


def choose(scope: str, label: str, about: str = "", *, keys: str = "enter,l,right") -> Action:
    """Make the action for choosing a row of a list."""
    return Action(f"{scope}.open", keys, "choose", label, f"{about or label}.", bar=True, palette=False)


_LIST: Final = "list"
_TEXT: Final = "text"
_DIFF: Final = "diff"
_MARKS: Final = "marks"


def widen(scope: str) -> Action:
    """Make the action that switches between this memory and all."""
    about = "This memory, as the strip counts it, or all."
    return Action(f"{scope}.wider", "w", "screen.widen", "Wider", about, bar=True, bare=True)


def which(scope: str, about: str) -> Action:
    """Make the action that switches which rows are shown."""
    return Action(f"{scope}.which", "f", "screen.cycle('which')", "Show", about, bar=True, bare=True)


LIST: Final = (_LIST,)
"""The base scopes of a list."""

TEXT: Final = (_LIST, _TEXT)
"""The base scopes of a scrolling text."""

DIFF: Final = (_LIST, _TEXT, _DIFF)
"""The base scopes of a text with changes or matches to go to."""

MARKED: Final = (_LIST, _MARKS)
"""The base scopes of a list with rows that can be marked; actions apply to all marked rows."""

SHARED: Final = Room(
    "",
    "",
    (
        Scope(_LIST, "Every list and text"),
        Scope(_TEXT, "Every text"),
        Scope(_DIFF, "Texts with changes or matches"),
        Scope(_MARKS, "Lists with rows to mark"),
        Scope("line", "A line of words over a list or a text"),
    ),
    (
        Action("list.down", "j,down", "move(1)", "Down", "One row down.", palette=False),
        Action("list.up", "k,up", "move(-1)", "Up", "One row up.", palette=False),
        Action("list.page_down", "pagedown", "page(1)", "Page down", "One page down.", palette=False),
        Action("list.page_up", "pageup", "page(-1)", "Page up", "One page up.", palette=False),
        Action("list.first", "g,home", "edge(-1)", "First", "To the first row.", palette=False),
        Action("list.last", "G,end", "edge(1)", "Last", "To the last row.", palette=False),
        Action("text.page", "space", "page(1)", "Next page", "One page down.", palette=False),
        Action("diff.next", "n", "next(1)", "Next", "The next change, or the next match.", bar=True),
        Action("diff.previous", "N", "next(-1)", "Previous", "The one before.", palette=False),
        Action("marks.mark", "space", "screen.mark", "Mark", "Mark the row; in a run, leave it and go on.", bar=True),
        Action("marks.range", "v", "mark_range", "Range", "Mark all rows that you move over, until v again."),
        Action("marks.all", "asterisk", "mark_all('all')", "All shown", "Mark all that are shown, or none."),
        Action("marks.group", "V", "mark_all('group')", "The group", "Mark the group of the cursor."),
        Action("line.rows", "enter", "submit", "Go", "Go to what the words have found.", bar=True, palette=False),
        Action("line.down", "down", "move(1)", "Down", "One row down in it.", palette=False),
        Action("line.up", "up", "move(-1)", "Up", "One row up.", palette=False),
    ),
)
"""The actions shared by all lists and texts."""


def _app(name: str, keys: str, act: str, label: str, help: str, *, palette: bool = True, silent: str = "") -> Action:
    return Action(f"app.{name}", keys, act, label, help, palette=palette, silent=silent)


EVERYWHERE: Final = Room(
    "",
    "",
    (Scope("app", "Everywhere"),),
    (
        _app("tree", "1", "focus_pane('tree')", "Memory", "Go to the tree of memory."),
        _app("viewer", "2", "focus_pane('viewer')", "Viewer", "Go to the text."),
        _app("search", "s,3", "focus_pane('search')", "Search", "Go to the search line."),
        _app("prompt", "4", "prompt", "Prompt", "What the agent sees, byte for byte, and what is lost.", silent="f2"),
        _app("review", "5", "review", "Review", "What others wrote since you last looked; again: with the changes.", silent="f3"),
        _app("triage", "6", "triage", "Triage", "The scratchpad items of this memory, or of all."),
        _app("facts", "7", "facts", "Facts", "Every fact of this memory, or of all."),
        _app("doctor", "8", "doctor", "Doctor", "What is wrong, doubled, out of date, leaked or planted.", silent="f6"),
        _app("transfer", "9", "transfer", "Import and export", "Import other memories, export this one.", silent="f4"),
        _app("projects", "0", "projects", "Projects", "Which folder each memory belongs to; move, merge, archive."),
        _app("today", "", "review", "Review", "As 5.", palette=False, silent="T"),
        _app("next", "tab", "next_pane(1)", "Next pane", "Go to the next pane; shift+tab to the one before.", palette=False),
        _app("previous", "", "next_pane(-1)", "Previous pane", "Go to the pane before.", palette=False, silent="shift+tab"),
        _app("back", "escape", "step_back", "Back", "One step back. Never quits.", palette=False),
        _app("maximize", "z", "maximize_pane", "Maximise", "Give the whole screen to this pane, and take it back."),
        _app("undo", "u", "undo", "Undo", "Undo the last step made here, also one of yesterday."),
        _app("redo", "U", "undo(True)", "Redo", "Do again what was undone."),
        _app("quick", "ctrl+o", "quick_open", "Open file", "A file by a part of its name, a heading or its project."),
        _app("palette", "ctrl+p", "palette", "Palette", "Find any action by its name.", palette=False),
        _app("keys", "question_mark", "show_keys", "Keys", "Show every key."),
        _app("help", "f1", "show_help", "Help", "Explain the pane that has the focus; tab for more pages."),
        _app("messages", "", "show_messages", "Messages", "What the status line said, the latest first.", silent="semicolon"),
        _app("quit", "ctrl+q", "quit", "Quit", "Leave."),
        _app("suspend", "", "suspend_process", "Suspend", "Stop and go to the shell; `fg` comes back.", silent="ctrl+z"),
        _app("reload", "", "reload", "Reload", "Read the store again now.", silent="f5"),
        _app("tour", "", "tour", "Tour", "Eight steps, each with one key to press; again goes on without it.", silent="f7"),
        _app("theme", "", "switch_theme", "Light / dark", "Switch between the light and the dark theme.", silent="f9"),
        _app("costs", "", "costs", "What costs what", "Bytes and tokens of every prompt, and what is paid for twice."),
        _app("sync", "", "sync", "Sync", "Bring this machine and your others together; at first, set it up."),
        _app("sync_both", "", "sync_both", "Lines that two machines changed", "Decide them one by one."),
        _app("connect", "", "connect", "Connect an agent", "Put zsmem's server and hooks into an agent's settings."),
        _app("unwipe", "", "bring_back", "Restore", "Restore a text that somebody wiped.", silent="W"),
        _app("demo", "", "demo", "Sample", "Look around in a sample: what `zsmem --demo` opens.", silent="D"),
        _app("narrower", "", "split(-1)", "Smaller", "Move the edge between the panes back."),
        _app("wider", "", "split(1)", "Larger", "Move the edge between the panes on."),
        _app("even", "", "split(0)", "Edge back", "Divide the panes as at first."),
    ),
)
