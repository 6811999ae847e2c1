"""Work in the background: none of it goes on while the screens that it tells are taken down, and none begins then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from textual.dom import DOMNode
from textual.worker import Worker
from textual.worker_manager import WorkerManager


class Background(WorkerManager):
    """Textual's own, which ends for good: once all was cancelled, what is asked for is not begun.

    Textual cancels the workers of a screen when its widgets have gone, one by one. What wakes up in between finds half a screen.
    """

    ended = False
    """Whether all was cancelled: the program is ending."""

    def cancel_all(self) -> None:
        """Cancel everything, and begin nothing any more."""
        self.ended = True
        super().cancel_all()

    def add_worker(self, worker: Worker[Any], start: bool = True, exclusive: bool = True) -> None:
        """Begin it, unless the program is ending."""
        if not self.ended:
            super().add_worker(worker, start, exclusive)


def begin(node: DOMNode, work: Callable[[], Awaitable[None]], *, group: str, exclusive: bool = False) -> None:
    """Do something in the background of the app, a screen or a widget. What is cancelled before it began is never called.

    What goes on in a group is cancelled for one that is `exclusive` there.
    """
    node.run_worker(work, group=group, exclusive=exclusive)
