"""The tree of stores, groups and files on the main screen, and the pane around it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import ClassVar, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input

from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import view_state
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.memory.tree_nodes import Node, TreeNodes
from zsmem_tui.ui.messages import FileChosen, GroupChosen, Said
from zsmem_tui.ui.open_store import At, OpenStore
from zsmem_tui.ui.widgets.bars import both_ends, end_of
from zsmem_tui.ui.widgets.frame import FilterLine, Pane, SplitBody
from zsmem_tui.ui.widgets.row_lines import Piece
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

_PATH = Pattern(r"(?<!\S)[-/~].*")
"""Matches a path at the end of a name; when shortened, the end of the path is kept, since it is the distinctive part."""

MOST_NAME: Final = 48
"""Cells of a name for which the pane is widened."""

_CUT_CELLS: Final = 30
"""Cells of a row from which a name that is cut all the same leaves a file its size and age."""

_HASH = 9
"""Length of the hash at the end of a slug, including its hyphen."""


def draw_label(row: Node, room: int, *, mark: str = "", is_folded: bool = True, is_bold: bool = False) -> list[Piece]:
    """Draw a row in at most `room` cells: `mark` and the name, then the facts at the right edge. `is_bold`: it is drawn on bold.

    Too long names are shortened. The hash at the end of a slug is dimmed, since it means nothing to a person.
    """
    name = f"{mark}{f'{signs.HERE} ' if row.here else ''}{row.name}"
    facts = (row.hidden if is_folded else "") or row.facts
    is_slug = row.at.ref is None and row.name.endswith(row.at.group) and parts(row.at.group) is not None
    spoken = len(name) - _HASH * is_slug
    is_cut = cell_len(name) > room >= _CUT_CELLS
    if facts == row.facts and not row.warn and not is_cut:  # facts give way to the name; a file can lose all of its facts
        shorter = (facts, row.brief or facts, *(("",) if row.at.ref is not None else ()))
        facts = next((each for each in shorter if cell_len(name[:spoken]) + cell_len(each) + bool(each) <= room), shorter[-1])
    facts_room = cell_len(facts) + 1 if facts and room > cell_len(facts) + 10 else 0
    if cell_len(name) > room - facts_room > 1:
        left = room - facts_room
        path = _PATH.search(name) if spoken == len(name) and row.at.ref is None else None
        if path is not None:
            front = name[: path.start()]
            name = front + end_of(path[0], max(left - cell_len(front), 1))
        else:
            name = set_cell_size(name, left - 1) + "…" if row.at.ref is None else both_ends(name, left)
    name = set_cell_size(name, max(room - facts_room, 1))
    dim = "text" if is_bold else "dim"  # dim text is hard to read there
    pieces = [(name[:spoken], "bold" if row.here else "text"), (name[spoken:], dim)]
    if facts_room:
        pieces.append((f" {facts}", dim if facts in (row.facts, row.brief) and not row.warn else "bold"))
    return pieces


MARK = f"{signs.MARKED} "
"""Shown before the name of a marked file."""

_BRANCHES, _ENDS, _PASSES = (f"{sign} " for sign in (signs.BRANCH, signs.BRANCH_END, signs.COLUMN))
"""The lines that lead to a row: to one with rows behind it, to the last, and past others."""


class Shown(NamedTuple):
    """A row on the screen: what it is, the lines that lead to it, and the index of the row that it is below, or -1."""

    node: Node
    guides: str
    above: int


class ProjectTree(RowList, keys="tree"):
    """A list with the rows of a tree, those of unfolded rows below them; the keys are what they stand for.

    Rows show facts at the right edge and are never wider than the pane.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--guide", "rows--bold", "rows--dim"}
    CLICKS = 1

    def __init__(self, *, id: str) -> None:
        super().__init__(lambda _: ListRow([]), id=id)
        self.rows: list[Shown] = []
        self.top_rows: Sequence[Node] = ()
        self.unfolded: set[At] = set()
        self.known: set[At] = set()
        """Rows shown before: whether they are unfolded is up to the person."""
        self._below: dict[At, Sequence[Node]] = {}

    def below(self, row: Node) -> Sequence[Node]:
        """The rows below a row, made once for each set of top rows: for 30,000 files that takes half a second."""
        if row.at not in self._below:
            self._below[row.at] = row.below() if row.below is not None else ()
        return self._below[row.at]

    def take(self, top: Sequence[Node] | None = None, *, opens: bool = False) -> None:
        """Replace the rows, to be shown, by those below these; without any, as rows were folded or unfolded.

        `opens`: unfold what is to be unfolded even if the person has folded it.
        """
        self.rows = []
        if top is not None:
            self.top_rows, self._below = top, {}
        self._take_below(self.top_rows, "", -1, opens=opens)

    def _take_below(self, rows: Sequence[Node], guides: str, above: int, *, opens: bool) -> None:
        for row in rows:
            is_last, is_top = row is rows[-1], above < 0
            self.rows.append(Shown(row, "" if is_top else f"{guides}{_ENDS if is_last else _BRANCHES}", above))
            if row.below is None:
                continue
            if row.unfolded and (opens or row.at not in self.known):
                self.unfolded.add(row.at)
            self.known.add(row.at)
            if row.at in self.unfolded:
                lead = "" if is_top else f"{guides}{_PASSES if not is_last else '  '}"
                self._take_below(self.below(row), lead, len(self.rows) - 1, opens=opens)

    def show(self, keys: Sequence[At] = (), *, cursor: At | None = None, stays: At | None = None) -> None:
        """Show the rows that were taken, with the cursor on this one."""
        before = self.hidden
        super().show([row.node.at for row in self.rows], cursor=cursor, stays=stays)
        if self.hidden != before:
            self._say_marks()

    def seek(self, key: At | None) -> None:
        """The pane knows which row a filter leads to."""

    @property
    def row(self) -> Node | None:
        """The row under the cursor, or None."""
        return self.rows[self.cursor].node if self.cursor < len(self.rows) else None

    def levels(self, place: int) -> Iterator[int]:
        """Yield the index of a row, and those of the rows above it, nearest first."""
        while place >= 0:
            yield place
            place = self.rows[place].above

    def beside(self, place: int) -> list[At]:
        """The siblings of a row, files of a file and groups of a group: those after it, then those before it, nearest first."""
        own = self.rows[place]
        like = (own.above, own.node.at.ref is None)
        every = [at for at, row in enumerate(self.rows) if (row.above, row.node.at.ref is None) == like]
        here = every.index(place)
        return [self.rows[at].node.at for at in (*every[here + 1 :], *reversed(every[:here]))]

    def _lines(self, place: int) -> list[list[Piece]]:
        """A row in one line: the guides, the sign of one that unfolds, the name, and the facts at the right edge."""
        node, guides, _ = self.rows[place]
        is_open = node.at in self.unfolded
        icon = "" if node.below is None else f"{signs.UNFOLDED if is_open else signs.FOLDED} "
        room = self.scrollable_content_region.width - cell_len(guides) - cell_len(icon)
        mark, is_bold = MARK if node.at in self.marked else "", place == self.cursor and self.has_focus
        label = draw_label(node, room, mark=mark, is_folded=not is_open, is_bold=is_bold)
        return [[(guides, "guide"), (icon, "text"), *label]]

    def fold(self, *, unfolds: bool) -> None:
        """Fold or unfold the row under the cursor; of what comes in sight, show as much as there is room for."""
        (self.unfolded.add if unfolds else self.unfolded.discard)(self.key)
        self.take()
        self.show(cursor=self.key)
        height, below = self.size.height, sum(row.above == self.cursor for row in self.rows)
        top = min(self.cursor, self.cursor + min(below, height - 1) - height + 1)
        if height and top > self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, immediate=True, force=True)

    def action_unfold(self) -> None:
        """Unfold the group, or move to its first row if it is unfolded."""
        if (row := self.row) and row.below is not None:
            self.action_move(1) if row.at in self.unfolded else self.fold(unfolds=True)

    def action_fold(self) -> None:
        """Fold the group, or move to the row above it."""
        if self.key in self.unfolded:
            self.fold(unfolds=False)
        elif self.row is not None and (above := self.rows[self.cursor].above) >= 0:
            self._go(above, -1)

    def action_mark(self) -> None:
        """Toggle the mark of the file under the cursor and move down."""
        if self.key is None or not self.can_mark(self.key):
            self.post_message(Said("Only files can be marked: l unfolds this.", warning=True))
        self.toggle_mark()

    def can_mark(self, key: At) -> bool:
        """Whether it is a file."""
        return key.ref is not None

    keeps_mark = can_mark  # the pane drops the marks of those that are gone

    def marks_changed(self) -> None:
        """Show the marks, and say how many there are."""
        self.refresh()
        self.post_message(self.Shown())
        if self.marked:
            self._say_marks()

    def _say_marks(self) -> None:
        if self.marked or self.hidden:
            files, rest = counted(len(self.marked) + len(self.hidden), "file"), self.count_marks().partition(" ")[2]
            words = f"{files} {rest}: {'c copies, m moves, d deletes, ' if self.marked else ''}esc unmarks."
            self.post_message(Said(words).set_sender(self))  # else a filter's handler above would stop it

    def action_mark_all(self) -> None:
        """Mark the files of the group under the cursor that are not folded away; if all are marked already, unmark them."""
        if self.rows:
            over = self._groups(self.cursor)[0]
            self.toggle({at for place, at in enumerate(self.keys) if at.ref is not None and over in self._groups(place)})

    def _groups(self, place: int) -> list[int]:
        """The indexes of the groups that a row is in, nearest first, a group being in itself; -1 for one that is in none."""
        return [level for level in self.levels(place) if self.rows[level].node.at.ref is None] or [-1]


class TreePane(Pane):
    """The pane with the tree of all open stores; of a single store, only its groups. The current folder comes first."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        super().__init__(id="tree")
        self.add_class("-current", update=False)  # set in advance: set later, the whole pane would be styled a second time
        self._now_ns = now_ns
        self._made = TreeNodes((), now_ns)
        self._stores: Sequence[OpenStore] = ()
        self._folders: Sequence[str] = ()
        self.by_folder = view_state.read("tree").get("by_folder") is True
        """Whether to group by folder, as soon as there are several stores."""
        self._filter = ""
        self._kept: Collection[At] = ()
        """Rows that the filter leaves though they do not fit: that of the cursor, and those above it."""
        self._unfolded: set[At] = set()
        """The rows that were unfolded before the filter."""
        self._line: FilterLine | None = None
        self._begun: At | None = None
        """What was under the cursor before the filter began."""
        self._told: At | None = None
        """What the page beside the tree was told of last, or where the program put the cursor, which it is not told of."""
        self._widest = 0
        self.seen: At | None = None
        """What was under the cursor when others last wrote; None once the person moved it or pressed a key that acts."""
        self._opened_elsewhere: At | None = None
        """The open file, if the tree has no row for it yet: it counts as the file at the cursor."""
        self.came_from: dict[At, At] = {}
        """Where the cursor was before a step, or the end of a file, took it to a place: an undo leads back."""

    def compose(self) -> ComposeResult:
        """Yield the tree."""
        self.border_title = Content("1 Memory")
        yield ProjectTree(id="tree-view")

    project_tree = query_one(ProjectTree)

    def show(self, stores: Sequence[OpenStore], folders: Sequence[str] = ()) -> None:
        """Rebuild the tree from the catalogs of `stores`; `folders` are the known folders, the current one first.

        The cursor and the unfolded rows stay; if a file is gone, the cursor moves to its next neighbour. Files that others changed
        since the person last looked are marked, and counted on their groups.
        """
        if self.by_folder and (len(stores) > 1) != (len(self._stores) > 1):
            self.project_tree.known.clear()  # other rows stand at the top now
        self._stores, self._folders = stores, folders
        tree, there = self.project_tree, {store.key: store for store in stores}
        before, every = self.at_cursor() or At(""), (*tree.marked, *tree.hidden)
        kept = {each for each in every if each.ref and each.store in there and there[each.store].has(each.ref)}
        tree.marked, tree.hidden = tree.marked & kept, tree.hidden & kept
        self._rebuild(goes_on=True, kept=self._at_hand())
        if (at := self.at_cursor() or before) != before:
            self.came_from.setdefault(at, before)

    def switch_grouping(self) -> str:
        """Switch between grouping by agent and by folder; return a sentence that says which."""
        if len(self._stores) < 2:
            return "There is one store only: nothing to put side by side."
        self.by_folder = not self.by_folder
        at, tree = self.at_cursor(), self.project_tree
        tree.unfolded, tree.known = set(), set()
        self._rebuild()
        if at is not None and at.ref is not None and at.group:  # by folder, global files come last
            self.reveal(at.store, at.ref)
        return "By folder: what each agent remembers of it." if self.by_folder else "By agent."

    def beside(self, store: OpenStore, group: str) -> Sequence[FileEntry]:
        """The instruction files listed with the files of a group."""
        return self._made.beside(store, group)

    def at_cursor(self) -> At | None:
        """What the row under the cursor stands for; None if there is no row."""
        return self._opened_elsewhere or (row.meant if (row := self.project_tree.row) else None)

    def file_at_cursor(self) -> MemRef | None:
        """The file under the cursor, or None."""
        return at.ref if (at := self.at_cursor()) else None

    def action_filter(self) -> None:
        """Open the filter line."""
        if self._line is None:
            self._line = FilterLine("part of a name", id="tree-filter", rows="tree-view")
            self.mount(self._line, before=0)
        self._begun = self._begun if self._filter else self.at_cursor()
        self._line.begin()

    def close_filter(self) -> bool:
        """Drop the filter; False if there was none."""
        start = self._line.start if self._line is not None else None
        if self._line is None or not self._line.close():
            return False
        before, stays = self.at_cursor(), start or self.project_tree.key or self._begun
        self._set_filter("")
        self._rebuild()
        if stays is not None:
            self._reveal(stays)
        self._tell(before)
        return True

    def _set_filter(self, words: str) -> None:
        """Change the filter; what it has unfolded is folded again once there is none."""
        if words and not self._filter:
            self._unfolded = {*self.project_tree.unfolded}
        elif self._filter and not words:
            self.project_tree.unfolded = self._unfolded
        self._filter = words

    def go_along(self, at: At) -> None:
        """Move the cursor to what was opened or moved elsewhere; if the tree has no row for it yet, as soon as it has."""
        self._opened_elsewhere = None if self._reveal(at) else at

    def reveal(self, store: str, ref: MemRef) -> bool:
        """Put the cursor on a file without posting a message, also if it does not fit the filter. False if there is no such row."""
        return self._reveal(At(store, ref.project, ref))

    def _reveal(self, wanted: At) -> bool:
        tree, ref = self.project_tree, wanted.ref
        found = self._path(tree.top_rows, wanted)
        if found is None and self._filter and ref and any(each.key == wanted.store and each.has(ref) for each in self._stores):
            self._rebuild(kept={wanted, *self._at_hand()})
            found = self._path(tree.top_rows, wanted)
        if found is not None:
            if not tree.unfolded.issuperset(found[:-1]):
                tree.unfolded.update(found[:-1])
                tree.take()
            self._put(found[-1])
        return found is not None

    def _path(self, rows: Sequence[Node], wanted: At) -> list[At] | None:
        """The way from one of these rows to that of `wanted`, or None if there is none."""
        for row in rows:
            at = row.at
            if wanted in (at, row.first):
                return [at]
            is_on_the_way = wanted.store in row.told or (at.store in ("", wanted.store) and at.group in ("", wanted.group))
            if row.below is not None and is_on_the_way and (found := self._path(self.project_tree.below(row), wanted)) is not None:
                return [at, *found]
        return None

    def _at_hand(self) -> list[At]:
        """The row under the cursor, and those above it."""
        tree = self.project_tree
        return [tree.keys[place] for place in tree.levels(tree.cursor if tree.rows else -1)]

    def _put(self, at: At | None) -> None:
        """Show the rows with the cursor on this one, of which the page beside the tree is not told."""
        self._told = at
        self.project_tree.show(cursor=at)

    @on(Input.Changed, "#tree-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        before = self.at_cursor()
        self._set_filter(event.value)
        self._rebuild()
        if self._filter.strip() and (rows := self.project_tree.rows):
            self._put(next((row.node.at for row in rows if row.node.at not in self.project_tree.unfolded), None))
        elif self._filter.strip() and self._begun is not None and before not in (None, self._begun):
            self._post_choice(self._begun)  # else the page beside the tree stays on what fitted a part of the words
        elif not self._filter and self._line is not None and self._line.start is not None:
            self._reveal(self._line.start)
        self._tell(before)

    def _tell(self, before: At | None) -> None:
        """Tell the page beside the tree what the cursor is on, if that is something else than `before`."""
        if (at := self.at_cursor()) is not None and at != before:
            self._post_choice(at)

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        tree = self.project_tree
        if (row := tree.row) is not None and row.at != self._told:
            self.came_from = self.came_from if row.at in self.came_from else {}  # else the person has put it there
            self._post_choice(row.meant)
        if self._filter.strip() and self._kept and tree.key not in self._kept:
            self._rebuild()  # what does not fit goes once the cursor leaves it

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        tree = self.project_tree
        if (at := tree.key) is not None:
            self._post_choice(at, enter=True) if at.ref is not None else tree.fold(unfolds=at not in tree.unfolded)

    def _post_choice(self, at: At, *, enter: bool = False) -> None:
        """Post a message with the file or group under the cursor."""
        self._opened_elsewhere, self.seen, self._told = None, None, self.project_tree.key
        if at.ref is not None:
            self.post_message(FileChosen(at.ref, enter=enter, store=at.store, in_tree=True))
        else:
            self.post_message(GroupChosen(at))

    def tick(self) -> None:
        """Redraw the rows whose ages or names have changed, without a rebuild, so that keys are not delayed."""
        tree, before = self.project_tree, self.project_tree.rows
        tree.take(self._made.top(self._filter, self._kept))
        if tree.keys == [row.node.at for row in tree.rows]:
            tree.tick()
        else:  # other rows are about to be shown
            tree.rows = before

    def _rebuild(self, *, goes_on: bool = False, kept: Collection[At] = ()) -> None:
        tree, self._kept = self.project_tree, kept
        near = [
            at
            for place in tree.levels(tree.cursor if tree.rows else -1)
            for at in (tree.keys[place], *(tree.beside(place) if goes_on else ()))
        ]
        was_told = tree.key == self._told
        nodes = self._made = TreeNodes(self._stores, self._now_ns, folders=self._folders if self.by_folder else None)
        tree.take(nodes.top(self._filter, kept), opens=bool(self._filter))
        there = {row.node.at: row.node for row in tree.rows}
        target = next((at for at in near if at in there), None)
        is_said = bool(near and near[0].ref and self.seen == near[0])  # that it is gone
        if target is None:
            of_memory = (at for at in there if at.ref and at.ref.role is not Role.INSTRUCTIONS)
            target = next(of_memory, None) or next((at for at, row in there.items() if row.here), next(iter(there), None))
        elif target != near[0] and (goes_on or target.ref) and not is_said and self._opened_elsewhere is None:
            self._post_choice(there[target].meant)  # the page beside the tree must match the cursor
        self._put(target) if near and was_told else tree.show(cursor=target)
        if self._opened_elsewhere is not None:
            self.go_along(self._opened_elsewhere)
        sought = visible_line(self._filter)
        nothing = f"Nothing is called {sought!r}: s searches the texts, esc drops the filter." if sought else ""
        self.say_empty("" if there else nothing or "No memory yet: a adds, 9 brings some in.")
        read = [(store.session, store.catalog) for store in nodes.listed if store.catalog]
        counts = wording.counts_of([each for each, _ in read], [each for _, each in read])
        self.border_subtitle = Content(f"filtered from {counts}" if self._filter.strip() else counts)
        self._fit()

    @on(RowList.Shown)
    def _fit(self) -> None:
        """Widen the pane to fit the rows, and say how many are marked."""
        title = "1 Memory by folder" if self.by_folder and len(self._stores) > 1 else "1 Memory"
        marks = self.project_tree.count_marks()
        self.border_title = Content(" · ".join(filter(None, (title, marks))))
        self._widest = max([self._widest, *map(_width, self.project_tree.rows)])
        if isinstance(self.parent, SplitBody):
            self.parent.fit(self._widest)


def _width(row: Shown) -> int:
    """The cells of the pane in which a row is whole, with the borders, the scroll bar and a blank before the facts."""
    node, left = row.node, max(cell_len(row.guides), 2) + 4
    return left + 2 * node.here + min(cell_len(node.name), MOST_NAME) + cell_len(node.hidden or node.facts)
