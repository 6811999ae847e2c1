"""A screen that makes room for a while, and comes back as it was left."""

from __future__ import annotations

from collections.abc import Callable

from zsmem_tui.ui.overlay import Layer


class Aside:
    """Takes a screen off the stack, with whatever lies over it, and puts it back; `load` shows how things are by then."""

    def __init__(self, screen: Layer[None], load: Callable[[], object]) -> None:
        self._screen = screen
        self._load = load

    def go(self) -> None:
        """Off the screen as it is, until `come_again`. Meanwhile it counts as closed."""
        screen = self._screen
        while screen.app.screen is not screen:
            screen.app.screen.dismiss(None)
        screen.closed = True
        screen.workers.cancel_node(screen)
        screen.app.install_screen(screen, f"aside-{id(screen)}")  # else Textual would remove it
        screen.app.pop_screen()

    def come_again(self) -> None:
        """On the screen again, as it was left, with what is there now."""
        screen = self._screen
        screen.app.uninstall_screen(screen)
        screen.closed = False
        screen.app.push_screen(screen)
        self._load()

    def forget(self) -> None:
        """Nothing leads back to it any more."""
        self._screen.app.uninstall_screen(self._screen)
        self._screen.remove()
