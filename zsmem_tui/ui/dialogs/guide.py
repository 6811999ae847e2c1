"""The pages of help: about the pane in use, all keys, what was said, and the others behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.service import help
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.keys.bindings import ALL_KEYS, PANE_NAMES, PANES, SCOPES, key_list, with_bases
from zsmem_tui.ui.memory.pane_focus import SCOPE_OF
from zsmem_tui.ui.overlay import Overlay
from zsmem_tui.ui.signs import legend
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.wording import age, fenced

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

_TOLD_CELLS: Final = 54
"""Cells of a row of a sentence that is read again, as on a page at 80 columns."""


def show_keys(app: ZsmemApp) -> None:
    """All keys, those of the pane in use first; the pages of help are behind them."""
    (explained, explain), keys, *more = _pages(app)
    show_page(app, keys[0], keys[1](), [*more, (explained, explain)])


def show_help(app: ZsmemApp) -> None:
    """The pane in use, explained; all keys and the other pages are behind it."""
    (title, explain), *more = _pages(app)
    show_page(app, title, explain(), more)


def show_messages(app: ZsmemApp, told: Sequence[tuple[int, str]]) -> None:
    """What the status line said, the latest first."""
    now = app.now_ns()
    rows: list[str] = []
    for then, text in reversed(told):
        first, *more = wrapped(text, _TOLD_CELLS) or [""]
        rows += [f"{age(then, now):>4}  {first}", *(f"      {line}" for line in more)]
    show_page(app, "Messages", fenced(rows) if rows else "Nothing was said yet.")


def _pages(app: ZsmemApp) -> list[tuple[str, Callable[[], str]]]:
    """The pages of help: about what is in use, all keys, then the others."""
    pane, scopes = _pane(app)
    scopes = with_bases(scopes)
    actions = app.actions
    own, everywhere = key_list(actions, scopes), key_list(actions, ["app"])
    others = key_list(actions, [scope for scope in SCOPES if scope not in ("app", *scopes)])
    parts = [f"## Here: {PANE_NAMES[pane]}", own, everywhere, "## In other panes", others, "## Changing keys"]
    return [
        (f"Help: {PANE_NAMES[pane]}", lambda: f"{help.read(f'panes/{pane}')}\n## Its keys\n\n{own}"),
        (ALL_KEYS, lambda: "\n\n".join([f"Signs: {legend()}", *parts, help.read("changing_keys")])),
        *((title, partial(help.read, name)) for name, title in help.GUIDE.items()),
    ]


def _pane(app: ZsmemApp) -> tuple[str, list[str]]:
    """The page of help about what is in use, and the scopes it is about: first that of the widget with the focus."""
    screen, tool, focused = app.screen, app.tool, app.focused
    explained = screen.PAGE if isinstance(screen, Overlay) else ""
    pane = explained or (tool.PAGE if tool else app.main.current)
    known = tool.SCOPE_OF if tool else SCOPE_OF
    in_use = known.get(focused.id or "") if focused is not None else None
    return pane, sorted((scope for scope in SCOPES if PANES.get(scope) == pane), key=lambda scope: scope != in_use)
