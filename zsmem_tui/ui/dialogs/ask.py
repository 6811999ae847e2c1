"""Questions to the person: dialogs are opened here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import App

if TYPE_CHECKING:
    from zsmem_tui.core.conflict import Conflicts
    from zsmem_tui.ui.tool import Place


async def choose(
    place: Place, title: str, text: str, answers: Sequence[tuple[str, str]], *, names: bool = False, first: int = 0
) -> str | None:
    """The id of the answer that was chosen; None for none. Where the answers are `names`, typing filters them.

    The answer in the place `first` has the cursor: where none is of here, the safe one.
    """
    from zsmem_tui.ui.dialogs.choice import ChoiceDialog  # a first frame asks nothing

    return await place.app.push_screen_wait(ChoiceDialog(title, text, answers, names=names, first=first))


async def ask_line(
    place: Place, title: str, text: str, value: str = "", *, lines: bool = False, mend: bool = False, problem: str = ""
) -> str | None:
    """A line of text; None when the question was closed. `problem` is why `value`, the answer before, was refused.

    With `lines`, several may be pasted; with `mend`, a key changes `value` at its end instead of replacing it.
    """
    from zsmem_tui.ui.dialogs.choice import PromptDialog  # a first frame asks nothing

    return await place.app.push_screen_wait(PromptDialog(title, text, value, lines=lines, mend=mend, problem=problem))


async def resolve(place: Place, name: str, found: Conflicts, *, names: tuple[str, str], leaving: str) -> bytes | None:
    """The text that shall stand where both sides changed the same lines, decided one by one; None: write nothing.

    `names` says where theirs and mine come from, `leaving` what it means to decide nothing.
    """
    from zsmem_tui.ui.dialogs.conflict import ConflictDialog  # with `TextArea`, 20 ms: not before something is edited

    return await place.app.push_screen_wait(ConflictDialog(name, found, names=names, leaving=leaving))


def show_page(app: App[Any], title: str, text: str, more: Sequence[tuple[str, Callable[[], str]]] = ()) -> None:
    """A page of help, until it is closed; `more` are the titles and texts of the pages that `tab` goes on to."""
    from zsmem_tui.ui.dialogs.help import HelpDialog  # nor does it explain

    app.push_screen(HelpDialog(title, text, more))
