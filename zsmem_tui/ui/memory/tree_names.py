"""New names for projects that are in the tree already: nothing is made anew, so no key waits for it."""

from __future__ import annotations

from collections.abc import Container, Iterator

from textual.widgets.tree import TreeNode

from zsmem_tui.ui.memory.tree import ProjectTree
from zsmem_tui.ui.memory.tree_nodes import Node, name_of_group
from zsmem_tui.ui.open_store import OpenStore


def rename(tree: ProjectTree, store: OpenStore, slugs: Container[str]) -> None:
    """Show what these projects of a store are called now."""
    for node in _groups(tree):
        row = node.data
        if row is not None and row.at.store == store.key and row.at.group in slugs and row.at.ref is None:
            node.data = row._replace(name=name_of_group(store, row.at.group))
            node.refresh()


def _groups(tree: ProjectTree) -> Iterator[TreeNode[Node]]:
    """The rows that no other holds, and those below a store."""
    for node in tree.root.children:
        yield node
        yield from node.children
