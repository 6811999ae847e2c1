"""Following the store: read it, then look at it twice a second, and tell what others wrote."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import plural
from zsmem_tui.service import losses
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.searching import warm_up
from zsmem_tui.service.watching import Changed, prompt_use
from zsmem_tui.ui.flows import editing
from zsmem_tui.ui.flows.reading import mark_lines, reload, reload_tool
from zsmem_tui.ui.format import common as format

if TYPE_CHECKING:
    from zsmem_tui.ui.host import Main

_NOTHING: frozenset[MemRef] = frozenset()

POLL_SECONDS = 0.5
"""Seconds between two looks at the store."""


async def follow(main: Main, *, again: bool) -> None:
    """Show the current project first, then everything, then what changes, until the screen goes."""
    follower = main.follower
    if main.catalog is None:
        glance = await asyncio.to_thread(follower.glance)
        if glance.file_count:
            main.show_catalog(glance)
            await asyncio.sleep(0)
    catalog = await asyncio.to_thread(follower.first)
    main.show_catalog(catalog)
    main.show_catalog(await asyncio.to_thread(follower.counted, catalog))
    await _measure(main)
    await asyncio.to_thread(warm_up, main.session)
    if not again:
        main.host.talk(editing.offer_drafts(main))
    if main.follows:
        from zsmem_tui.ui.flows import history_flows  # with undo and review 8 ms, after the first frame

        await history_flows.catch_up(main)
        if words := await history_flows.mend(main):
            main.say(words, warning=True)
    while main.follows:
        await asyncio.sleep(POLL_SECONDS)
        await look(main)


async def look(main: Main) -> None:
    """Look once."""
    opened = main.editor.ref or (main.viewer.file.ref if main.viewer.file else None)
    change = await _poll(main, opened)
    words = ""
    if main.follows and change and losses.needs_look(main.session):
        from zsmem_tui.ui.flows import history_flows  # with undo and review 8 ms, after the first frame

        words = await history_flows.mend(main)
        if words and (again := await _poll(main, opened)):  # what was put back is no news of others
            change = again._replace(changed=change.changed | again.changed)
    if change:
        await _show(main, change, opened)
    if words:  # after what was read again, which says less
        main.say(words, warning=True)


async def _poll(main: Main, opened: MemRef | None) -> Changed | None:
    async with main.looking:
        change = await asyncio.to_thread(main.follower.poll, opened)
    if main.follows:
        from zsmem_tui.ui.flows import history_flows  # with undo and review 8 ms, after the first frame

        await history_flows.record(main, change.changed if change else _NOTHING)
    return change


async def _show(main: Main, change: Changed, opened: MemRef | None) -> None:
    main.session.texts.expire()
    main.show_catalog(change.catalog)
    await _measure(main)
    if text := format.change(await asyncio.to_thread(losses.others, main.session, change.changed), opened):
        main.say(text)
    if opened in change.changed:
        if main.editor.ref is not None:
            await _tell_editor(main, main.editor.ref)
        else:
            await reload(main)
    await mark_lines(main)
    main.search.search_again()
    reload_tool(main.host)


async def _tell_editor(main: Main, ref: MemRef) -> None:
    """The file under the editor changed: the text stays, a line above it says so. What we saved ourselves is no news."""
    file = await asyncio.to_thread(open_file, main.session, ref)
    if main.editor.ref != ref or file.raw == (main.editor.base or b""):
        return
    if file.problem and not file.missing:
        main.editor.banner(f"! {file.problem}. Your text is still here.")
    elif problem := main.session.store_problem():
        main.editor.banner(f"! {problem} Your text is still here.")
    elif file.missing:
        main.editor.banner("! Somebody deleted this file · ctrl+s saves your text as a new one")
    else:
        lines = file.raw.count(b"\n") - (main.editor.base or b"").count(b"\n")
        change = f"{abs(lines)} {plural('line', abs(lines))} {'more' if lines > 0 else 'fewer'}" if lines else "as many lines"
        main.editor.banner(f"! Somebody changed this file on disk ({change}) · ctrl+s keeps both · esc leaves")


async def _measure(main: Main) -> None:
    """How full the prompt is."""
    main.show_use(await asyncio.to_thread(prompt_use, main.session))
