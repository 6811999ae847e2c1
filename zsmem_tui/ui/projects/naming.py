"""Names of projects from their folders: known ones are shown at once, others are searched for in the background."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.projects.known import KnownProjects, belongs_here, known_projects, memory_for, with_entries
from zsmem_tui.service.projects.own import has_folders, own_folder
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.memory.reading import show_group_again
from zsmem_tui.ui.open_store import AWAY, FAMILY, Naming, ProjectName
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.wording import folder_name

if TYPE_CHECKING:
    from zsmem_tui.service.projects.naming import NamingResult
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore

TELL_SECONDS: Final = 0.25
"""Seconds between updates of names during the search."""


def names(known: KnownProjects, own: str, folder: str) -> dict[str, ProjectName]:
    """The names of projects in the tree; equal names get their folder's parent. `own` is the project of `folder`."""
    found = {each.slug: each for each in known.projects}
    labels = {slug: each.label for slug, each in found.items()}
    if folder and own not in labels:
        labels[own] = visible_line(printable_path(os.path.basename(folder))) or own
    taken = Counter(labels.values())
    out: dict[str, ProjectName] = {}
    for slug, label in labels.items():
        verdict = found[slug].verdict if slug in found else None
        where = verdict.folder if verdict is not None else folder
        if taken[label] > 1 and label != slug:
            label = f"{label} ({folder_name(os.path.dirname(where)) if where else visible_line(printable_path(slug))})"
        away = AWAY.get(verdict.state, "") if verdict is not None else ""
        family = verdict.family if verdict is not None else ""
        out[slug] = ProjectName(label, away or (FAMILY if family else ""), family)
    return out


async def show_known(main: MainScreen, store: OpenStore) -> None:
    """Show the known names of a store's projects, and a hint if another memory seems to belong here."""
    if not await asyncio.to_thread(has_folders, store.session):
        return
    known = await attempt(asyncio.to_thread(known_projects, store.session), lambda _: None)
    if known is None:
        return
    store.known = known
    session = store.session
    folder = await asyncio.to_thread(own_folder, session)
    called = names(known, session.project, folder)
    if session.folders:  # else they are not found yet
        there = {each.slug: each.verdict.folder for each in known.projects if each.verdict.state is State.HERE}
        session.folders = there | dict(session.folders)
    if is_news := called != store.names:
        store.call(called)
        main.tree_pane.show(main.stores, main.folders)
    found = memory_for(session, known, folder)
    words = belongs_here(found) if found is not None else ""
    if words != store.hint:
        is_news, store.hint = True, words
        if words and store is main.here:
            main.host.say(f"{words} 0 to look.")
    if is_news:
        show_group_again(main)
        main.tell_right()


async def keep_finding(main: MainScreen, store: OpenStore) -> None:
    """Search for a store's folders, and again whenever `names_wanted` is set, until the screen is closed."""
    while main.follows:
        store.names_wanted.clear()
        is_asked = store.sought is None
        done = await find_names(main, store)
        if is_asked and done is not None and done.is_whole:
            known = f"of {done.named} of {done.memories} projects the folder is known"
            main.host.say(f"Looked into {counted(done.folders, 'folder')}: {known}.")
        await store.names_wanted.wait()


async def find_names(main: MainScreen, store: OpenStore) -> NamingResult | None:
    """Search for the folders of a store's projects, showing names as they are found, until done or stopped.

    None, with a message, if that failed.
    """
    from zsmem_tui.service.projects import naming  # deferred: known names are shown first

    found: dict[str, str] = {}
    latest: list[NamingResult] = []
    gone = store.known.gone if store.known is not None else frozenset()
    under_way = store.naming = Naming(threading.Event())
    work = asyncio.to_thread(
        naming.name_projects, store.session, cancelled=under_way.stop.is_set, progress=latest.append, on_named=found.setdefault
    )
    job = asyncio.ensure_future(attempt(work, lambda reason: main.host.say(reason, warning=True)))
    try:
        while not (await asyncio.wait({job}, timeout=TELL_SECONDS))[0]:
            if latest:
                under_way.progress = latest[-1]
                latest.clear()
            new = {slug: found[slug] for slug in list(found) if slug not in store.names or store.names[slug].label == slug}
            if new:
                called = {slug: visible_line(printable_path(os.path.basename(each) or slug)) for slug, each in new.items()}
                store.call({**store.names, **{slug: ProjectName(label) for slug, label in called.items()}})
                main.tree_pane.tick()
    finally:
        under_way.stop.set()
        store.naming = None
        job.cancel()
    done = await job
    store.sought = gone | done.sought if done is not None else gone
    if done is not None:
        is_news, store.naming_problems = done.problems != store.naming_problems, done.problems
        if done.problems and is_news:
            more = f" 0 shows {len(done.problems) - 1} more." if len(done.problems) > 1 else ""
            main.host.say(f"{done.problems[0]}{more}", warning=True)
    await show_known(main, store)
    return done


async def about(main: MainScreen, store: OpenStore, group: str) -> None:
    """Show a page about a project."""
    from zsmem_tui.ui.projects.rows import ProjectRow, about_page  # deferred: 25 ms, with the plans

    session = store.session
    known = await attempt(asyncio.to_thread(known_projects, session), lambda reason: main.host.say(reason, warning=True))
    if known is None:
        return
    entries = {each.slug: ProjectRow(entry, each) for entry, each in await asyncio.to_thread(with_entries, session, known)}
    if group not in entries:
        main.host.warn(f"{store.group_name(group)} has no memory yet.")
        return
    page = about_page(entries[group], entries, main.host.now_ns())
    show_page(main.app, f"About {entries[group].known.label}", page)
