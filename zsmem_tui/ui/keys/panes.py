"""The actions of the main screen's panes: tree, viewer, search and editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, Action, Room, Scope, choose, verb

_TREE: Final = Room(
    "tree",
    "Memory",
    (
        Scope("fold", "Rows that unfold"),
        Scope("file", "Wherever a file is meant"),
        Scope("tree", "Memory", ("fold", "file", *LIST)),
    ),
    (
        choose("fold", "Open", "Read the file, a hit at its line; or unfold the project", keys="enter"),
        Action("fold.unfold", "l,right", "unfold", "Unfold", "Unfold the row, or go into it.", palette=False),
        Action("fold.fold", "h,left", "fold", "Fold", "Fold the row, or go up to what holds it.", palette=False),
        verb("file.edit", "e", "Edit", "Edit the file here.", bar=True),
        Action("file.outside", "o", "screen.edit_outside", "Own editor", "Edit the file in $VISUAL or $EDITOR."),
        verb("file.rename", "r", "Rename", "Give a note another name."),
        verb("file.alias", "F", "Alias", "Add words by which somebody else would look for the note."),
        verb("file.history", "H", "History", "All versions of the file, whoever wrote them."),
        Action("file.copy", "y", "screen.to_clipboard", "Copy text", "Copy the file, the line of a hit, or what is selected."),
        verb("file.delete", "d", "Delete", "Delete the file, those marked, or the lines selected; u undoes that.", bar=True),
        verb("tree.add", "a", "Add", "A note, an entry in today's log, a scratchpad, or a fact.", bar=True),
        Action("tree.copy", "c", "screen.carry(False)", "Copy", "Copy to another name, project or agent."),
        Action("tree.move", "m", "screen.carry(True)", "Move", "Move to another project, agent or name."),
        Action("tree.mark", "space", "mark", "Mark", "Mark the file: copy and move are about all that are marked."),
        Action("tree.range", "v", "mark_range", "Range", "Mark all files that you move over, until v again."),
        Action("tree.all", "asterisk", "mark_all", "All shown", "Mark all files shown of the group of the cursor, or none."),
        Action("tree.filter", "slash", "filter", "Filter", "Show only what has these letters in its name.", bar=True),
        Action("tree.rename", "", "screen.rename", "Rename", "As r.", palette=False),  # its name in settings before 0.3
        verb("tree.about", "", "About", "Folder of the project, and what became of that."),
        verb("tree.grouping", "", "By folder", "Group by agent, or by folder."),
    ),
)

_VIEWER: Final = Room(
    "viewer",
    "Viewer",
    (Scope("viewer", "Viewer", ("file", *DIFF)),),
    (
        verb("viewer.add", "", "Add", "As in the tree, also on Welcome.", palette=False, silent="a"),
        Action("viewer.find", "slash", "open_find", "Find", "Find words in this file.", bar=True, bare=True),
        Action("viewer.raw", "R", "toggle_raw", "Raw", "The text as it stands in the file, or rendered.", bar=True),
        verb("viewer.outline", "O", "Outline", "List the headings and go to one.", bar=True),
        verb("viewer.follow", "enter", "Follow link", "Go where the link leads."),
        Action("viewer.link", "l,right", "choose_link(1)", "Next link", "Choose the next link."),
        Action("viewer.link_before", "h,left", "choose_link(-1)", "Link before", "Choose the link before."),
        Action(
            "viewer.back",
            "left_square_bracket,backspace",
            "screen.trail(-1)",
            "Link back",
            "Back to where a link was followed; ] goes forward again.",
        ),
        Action("viewer.forward", "", "screen.trail(1)", "Link forward", "Forward again.", silent="right_square_bracket"),
        Action(
            "viewer.select",
            "v",
            "select_text('characters')",
            "Select",
            "Select text: the keys that move extend it, as shift and an arrow do; y copies it, esc drops it.",
        ),
        Action("viewer.lines", "V", "select_text('lines')", "Select lines", "Select lines as they stand in the file."),
        *(
            Action(
                f"viewer.more_{way}",
                "",
                f"select_text('more', {sideways}, {down})",
                f"Select {way}",
                f"Select {words}.",
                palette=False,
                silent=f"shift+{way}",
            )
            for way, sideways, down, words in (
                ("down", 0, 1, "a row more, or one less from its upper end"),
                ("up", 0, -1, "a row more upwards, or one less"),
                ("right", 1, 0, "a character more, or one less from its left end"),
                ("left", -1, 0, "a character more to the left, or one less"),
            )
        ),
        Action("viewer.marks", "", "toggle_marks", "Prompt marks", "Show beside each line what of it is in the prompt, or not."),
        Action("viewer.breaks", "", "toggle_breaks", "Line breaks", "Join the lines of paragraphs, or keep them."),
    ),
)

_SEARCH: Final = Room(
    "search",
    "Search",
    (
        Scope("widen", "Search line and results"),
        Scope("query", "Search line", ("widen",)),
        Scope("hits", "Search results", ("fold", "file", "widen", *LIST)),
    ),
    (
        Action(
            "query.wider", "alt+w", "wider", "Wider", "More of the project, then all of them and all agents.", bar=True, silent="f8"
        ),
        Action("hits.wider", "w", "wider", "Wider", "Search wider.", bar=True, palette=False, bare=True, silent="alt+w,f8"),
        Action(
            "widen.words",
            "",
            "whole_words",
            "Whole words",
            "Only words of their own (port, not report), or parts of words too.",
            silent="alt+o",
        ),
        Action(
            "query.open", "enter", "open", "Results", "Go to the results; one alone is opened at once.", bar=True, palette=False
        ),
        Action("query.hits", "", "to_hits", "Results", "Go to the results.", palette=False, silent="down"),
        Action("query.clear", "", "clear_query", "Clear", "Empty the search line.", silent="ctrl+l"),
        Action("hits.query", "slash", "to_query", "Words", "Go to the search line.", bar=True, bare=True),
        Action("hits.more", "", "more", "Next", "The next fifty hits.", silent="n"),
    ),
)

_EDITOR: Final = Room(
    "editor",
    "Editor",
    (Scope("editor", "Editor"),),
    (
        verb("editor.save", "ctrl+s", "Save", "Save, keeping what others added.", bar=True, palette=False),
        Action("editor.find", "ctrl+f", "open_find", "Find", "Find words in the text.", bar=True, palette=False),
        Action("editor.replace", "ctrl+r", "open_find(True)", "Replace", "Replace words, one or all.", palette=False),
        Action("editor.next", "ctrl+n", "find_next(1)", "Next", "The next place of the words.", palette=False),
        Action("editor.previous", "alt+n", "find_next(-1)", "Previous", "The place before.", palette=False),
        Action("editor.line", "ctrl+g", "screen.go_to_line", "Go to line", "Go to a line by its number.", bar=True),
        Action("editor.first", "ctrl+home", "edge(-1)", "Start", "To the start of the text.", palette=False),
        Action("editor.last", "ctrl+end", "edge(1)", "End", "To the end of the text.", palette=False),
        Action("editor.rise", "alt+up", "move_lines(-1)", "Line up", "Move the line, or those selected.", palette=False),
        Action("editor.sink", "alt+down", "move_lines(1)", "Line down", "Move it, or them, down.", palette=False),
        Action("editor.duplicate", "alt+d", "duplicate_lines", "Duplicate", "The lines selected once more.", palette=False),
        Action("editor.delete", "alt+k", "delete_line", "Delete line", "Delete the line, or those selected.", palette=False),
        Action("editor.in", "alt+right", "shift(1)", "Indent", "The item, or lines selected, one step in; as tab does."),
        Action("editor.out", "alt+left", "shift(-1)", "Outdent", "The same one step out; as shift+tab does."),
        Action("editor.tick", "alt+x", "tick", "Done", "Tick the box of the line, or of those selected; or open it."),
        Action("editor.same", "ctrl+d", "cursors('next')", "Select next", "Select the word; again: also where it is next."),
        Action("editor.every", "alt+a", "cursors('all')", "Select all", "Select the word, or what is selected, everywhere."),
        Action("editor.below", "alt+c", "cursors('below')", "Cursor below", "One more cursor, in the line below."),
        Action("editor.above", "", "cursors('above')", "Cursor above", "One more cursor, in the line above."),
    ),
)

ROOMS: Final = (
    _TREE,
    _VIEWER,
    _SEARCH,
    _EDITOR,
)
"""All of them, in the order of the help."""

_WHILE_SELECTING: Final = {
    "file.copy": "Copy",
    "file.delete": "Delete lines",
    "app.back": "Drop it",
    "viewer.select": "Characters",
    "viewer.lines": "Whole lines",
    "list.down": "More",
    "list.up": "Less",
    "viewer.link": "Right",
    "viewer.link_before": "Left",
    "list.last": "To the end",
    "app.keys": "Keys",
    "app.palette": "Palette",
}
"""The labels of viewer keys during a selection, the most useful first."""


def while_selecting(actions: Sequence[Action], *, whole: bool) -> list[Action]:
    """The key bar's actions during a keyboard selection; `whole`: of whole lines."""
    by_id = {action.id: action for action in actions}
    left_out = ("viewer.lines",) if whole else ("viewer.select", "file.delete")
    return [by_id[id]._replace(label=label) for id, label in _WHILE_SELECTING.items() if id not in left_out]
