"""A file that a step changes, with its text before and after: what plans consist of, and diffs are drawn from."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import Session


class FileChange(NamedTuple):
    """A file that a step over several stores changes: what it holds, and will hold (None: no file). For the diff."""

    session: Session
    ref: MemRef
    before: bytes | None
    after: bytes | None

    @property
    def place(self) -> str:
        """Where it lies."""
        return self.session.path(self.ref)
