"""Undo and redo, recording changes in the history, and restoring text that others wiped."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.merge import line_hunks, split
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.visible import visible
from zsmem_tui.service import editing, losses, reviewing, today
from zsmem_tui.service.results import Clash, Resolution
from zsmem_tui.service.sweeping import sweep
from zsmem_tui.ui.conversations import ENDS_ROW
from zsmem_tui.ui.dialogs.ask import Typed, choose, resolve
from zsmem_tui.ui.memory.reading import is_loading, reload_tool
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import At, OpenStore, are_several
from zsmem_tui.ui.perform import UNDO, attempt, perform, show, started, told
from zsmem_tui.ui.widgets.bars import StatusLine
from zsmem_tui.ui.widgets.frame import keep_view
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.wording import ago, folder_name, is_typed, pressed, refusal, title_of, wipe_words, with_titles

if TYPE_CHECKING:
    from zsmem_tui.service.undoing import Part, UndoResult
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen


async def undo(host: ZsmemApp, *, redo: bool) -> None:
    """Undo or redo the last step, resolving conflicts with changes by others."""
    tool, is_over = host.tool, asyncio.Event()
    for rows in (tool if tool is not None and tool.is_mounted else host.main).query(RowList):
        rows.seek_new(lambda: is_over.is_set() and not (tool is not None and is_loading(tool)))
    try:
        await _undo_and_show(host, redo=redo)
    finally:
        is_over.set()


def end_row(host: ZsmemApp) -> bool:
    """Drop what waits for its turn, if the status line says that `esc` does that; whether it does."""
    if is_said := any(ENDS_ROW in line.said for line in host.screen.query(StatusLine)):
        host.drop_keys(queued=True)
        host.conversations.coming.clear()
        host.say("What is under way is the last …")
    return is_said


async def _undo_and_show(host: ZsmemApp, *, redo: bool) -> None:
    main, at, was = host.main, host.main.tree_pane.at_cursor() or At(""), host.main.viewer.file
    async with Typed(host.tool or main) as typed:
        done = await attempt(_undo(host, redo, typed), lambda reason: host.say(reason, warning=True))
    if done is None:
        return
    stores = [store for store in main.stores if any(store.session is session for session in done.sessions)]
    back = {ref for store in stores for ref in done.files if not store.has(ref)}
    made = [store for store in main.stores if store is not main.here and store.session.root in done.places]
    main.leave(store for store in made if store.session.store_problem())  # an export that was undone had made it

    async def refresh(_: UndoResult) -> None:
        from zsmem_tui.ui.memory import checkups as checking  # deferred: needed only for undo
        from zsmem_tui.ui.projects import naming  # deferred: needed only for undo

        for store in stores or [main.here]:
            await main.look_now(store, more=redo and is_outside)  # a redone export may have made others
            checking.soon(main, store, is_own=True)  # before what takes longer, during which it would begin to be begun again
            await naming.show_known(main, store)
            await tell_unseen(main, store)

    names, is_outside = " and ".join(store.title for store in stores), bool(done.places) and not done.files
    is_clear = stores == [main.here] and not are_several(main.stores)
    if stores and not is_clear and not is_outside and not done.message.endswith((".", f" in {names}")):
        done = replace(done, message=f"{done.message} · in {names}")
    await show(host, done, refresh=refresh, key=UNDO if redo else "U to redo")
    _go_to(main, stores, done, back, at, redo)
    now = main.viewer.file
    if was is not None and now is not None and was.ref == now.ref in done.files and host.tool is None:
        for hunk in line_hunks(split(was.raw or b""), split(now.raw or b""))[:1]:
            main.viewer.view.go_to(hunk.start)
    if host.tool is not None and not is_loading(host.tool):  # what began to be read was after the step
        reload_tool(host)


async def _undo(host: ZsmemApp, redo: bool, typed: Typed) -> UndoResult:
    """Undo the newest step of all open stores, whatever the screen, asking about each conflict. Raises `MemError`.

    If conflicts remain in the result, the person cancelled.
    """
    from zsmem_tui.service import undoing  # deferred: 2 MB, needed only for undo

    main, every = host.main, [store.session for store in host.main.stores]
    answers, asked = list[Resolution](), dict[str, str]()
    own: Part | None = None  # the step below one of another window that is meant instead

    def once() -> UndoResult:
        if own is not None:
            return undoing.undo(own.session, resolved=tuple(answers), among=every, batch=own.step.batch)
        return undoing.undo_newest([main.session, *every], redo=redo, resolved=answers, unasked=asked)

    while True:
        try:
            async with main.unpolled():  # a memory that the step made goes with it: no poll must call that a loss
                done = await asyncio.to_thread(once)
        except HistoryError as error:
            raise HistoryError(error.message, error.hint or "`zsmem undo --skip` passes over this step.") from error
        if done.clashes:
            await typed.keep()  # what was decided is about texts that are there no more
        elif done.another is None:
            typed.written()
        if (step := done.another) is not None:
            made, verb = step.versions[0].when, "Redo" if redo else "Undo"
            since, is_before = ago(made, host.now_ns()), made < host.opened_ns
            when = f"made {'just now' if since == 'now' else since}, {'before' if is_before else 'outside'} this window"
            head, when = ("is of many files", "") if done.is_many else (f"was {when}", when)
            text = "\n".join(filter(None, (f"The last step {head}:", undoing.describe(step), done.about)))
            choices = [("no", "Leave it: History lists every step"), ("yes", f"{verb} it")]
            mine = await asyncio.to_thread(undoing.own_step, [main.session, *every]) if when and not redo else None
            said = with_titles(undoing.describe(mine.step), main.here, main.stores) if mine is not None else ""
            choices += [("own", f"Undo the last step of this window: {said}")] if mine is not None else []
            wanted = await choose(main, verb, with_titles(text, main.here, main.stores), choices)
            if wanted == "own":
                own = mine
                continue
            if wanted != "yes":
                return done
            asked[step.order] = when
            continue
        answers = []
        what = with_titles(undoing.describe(done.step), main.here, main.stores) if done.step else ""
        what = f"{'Redo' if redo else 'Undo'} of: {what}. "
        for clash in done.clashes:
            side = f"{'After' if redo else 'Before'} this step"
            if (answer := await resolve_clash(main, clash, mine=side, what=what, typed=typed)) is None:
                choices = [("no", "Leave it: u asks again"), ("yes", "Pass over it: u goes on with the step before it")]
                if (
                    redo
                    or own is not None
                    or clash.theirs is None  # to leave it deleted was an answer
                    or await choose(main, "Undo", f"{with_titles(done.message, main.here, main.stores)}.", choices) != "yes"
                ):
                    return done
                return replace(await asyncio.to_thread(undoing.skip, done.sessions[0]), changed=0)
            answers.append(answer)
        if not answers:
            return replace(done, message=" · ".join((done.message, *filter(None, asked.values()))))


def _go_to(main: MainScreen, stores: Sequence[OpenStore], done: UndoResult, back: Collection[MemRef], was: At, redo: bool) -> None:
    """In the tree, leave the cursor where it `was`, unless a step had taken it there from a file that is `back`.

    From a file that is gone, or from a group, go to one that is back, best one called alike; if it is gone, else to where the
    cursor was before, else to one that the step changed, but to no index that changed only along.
    """
    name, before = was.ref.path.rpartition("/")[2] if was.ref else "", main.tree_pane.came_from.get(was, was)
    changed, is_gone = set(done.places), was.ref is not None and not main.store_of(was.store).has(was.ref)
    order = lambda at: (at[1] not in back, at[1] != before.ref, at[1].path.rpartition("/")[2] != name, at[1].role is Role.INDEX)  # noqa: E731
    files = [ref for ref in done.files if ref.role is not Role.INDEX or ref in back] or done.files
    every = [(store, ref) for store in stores for ref in files if store.session.path(ref) in changed]
    every += [(main.store_of(before.store), before.ref)] if before.ref else []
    for store, there in [at for at in sorted(every, key=order) if at[0].has(at[1])][:1]:
        is_meant = is_gone or (there in back and (was.ref is None or (there == before.ref and not redo)))
        if is_meant and main.editor.ref is None and main.current != "today" and main.use(store):  # else nothing follows the cursor
            main.tree_pane.reveal(store.key, there)
            line = main.viewer.view.top_line if is_gone and store.key == main.viewer.store else None
            main.post_message(FileChosen(there, line=line, store=store.key))


async def resolve_clash(main: MainScreen, clash: Clash, *, mine: str, what: str = "", typed: Typed) -> Resolution | None:
    """Ask what a file should contain that others changed, too; None: cancel. `mine` is the title of the other side than theirs.

    `what` says what is being done.
    """
    session = next((store.session for store in main.stores if store.session.root == clash.root), main.session)
    name = title_of(clash.ref, session)
    if clash.theirs is None:
        answers = [("no", "Do nothing"), ("leave", "Leave it deleted, and go on"), ("back", f"Bring it back: {mine.lower()}")]
        answer = await choose(main, name, f"{what}Somebody has deleted this file since.", answers)
        if answer not in ("leave", "back"):
            return None
        return Resolution(clash.ref, None, clash.mine if answer == "back" else None, clash.root)
    sides = editing.Sides(os.path.join(clash.root or main.session.root, clash.ref.path), clash.base, clash.mine, clash.theirs)
    keep = partial(editing.put_beside, session, clash.ref)
    about = f"{what}These lines have changed since"
    names, leaving = ("Theirs, on disk", mine), "leave all as it is"
    text = await resolve(main, name, sides, names=names, leaving=leaving, about=about, keep=keep, typed=typed)
    return None if text is None else Resolution(clash.ref, sides.theirs, text, clash.root)


async def catch_up(main: MainScreen, store: OpenStore) -> None:
    """Record changes made while the program was not running, then update what is to be reviewed."""
    if store.catalog is None:
        return
    shown = main.viewer.file if main.viewer.store == store.key else None
    try:
        await asyncio.to_thread(store.follower.catch_up, store.catalog, shown)
    except HistoryError as error:
        tell_problem(main, store, refusal(error))
        return
    store.is_recorded = True
    await tell_unseen(main, store, whole=True)


async def record(main: MainScreen, store: OpenStore, changed: frozenset[MemRef]) -> None:
    """Record changes that were noticed in a store; first complete steps of killed processes."""
    for sentence in await asyncio.to_thread(sweep):
        main.say(visible(sentence), warning=True)
    was_recorded, store.is_recorded = store.is_recorded, False
    news = await attempt(asyncio.to_thread(store.follower.record, changed), partial(tell_problem, main, store))
    store.is_recorded = was_recorded
    if news is not None:
        tell_problem(main, store)
    if news:
        await tell_unseen(main, store)
        if not changed and not main.host.conversations.under_way:  # another window has reviewed or undone something
            reload_tool(main.host)


def tell_problem(main: MainScreen, store: OpenStore, problem: str = "") -> None:
    """Show or hide the warning that undo is off."""
    if store.has_problem(problem or store.session.undo_problem):
        main.tell_right()


async def tell_unseen(main: MainScreen, store: OpenStore, *, whole: bool = False) -> None:
    """Update which files are to be reviewed, the banner for wiped text, the page of Review, and whether undo is offered.

    To compare large texts takes seconds: then the last two follow by themselves, unless the `whole` is waited for; with the page
    there, all do, since the counts are to be those of its list.
    """
    from zsmem_tui.ui.review import opening  # deferred: imports the page

    store.can_undo = await attempt(asyncio.to_thread(store.session.history.step), lambda _: None) is not None
    main.host.can_undo = any(each.can_undo for each in main.stores)
    store.asked_news += 1
    compared = partial(_compare, main, store, store.asked_news)
    if whole:
        await compared()
    elif not await started(main, compared, group=f"unseen {store.key}") and not opening.pages(main):
        with suppress(HistoryError):  # which the history page shows
            refs, store.waiting = await asyncio.to_thread(today.unseen, store.session)
            main.show_unseen(store, refs, store.wipes)


async def _compare(main: MainScreen, store: OpenStore, asked: int) -> None:
    """Compare the texts once for all that asked before; those that ask meanwhile wait for their turn."""
    from zsmem_tui.ui.review import opening  # deferred: imports the page

    async with store.comparing:
        if store.told_news >= asked or store not in main.stores:
            return
        told = store.asked_news
        try:
            refs, waiting = await asyncio.to_thread(today.unseen, store.session)
            wipes = await asyncio.to_thread(reviewing.wipes, store.session) if refs or store.empty else []
        except HistoryError:
            refs, waiting, wipes = store.unreviewed, store.waiting, store.wipes  # the history page shows the error
        await opening.look(main, store)
        store.waiting, store.told_news = waiting, told  # shown when the list is, else one would contradict the other
        main.show_unseen(store, refs, wipes)
        for page in opening.pages(main):
            if page.is_there:
                page.say()


async def bring_back(host: ZsmemApp) -> None:
    """Restore what the banner tells of, or was put away: of several files, a chosen one or all that are told. Ask before a missing
    folder is made anew. The cursor stays where it is on a file.
    """
    main = host.main
    store = max((main.here, *main.stores), key=lambda each: (bool(each.wipes_to_tell), bool(each.missing)))
    if not store.missing:
        again = await attempt(asyncio.to_thread(main.session.history.step, redo=True), lambda _: None)
        key = pressed("U", is_typed(host.tool or main))
        redo = f" {key} makes the step again that was undone." if again else ""
        host.warn(f"Nothing to bring back: no text that others deleted is missing.{redo}")
        return
    if not main.use(store):
        return
    wipes, verb, own = store.wipes_to_tell or store.missing, reviewing.restore_wiped, main.tree_pane.file_at_cursor()
    if wipes[0].gone == "":
        whole = f"{reviewing.gone_words(store.session, wipes)}\n{folder_name(store.session.root)}"
        answers = [("no", "Leave it"), ("yes", "Make it anew, with all files"), ("end", "It is meant so: say it no more")]
        went = store.went(main.stores)
        why = f"It is {folder_name(went)} now: 0 and A there follow." if went else "Was it renamed, or is its disk away?"
        answer = await choose(main, "Restore", f"{whole}\n{why}", answers) or "no"
        if answer == "no":
            return
        verb = reviewing.give_up if answer == "end" else verb
    elif wipes[-1].gone is None and (every := sorted(store.missing, key=lambda each: each not in wipes))[1:]:
        words = (f"{title_of(each.ref, store.session)} · {wipe_words(each)}{' · hidden' * (each not in wipes)}" for each in every)
        answers = [*zip([each.ref.path for each in every], words, strict=True), ("", f"All {len(wipes):,} files")]
        which = await choose(main, "Restore", "Which text?", answers if wipes[1:] else answers[:-1])
        if which is None:
            return
        wipes = [each for each in every if each.ref.path == which] or wipes
    done = await perform(host, lambda: verb(main.session, wipes), refresh=lambda _: main.look_after(store))
    came = sorted((each.ref for each in wipes if store.has(each.ref)), key=lambda ref: ref.project != store.session.project)
    if done is not None and came and host.tool is None and main.current != "today" and own is None:
        main.post_message(FileChosen(came[0], store=store.key))
    reload_tool(host)


async def mend(main: MainScreen, store: OpenStore) -> tuple[str, dict[str, int]]:
    """Restore what another program's outdated copy has overwritten; return a message, once for each loss, and the lines by path."""
    reasons: list[str] = []
    found = await attempt(asyncio.to_thread(losses.mend, store.session), reasons.append)
    if found is None:
        return "" if store.session.store_problem() else reasons[0], {}  # the banner and the tree say that it is gone
    before, store.dropped = store.dropped, {each.path: each.when for each in found.dropped}
    if before != store.dropped:
        keep_view(main, f"dropped {store.key}", lambda: {**dict.fromkeys(before), **store.dropped}, main.say)
    is_told = store.dropped.items() <= before.items()
    is_told |= store.dropped.keys() <= {each.ref.path for each in store.wipes}  # in the banner
    if found.dropped and not found.changed:
        return "" if is_told else main.in_review(f"! {found.message}", store, [each.path for each in found.dropped]), {}
    return told(main.host, found, "u if it was deleted on purpose")[0], dict(found.put_back)
