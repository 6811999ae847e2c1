"""The actions of the editor, and of deciding a conflict."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action

EDITING: Final = (
    Action(
        "editor.save", "editor", "ctrl+s", "app.do('save')", "Save", "Save, keeping what others added.", bar=True, palette=False
    ),
    Action("editor.find", "editor", "ctrl+f", "app.do('find')", "Find", "Find words in the text.", bar=True, palette=False),
    Action("editor.replace", "editor", "ctrl+r", "app.do('replace')", "Replace", "Replace words, one or all.", palette=False),
    Action("editor.next", "editor", "ctrl+n", "app.do('find_next', 1)", "Next", "The next place of the words.", palette=False),
    Action("editor.previous", "editor", "alt+n", "app.do('find_next', -1)", "Previous", "The place before.", palette=False),
    Action("editor.line", "editor", "ctrl+g", "app.do('go_to_line')", "Go to line", "Go to a line by its number.", bar=True),
    Action("editor.first", "editor", "ctrl+home", "edge(-1)", "Start", "To the start of the text.", palette=False),
    Action("editor.last", "editor", "ctrl+end", "edge(1)", "End", "To the end of the text.", palette=False),
    Action("editor.rise", "editor", "alt+up", "move_lines(-1)", "Line up", "Move the line, or those selected.", palette=False),
    Action("editor.sink", "editor", "alt+down", "move_lines(1)", "Line down", "Move it, or them, down.", palette=False),
    Action("editor.duplicate", "editor", "alt+d", "duplicate_lines", "Duplicate", "The lines selected once more.", palette=False),
    Action("editor.delete", "editor", "alt+k", "delete_line", "Delete line", "Delete the line, or those selected.", palette=False),
    Action("editor.in", "editor", "alt+right", "shift(1)", "Indent", "The item, or lines selected, one step in; as tab does."),
    Action("editor.out", "editor", "alt+left", "shift(-1)", "Outdent", "The same one step out; as shift+tab does."),
    Action("editor.tick", "editor", "alt+x", "tick", "Done", "Tick the box of the line, or of those selected; or open it."),
    Action("editor.same", "editor", "ctrl+d", "cursors('next')", "Select next", "Select the word; again: also where it is next."),
    Action("editor.every", "editor", "alt+a", "cursors('all')", "Select all", "Select the word, or what is selected, everywhere."),
    Action("editor.below", "editor", "alt+c", "cursors('below')", "Cursor below", "One more cursor, in the line below."),
    Action("editor.above", "editor", "alt+shift+c", "cursors('above')", "Cursor above", "One more cursor, in the line above."),
    Action("conflict.theirs", "conflict", "t", "decide('theirs')", "Theirs", "Take their lines, and go on.", palette=False),
    Action("conflict.mine", "conflict", "m", "decide('mine')", "Mine", "Take my lines, and go on.", palette=False),
    Action("conflict.both", "conflict", "b", "decide('both')", "Both", "Take both, theirs first, and go on.", palette=False),
    Action("conflict.edit", "conflict", "e", "edit", "Edit", "Write other lines; ctrl+s takes them.", palette=False),
    Action("conflict.undecide", "conflict", "backspace", "undecide", "Undecide", "Leave it open again.", palette=False),
    Action("conflict.next", "conflict", "n", "next_conflict(1)", "Next", "The next conflict.", palette=False),
    Action("conflict.previous", "conflict", "N", "next_conflict(-1)", "Previous", "The conflict before.", palette=False),
    Action("conflict.save", "conflict", "enter,ctrl+s", "finish", "Save", "Save the result, once all is decided.", palette=False),
)
