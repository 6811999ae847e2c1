"""Undo, redo, what others wrote, and texts that were wiped."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import HistoryError, MemError
from zsmem_tui.core.outcomes import Conflicted
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import losses, reviewing, undoing
from zsmem_tui.service.editing import Editable
from zsmem_tui.service.undoing import Clash, Resolution
from zsmem_tui.ui.dialogs.choice import ChoiceDialog
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.messages import FileChosen

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.screens.main import MainScreen


async def undo(app: ZsmemApp, *, redo: bool) -> None:
    """The last step, back or forth; where others changed the same lines, both sides are shown first."""
    main = app.main
    try:
        done = await asyncio.to_thread(undoing.undo, main.session, redo=redo)
        while done.clashes:
            answers: list[Resolution] = []
            for clash in done.clashes:
                answer = await _resolve(app, clash)
                if answer is None:
                    app.tell(done.message, warning=True)
                    return
                answers.append(answer)
            done = await asyncio.to_thread(undoing.undo, main.session, redo=redo, resolved=answers)
    except HistoryError as error:
        hint = error.hint or "`zsmem undo --skip` passes over this step."
        app.tell(f"{error.message} {hint}", warning=True)
        return
    except MemError as error:
        app.tell(f"{error.message} {error.hint}", warning=True)
        return
    await main.look_now()
    problem = main.session.undo_problem
    key = "u to undo" if redo else "U to redo"
    app.tell(format.undoable(done.message, problem, key) if done.done else done.message, warning=not done.done or bool(problem))
    _go_to(main, done.files)
    app.reload_tool()


def _go_to(main: MainScreen, files: tuple[MemRef, ...]) -> None:
    """Put the cursor on a file of the step that is there now; what is on the screen and is gone gives way to it."""
    there = next((ref for ref in files if main.has(ref)), None)
    if there is None:
        return
    main.tree_pane.reveal(there)
    shown = main.viewer.file
    if shown is not None and shown.ref in files and not main.has(shown.ref):
        main.show_instead(shown.ref, there)
    elif main.current == "tree":
        main.post_message(FileChosen(there))


async def _resolve(app: ZsmemApp, clash: Clash) -> Resolution | None:
    """What the person wants a file to hold that others changed too; None: undo nothing."""
    name = format.title_of(clash.ref)
    if clash.theirs is None:
        answers = [
            ("no", "Undo nothing"),
            ("leave", "Leave it deleted, and go on"),
            ("back", "Bring it back as it was before this step"),
        ]
        text = "Somebody has deleted this file since."
        answer = await app.push_screen_wait(ChoiceDialog(name, text, answers))
        return Resolution(clash.ref, None, clash.mine if answer == "back" else None) if answer in ("leave", "back") else None
    from zsmem_tui.ui.dialogs.conflict import ConflictDialog  # with `TextArea`, 20 ms: not before something is edited

    shape = Editable(clash.theirs)
    if shape.raw is None:
        return None
    texts = [Editable(raw).text for raw in (clash.mine, clash.theirs, clash.proposal)]
    dialog = ConflictDialog(name, *texts, base=Editable(clash.base).text, typing=False)
    answer = await app.push_screen_wait(dialog)
    return None if answer is None else Resolution(clash.ref, clash.theirs, shape.encode(answer))


async def catch_up(main: MainScreen) -> None:
    """Record what changed while we were not running, in the background; then tell what is new."""
    if main.catalog is None:
        return
    try:
        await asyncio.to_thread(main.follower.catch_up, main.catalog)
    except HistoryError as error:
        main.show_problem(f"{error.message} {error.hint}")
        return
    await tell_unseen(main)


async def record(main: MainScreen, changed: frozenset[MemRef]) -> None:
    """Record what the watcher saw."""
    try:
        news = await asyncio.to_thread(main.follower.record, changed)
    except HistoryError as error:
        main.show_problem(f"{error.message} {error.hint}")
        return
    main.show_problem(main.session.undo_problem)
    if news:
        await tell_unseen(main)


async def tell_unseen(main: MainScreen) -> None:
    """The count to review, and the banner when a text was wiped."""
    try:
        count = await asyncio.to_thread(reviewing.count, main.session)
        wipes = await asyncio.to_thread(reviewing.wipes, main.session) if count else []
    except HistoryError:
        return
    main.show_unseen(count, wipes)


async def bring_back(app: ZsmemApp) -> None:
    """The text that was wiped, where there is one."""
    main = app.main
    if not main.wipes:
        app.tell("No text was wiped.", warning=True)
        return
    wipe = main.wipes[0]
    try:
        outcome = await asyncio.to_thread(reviewing.restore_wiped, main.session, wipe)
    except MemError as error:
        app.tell(f"{error.message} {error.hint}", warning=True)
        return
    if isinstance(outcome, Conflicted):
        app.tell(f"{format.title_of(wipe.ref)} is being written just now. Nothing was brought back: try again.", warning=True)
        return
    await main.look_now()
    await tell_unseen(main)
    problem = main.session.undo_problem
    app.tell(format.undoable(f"Brought back {format.title_of(wipe.ref)}", problem), warning=bool(problem))
    app.reload_tool()


async def mend(main: MainScreen) -> str:
    """Put back what another program's stale copy took out of what was written here: what there is to say of it."""
    try:
        found = await asyncio.to_thread(losses.mend, main.session)
    except MemError as error:
        return f"{error.message} {error.hint}"
    if found.put_back:
        files = ", ".join(visible_line(printable_path(path)) for path, _ in found.put_back)
        lines = counted(sum(count for _, count in found.put_back), "line")
        problem = main.session.undo_problem
        return format.undoable(f"Put back {lines} in {files} that another program's write had dropped.", problem)
    if found.dropped:
        first = found.dropped[0]
        more = f" {len(found.dropped) - 1} more." if len(found.dropped) > 1 else ""
        return f"! {losses.describe(first)}{more} F3 shows it"
    return ""
