"""The tree of projects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static, Tree
from textual.widgets.tree import TreeNode

from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.fold import fold
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import FileChosen, ProjectChosen

MAX_FILTERED = 300
"""Files shown for a filter: rebuilding the tree with these takes 25 ms."""


class Row(NamedTuple):
    """What a node stands for: a project, or a file."""

    key: MemRef | str
    name: str
    facts: str
    here: bool = False
    warn: bool = False


class ProjectTree(Tree[Row]):
    """A `Tree` whose rows have facts at their right edge."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tree")]
    ICON_NODE = "▸ "
    ICON_NODE_EXPANDED = "▾ "
    show_root = False
    guide_depth = 2
    auto_expand = False

    def render_label(self, node: TreeNode[Row], base_style: Style, style: Style) -> Text:
        """Name at the left, facts at the right, never wider than the pane."""
        row = node.data
        if row is None:
            return Text("")
        icon = (self.ICON_NODE_EXPANDED if node.is_expanded else self.ICON_NODE) if node.allow_expand else ""
        depth = 0
        above = node.parent
        while above is not None and above.parent is not None:
            depth, above = depth + 1, above.parent
        room = self.scrollable_content_region.width - depth * self.guide_depth - cell_len(icon)
        name = f"{'◆ ' if row.here else ''}{row.name}"
        facts_room = cell_len(row.facts) + 1 if room > cell_len(row.facts) + 10 else 0
        if cell_len(name) > room - facts_room > 1:
            name = set_cell_size(name, room - facts_room - 1) + "…"
        name = set_cell_size(name, max(room - facts_room, 1))
        text = Text(icon, style=base_style, no_wrap=True)
        text.append(name, style + Style(bold=row.here or None))
        if facts_room:
            quiet = Style(dim=True) if not row.warn else Style(bold=True)
            text.append(f" {row.facts}", style + quiet)
        return text

    def get_label_width(self, node: TreeNode[Row]) -> int:
        """Labels always fit: measuring them all would cost a second with 30,000 files."""
        return 1

    def action_unfold(self) -> None:
        """Unfold the project, or go to its first file."""
        node = self.cursor_node
        if node and node.allow_expand:
            if node.is_expanded:
                self.action_cursor_down()
            else:
                node.expand()

    def action_fold(self) -> None:
        """Fold the project, or go up to it."""
        node = self.cursor_node
        if node and node.allow_expand and node.is_expanded:
            node.collapse()
        elif node and node.parent and node.parent is not self.root:
            self.move_cursor(node.parent)

    def action_filter(self) -> None:
        """Ask the pane for its filter line."""
        pane = self.query_ancestor(TreePane)
        pane.open_filter()


class TreePane(Vertical):
    """Global memory, then every project, the current one first; below each its scratchpad, logs and notes."""

    def __init__(self, project: str, now_ns: Callable[[], int], word: str = "project") -> None:
        super().__init__(id="tree", classes="pane")
        self._word = word
        self._project = project
        self._now_ns = now_ns
        self._catalog: Catalog | None = None
        self._unreviewed: frozenset[MemRef] = frozenset()
        self._waiting: Counter[str] = Counter()
        self._filter = ""
        self._quiet = False

    def compose(self) -> ComposeResult:
        """The filter line, the tree, and what is shown when there is nothing."""
        self.border_title = Content(f"1 {self._word.capitalize()}s")
        yield Input(placeholder="part of a name", id="tree-filter", classes="line-input", compact=True)
        yield ProjectTree("", id="tree-view")
        yield Static("", classes="empty", id="tree-empty", markup=False)

    @property
    def project_tree(self) -> ProjectTree:
        """The tree itself."""
        return self.query_one(ProjectTree)

    def show(self, catalog: Catalog, unreviewed: frozenset[MemRef] = frozenset()) -> None:
        """Show what the store holds now; cursor and unfolded projects stay as they are.

        The `unreviewed` files are marked, and counted on their projects: others changed them since the person last looked.
        """
        self._catalog = catalog
        self._unreviewed, self._waiting = unreviewed, Counter(ref.project for ref in unreviewed)
        self._rebuild()

    def focus_tree(self) -> None:
        """Give the tree the focus."""
        self.project_tree.focus()

    def file_at_cursor(self) -> MemRef | None:
        """The file under the cursor."""
        node = self.project_tree.cursor_node
        return node.data.key if node and node.data and isinstance(node.data.key, MemRef) else None

    def project_at_cursor(self) -> str:
        """The project under the cursor, or of the file under it; empty for a file of none."""
        node = self.project_tree.cursor_node
        if node is None or node.data is None:
            return ""
        return node.data.key.project if isinstance(node.data.key, MemRef) else node.data.key

    def open_filter(self) -> None:
        """Let the person type a filter."""
        line = self.query_one("#tree-filter", Input)
        line.add_class("-shown")
        line.focus()

    def close_filter(self) -> bool:
        """Drop the filter; False when there was none."""
        line = self.query_one("#tree-filter", Input)
        if not line.has_class("-shown") and not self._filter:
            return False
        line.value = ""
        self._filter = ""
        line.remove_class("-shown")
        self._rebuild()
        self.project_tree.focus()
        return True

    def reveal(self, ref: MemRef) -> None:
        """Put the cursor on a file, without telling anybody."""
        for node in self.project_tree.root.children:
            if node.data and node.data.key == (ref.project or ref) and node.allow_expand:
                self._fill(node)
                node.expand()
                for child in node.children:
                    if child.data and child.data.key == ref:
                        self._move_quietly(child)
                        return
            elif node.data and node.data.key == ref:
                self._move_quietly(node)

    @on(Input.Changed, "#tree-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self._filter = event.value
        self._rebuild()

    @on(Input.Submitted, "#tree-filter")
    def _filter_done(self) -> None:
        self.project_tree.focus()

    @on(Tree.NodeExpanded)
    def _expanded(self, event: Tree.NodeExpanded[Row]) -> None:
        event.stop()
        self._fill(event.node)

    @on(Tree.NodeHighlighted)
    def _highlighted(self, event: Tree.NodeHighlighted[Row]) -> None:
        event.stop()
        row = event.node.data
        if row is None or self._quiet:
            return
        if isinstance(row.key, MemRef):
            self.post_message(FileChosen(row.key))
        else:
            self.post_message(ProjectChosen(row.key))

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[Row]) -> None:
        event.stop()
        row = event.node.data
        if row is None:
            return
        if isinstance(row.key, MemRef):
            self.post_message(FileChosen(row.key, enter=True))
        else:
            event.node.toggle()

    def _rebuild(self) -> None:
        catalog = self._catalog
        if catalog is None:
            return
        tree = self.project_tree
        at = tree.cursor_node.data.key if tree.cursor_node and tree.cursor_node.data else None
        parent = tree.cursor_node.parent if tree.cursor_node else None
        near = parent.data.key if parent and parent.data else None
        open_keys = {node.data.key for node in tree.root.children if node.data and node.is_expanded}
        top = tree.scroll_offset.y
        self._quiet = at is not None
        tree.clear()
        shown = self._add_filtered(catalog) if self._filter.strip() else self._add_all(catalog, open_keys)
        self._restore(at, near, top)
        empty = self.query_one("#tree-empty", Static)
        empty.set_class(not shown, "-shown")
        empty.update(f"Nothing is called {visible_line(self._filter)!r}." if self._filter else "No memory yet.")
        self.border_subtitle = Content(format.counts(catalog, self._word))

    def _restore(self, at: MemRef | str | None, near: MemRef | str | None, top: int) -> None:
        tree = self.project_tree
        target = None
        for node in tree.root.children:
            if node.data and node.data.key in (at, near) and (target is None or node.data.key == at):
                target = node
            if node.data and node.data.key in (near, at) and node.is_expanded:
                target = next((child for child in node.children if child.data and child.data.key == at), target)
        if target is None and tree.root.children:
            target = tree.root.children[0]
            self._quiet = False
        if target is not None and tree.last_line >= 0:  # asking for the last line gives every node its own
            tree.move_cursor(target)
            tree.scroll_to(y=top, animate=False, immediate=True)
        self.call_after_refresh(self._listen)

    def _listen(self) -> None:
        self._quiet = False

    def _move_quietly(self, node: TreeNode[Row]) -> None:
        self._quiet = self.project_tree.last_line >= 0  # asking for it gives every node its line
        self.project_tree.move_cursor(node)
        self.project_tree.scroll_to_node(node, animate=False)
        self.call_after_refresh(self._listen)

    def _add_all(self, catalog: Catalog, open_keys: set[MemRef | str]) -> bool:
        root = self.project_tree.root
        for entry in catalog.shared:
            root.add_leaf("", self._file_row(entry))
        for project in self._ordered(catalog):
            node = root.add("", self._project_row(project), expand=project.slug in open_keys)
            if project.slug in open_keys:
                self._fill(node)
        return bool(catalog.shared or catalog.projects)

    def _add_filtered(self, catalog: Catalog) -> bool:
        """The files and projects whose names hold every word of the filter."""
        wanted = [fold(word.encode("utf-8", "replace")) for word in words(self._filter)]
        count = 0
        for entry in catalog.shared:
            if _matches(format.name_of(entry.ref), wanted):
                self.project_tree.root.add_leaf("", self._file_row(entry))
                count += 1
        for project in self._ordered(catalog):
            found = [entry for entry in _in_order(project) if _matches(f"{project.slug} {format.name_of(entry.ref)}", wanted)]
            whole = _matches(project.slug, wanted)
            if not found and not whole:
                continue
            node = self.project_tree.root.add("", self._project_row(project), expand=not whole)
            if not whole:
                for entry in found[: MAX_FILTERED - count]:
                    node.add_leaf("", self._file_row(entry))
            count += 1 if whole else len(found)
            if count >= MAX_FILTERED:
                break
        return count > 0

    def _fill(self, node: TreeNode[Row]) -> None:
        """Add the rows of a project the first time it is unfolded."""
        if node.children or node.data is None or self._catalog is None or not isinstance(node.data.key, str):
            return
        project = self._catalog.project(node.data.key)
        for entry in _in_order(project) if project else ():
            node.add_leaf("", self._file_row(entry))

    def _ordered(self, catalog: Catalog) -> list[ProjectEntry]:
        """The current directory's project first, even when it has no memory yet; then by name."""
        here = catalog.project(self._project)
        if here is None and self._word != "project":
            return list(catalog.projects)  # what belongs to everybody is no group
        return [
            here or ProjectEntry(self._project, ()),
            *(project for project in catalog.projects if project.slug != self._project),
        ]

    def _project_row(self, project: ProjectEntry) -> Row:
        name = format.review_mark(self._waiting[project.slug], count=True) + visible_line(printable_path(project.slug))
        return Row(project.slug, name, format.facts_of_project(project, self._now_ns()), here=project.slug == self._project)

    def _file_row(self, entry: FileEntry) -> Row:
        icon = {Role.CHECKLIST: "☐ ", Role.LOG: "◷ ", Role.NOTE: "≡ "}
        prefix = icon.get(entry.ref.role, "") if entry.ref.role else ""
        facts = format.facts_of_file(entry, self._now_ns())
        mark = format.review_mark(entry.ref in self._unreviewed)
        return Row(entry.ref, f"{mark}{prefix}{format.name_of(entry.ref)}", facts, warn=bool(entry.problem))


_ORDER = (Role.FACTS, Role.INDEX, Role.CHECKLIST, Role.LOG, Role.NOTE)


def _in_order(project: ProjectEntry) -> Iterable[FileEntry]:
    """What is always in a prompt, the checklist, logs newest first, notes by name; then what has another role, or none."""
    found = [entry for role in _ORDER for entry in project.of(role)]
    listed = {entry.ref.path for entry in found}
    return [*found, *(entry for entry in project.files if entry.ref.path not in listed)]


def _matches(name: str, wanted: list[bytes]) -> bool:
    folded = fold(name.encode("utf-8", "replace"))
    return all(word in folded for word in wanted)
