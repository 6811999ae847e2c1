"""Ending what processes that died had begun: every kind of step over many files has notes of its own."""

from __future__ import annotations

from zsmem_tui.core.layout import Layout
from zsmem_tui.store.transfer import all_or_none, archives, exports, relocation


def recover(root: str, layout: Layout) -> None:
    """Finish, or take back, what was begun in the store at `root` or in several at once, and left in the middle."""
    all_or_none.recover_all()
    relocation.recover(root, layout)
    archives.recover(root, layout)
    exports.recover(root)
