"""Every user action once: bindings, key bar, palette, help, README and remapping come from this table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual.binding import Binding

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.near import did_you_mean
from zsmem_tui.ui.connect.keys import CONNECT_ACTIONS
from zsmem_tui.ui.doctor.keys import DOCTOR_ACTIONS
from zsmem_tui.ui.facts.keys import FACT_ACTIONS
from zsmem_tui.ui.keys.action import Action, list_keys
from zsmem_tui.ui.keys.names import key_name, spelled
from zsmem_tui.ui.memory.editor_keys import EDITING
from zsmem_tui.ui.memory.viewer_keys import SPLIT_ACTIONS, VIEWER_ACTIONS
from zsmem_tui.ui.projects.keys import PROJECT_ACTIONS
from zsmem_tui.ui.prompt.keys import PROMPT_ACTIONS
from zsmem_tui.ui.review.keys import REVIEW_ACTIONS
from zsmem_tui.ui.transfer.keys import TRANSFER_ACTIONS
from zsmem_tui.ui.triage.keys import TRIAGE_ACTIONS

SCOPES: Final = {
    "app": "Everywhere",
    "tree": "Projects",
    "viewer": "Viewer",
    "query": "Search line",
    "hits": "Search results",
    "editor": "Editor",
    "conflict": "A conflict",
    "versions": "History: versions",
    "version": "History: one version",
    "changes": "Review: files",
    "change": "Review: one file",
    "uses": "What the agent sees: sections",
    "block": "What the agent sees: the block",
    "costs": "What costs what",
    "todos": "Triage",
    "facts": "Facts",
    "findings": "Doctor: findings",
    "finding": "Doctor: the text",
    "moves": "Fit",
    "projects": "Projects: which folder each belongs to",
    "project": "Projects: one of them",
    "connect": "Connect an agent",
    "settings": "Connect an agent: the changes of a file",
    "transfer": "Import and export",
    "landing": "Import: the file it lands in",
    "plan": "A plan",
    "planned": "A plan: the changes of a file",
}
"""The places where keys work, in the order in which help shows them."""

TYPED_INTO: Final = ("query", "editor", "line")
"""The scopes where letters are text, so that only other keys are actions."""

MAIN_SCOPES: Final = ("tree", "viewer", "query", "hits", "editor")
"""The scopes of the main screen."""

PANE_NAMES: Final = {
    "tree": "Projects",
    "viewer": "Viewer",
    "search": "Search",
    "editor": "Editor",
    "conflict": "A conflict",
    "history": "History",
    "review": "Review",
    "prompt": "What the agent sees",
    "costs": "What costs what",
    "triage": "Triage",
    "facts": "Facts",
    "fit": "Fit",
    "projects": "Projects and their folders",
    "doctor": "Doctor",
    "transfer": "Import and export",
    "connect": "Connect an agent",
}
"""What the panes are called on the screen."""

PANES: Final = {
    "tree": "tree",
    "viewer": "viewer",
    "query": "search",
    "hits": "search",
    "editor": "editor",
    "conflict": "conflict",
    "versions": "history",
    "version": "history",
    "changes": "review",
    "change": "review",
    "uses": "prompt",
    "block": "prompt",
    "costs": "costs",
    "todos": "triage",
    "facts": "facts",
    "findings": "doctor",
    "finding": "doctor",
    "moves": "fit",
    "projects": "projects",
    "project": "projects",
    "transfer": "transfer",
    "landing": "transfer",
    "plan": "transfer",
    "planned": "transfer",
    "connect": "connect",
    "settings": "connect",
}
"""Which page of help explains a scope."""


def _whole_words(scope: str) -> Action:
    """The key of whole words, the same as in other editors: one that no letter types."""
    about = "Only words of their own (port, not report), or parts of words too, as the agent does."
    return Action(f"{scope}.words", scope, "alt+w", "whole_words", "Whole words", about, bar=True)


def _diff_keys(scope: str) -> tuple[Action, ...]:
    """The keys of every diff."""
    return (
        Action(f"{scope}.down", scope, "j,down", "scroll_down", "Down", "One row down.", palette=False),
        Action(f"{scope}.up", scope, "k,up", "scroll_up", "Up", "One row up.", palette=False),
        Action(f"{scope}.page_down", scope, "space,pagedown", "page_down", "Page down", "One page down.", palette=False),
        Action(f"{scope}.page_up", scope, "pageup", "page_up", "Page up", "One page up.", palette=False),
        Action(f"{scope}.first", scope, "g,home", "scroll_home", "Top", "To the top.", palette=False),
        Action(f"{scope}.last", scope, "G,end", "scroll_end", "End", "To the end.", palette=False),
        Action(f"{scope}.next", scope, "n", "next_change(1)", "Next", "The next change.", bar=True),
        Action(f"{scope}.previous", scope, "N", "next_change(-1)", "Previous", "The change before.", palette=False),
    )


ACTIONS: Final = (
    Action("app.search", "app", "s,3", "do('focus_pane', 'search')", "Search", "Go to the search line."),
    Action("app.tree", "app", "1", "do('focus_pane', 'tree')", "Tree", "Go to the tree of projects."),
    Action("app.viewer", "app", "2", "do('focus_pane', 'viewer')", "Viewer", "Go to the text."),
    Action("app.next", "app", "tab", "do('next_pane', 1)", "Next pane", "Go to the next pane.", palette=False),
    Action("app.previous", "app", "shift+tab", "do('next_pane', -1)", "Previous pane", "Go to the pane before.", palette=False),
    Action("app.back", "app", "escape", "do('back')", "Back", "One step back. Never quits.", palette=False),
    Action("app.maximize", "app", "z", "do('maximize')", "Maximise", "Give the whole screen to this pane, and take it back."),
    *SPLIT_ACTIONS,
    Action("app.keys", "app", "question_mark", "do('show_keys')", "All keys", "Show every key."),
    Action("app.help", "app", "f1", "do('show_help')", "Help", "Explain the pane that has the focus; tab for more pages."),
    Action("app.messages", "app", "semicolon", "do('show_told')", "Messages", "What the status line said, the latest first."),
    Action("app.undo", "app", "u", "do('undo')", "Undo", "Undo the last step made here, also one of yesterday."),
    Action("app.redo", "app", "U", "do('redo')", "Redo", "Do again what was undone."),
    Action("app.prompt", "app", "4,f2", "do('prompt')", "What the agent sees", "The memory block of the prompt, byte for byte."),
    Action(
        "app.costs",
        "app",
        "C",
        "do('costs')",
        "What costs what",
        "Bytes and tokens of every prompt of every agent, and what is paid for twice.",
    ),
    Action("app.triage", "app", "6,T", "do('triage')", "Triage", "The scratchpad items of this project, and of all."),
    Action(
        "app.facts", "app", "7,F", "do('facts')", "Facts", "Every fact of this file, of this project, or of all: see, judge, move."
    ),
    Action("app.review", "app", "5,f3", "do('review')", "Review", "See what others wrote since you last looked."),
    Action("app.transfer", "app", "9,f4", "do('transfer')", "Import and export", "Bring other memories in, take this one out."),
    Action(
        "app.projects", "app", "0,P", "do('projects')", "Projects", "Which folder each memory belongs to; move, merge, archive."
    ),
    Action("app.connect", "app", "at", "do('connect')", "Connect an agent", "Put our server and hooks into an agent's settings."),
    Action("app.unwipe", "app", "W", "do('bring_back')", "Bring back", "Bring back a text that somebody wiped."),
    Action("app.reload", "app", "f5", "do('reload')", "Reload", "Read the store again now."),
    Action("app.doctor", "app", "8,f6", "do('doctor')", "Doctor", "What is wrong, doubled, out of date, leaked or planted."),
    Action("app.tour", "app", "f7", "do('tour')", "Tour", "Eight steps, each with one key to press; again goes on without it."),
    Action("app.theme", "app", "f9", "do('switch_theme')", "Light / dark", "Switch between the light and the dark theme."),
    Action("app.demo", "app", "D", "do('demo')", "Sample", "Look around in a sample: what `zsmem --demo` opens."),
    Action(
        "app.quick", "app", "ctrl+o", "do('quick_open')", "Open file", "A file by a part of its name, a heading or its project."
    ),
    Action("app.palette", "app", "ctrl+p", "do('palette')", "Palette", "Find any action by its name.", palette=False),
    Action("app.suspend", "app", "ctrl+z", "suspend_process", "Suspend", "Stop and go to the shell; `fg` comes back."),
    Action("app.quit", "app", "ctrl+q", "quit", "Quit", "Leave."),
    Action("tree.open", "tree", "enter", "select_cursor", "Open", "Read the file, or unfold the project.", bar=True, palette=False),
    Action("tree.down", "tree", "j,down", "cursor_down", "Down", "One row down.", palette=False),
    Action("tree.up", "tree", "k,up", "cursor_up", "Up", "One row up.", palette=False),
    Action("tree.unfold", "tree", "l,right", "unfold", "Unfold", "Unfold the project, or go into it.", bar=True, palette=False),
    Action("tree.fold", "tree", "h,left", "fold", "Fold", "Fold the project, or go up to it.", palette=False),
    Action("tree.first", "tree", "g,home", "scroll_home", "First", "To the first row.", palette=False),
    Action("tree.last", "tree", "G,end", "scroll_end", "Last", "To the last row.", palette=False),
    Action("tree.edit", "tree", "e", "app.do('edit')", "Edit", "Edit the file here.", bar=True),
    Action("tree.outside", "tree", "o", "app.do('edit_outside')", "Own editor", "Edit the file in $VISUAL or $EDITOR."),
    Action("tree.add", "tree", "a", "app.do('add')", "Add", "A note, an entry in today's log, or a scratchpad.", bar=True),
    Action("tree.rename", "tree", "r", "app.do('rename')", "Rename", "Give a note another name."),
    Action("tree.copy", "tree", "c", "app.do('duplicate')", "Copy", "Copy to another name, project or agent."),
    Action("tree.move", "tree", "m", "app.do('move')", "Move", "Move to another project, agent or name."),
    Action("tree.mark", "tree", "space", "mark", "Mark", "Mark the file: copy and move are about all that are marked."),
    Action("tree.range", "tree", "v", "mark_range", "Range", "Mark from the file marked last to this one."),
    Action("tree.all", "tree", "asterisk", "mark_all", "All shown", "Mark all files of this agent that are shown, or none."),
    Action("tree.clipboard", "tree", "y", "app.do('copy')", "Copy text", "Copy the text of the file to the clipboard."),
    Action("tree.delete", "tree", "d", "app.do('delete')", "Delete", "Delete the file; u undoes that.", bar=True),
    Action("tree.history", "tree", "H", "app.do('history')", "History", "All versions of the file, whoever wrote them."),
    Action("tree.about", "tree", "i", "app.do('about')", "About", "Slug and folder of the project, and what became of that."),
    Action("tree.grouping", "tree", "full_stop", "app.do('grouping')", "By folder", "Group by agent, or by folder."),
    Action("tree.filter", "tree", "slash", "filter", "Filter", "Show only what has these letters in its name.", bar=True),
    *VIEWER_ACTIONS,
    *EDITING,
    Action("query.hits", "query", "down", "to_hits", "Results", "Go to the results.", palette=False),
    Action(
        "query.open",
        "query",
        "enter",
        "open",
        "Results",
        "Go to the results; one alone is opened at once.",
        bar=True,
        palette=False,
    ),
    Action(
        "query.wider",
        "query",
        "f8",
        "wider",
        "Wider",
        "Search wider: the rest of the project, then all projects; of several stores, in all.",
        bar=True,
    ),
    _whole_words("query"),
    Action("query.clear", "query", "ctrl+l", "clear_query", "Clear", "Empty the search line.", bar=True),
    Action(
        "hits.open",
        "hits",
        "enter",
        "select",
        "Open",
        "Open the file at the line.",
        bar=True,
        palette=False,
    ),
    Action("hits.unfold", "hits", "l,right", "unfold", "All lines", "List all matching lines of the hit.", bar=True, palette=False),
    Action("hits.fold", "hits", "h,left", "fold", "Fold", "Only the first of them again.", palette=False),
    Action("hits.down", "hits", "j,down", "cursor_down", "Down", "One hit down.", palette=False),
    Action("hits.up", "hits", "k,up", "hit_up", "Up", "One hit up; from the first, back to the search line.", palette=False),
    Action("hits.first", "hits", "g,home", "first", "First", "The first hit.", palette=False),
    Action("hits.last", "hits", "G,end", "last", "Last", "The last hit shown.", palette=False),
    Action(
        "hits.wider",
        "hits",
        "w,f8",
        "wider",
        "Wider",
        "Search wider: the rest of the project, then all projects; of several stores, in all.",
        bar=True,
    ),
    _whole_words("hits"),
    Action("hits.edit", "hits", "e", "app.do('edit')", "Edit", "Edit the file at the matching line.", bar=True),
    Action("hits.outside", "hits", "o", "app.do('edit_outside')", "Own editor", "Edit the file in $VISUAL or $EDITOR."),
    Action(
        "hits.clipboard",
        "hits",
        "y",
        "app.do('copy')",
        "Copy text",
        "Copy the line, or the file of a hit.",
    ),
    Action("hits.history", "hits", "H", "app.do('history')", "History", "All versions of the file, whoever wrote them."),
    Action("hits.query", "hits", "slash", "to_query", "Change words", "Go to the search line.", bar=True),
    Action("hits.more", "hits", "n", "more", "More", "Show fifty more hits."),
    *list_keys("versions", "Show what it changed"),
    Action(
        "versions.wider", "versions", "w", "screen.cycle('scope')", "All files", "The versions of this file, or of all.", bar=True
    ),
    Action("versions.filter", "versions", "slash", "screen.filter", "Filter", "Show only versions with these words.", bar=True),
    Action(
        "versions.whose", "versions", "f", "screen.cycle('whose')", "Whose", "Everybody's versions, yours, or others'.", bar=True
    ),
    Action(
        "versions.restore", "versions", "B,b", "screen.restore", "Restore", "Make the file what it was in this version.", bar=True
    ),
    *_diff_keys("version"),
    Action(
        "version.put_back", "version", "b", "screen.put_back", "Put back", "Put back what stood there before this change.", bar=True
    ),
    Action("version.edit", "version", "e", "screen.edit", "Edit", "Edit the file at this change; esc comes back.", bar=True),
    Action("version.restore", "version", "B", "screen.restore", "Restore", "Make the file what it was in this version.", bar=True),
    *list_keys("changes", "Changes", "Show the changes"),
    *REVIEW_ACTIONS,
    *PROMPT_ACTIONS,
    *list_keys("costs", "Its prompt"),
    *TRIAGE_ACTIONS,
    *FACT_ACTIONS,
    *PROJECT_ACTIONS,
    *DOCTOR_ACTIONS,
    *list_keys("transfer", "Choose"),
    *TRANSFER_ACTIONS,
    *CONNECT_ACTIONS,
    *_diff_keys("settings"),
    *list_keys("plan", "Its changes"),
    Action("plan.apply", "plan", "A", "screen.apply", "Apply", "Do it: one step, which u undoes."),
    Action("plan.rename", "plan", "r", "screen.rename", "Other name", "Give the file another name there."),
    Action("planned.apply", "planned", "A", "screen.apply", "Apply", "Do it: one step, which u undoes."),
    *_diff_keys("planned"),
    Action("landing.apply", "landing", "A", "screen.talk('apply')", "Apply", "Do it: one step, which u undoes.", bar=True),
    Action("landing.full", "landing", "L", "screen.read('full')", "In full", "All that is said of the item, as a page."),
    *_diff_keys("landing"),
)


_BAR_EVERYWHERE: Final = ("app.undo", "app.quick", "app.search", "app.maximize", "app.quit", "app.keys", "app.palette")
_BAR_WHERE_TYPED: Final = ("app.back", "app.quick", "app.quit", "app.help", "app.palette")
"""What the key bar says behind the keys of the pane: the most useful first, for those that do not fit are left out."""


def bar_actions(actions: Sequence[Action], scope: str, *, bare: bool = False) -> list[Action]:
    """What the key bar shows for a scope; `bare` says that its pane has nothing to show."""
    own = [action for action in actions if action.bar and action.scope == scope and (action.bare or not bare)]
    ids = _BAR_WHERE_TYPED if scope in TYPED_INTO else _BAR_EVERYWHERE
    by_id = {action.id: action for action in actions}
    return [*own, *(by_id[id] for id in ids)]


def bindings(scope: str) -> list[Binding]:
    """The Textual bindings of a scope, with ids for remapping. `app` keys that are no letters also work while typing."""
    return [
        Binding(
            each.keys,
            each.act,
            each.label,
            id=each.id,
            show=False,
            priority=each.id in ("app.quit", "app.palette", "editor.save", "editor.find"),
        )
        for each in ACTIONS
        if each.scope == scope
    ]


def help_bindings() -> list[Binding]:
    """The keys of help, for a dialog that a page of help explains: what is bound to the app does not reach a dialog."""
    return _of_app("app.help", "app.keys")


def pane_bindings() -> list[Binding]:
    """The keys from pane to pane, for a screen over the main one: every screen has keys of its own for the next widget."""
    return _of_app("app.next", "app.previous")


def _of_app(*ids: str) -> list[Binding]:
    return [Binding(each.keys, f"app.{each.act}", each.label, id=each.id, show=False) for each in ACTIONS if each.id in ids]


def remapped(keys: Mapping[str, str]) -> tuple[Action, ...]:
    """The actions with the person's own keys. Raises `ConfigError` for an unknown id or a key with two meanings."""
    known = {action.id for action in ACTIONS}
    for id in keys:
        if id not in known:
            raise ConfigError(f"[keys]: there is no action called {id!r}.{did_you_mean(id, known)}")
    actions = tuple(
        action._replace(keys=spelled(action.id, keys[action.id], typed=action.scope in TYPED_INTO)) if action.id in keys else action
        for action in ACTIONS
    )
    taken: dict[tuple[str, str], str] = {}
    for action in sorted(actions, key=lambda action: action.scope != "app"):
        for key in action.keys.split(","):
            other = taken.get(("app", key)) or taken.setdefault((action.scope, key), action.id)
            if other != action.id:
                raise ConfigError(f"[keys]: {key_name(key)} would mean both {other} and {action.id}.")
    return actions


def keys_name(action: Action) -> str:
    """All keys of an action, as people write them."""
    return " ".join(key_name(key) for key in action.keys.split(","))


_MOST_PLACES: Final = 3
"""Panes that are named where a key works elsewhere; `?` names all."""


def elsewhere(actions: Sequence[Action], key: str) -> str:
    """What a key means where it means something, and where that is; empty for a key of nowhere."""
    found = [action for action in actions if key in action.keys.split(",") and action.scope in PANES and action.scope != "conflict"]
    if not found:
        return ""
    panes = list(dict.fromkeys(PANE_NAMES[PANES[action.scope]] for action in found))
    more = ", …" if len(panes) > _MOST_PLACES else ""
    return f"it is {found[0].label} in {', '.join(panes[:_MOST_PLACES])}{more}"
