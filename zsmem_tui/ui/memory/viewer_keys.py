"""The keys of the viewer, and of the edge between two panes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zsmem_tui.ui.keys.action import Action

SPLIT_ACTIONS: Final = (
    Action("app.narrower", "app", "left_parenthesis", "do('split', -1)", "Smaller", "Move the edge between the panes back."),
    Action("app.wider", "app", "right_parenthesis", "do('split', 1)", "Larger", "Move the edge between the panes on."),
    Action("app.even", "app", "ampersand", "do('split', 0)", "Edge back", "Divide the panes as at first."),
)

VIEWER_ACTIONS: Final = (
    Action("viewer.down", "viewer", "j,down", "rows(1)", "Down", "One row down.", palette=False),
    Action("viewer.up", "viewer", "k,up", "rows(-1)", "Up", "One row up.", palette=False),
    Action("viewer.page_down", "viewer", "space,pagedown", "pages(1)", "Page down", "One page down.", palette=False),
    Action("viewer.page_up", "viewer", "pageup", "pages(-1)", "Page up", "One page up.", palette=False),
    Action("viewer.first", "viewer", "g,home", "edge(-1)", "Top", "To the top.", palette=False),
    Action("viewer.last", "viewer", "G,end", "edge(1)", "End", "To the end.", palette=False),
    Action("viewer.find", "viewer", "slash", "app.do('find_words')", "Find", "Find words in this file.", bar=True, bare=True),
    Action("viewer.next", "viewer", "n", "app.do('next_match', 1)", "Next", "The next match.", bar=True),
    Action("viewer.previous", "viewer", "N", "app.do('next_match', -1)", "Previous", "The match before.", palette=False),
    Action(
        "viewer.raw", "viewer", "R", "app.do('toggle_raw')", "Raw", "Show the text as it stands in the file, or rendered.", bar=True
    ),
    Action(
        "viewer.marks",
        "viewer",
        "percent_sign",
        "app.do('toggle_marks')",
        "Prompt marks",
        "Show beside each line what of it is in the prompt, or not.",
    ),
    Action(
        "viewer.breaks",
        "viewer",
        "backslash",
        "app.do('toggle_breaks')",
        "Line breaks",
        "Join the lines of paragraphs, or keep them.",
    ),
    Action("viewer.follow", "viewer", "enter", "app.do('follow')", "Follow link", "Go where the link leads."),
    Action("viewer.link", "viewer", "l,right", "app.do('next_link', 1)", "Next link", "Choose the next link."),
    Action("viewer.link_before", "viewer", "h,left", "app.do('next_link', -1)", "Link before", "Choose the link before."),
    Action(
        "viewer.back",
        "viewer",
        "left_square_bracket,backspace",
        "app.do('trail', -1)",
        "Link back",
        "Back to where a link was followed.",
    ),
    Action("viewer.forward", "viewer", "right_square_bracket", "app.do('trail', 1)", "Link forward", "Forward again."),
    Action("viewer.outline", "viewer", "O", "app.do('outline')", "Outline", "List the headings and go to one.", bar=True),
    Action("viewer.edit", "viewer", "e", "app.do('edit')", "Edit", "Edit the file here.", bar=True),
    Action("viewer.outside", "viewer", "o", "app.do('edit_outside')", "Own editor", "Edit the file in $VISUAL or $EDITOR."),
    Action(
        "viewer.delete",
        "viewer",
        "d",
        "app.do('delete_read')",
        "Delete",
        "Delete the lines selected with V; with none selected, the file, once you have said so; u undoes both.",
    ),
    Action(
        "viewer.history", "viewer", "H", "app.do('history')", "History", "All versions of the file, whoever wrote them.", bar=True
    ),
    Action(
        "viewer.select",
        "viewer",
        "v",
        "app.do('select_text', 'characters')",
        "Select",
        "Select text: the keys that move extend it, y copies it, esc drops it.",
    ),
    Action(
        "viewer.lines", "viewer", "V", "app.do('select_text', 'lines')", "Select lines", "Select lines as they stand in the file."
    ),
    *(
        Action(
            f"viewer.more_{way}",
            "viewer",
            f"shift+{way}",
            f"app.do('select_text', 'more', {sideways}, {down})",
            f"Select {way}",
            f"Select {words}.",
            palette=False,
        )
        for way, sideways, down, words in (
            ("down", 0, 1, "a row more, or one less from its upper end"),
            ("up", 0, -1, "a row more upwards, or one less"),
            ("right", 1, 0, "a character more, or one less from its left end"),
            ("left", -1, 0, "a character more to the left, or one less"),
        )
    ),
    Action(
        "viewer.copy",
        "viewer",
        "y",
        "app.do('copy_text')",
        "Copy text",
        "Copy what is selected, the chosen link, or the whole text.",
    ),
)

_WHILE_SELECTING: Final = {
    "viewer.copy": "Copy",
    "viewer.delete": "Delete lines",
    "app.back": "Drop it",
    "viewer.select": "Characters",
    "viewer.lines": "Whole lines",
    "viewer.down": "More",
    "viewer.up": "Less",
    "viewer.link": "Right",
    "viewer.link_before": "Left",
    "viewer.last": "To the end",
    "app.keys": "All keys",
    "app.palette": "Palette",
}
"""What keys of the viewer do while text is selected, the most useful first."""


def while_selecting(actions: Sequence[Action], *, whole: bool) -> list[Action]:
    """What the key bar shows while text is selected with keys: what is on already, characters or `whole` lines, needs no key."""
    by_id = {action.id: action for action in actions}
    left_out = ("viewer.lines",) if whole else ("viewer.select", "viewer.delete")
    return [by_id[id]._replace(label=label) for id, label in _WHILE_SELECTING.items() if id not in left_out]
