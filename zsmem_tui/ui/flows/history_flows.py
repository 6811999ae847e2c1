"""Undo, redo, what others wrote, and texts that were wiped."""

from __future__ import annotations

import asyncio

from zsmem_tui.core.conflict import conflicts
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import losses, reviewing, undoing
from zsmem_tui.service.undoing import Clash, Resolution, UndoResult
from zsmem_tui.ui.flows.asking import choose, resolve
from zsmem_tui.ui.flows.perform import UNDO, attempt, perform, show, told
from zsmem_tui.ui.flows.reading import reload_tool
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.host import Host, Main
from zsmem_tui.ui.meaning import has, show_instead
from zsmem_tui.ui.messages import FileChosen


async def undo(host: Host, *, redo: bool) -> None:
    """The last step, back or forth; where others changed the same lines, both sides are shown first."""
    done = await attempt(_undo(host.main, redo), lambda reason: host.say(reason, warning=True))
    if done is None:
        return
    await show(host, done, key=UNDO if redo else "U to redo")
    _go_to(host.main, done.files)
    reload_tool(host)


async def _undo(main: Main, redo: bool) -> UndoResult:
    """Undo, asking as often as something clashes; with clashes left, the person wants nothing undone. Raises `MemError`."""
    answers: list[Resolution] = []
    while True:
        try:
            done = await asyncio.to_thread(undoing.undo, main.session, redo=redo, resolved=tuple(answers))
        except HistoryError as error:
            raise HistoryError(error.message, error.hint or "`zsmem undo --skip` passes over this step.") from error
        answers = []
        for clash in done.clashes:
            answer = await _resolve(main, clash)
            if answer is None:
                return done
            answers.append(answer)
        if not answers:
            return done


def _go_to(main: Main, files: tuple[MemRef, ...]) -> None:
    """Put the cursor on a file of the step that is there now; what is on the screen and is gone gives way to it."""
    there = next((ref for ref in files if has(main, ref)), None)
    if there is None:
        return
    main.tree_pane.reveal(there)
    shown = main.viewer.file
    if shown is not None and shown.ref in files and not has(main, shown.ref):
        show_instead(main, shown.ref, there)
    elif main.current == "tree":
        main.post_message(FileChosen(there))


async def _resolve(main: Main, clash: Clash) -> Resolution | None:
    """What the person wants a file to hold that others changed too; None: undo nothing."""
    name = format.title_of(clash.ref)
    if clash.theirs is None:
        answers = [
            ("no", "Undo nothing"),
            ("leave", "Leave it deleted, and go on"),
            ("back", "Bring it back as it was before this step"),
        ]
        answer = await choose(main, name, "Somebody has deleted this file since.", answers)
        return Resolution(clash.ref, None, clash.mine if answer == "back" else None) if answer in ("leave", "back") else None
    found = await asyncio.to_thread(conflicts, clash.base, clash.mine, clash.theirs)
    names = ("Theirs, on disk", "Mine, without this step")
    text = await resolve(main, name, found, names=names, leaving="leave all as it is")
    return None if text is None else Resolution(clash.ref, clash.theirs, text)


async def catch_up(main: Main) -> None:
    """Record what changed while we were not running, in the background; then tell what is new."""
    if main.catalog is None:
        return
    try:
        await asyncio.to_thread(main.follower.catch_up, main.catalog)
    except HistoryError as error:
        main.show_problem(f"{error.message} {error.hint}")
        return
    await tell_unseen(main)


async def record(main: Main, changed: frozenset[MemRef]) -> None:
    """Record what the watcher saw."""
    try:
        news = await asyncio.to_thread(main.follower.record, changed)
    except HistoryError as error:
        main.show_problem(f"{error.message} {error.hint}")
        return
    main.show_problem(main.session.undo_problem)
    if news:
        await tell_unseen(main)


async def tell_unseen(main: Main) -> None:
    """What there is to review, and the banner when a text was wiped."""
    try:
        refs = await asyncio.to_thread(reviewing.unreviewed, main.session)
        wipes = await asyncio.to_thread(reviewing.wipes, main.session) if refs else []
    except HistoryError:
        return
    main.show_unseen(refs, wipes)


async def bring_back(host: Host) -> None:
    """The text that was wiped, where there is one."""
    main = host.main
    if not main.wipes:
        host.say("No text was wiped.", warning=True)
        return
    wipe = main.wipes[0]
    await perform(host, lambda: reviewing.restore_wiped(main.session, wipe), refresh=lambda _: look_again(host))
    reload_tool(host)


async def look_again(host: Host) -> None:
    """Look at the store, and at what there is to review in it."""
    await host.main.look_now()
    await tell_unseen(host.main)


async def mend(main: Main) -> str:
    """Put back what another program's stale copy took out of what was written here: what there is to say of it."""
    reasons: list[str] = []
    found = await attempt(asyncio.to_thread(losses.mend, main.session), reasons.append)
    if found is None:
        return reasons[0]
    if found.dropped and not found.changed:
        return f"! {found.message} F3 shows it"
    return told(main.host, found)[0]
