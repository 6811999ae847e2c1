"""Reading the stores in the background, polling them for changes, and showing what others wrote."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.limits import AWAY_SECONDS, GIVE_BACK_EVERY, OTHERS_EVERY, POLL_SECONDS
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import demo_folders, losses, today, view_state
from zsmem_tui.service.projects.own import has_folders
from zsmem_tui.service.searching import give_back, warm_up
from zsmem_tui.service.watching import Changed, prompt_use
from zsmem_tui.ui import wording
from zsmem_tui.ui.memory import checkups as checking
from zsmem_tui.ui.memory import editing
from zsmem_tui.ui.memory.reading import mark_lines, reload, reload_tool, show_group_again
from zsmem_tui.ui.open_store import OpenStore, are_several
from zsmem_tui.ui.perform import UNDO, attempt

if TYPE_CHECKING:
    from zsmem_tui.service import folders, stores
    from zsmem_tui.service.sync import standing
    from zsmem_tui.ui import sync
    from zsmem_tui.ui.history import verbs as history_verbs
    from zsmem_tui.ui.projects import naming
    from zsmem_tui.ui.review import opening
else:  # loaded once the rows are shown
    folders, standing, stores = late_modules("zsmem_tui.service", "folders sync.standing stores")
    history_verbs, naming, sync, opening = late_modules("zsmem_tui.ui", "history.verbs projects.naming sync review.opening")

if TYPE_CHECKING:  # types only
    from zsmem_tui.ui.memory.screen import MainScreen

AHEAD_SECONDS = 0.5
"""Seconds that it gets to find out what waits in the first store, on which Review opens, before all else is read."""

LONG_SECONDS = 1.0
"""Seconds of recording after which the status line says so."""

_NAMED = "agents_named"
"""The kind of view state that has the agents named at a start."""

_RECORDING = "Recording what changed …"
_MINUTE = 60.0


async def follow(main: MainScreen) -> None:
    """Read the stores, the current one first, then watch them until the screen is closed."""
    again, main.was_read = main.was_read, True
    first, *rest = main.stores
    await _reporting_errors(main, first, _read(main, first))
    if not again:
        await editing.offer_drafts(main, first)
    caught_up = asyncio.ensure_future(_reporting_errors(main, first, _catch_up(main, first, again=again)))
    await asyncio.gather(caught_up, _open_rest(main, first, rest, behind=caught_up))
    await asyncio.gather(
        _watch(main), _catch_up_others(main, first, again=again), _find_names(main), _keep_synced(main, again=again)
    )


async def _open_rest(main: MainScreen, first: OpenStore, rest: Sequence[OpenStore], behind: asyncio.Future[None]) -> None:
    await asyncio.wait({behind}, timeout=AHEAD_SECONDS)
    async with first.looking:
        await _reporting_errors(main, first, _measure(main, first))
    for store in rest:
        await _reporting_errors(main, store, _read_and_measure(main, store))
    await _show_names(main)
    if main.follows:
        await opening.show(main)  # which may wait for nothing but a name
    await _open_more(main)


async def _keep_synced(main: MainScreen, *, again: bool) -> None:
    """Show the sync status each minute, and sync as often as the settings say; does nothing if sync was never set up."""
    if not main.follows:
        return
    every, minutes = main.session.config.sync, 0
    is_due = every == "start" and not again
    while True:
        stands = await asyncio.to_thread(standing.standing, main.host.now_ns())
        if stands.is_on and (is_due or (isinstance(every, int) and minutes % every == 0)):
            await sync.in_background(main)
            stands = await asyncio.to_thread(standing.standing, main.host.now_ns())
        is_due = False
        main.show_sync(stands.words)
        await asyncio.sleep(_MINUTE)
        minutes += 1


async def _show_names(main: MainScreen) -> None:
    """Show the names of projects that are known from before."""
    for store in list(main.stores):
        await naming.show_known(main, store)


async def _find_names(main: MainScreen) -> None:
    """Look for the folder of each project, now and whenever asked."""
    if main.follows:
        named_so = [store for store in main.stores if await asyncio.to_thread(has_folders, store.session)]
        await asyncio.gather(*(naming.keep_finding(main, store) for store in named_so))


async def _reporting_errors(main: MainScreen, store: OpenStore, work: Awaitable[object]) -> None:
    """Await `work` and report its error, each once, so that it does not affect the other stores."""
    reasons: list[str] = []
    await attempt(work, reasons.append)
    trouble = "".join(reasons)
    if trouble and trouble != store.trouble and store in main.stores:
        main.say(f"{store.title}: {trouble}" if len(main.stores) > 1 else trouble, warning=True)
    store.trouble = trouble


async def _watch(main: MainScreen) -> None:
    given_back = looked_for = time.monotonic()
    while main.follows:
        stirring = await _pause(main.attended, partial(_changed_stores, main))
        for store in list(main.stores):
            if store is main.here or store in stirring or time.monotonic() - store.looked_at >= OTHERS_EVERY:
                await _reporting_errors(main, store, look(main, store))
        if main.empty and time.monotonic() - looked_for >= OTHERS_EVERY:
            await look_for_more(main)
            looked_for = time.monotonic()
        if time.monotonic() - given_back >= GIVE_BACK_EVERY:
            given_back = time.monotonic()
            for store in list(main.stores):
                await asyncio.to_thread(give_back, store.session)


async def _pause(attended: asyncio.Event, stirring: Callable[[], Awaitable[list[OpenStore]]]) -> list[OpenStore]:
    """Wait for the next poll; return the stores that should be polled early.

    While the terminal has no focus the wait is longer; it ends when the focus returns or a store changes.
    """
    await asyncio.sleep(POLL_SECONDS)
    waited = POLL_SECONDS
    while not attended.is_set() and waited < AWAY_SECONDS:
        if found := await stirring():
            return found
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(attended.wait(), POLL_SECONDS)
        waited += POLL_SECONDS
    return []


async def _changed_stores(main: MainScreen) -> list[OpenStore]:
    """The stores in which a folder or a recently written file has changed."""
    found = []
    for store in list(main.stores):
        async with store.looking:
            if store.catalog is not None and await asyncio.to_thread(store.follower.stirs):
                found.append(store)
    return found


async def _catch_up_others(main: MainScreen, first: OpenStore, *, again: bool) -> None:
    """Check the stores but the first for changes since the last session, one by one, while that is already watched."""
    others = [store for store in main.stores if store is not first]
    for store in others if not again else ():
        await editing.offer_drafts(main, store)
    for store in others:
        await _reporting_errors(main, store, _catch_up(main, store, again=again))
    if not again:
        await asyncio.to_thread(demo_folders.remove_left)
    if main.follows:
        opening.say_nothing_waits(main)
        main.opens_today = False


async def _open_more(main: MainScreen) -> None:
    """Find and open the other stores."""
    if main.more is None:
        await _name_groups(main)
        return
    beside = await attempt(asyncio.to_thread(main.more), lambda reason: main.say(reason, warning=True))
    main.more = None  # only now, so that a second read during the search asks again
    if beside is None:
        return
    main.folders = tuple(dict.fromkeys([*main.folders, *beside.folders]))
    known = {store.key for store in main.stores}
    main.stores += (new := [found for found in map(OpenStore, beside.sessions) if found.key not in known])
    for store in main.stores:
        store.session.folders = beside.folders_of.get(store.key, {})
    main.tree_pane.show(main.stores, main.folders)
    show_group_again(main)
    for store in new:
        await _reporting_errors(main, store, _read_and_measure(main, store))
        main.search.search_again()
        reload_tool(main.host)
    if main.empty and main.here.catalog is not None:
        main.show_catalog(main.here, main.here.catalog)  # the welcome page depends on this
    if new and are_several(main.stores) and not main.host.has_keys:
        others = dict.fromkeys(each.title for each in main.stores if are_several([main.here, each]))
        others.pop(main.here.title, None)
        if await asyncio.to_thread(_are_new, [*others]):
            main.say(f"This is the memory of {main.here.title}; 1 g h j lead to {', '.join(others)}.", news=True)


def _are_new(agents: Sequence[str]) -> bool:
    """Whether one of these agents was never named at a start; from now on, all were."""
    if not (new := [each for each in agents if each not in view_state.read(_NAMED)]):
        return False
    with contextlib.suppress(MemError):
        view_state.keep(_NAMED, dict.fromkeys(new, True))
    return True


async def look_for_more(main: MainScreen) -> None:
    """Open stores that have appeared since, as the welcome page promises, and leave those that moved there with their folder."""
    found = await attempt(asyncio.to_thread(main.every_store), lambda _: None) if main.every_store is not None else None
    if found is None:
        return
    lost = [each for each in main.stores if each is not main.here and each.wipes and each.wipes[0].gone == ""]
    main.leave([each for each in lost if await asyncio.to_thread(stores.has_moved, each.session, found.sessions)])
    known = {store.key for store in main.stores}
    if {OpenStore(each).key for each in found.sessions} - known:
        main.more = lambda: found
        await _open_more(main)
        for store in [each for each in main.stores if each.key not in known]:
            await _reporting_errors(main, store, _catch_up(main, store, again=True))


async def _name_groups(main: MainScreen) -> None:
    """Find the folder of each group, in stores that name groups by codes."""
    for store in main.stores:
        if not store.session.layout.projects_folder and not store.folders:
            found = await attempt(asyncio.to_thread(folders.folders_of, store.session, main.folders), lambda _: None)
            store.session.folders = found or {}
            main.tree_pane.show(main.stores, main.folders)
    show_group_again(main)


def _find_readers(main: MainScreen, store: OpenStore, catalog: Catalog) -> None:
    """Find out which agents read which instruction files, before the tree asks. Call it in a thread."""
    root = store.session.root
    for agent in main.stores if only_instructions(store.session.layout) else ():
        if root in (agent.session.folder, *agent.folders.values()) and not only_instructions(agent.session.layout):
            agent.reads(root, catalog.shared)


async def _read(main: MainScreen, store: OpenStore) -> None:
    """Read a store: the group of the current folder first, then everything."""
    follower = store.follower
    if store.catalog is None:
        glance = await store.glance()
        await asyncio.to_thread(_find_readers, main, store, glance)
        if glance.file_count:
            main.show_catalog(store, glance)
            await asyncio.sleep(0)
        elif main.more is not None:
            await _open_more(main)  # their rows are the first that there are
    async with store.looking:
        catalog = await asyncio.to_thread(follower.first)
        main.show_catalog(store, catalog)
        main.show_catalog(store, await asyncio.to_thread(follower.counted, catalog))


async def _read_and_measure(main: MainScreen, store: OpenStore) -> None:
    await _read(main, store)
    async with store.looking:
        await _measure(main, store)


async def _catch_up(main: MainScreen, store: OpenStore, *, again: bool) -> None:
    """Check a store for changes since the last session, what waited then first, and warm up the search."""
    if main.follows:
        if not again and await attempt(asyncio.to_thread(today.waited, store.session), lambda _: None):
            await history_verbs.tell_unseen(main, store, whole=True)
        await history_verbs.catch_up(main, store)
    await asyncio.to_thread(warm_up, store.session)
    if main.follows:
        if words := (await history_verbs.mend(main, store))[0]:
            main.say(words, warning=True)
        checking.soon(main, store)


async def look(main: MainScreen, store: OpenStore, *, folders: bool = False) -> None:
    """Poll a store once and show the changes. Waits for a running poll, so its changes are shown, too.

    With `folders`, check all folders for new and removed files, not only those that are due.
    """
    async with store.showing:
        store.looked_at = time.monotonic()
        opened, before = _open_ref(main, store), store.catalog
        change = await _poll(main, store, opened, folders=folders)
        words, back = "", dict[str, int]()
        if main.follows and change and losses.needs_look(store.session):
            words, back = await history_verbs.mend(main, store)
            again = await _poll(main, store, opened, folders=folders) if words else None
            if again:  # so that restored text is not reported as a change by others
                others = (change.others - again.changed) | again.others
                change = again._replace(changed=change.changed | again.changed, others=others)
        if change:
            await _show(main, store, change, opened, before, back)
        if words and main.host.tool is not None:
            main.host.say(words, warning=True)
        elif words:  # after the file was reloaded, whose message says less, and after what a save just said
            main.say(words, warning=True, news=True)


def _open_ref(main: MainScreen, store: OpenStore) -> MemRef | None:
    """The file of a store that is being edited or read, or None."""
    if main.editor.ref is not None:
        return main.editor.ref if store is main.here else None
    return main.viewer.file.ref if main.viewer.file and main.viewer.store == store.key else None


async def _poll(main: MainScreen, store: OpenStore, opened: MemRef | None, *, folders: bool) -> Changed | None:
    async with store.looking:
        if store not in main.stores:  # an undone export took it away while this waited
            return None
        change = await asyncio.to_thread(store.follower.poll, opened, folders=folders)
    if change and change.others and not main.host.conversations.under_way:  # else it may be what the person does, not yet noted
        main.others_wrote()  # before any row is shown
    if change:  # to record a large file takes seconds
        store.checkup = store.checkup.without_files({ref.path for ref in change.changed - change.catalog.refs})
        main.show_catalog(store, change.catalog)
    if main.follows:
        if store.problem:
            await asyncio.to_thread(store.session.look_at_undo_again)
        if change or store.follower.is_behind:
            long = main.set_timer(LONG_SECONDS, partial(_say_recording, main))
            try:
                await history_verbs.record(main, store, change.changed if change else frozenset())
            finally:
                long.stop()
                if main.status.said == _RECORDING:
                    main.status.clear()
                    main.tell_right()
        else:
            history_verbs.tell_problem(main, store)
    return change


def _say_recording(main: MainScreen) -> None:
    if not main.status.said:  # behind a result it would come when it is so no more
        main.say(_RECORDING, news=True)
    main.tell_right()


async def _show(
    main: MainScreen, store: OpenStore, change: Changed, opened: MemRef | None, before: Catalog | None, back: dict[str, int]
) -> None:
    """Show a change since the catalog `before`; `back` has the lines just put back, by path."""
    before = before or Catalog()
    store.session.texts.expire()
    for each in list(main.stores):
        if each.session.is_read_with(store.session):  # opencode's prompt has the blocks of both its folders
            await _measure(main, each)
    if before.problem or change.catalog.problem:  # the files came and went with the store: nobody wrote them
        await _show_availability(main, store, opened, is_news=before.problem != change.catalog.problem)
        return
    if {each.slug for each in before.projects} != {each.slug for each in change.catalog.projects}:
        await _show_names(main)
    lines = [line for screen in main.app.screen_stack for line in screen.query(type(main.status)) if UNDO in line.said]
    if lines:  # drop a result that names the key which undoes it, if another window has undone it
        undone = await attempt(asyncio.to_thread(store.session.history.step, redo=True), lambda _: None)
        for line in lines if undone is not None else ():
            line.clear()
    others, was = frozenset(change.others), frozenset(before.refs)
    if store.last_news[0] and main.status.said == store.last_news[0]:  # many files come in several looks: one sentence counts them
        others, was = others | store.last_news[1], store.last_news[2]
    if text := change.others and wording.change(others, opened, store.session, was, change.catalog.refs):
        store.last_news = main.in_review(text, store, [ref.path for ref in others]), others, was
        main.say(store.last_news[0], news=True)
    if text := wording.hidden(before, change.catalog):
        main.say(text, warning=change.catalog.hidden != (), news=True)
    if (opened in change.changed or text) and opened is not None and opened == _open_ref(main, store):
        if main.editor.ref is not None:
            await editing.warn(main, main.editor.ref, back.get(main.editor.ref.path, 0))
        else:
            await reload(main, is_news=opened in change.others)
    await mark_lines(main)
    main.search.search_again()
    reload_tool(main.host)
    checking.soon(main, store, is_own=not change.others)


async def _show_availability(main: MainScreen, store: OpenStore, opened: MemRef | None, *, is_news: bool) -> None:
    """Say once that a store has gone or has come back."""
    problem = store.catalog.problem if store.catalog else ""
    if main.editor.ref is not None and main.editor.ref == opened:
        await editing.warn(main, main.editor.ref)
    elif is_news and problem and store is not main.here:  # for the current store its page says so
        main.say(f"{store.title}: {problem}", warning=True)
    elif not problem and opened is not None and opened == _open_ref(main, store):
        await reload(main)
    main.search.search_again()
    reload_tool(main.host)
    checking.soon(main, store)
    if main.follows and is_news:
        await history_verbs.tell_unseen(main, store)


async def measure(store: OpenStore, project: str) -> None:
    """Compute how full the prompt of a project is; None if a file or a folder cannot be read, which the prompt screen reports."""
    session = store.session.for_group(project)
    found = asyncio.to_thread(lambda: None if session.folder_problems() else prompt_use(session))
    store.prompts = {**store.prompts, project: await attempt(found, lambda _: None)}


async def _measure(main: MainScreen, store: OpenStore) -> None:
    """Compute how full the prompt is, and the problems between indexes and files."""
    store.prompts = {}
    await measure(store, store.session.project)
    if main.stores[1:]:
        await asyncio.to_thread(store.find_told, store.session.project)
    main.tell_right()
    listing = await asyncio.to_thread(store.follower.listing, store.catalog) if store.catalog else {}
    if listing != store.listing:
        store.listing = listing
        main.tree_pane.show(main.stores, main.folders)
        if main.viewer.store == store.key:
            await mark_lines(main)
