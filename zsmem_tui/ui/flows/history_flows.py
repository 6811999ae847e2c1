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
from zsmem_tui.ui.meaning import show_instead
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import OpenStore


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
    there = next((ref for ref in files if main.here.has(ref)), None)
    if there is None:
        return
    main.tree_pane.reveal(main.here.key, there)
    shown = main.viewer.file
    if shown is not None and shown.ref in files and not main.here.has(shown.ref):
        show_instead(main, shown.ref, there)
    elif main.current == "tree":
        main.post_message(FileChosen(there, store=main.here.key))


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


async def catch_up(main: Main, store: OpenStore) -> None:
    """Record what changed in a store while we were not running, in the background; then tell what is new."""
    if store.catalog is None:
        return
    try:
        await asyncio.to_thread(store.follower.catch_up, store.catalog)
    except HistoryError as error:
        _tell_problem(main, store, f"{error.message} {error.hint}")
        return
    await tell_unseen(main, store)


async def record(main: Main, store: OpenStore, changed: frozenset[MemRef]) -> None:
    """Record what the watcher of a store saw."""
    try:
        news = await asyncio.to_thread(store.follower.record, changed)
    except HistoryError as error:
        _tell_problem(main, store, f"{error.message} {error.hint}")
        return
    _tell_problem(main, store, store.session.undo_problem)
    if news:
        await tell_unseen(main, store)


def _tell_problem(main: Main, store: OpenStore, problem: str) -> None:
    if store.has_problem(problem):
        main.tell_right()


async def tell_unseen(main: Main, store: OpenStore) -> None:
    """What there is to review in a store, and the banner when a text was wiped."""
    try:
        refs = await asyncio.to_thread(reviewing.unreviewed, store.session)
        wipes = await asyncio.to_thread(reviewing.wipes, store.session) if refs else []
    except HistoryError:
        return
    main.show_unseen(store, refs, wipes)


async def bring_back(host: Host) -> None:
    """The text that was wiped, where there is one."""
    main = host.main
    store = next((each for each in (main.here, *main.stores) if each.wipes), None)
    if store is None:
        host.say("No text was wiped.", warning=True)
        return
    if not main.use(store):
        return
    wipe = store.wipes[0]
    await perform(host, lambda: reviewing.restore_wiped(main.session, wipe), refresh=lambda _: look_again(host))
    reload_tool(host)


async def look_again(host: Host) -> None:
    """Look at the store, and at what there is to review in it."""
    await host.main.look_now()
    await tell_unseen(host.main, host.main.here)


async def mend(main: Main, store: OpenStore) -> str:
    """Put back what another program's stale copy took out of what was written here: what there is to say of it."""
    reasons: list[str] = []
    found = await attempt(asyncio.to_thread(losses.mend, store.session), reasons.append)
    if found is None:
        return reasons[0]
    if found.dropped and not found.changed:
        return f"! {found.message} F3 shows it"
    return told(main.host, found)[0]
