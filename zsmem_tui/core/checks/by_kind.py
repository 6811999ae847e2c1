"""The interface for doctor checks that apply to one kind of store only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from zsmem_tui.core.checks.finding import Finding, Fix
    from zsmem_tui.core.tree import Tree


class Checks:
    """The checks of one kind of store; none by default. All paths are relative to the store."""

    def faults(self, tree: Tree, group: str) -> Iterable[Finding]:
        """Findings about the files of a group (empty: files of no group). Raises `StoreError`."""
        return ()

    def shortened(self, tree: Tree, path: str) -> Fix | None:
        """A fix for a file that is too long for the prompt; None if a person has to shorten it. Raises `StoreError`."""
        return None


NO_CHECKS: Final = Checks()
