"""The tree of stores, groups and files on the main screen, and the pane around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar, Final

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text, TextType
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region
from textual.getters import query_one
from textual.strip import Strip
from textual.widgets import Input, Tree
from textual.widgets.tree import TreeNode

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import view_state
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.memory.tree_nodes import Node, TreeNodes
from zsmem_tui.ui.messages import FileChosen, GroupChosen, Said
from zsmem_tui.ui.open_store import At, OpenStore
from zsmem_tui.ui.widgets.bars import both_ends, end_of
from zsmem_tui.ui.widgets.frame import FilterLine, Pane, SplitBody
from zsmem_tui.ui.widgets.row_list import Ranging

_PATH = Pattern(r"(?<!\S)[-/~].*")
"""Matches a path at the end of a name; when shortened, the end of the path is kept, since it is the distinctive part."""

MOST_NAME: Final = 48
"""Cells of a name for which the pane is widened."""

_CUT_CELLS: Final = 30
"""Cells of a row from which a name that is cut all the same leaves a file its size and age."""

_HASH = 9
"""Length of the hash at the end of a slug, including its hyphen."""


def draw_label(text: Text, row: Node, room: int, style: Style, *, mark: str = "", is_folded: bool = True) -> Text:
    """Append a row to `text` in at most `room` cells: `mark` and the name, then the facts at the right edge.

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
    strong = style + Style(bold=row.here or None)
    dim = Style(dim=not style.bold or None)  # on the cursor's row, which is bold, dim text is hard to read
    text.append(name[:spoken], strong)
    text.append(name[spoken:], style + dim)
    if facts_room:
        quiet = dim if facts in (row.facts, row.brief) and not row.warn else Style(bold=True)
        text.append(f" {facts}", style + quiet)
    return text


MARK = f"{signs.MARKED} "
"""Shown before the name of a marked file."""


class ProjectTree(Ranging, Tree[Node]):
    """A `Tree` widget whose rows show facts at the right edge."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tree")]
    ICON_NODE = f"{signs.FOLDED} "
    ICON_NODE_EXPANDED = f"{signs.UNFOLDED} "
    show_root = False
    guide_depth = 2
    auto_expand = False

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._own_style: Style | None = None
        self.marked: set[At] = set()
        """The marked files, including those in folded groups."""
        self._is_hidden = False  # whether the cursor is to be revealed once there is room

    def render_label(self, node: TreeNode[Node], base_style: Style, style: Style) -> Text:
        """Render the name at the left and the facts at the right, never wider than the pane."""
        row = node.data
        if row is None:
            return Text("")
        icon = (self.ICON_NODE_EXPANDED if node.is_expanded else self.ICON_NODE) if node.allow_expand else ""
        room = self.scrollable_content_region.width - len(list(_ancestors(node))) * self.guide_depth - cell_len(icon)
        text = Text(icon, style=base_style, no_wrap=True)
        mark = MARK if row.at in self.marked else ""
        return draw_label(text, row, room, style, mark=mark, is_folded=not node.is_expanded)

    def get_label_width(self, node: TreeNode[Node]) -> int:
        """Return a constant: labels always fit, and measuring 30,000 of them would take a second."""
        return 1

    def reveal_cursor(self) -> None:
        """Scroll to the cursor; if the tree is not on the screen, once it is: without its height it would scroll past its start."""
        self._is_hidden = not self.size.height
        if self.cursor_node is not None and not self._is_hidden:
            self.scroll_to_node(self.cursor_node, animate=False)

    def show_below(self, node: TreeNode[Node]) -> None:
        """Scroll so that the first rows below the cursor's are seen, too."""
        if (rows := node.children) and node.is_expanded and node is self.cursor_node and self.size.height > 1:
            self.scroll_to_node(rows[min(len(rows), self.size.height - 1) - 1], animate=False)
            self.reveal_cursor()

    def on_resize(self) -> None:
        """Scroll to the cursor if that had to wait."""
        if self._is_hidden:
            self.reveal_cursor()

    def action_move(self, step: int) -> None:
        """Move the cursor by one row, down if `step` is positive."""
        self.action_cursor_down() if step > 0 else self.action_cursor_up()
        self.extend()

    def action_page(self, step: int) -> None:
        """Move the cursor by one page, down if `step` is positive."""
        self.action_page_down() if step > 0 else self.action_page_up()
        self.extend()

    def action_edge(self, step: int) -> None:
        """Move the cursor to the first (`step` < 0) or last row."""
        self.action_scroll_home() if step < 0 else self.action_scroll_end()
        self.extend()

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        self.action_select_cursor()

    @property
    def rich_style(self) -> Style:
        """The tree's style; cached while rows are drawn, so that it is not computed for each of them."""
        return self._own_style or super().rich_style

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render the visible rows."""
        self._own_style = super().rich_style
        try:
            return super().render_lines(crop)
        finally:
            self._own_style = None

    def process_label(self, label: TextType) -> Text:
        """Convert a `str` without parsing markup, which also avoids loading the emoji table."""
        return Text(label) if isinstance(label, str) else label

    def action_unfold(self) -> None:
        """Unfold the group, or move to its first row if it is unfolded."""
        if (node := self.cursor_node) and node.allow_expand:
            self.action_cursor_down() if node.is_expanded else node.expand()

    def action_fold(self) -> None:
        """Fold the group, or move to the parent row."""
        node = self.cursor_node
        if node and node.allow_expand and node.is_expanded:
            node.collapse()
        elif node and node.parent and node.parent is not self.root:
            self.move_cursor(node.parent)

    def action_mark(self) -> None:
        """Toggle the mark of the file under the cursor and move down."""
        at = self.key
        if at is None or at.ref is None:
            self.post_message(Said("Only files can be marked: l unfolds this.", warning=True))
            return
        self._mark(self.marked ^ {at})
        self.action_cursor_down()

    @property
    def keys(self) -> Sequence[At]:  # type: ignore[override]
        """What the rows in unfolded groups stand for."""
        return [node.data.at for node in _descendants(self.root, shown=True) if node.data]

    def can_mark(self, key: At) -> bool:
        """Whether it is a file."""
        return key.ref is not None

    def marks_changed(self) -> None:
        """Show the marks, and say how many there are."""
        self._mark(self.marked)

    def action_mark_all(self) -> None:
        """Mark all visible files of the agent under the cursor; if all are marked already, unmark them."""
        here = self.cursor_node.data if self.cursor_node is not None else None
        rows = [node.data for node in _descendants(self.root, shown=True) if node.data and node.data.at.ref is not None]
        every = {row.at for row in rows if here is None or not here.at.store or row.at.store == here.at.store}
        self._mark(self.marked - every if every <= self.marked else self.marked | every)

    def unmark(self) -> bool:
        """Unmark all files; False if none was marked."""
        if was := bool(self.marked):
            self._mark(set())
        return was

    def _mark(self, marked: set[At]) -> None:
        self.marked = marked
        self.notify_style_update()  # rows are cached by the widget
        if marked:
            self.post_message(Said(f"{counted(len(marked), 'file')} marked: c copies, m moves, d deletes, esc unmarks."))

    @property
    def key(self) -> At | None:
        """What the row under the cursor stands for."""
        return node.data.at if (node := self.cursor_node) and node.data else None


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
        self._line: FilterLine | None = None
        self._silent_node: TreeNode[Node] | None = None
        """The row that the program moved the cursor to: a highlight event for it, or an older one, did not come from the person."""
        self._known: set[At] = set()
        """Rows shown before: whether they are unfolded is up to the person."""
        self._widest = 0
        self.seen: At | None = None
        """What was under the cursor when others last wrote; None once the person moved it or pressed a key that acts."""
        self._opened_elsewhere: At | None = None
        """The open file, if the tree has no row for it yet: it counts as the file at the cursor."""

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
            self._known.clear()  # other rows stand at the top now
        self._stores, self._folders = stores, folders
        tree, there = self.project_tree, {store.key: store for store in stores}
        node, at = tree.cursor_node, tree.key or At("")
        kept = {each for each in (at, *tree.marked) if each.ref and each.store in there and there[each.store].has(each.ref)}
        tree.marked &= kept
        is_last = self._filter and node and at.ref and at not in kept and not any(_siblings(node))
        (self._drop_filter if is_last else self._rebuild)(goes_on=True)  # without a filter, the cursor stays in its group

    def switch_grouping(self) -> str:
        """Switch between grouping by agent and by folder; return a sentence that says which."""
        if len(self._stores) < 2:
            return "There is one store only: nothing to put side by side."
        self.by_folder = not self.by_folder
        at = self.at_cursor()
        self.project_tree.clear()
        self._known.clear()
        self._rebuild()
        if at is not None and at.ref is not None and at.group:  # by folder, global files come last
            self.reveal(at.store, at.ref)
        return "By folder: what each agent remembers of it." if self.by_folder else "By agent."

    def at_cursor(self) -> At | None:
        """What the row under the cursor stands for; None if there is no row."""
        node = self.project_tree.cursor_node
        return self._opened_elsewhere or (node.data.meant if node and node.data else None)

    def file_at_cursor(self) -> MemRef | None:
        """The file under the cursor, or None."""
        return at.ref if (at := self.at_cursor()) else None

    def action_filter(self) -> None:
        """Open the filter line."""
        if self._line is None:
            self._line = FilterLine("part of a name", id="tree-filter", rows="tree-view")
            self.mount(self._line, before=0)
        self._line.begin()

    def close_filter(self) -> bool:
        """Drop the filter; False if there was none."""
        start = self._line.start if self._line is not None else None
        if self._line is None or not self._line.close():
            return False
        before = self.at_cursor()
        self._drop_filter()
        if start is not None:
            self._reveal(start)
        self._tell(before)
        return True

    def _drop_filter(self, *, goes_on: bool = False) -> None:
        self._filter = ""
        if self._line is not None:
            self._line.drop()
        self._rebuild(goes_on=goes_on)

    def go_along(self, at: At) -> None:
        """Move the cursor to what was opened or moved elsewhere; if the tree has no row for it yet, as soon as it has."""
        self._opened_elsewhere = None if self._reveal(at) else at

    def reveal(self, store: str, ref: MemRef) -> bool:
        """Put the cursor on a file without posting a message; drop a filter that hides it. False if there is no such row."""
        return self._reveal(At(store, ref.project, ref))

    def _reveal(self, wanted: At) -> bool:
        found, ref = self._find(self.project_tree.root, wanted), wanted.ref
        if found is None and self._filter and ref and any(each.key == wanted.store and each.has(ref) for each in self._stores):
            self._drop_filter()
            found = self._find(self.project_tree.root, wanted)
        if found is not None:
            for above in _ancestors(found):
                above.expand()
            self._move_silently(found)
        return found is not None

    def _find(self, parent: TreeNode[Node], wanted: At) -> TreeNode[Node] | None:
        """Find the row of `wanted`, adding the rows of groups on the way as needed."""
        for node in parent.children:
            at = node.data.at if node.data else At("")
            if node.data and wanted in (at, node.data.first):
                return node
            is_told = node.data is not None and wanted.store in node.data.told
            if node.allow_expand and (is_told or (at.store in ("", wanted.store) and at.group in ("", wanted.group))):
                self._add_below(node)
                if (found := self._find(node, wanted)) is not None:
                    return found
        return None

    @on(Input.Changed, "#tree-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self._filter, before = event.value, self.at_cursor()
        self._rebuild()
        if self._filter.strip() and (rows := self.project_tree.root.children):
            node = rows[0]
            while node.is_expanded and node.children:
                node = node.children[0]
            self._move_silently(node)
        elif not self._filter and self._line is not None and self._line.start is not None:
            self._reveal(self._line.start)
        self._tell(before)

    def _tell(self, before: At | None) -> None:
        """Tell the page beside the tree what the cursor is on, if that is something else than `before`."""
        if (at := self.at_cursor()) is not None and at != before:
            self._post_choice(at)

    @on(Tree.NodeExpanded)
    def _expanded(self, event: Tree.NodeExpanded[Node]) -> None:
        event.stop()
        self._add_below(event.node)
        if event.node is self.project_tree.cursor_node:
            self.call_after_refresh(self.project_tree.show_below, event.node)

    @on(Tree.NodeHighlighted)
    def _highlighted(self, event: Tree.NodeHighlighted[Node]) -> None:
        event.stop()
        row, quiet = event.node.data, self._silent_node
        if row is not None and (quiet is None or quiet is not event.node is self.project_tree.cursor_node):
            self._post_choice(row.meant)

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[Node]) -> None:
        event.stop()
        if (row := event.node.data) is not None:
            self._post_choice(row.at, enter=True) if row.at.ref is not None else event.node.toggle()

    def _post_choice(self, at: At, *, enter: bool = False) -> None:
        """Post a message with the file or group under the cursor."""
        self._opened_elsewhere = self.seen = None
        if at.ref is not None:
            self.post_message(FileChosen(at.ref, enter=enter, store=at.store, in_tree=True))
        else:
            self.post_message(GroupChosen(at))

    def tick(self) -> None:
        """Redraw the rows whose ages or names have changed, without a rebuild, so that keys are not delayed."""
        _renew(self.project_tree.root, self._made.top(self._filter))

    def _rebuild(self, *, goes_on: bool = False) -> None:
        tree = self.project_tree
        cursor = tree.cursor_node
        levels = (cursor, *_ancestors(cursor)) if cursor else ()
        near = (each for level in levels for each in (level, *(_siblings(level) if goes_on else ())))
        at = [each.data.at for each in near if each.data]
        open_now = {node.data.at for node in _descendants(tree.root) if node.data and node.is_expanded}
        top = tree.scroll_offset.y
        tree.clear()
        nodes = self._made = TreeNodes(self._stores, self._now_ns, folders=self._folders if self.by_folder else None)
        rows = nodes.top(self._filter)
        self._add(tree.root, rows, open_now)
        self._restore(at, top, goes_on=goes_on)
        if rows:
            self.say_empty("")
        else:
            sought = visible_line(self._filter)
            self.say_empty(f"Nothing is called {sought!r}." if sought else "No memory yet: a adds, 9 brings some in.")
        read = [(store.session, store.catalog) for store in nodes.listed if store.catalog]
        self.border_title = Content("1 Memory by folder" if self.by_folder and len(self._stores) > 1 else "1 Memory")
        self.border_subtitle = Content(wording.counts_of([each for each, _ in read], [each for _, each in read]))

    def _add(self, parent: TreeNode[Node], rows: Iterable[Node], open_now: AbstractSet[At] = frozenset()) -> None:
        """Add rows below `parent`, recursively for those that are unfolded, and widen the pane to fit them."""
        left = len([parent, *_ancestors(parent)]) * ProjectTree.guide_depth + 4  # borders, scroll bar, and a blank before the facts
        for row in rows:
            self._widest = max(
                self._widest, left + 2 * row.here + min(cell_len(row.name), MOST_NAME) + cell_len(row.hidden or row.facts)
            )
            if row.below is None:
                parent.add_leaf("", row)
                continue
            unfolded = row.at in open_now or (row.unfolded and (row.at not in self._known or bool(self._filter)))
            self._known.add(row.at)
            node = parent.add("", row, expand=unfolded)
            if unfolded:
                self._add(node, row.below(), open_now)
        if isinstance(self.parent, SplitBody):
            self.parent.fit(self._widest)

    def _restore(self, at: Sequence[At], top: int, *, goes_on: bool) -> None:
        """Put the cursor on the first of the rows `at` that exists, else on the first row of memory; scroll to line `top`."""
        tree = self.project_tree
        there = {node.data.at: node for node in _descendants(tree.root) if node.data} if at else {}
        target = next((there[each] for each in at if each in there), None)
        follows = self._opened_elsewhere is None and not (at and at[0].ref and self.seen == at[0])  # else it is said to be gone
        if target is None and tree.root.children:
            rows = [(node, node.data) for node in _descendants(tree.root) if node.data]
            of_memory = (node for node, row in rows if row.at.ref and row.at.ref.role is not Role.INSTRUCTIONS)
            here = (node for node, row in rows if row.here)
            target = next(of_memory, None) or next(here, tree.root.children[0])
        elif target and (row := target.data) and row.at != at[0] and (goes_on or row.at.ref) and follows:
            self._post_choice(row.meant)  # the page beside the tree must match the cursor
        if target is not None and tree.last_line >= 0:  # reading `last_line` assigns line numbers to all nodes
            tree.cursor_line = target.line
            tree.scroll_to(y=top, animate=False, immediate=True)
        self._silence(target if at else None)
        if self._opened_elsewhere is not None:
            self.go_along(self._opened_elsewhere)

    def _silence(self, node: TreeNode[Node] | None) -> None:
        """Take a highlight of this row for the program's, as long as those posted until now are on their way through the tree."""
        self._silent_node = node
        self.project_tree.call_later(self.call_later, self._end_silence, node)

    def _end_silence(self, node: TreeNode[Node] | None) -> None:
        self._silent_node = None if self._silent_node is node else self._silent_node

    def _move_silently(self, node: TreeNode[Node]) -> None:
        has_lines = self.project_tree.last_line >= 0  # reading it assigns line numbers to all nodes
        self.project_tree.cursor_line = node.line
        self.project_tree.reveal_cursor()
        self._silence(node if has_lines else None)

    def _add_below(self, node: TreeNode[Node]) -> None:
        """Add the rows below `node`, if that was not done before."""
        if not node.children and node.data is not None and node.data.below is not None:
            self._add(node, node.data.below())


def _renew(parent: TreeNode[Node], rows: Sequence[Node]) -> None:
    """Replace the rows below `parent` by newer ones of the same places, and redraw those that look different."""
    for node, row in zip(parent.children, rows, strict=False):
        if (old := node.data) is None or old.at != row.at:
            return  # other rows are about to be shown
        node.data = row
        if old._replace(below=None) != row._replace(below=None):
            node.refresh()
        if node.children and row.below is not None:
            _renew(node, row.below())


def _ancestors(node: TreeNode[Node]) -> Iterator[TreeNode[Node]]:
    """Yield the ancestors of a row, nearest first, without the root."""
    parent = node.parent
    while parent is not None and parent.parent is not None:
        yield parent
        parent = parent.parent


def _siblings(node: TreeNode[Node]) -> Iterator[TreeNode[Node]]:
    """Yield the siblings of a row, files of a file and groups of a group: those after it, then those before it, nearest first."""
    rows = node.parent.children if node.parent else ()
    every = [each for each in rows if each.data and node.data and (each.data.at.ref is None) == (node.data.at.ref is None)]
    place = every.index(node) if node in every else 0
    yield from (*every[place + 1 :], *reversed(every[:place]))


def _descendants(root: TreeNode[Node], *, shown: bool = False) -> Iterator[TreeNode[Node]]:
    """Yield all descendants that exist; with `shown`, only those in unfolded rows."""
    for child in root.children:
        yield child
        if child.is_expanded or not shown:
            yield from _descendants(child, shown=shown)
