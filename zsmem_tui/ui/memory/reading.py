"""Showing a file in the viewer, or a project, and again when it has changed; following its links, and coming back.

What is wrong between files and what lists them is said here too: only other agents have such lists.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.link_target import Leads, LeadsAway, LeadsNowhere, LeadsTo, by_name, by_path, heading_line
from zsmem_tui.core.notice import Notice, sentence
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import line_counts
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.browsing import OpenFile, open_file
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.memory.tree_nodes import LINKS
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.reading.inline import LINE, WIKI, link_words
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.reading.places import Spot
from zsmem_tui.ui.welcome import about_folder, about_project, about_store
from zsmem_tui.ui.wording import title_of

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import At, OpenStore
    from zsmem_tui.ui.tool import ToolScreen


def look_into(main: MainScreen, key: str, group: str) -> None:
    """The cursor is in a group of a store: that is the one in use, unless something is being done in another."""
    if not main.host.conversations.under_way and main.editor.ref is None and main.use(main.store_of(key)):
        main.search.look_at(main.here, group)


async def show_file(main: MainScreen, event: FileChosen) -> None:
    """Read a file and show it, unless another one was asked for meanwhile."""
    store = main.store_of(event.store)
    file, page = await asyncio.to_thread(_read, store.session, event.ref)
    if main.wanted is not event:
        return
    main.viewer.store, title = store.key, title_of(file.ref, store.session)
    main.viewer.show(file, page, title, line=event.line, terms=event.terms, row=event.row, whole_words=event.whole_words)
    main.status.left = title + (" !" if file.problem else "")
    if event.enter:
        main.focus_pane("viewer")
        main.way_back = event.back or main.way_back
    await mark_lines(main)


async def mark_lines(main: MainScreen) -> None:
    """Show beside the lines of the open file what of them is in the prompt; whatever it takes to know that, the text is there."""
    file = main.viewer.file
    if file is None:
        return
    store = main.store_of(main.viewer.store)
    known = await attempt(asyncio.to_thread(_marks, store.session, file), lambda _: None)  # whoever asks for the prompt is told why
    marks, loss = known if known is not None else ("", "")
    if main.viewer.file is file:
        found = store.listed(file.ref)
        shown = wording.with_findings(with_links(marks, found), store.checkup.lines_of(file.ref))
        main.viewer.show_marks(shown, listing_notice(found), in_prompt=bool(marks), loss=loss)


def show_group(main: MainScreen, at: At) -> None:
    """Say what a group of a store holds, a whole store, or a folder of several."""
    shown, text = _about(main, at)
    main.viewer.show_nothing(text, f"2 {shown}")
    main.viewer.about = (at, text)
    main.status.left = shown


def show_group_again(main: MainScreen) -> None:
    """The page of a group, a store or a folder as it would be now, where it is on the screen and has changed.

    Where its row is gone, that of the row which has the cursor instead.
    """
    if main.viewer.about is None or main.empty or main.editor.ref is not None:
        return
    at, was = main.viewer.about
    cursor = main.tree_pane.at_cursor()
    at = cursor if cursor is not None and cursor.ref is None else at
    if (at, _about(main, at)[1]) != (main.viewer.about[0], was):
        show_group(main, at)


def _about(main: MainScreen, at: At) -> tuple[str, str]:
    """What a row of the tree that is no file is called, and its page."""
    if at.folder:
        label = shortened(at.folder.lstrip("\0"))
        label = "For everybody" if label == EVERYBODY else label
        return visible_line(printable_path(label)), about_folder(label)
    if not at.group:
        store = main.store_of(at.store)
        return store.title, about_store(store.session, store.catalog)
    store = main.store_of(at.store)
    project = store.catalog.project(at.group) if store.catalog else None
    shown = store.group_name(at.group)
    hint = store.hint if at.group == store.session.project else ""
    return shown, about_project(store.session, project, at.group, shown, hint)


async def reload(main: MainScreen, *, is_news: bool = True) -> None:
    """Show the open file as it is now; it stays where it was scrolled to. What was written here `is_news` to nobody."""
    before = main.viewer.file
    if before is None:
        return
    session = main.store_of(main.viewer.store).session
    file, page = await asyncio.to_thread(_read, session, before.ref)
    if main.viewer.file is not before or file.raw == before.raw:
        return
    added, removed = line_counts(before.raw, file.raw)
    main.viewer.show(file, page, title_of(file.ref, session))
    if is_news:
        main.say(wording.reloaded(before.ref, session, added, removed, gone=file.missing), warning=file.missing)


def reload_tool(host: ZsmemApp) -> None:
    """What the tool on the screen shows may have changed."""
    if host.tool is not None and host.tool.is_mounted:
        host.tool.load()


def is_loading(tool: ToolScreen) -> bool:
    """Whether a tool is about to show how things are now."""
    return any(each.group == "load" and not each.is_finished for each in tool.app.workers)


async def outline(main: MainScreen) -> None:
    """Choose a heading of the open file and go to it."""
    view = main.viewer.view
    if not view.page.outline:
        main.say("This file has no headings.", warning=True)
        return
    rows = [(str(at), f"{'  ' * (level - 1)}{visible_line(words) or '(no words)'}") for at, level, words in view.page.outline]
    here = sum(at <= view.top_line for at, _, _ in view.page.outline)
    line = await choose(main, "Outline", "Go to a heading:", rows, names=True, first=max(here - 1, 0))
    if line is not None:
        view.go_to(int(line), centre=False)


def _read(session: Session, ref: MemRef) -> tuple[OpenFile, Page]:
    """A file with its lines looked at, for a thread."""
    file = open_file(session, ref)
    return file, Page(file.text)


def _marks(session: Session, file: OpenFile) -> tuple[str, str]:
    """A mark for each line, and what is lost of all in words, for a thread."""
    from zsmem_tui.service.previewing import loss_of, prompt_lines  # with the preview 9 ms, after the first frame
    from zsmem_tui.ui.prompt.wording import line_marks  # with the preview

    found = prompt_lines(session, file)
    loss = loss_of(file, found)
    return line_marks(found), str(loss) if loss.lines else ""


async def follow(main: MainScreen, target: str) -> None:
    """Go where a link of the open file leads; when that is no file of its store, say so."""
    here = _here(main)
    if here is None:
        main.say("No file is open here: there is no link to follow.", warning=True)
        return
    if target.startswith(LINE):
        main.viewer.view.trail.leave(here)
        _go(main, here._replace(line=int(target.removeprefix(LINE))))
        main.say(f"{link_words(target).capitalize()} · [ goes back")
        return
    store = main.store_of(here.store)
    match leads(store, here.ref, target):
        case LeadsTo(path, heading):
            ref = _refs(store).get(path, here.ref)  # a link within a file that the store holds no more
            line = await _line(main, store.session, ref, heading)
            main.viewer.view.trail.leave(here)
            _go(main, Spot(store.key, ref, line or 0))
            title = title_of(ref, store.session)
            if heading and line is None:
                main.say(f"{title} has no heading {visible_line(heading)!r} · [ goes back", warning=True)
            else:
                main.say(f"{title} · [ goes back")
        case LeadsAway(address):
            main.say(f"{visible_line(address)} is on the web: zsmem opens nothing there. y copies it.", warning=True)
        case LeadsNowhere(why):
            main.say(visible_line(why), warning=True)
        case other:
            assert_never(other)


def back_or_forward(main: MainScreen, step: int) -> None:
    """To the place that a link was followed from, or there again."""
    here = _here(main)
    spot = main.viewer.view.trail.go(step, here) if here is not None else None
    if spot is None:
        where = "go back to: enter follows a link" if step < 0 else "go forward to"
        main.say(f"There is nothing to {where}.", warning=True)
    else:
        _go(main, spot)


def leads(store: OpenStore, ref: MemRef, target: str) -> Leads:
    """Where a link in a file leads."""
    home = store.session.layout.home_of(ref.project) if ref.project else ""
    paths = _refs(store)
    if target.startswith(WIKI):
        return by_name(target.removeprefix(WIKI), ref.path, home, paths)
    return by_path(target, ref.path, home, paths, store.session.root)


def _here(main: MainScreen) -> Spot | None:
    file = main.viewer.file
    return Spot(main.viewer.store, file.ref, main.viewer.view.line_meant) if file is not None else None


def _refs(store: OpenStore) -> dict[str, MemRef]:
    catalog = store.catalog
    if catalog is None:
        return {}
    groups = (catalog.shared, *(project.files for project in catalog.projects))
    return {entry.ref.path: entry.ref for entries in groups for entry in entries}


async def _line(main: MainScreen, session: Session, ref: MemRef, heading: str) -> int | None:
    """The line of a heading of a file; None where there is none, or none is meant."""
    if not heading:
        return None
    file = await attempt(asyncio.to_thread(open_file, session, ref), lambda _: None)
    return heading_line(heading, Page(file.text).outline) if file is not None else None


def _go(main: MainScreen, spot: Spot) -> None:
    main.post_message(FileChosen(spot.ref, enter=True, line=spot.line, store=spot.store, back=main.way_back))


def listing_notice(found: Sequence[Notice]) -> str:
    """What is wrong between a file and what lists it, in full sentences: the first two, and how many more there are."""
    more = f" And {len(found) - 2} more." if len(found) > 2 else ""
    return visible_line(" ".join(sentence(replace(each, place=each.place.rpartition("/")[2])) for each in found[:2]) + more)


def with_links(marks: str, found: Sequence[Notice]) -> str:
    """The marks of an index, with a sign at lines whose links are wrong; what is lost stays the mark of a line."""
    wrong = {each.line - 1 for each in found if each.kind in LINKS}
    return "".join(
        signs.LOOK if place in wrong and mark not in f"{signs.LOST}{signs.CUT}" else mark for place, mark in enumerate(marks)
    )
