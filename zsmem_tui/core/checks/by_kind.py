"""What the doctor finds by the rules of one kind of store alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from zsmem_tui.core.checks.finding import Finding, Fix
    from zsmem_tui.core.tree import Tree


class Checks:
    """The rules of one kind of store: none but those of every kind, where a kind does not say more. All paths are the store's."""

    def faults(self, tree: Tree, group: str) -> Iterable[Finding]:
        """What is wrong with the files of a group (empty: with those of no group). Raises `StoreError`."""
        return ()

    def shortened(self, tree: Tree, path: str) -> Fix | None:
        """How a file that is too long for the prompt is made to fit; None where that takes a person. Raises `StoreError`."""
        return None


NO_CHECKS: Final = Checks()
