"""What a row of the tree looks like: its name at the left, facts at the right, and the hash of a slug in the background."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.ui import signs
from zsmem_tui.ui.memory.tree_nodes import Node

_PATH = Pattern(r"(?<!\S)[-/~].*")
"""A whole path at the end of a name, or a slug that stands for one: the end of it tells one from another."""

_HASH = 9
"""Characters of a slug's hash, with its hyphen."""


def draw_label(text: Text, row: Node, room: int, style: Style, *, mark: str = "", is_folded: bool = True) -> Text:
    """Append a row to what stands before it, in just `room` cells: `mark` and the name, then what is at its right edge.

    What a project is called comes first; the hash that makes its slug one of a kind tells a person nothing, and is dim.
    """
    name = f"{mark}{f'{signs.HERE} ' if row.here else ''}{row.name}"
    facts = (row.hidden if is_folded else "") or row.facts
    spoken = len(name) - _hash_at_end(row)
    if row.brief and facts == row.facts and cell_len(name[:spoken]) + cell_len(facts) + 1 > room:
        facts = row.brief
    facts_room = cell_len(facts) + 1 if room > cell_len(facts) + 10 else 0
    if cell_len(name) > room - facts_room > 1:
        path = _PATH.search(name) if spoken == len(name) and row.at.ref is None else None
        if path is not None:
            front = name[: path.start()]
            name = front + _end_of(path[0], max(room - facts_room - cell_len(front), 1))
        else:
            name = set_cell_size(name, room - facts_room - 1) + "…"
    name = set_cell_size(name, max(room - facts_room, 1))
    strong = style + Style(bold=row.here or None)
    dim = Style(dim=not style.bold or None)  # on the bar of the cursor, which is bold, dim words are hard to read
    text.append(name[:spoken], strong)
    text.append(name[spoken:], style + dim)
    if facts_room:
        quiet = dim if facts in (row.facts, row.brief) and not row.warn else Style(bold=True)
        text.append(f" {facts}", style + quiet)
    return text


def _end_of(name: str, room: int) -> str:
    """As much of the end of a name as there is room for: those of folders without a better name begin alike."""
    at = len(name)
    while at and cell_len(name[at - 1 :]) < room:
        at -= 1
    return f"…{name[at:]}"


def _hash_at_end(row: Node) -> int:
    """How many characters at the end of a row's name are the hash of its slug."""
    is_slug = row.at.ref is None and row.name.endswith(row.at.group) and parts(row.at.group) is not None
    return _HASH if is_slug else 0
