"""Showing a file or the page of a group in the viewer, reloading it after a change, and following links.

Also shows problems between an index and the files that it lists.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING, Final, assert_never

from textual.content import Content

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.checks.checkup import UNPLACED
from zsmem_tui.core.layout import group_word, is_named_after_folder
from zsmem_tui.core.link_target import Leads, LeadsAway, LeadsNowhere, LeadsTo, by_name, by_path, heading_line
from zsmem_tui.core.notice import sentence
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, plural, printable_path
from zsmem_tui.core.version import line_counts
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.browsing import OpenFile, open_file
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.memory.tree_nodes import LINKS
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import AWAY, GONE, OpenStore
from zsmem_tui.ui.perform import attempt, late
from zsmem_tui.ui.reading.blocks import LINE, WIKI, link_words
from zsmem_tui.ui.reading.page import Page, Spot
from zsmem_tui.ui.wording import title_of

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import At
    from zsmem_tui.ui.tool import ToolScreen

_MOST_UNREAD: Final = 3
"""The most files that a page names as unreadable."""


def look_into(main: MainScreen, key: str, group: str) -> None:
    """The tree's cursor moved to a group: make its store the current one, unless something is being done in another."""
    if not main.host.conversations.under_way and main.editor.ref is None and main.use(main.store_of(key)):
        main.search.look_at(main.here, group, main.agent_of(main.here))
        main.tell_right()


async def show_file(main: MainScreen, event: FileChosen) -> None:
    """Read a file and show it, unless another one has been asked for meanwhile."""
    store = main.store_of(event.store)

    def tell() -> None:
        file, title = main.viewer.file, title_of(event.ref, store.session)
        if main.wanted is event and (main.viewer.store, file and file.ref) != (store.key, event.ref):
            main.viewer.show_nothing("Reading …", f"2 {title} · reading …")

    file, page = await late(asyncio.to_thread(_read, store.session, event.ref), tell)
    if main.wanted is not event:
        return
    main.viewer.store = store.key
    main.viewer.show(file, page, event)
    _update_title(main)
    if event.enter:
        main.focus_pane("viewer")
        main.way_back = event.back or main.way_back
    main.host.call_later(setattr, main, "shown", event)  # behind the focus
    main.tell_right()
    await mark_lines(main)


async def mark_lines(main: MainScreen) -> None:
    """Show in the margin which lines of the open file are in the prompt, once that is known."""
    file = main.viewer.file
    if file is None:
        return
    store = main.store_of(main.viewer.store)
    known = await attempt(asyncio.to_thread(_line_marks, store.session, file), lambda _: None)  # the prompt screen shows the error
    marks, loss = known if known is not None else ("", "")
    if main.viewer.file is file:
        found = store.listed(file.ref)
        wrong = {each.line - 1 for each in found if each.kind in LINKS and each.line <= len(marks)}
        shown = wording.with_findings(marks, wrong | store.checkup.lines_of(file.ref))
        more = f" And {len(found) - 2} more." if len(found) > 2 else ""
        notes = " ".join(sentence(replace(each, place=each.place.rpartition("/")[2])) for each in found[:2]) + more
        main.viewer.show_marks(shown, visible_line(notes), in_prompt=bool(marks), loss=loss)


def _update_title(main: MainScreen) -> None:
    """Update the title of the open file, as its group may have got another name."""
    if (file := main.viewer.file) is not None:
        title = title_of(file.ref, main.store_of(main.viewer.store).session)
        main.viewer.border_title = Content(f"2 {title}{' !' if file.problem else ''}")


def show_group(main: MainScreen, at: At) -> None:
    """Show the page of a group, a store or a folder."""
    shown, text = _about(main, at)
    main.viewer.show_nothing(text, f"2 {shown}")
    main.viewer.about = (at, text)


def show_group_again(main: MainScreen) -> None:
    """Redraw the page of the group, store or folder on display if it has changed, and update the title of an open file.

    If the tree's cursor is on another group, show that one.
    """
    if main.editor.ref is None:
        _update_title(main)
    if main.viewer.about is None or main.empty or main.editor.ref is not None:
        return
    at, was = main.viewer.about
    cursor = main.tree_pane.at_cursor()
    at = cursor if cursor is not None and cursor.ref is None else at
    if (at, _about(main, at)[1]) != (main.viewer.about[0], was):
        show_group(main, at)


def _about(main: MainScreen, at: At) -> tuple[str, str]:
    """The title and the page of a tree row that is not a file."""
    if at.folder:
        label = shortened(at.folder.lstrip("\0"))
        label = "For everybody" if label == EVERYBODY else label
        name = visible_line(printable_path(label))
        return name, f"# {name}\n\nWhat each agent remembers of it is below it: `l` unfolds it, `h` folds it.\n"
    store = main.store_of(at.store)
    if at.group:
        return store.group_name(at.group), about_group(store, at.group, main.tree_pane.beside(store, at.group))
    groups = (store.catalog.shared, *(each.files for each in store.catalog.projects)) if store.catalog else ()
    looks = to_look_at(store.session, store.checkup.count, chain.from_iterable(groups))
    return store.title, about_store(store.session, store.catalog) + looks


async def reload(main: MainScreen, *, is_news: bool = True) -> None:
    """Reload the open file if it has changed, keeping the scroll position. `is_news`: whether to say that it changed."""
    if (before := main.viewer.file) is None:
        return
    session = main.store_of(main.viewer.store).session
    file, page = await asyncio.to_thread(_read, session, before.ref)
    if main.viewer.file is not before or file.raw == before.raw:
        return
    added, removed = line_counts(before.raw, file.raw)
    main.viewer.show(file, page)
    if is_news:
        title = title_of(before.ref, session)
        words = f"{title} is gone" if file.missing else f"Reloaded {title}, +{added} -{removed}"
        words = main.in_review(words, main.store_of(main.viewer.store), [before.ref.path])
        main.say(words, warning=file.missing, news=True)


def reload_tool(host: ZsmemApp) -> None:
    """Reload the tool screen on display, since its data may have changed."""
    if host.tool is not None and host.tool.is_mounted:
        host.tool.load()


def is_loading(tool: ToolScreen) -> bool:
    """Whether the tool screen is about to load its data."""
    return any(each.group == "load" and not each.is_finished for each in tool.app.workers)


async def outline(main: MainScreen) -> None:
    """Choose a heading of the open file and go to it."""
    view = main.viewer.view
    if not view.page.outline:
        main.warn("This file has no headings.")
        return
    rows = [(str(at), f"{'  ' * (level - 1)}{visible_line(words) or '(no words)'}") for at, level, words in view.page.outline]
    here = sum(at <= view.top_line for at, _, _ in view.page.outline)
    line = await choose(main, "Outline", "Go to a heading:", rows, names=True, first=max(here - 1, 0))
    if line is not None:
        view.go_to(int(line), centre=False)


def _read(session: Session, ref: MemRef) -> tuple[OpenFile, Page]:
    """Read a file and parse its lines; runs in a thread."""
    file = open_file(session, ref)
    return file, Page(file.text, folds=True)


def _line_marks(session: Session, file: OpenFile) -> tuple[str, str]:
    """The margin mark of each line, and a text on what is lost from the prompt; runs in a thread."""
    from zsmem_tui.service.previewing import loss_of, prompt_lines  # deferred: 9 ms, with the preview
    from zsmem_tui.ui.prompt.wording import line_marks  # deferred: imports the preview

    found = prompt_lines(session, file)
    loss = loss_of(file, found)
    return line_marks(found), str(loss) if loss.lines else ""


async def follow(main: MainScreen, target: str) -> None:
    """Follow a link of the open file; if it does not lead to a file of the store, say where it leads."""
    here = _current_spot(main)
    if here is None:
        main.warn("No file is open here: there is no link to follow.")
        return
    if target.startswith(LINE):
        main.viewer.view.trail.leave(here)
        _open_spot(main, here._replace(line=int(target.removeprefix(LINE))))
        main.say(f"{link_words(target).capitalize()} · [ goes back")
        return
    store = main.store_of(here.store)
    match leads(store, here.ref, target):
        case LeadsTo(path, heading):
            ref, line = _refs_by_path(store).get(path, here.ref), None  # the target may have been removed from the store
            if heading and (file := await attempt(asyncio.to_thread(open_file, store.session, ref), lambda _: None)) is not None:
                line = heading_line(heading, Page(file.text).outline)
            main.viewer.view.trail.leave(here)
            _open_spot(main, Spot(store.key, ref, line or 0))
            title = title_of(ref, store.session)
            if heading and line is None:
                main.say(f"{title} has no heading {visible_line(heading)!r} · [ goes back", warning=True)
            else:
                main.say(f"{title} · [ goes back")
        case LeadsAway(address):
            main.warn(f"{visible_line(address)} is on the web: zsmem opens nothing there. y copies it.")
        case LeadsNowhere(why):
            main.warn(visible_line(why))
        case other:
            assert_never(other)


def back_or_forward(main: MainScreen, step: int) -> None:
    """Go back (`step` -1) or forward (1) along the links that were followed."""
    here = _current_spot(main)
    spot = main.viewer.view.trail.go(step, here) if here is not None else None
    if spot is None:
        where = "go back to: enter follows a link" if step < 0 else "go forward to"
        main.warn(f"There is nothing to {where}.")
    else:
        main.status.clear()
        _open_spot(main, spot)


def leads(store: OpenStore, ref: MemRef, target: str) -> Leads:
    """Resolve a link in a file."""
    home = store.session.layout.home_of(ref.project) if ref.project else ""
    paths = _refs_by_path(store)
    if target.startswith(WIKI):
        return by_name(target.removeprefix(WIKI), ref.path, home, paths)
    return by_path(target, ref.path, home, paths, store.session.root)


def _current_spot(main: MainScreen) -> Spot | None:
    file = main.viewer.file
    return Spot(main.viewer.store, file.ref, main.viewer.view.line_meant) if file is not None else None


def _refs_by_path(store: OpenStore) -> dict[str, MemRef]:
    catalog = store.catalog
    groups = (catalog.shared, *(project.files for project in catalog.projects)) if catalog is not None else ()
    return {entry.ref.path: entry.ref for entries in groups for entry in entries}


def _open_spot(main: MainScreen, spot: Spot) -> None:
    main.wanted = event = FileChosen(spot.ref, enter=True, line=spot.line, store=spot.store, back=main.way_back)
    main.post_message(event)


def welcome(session: Session, problem: str, *, looked: Sequence[tuple[str, str]] = (), is_looking: bool = False) -> str:
    """The page for a store that is missing, empty or unreadable. `looked` lists kind and path of each place that was searched.

    `is_looking`: other agents' stores are still being searched for.
    """
    root = visible_line(printable_path(session.root))
    if problem:
        other = "--root DIR" if session.is_default else f"--store {session.layout.kind}:DIR"
        return (
            f"# The memory cannot be read.\n\n```\n{visible_line(problem)}\n```\n\nNothing was changed. "
            f"`D` opens a sample, `F5` looks again, `zsmem {other}` opens another folder.\n"
        )
    if is_looking:
        return f"# Looking for memory.\n\n{session.layout.title} has none yet; what other agents have is being looked for.\n"
    where = "" if session.is_default_root else f" --root {quote(root)}"
    verbs = f"zsmem write long_term '- prefers tabs'{where}\nzsmem write scratchpad '- [ ] try zsmem'{where}"
    begin = f"You can also begin:\n\n```\n{verbs}\n```" if session.is_default else "You can also begin: `a` adds to it."
    places = "".join(f"{kind:<12} {visible_line(printable_path(shortened(place)))}\n" for kind, place in looked) or f"{root}\n"
    return (
        "# There is no memory yet.\n\nAn agent with memory writes it as soon as it learns something, and it shows up here.\n\n"
        "`D` opens a sample to look around in, `F7` then a tour of three minutes. Nothing there is yours.\n\n"
        "Memory was looked for in\n\n"
        f"```\n{places}```\n\n"
        f"{begin}\n\n"
        "`9` imports the memory of another agent, of another machine, or a bundle.\n\n"
        "A folder of Markdown, which is no agent's, opens with `zsmem --store markdown:DIR`.\n\n"
        "`?` shows all keys.\n"
    )


def about_store(session: Session, catalog: Catalog | None) -> str:
    """The page for one of several stores."""
    place = wording.folder_name(session.root)
    home = f"```\n{place}\n```\n"
    if catalog is None or catalog.problem:
        return f"# {session.layout.title}\n\n{visible_line(catalog.problem if catalog else 'It is being read.')}\n\n{home}"
    listed = f"- {wording.counts_of([session], [catalog])}\n- {wording.size(catalog.size)}"
    old = [name for name in session.layout.old_files if os.path.isfile(os.path.join(session.root, name))]
    are, them = ("are", "them") if old[1:] else ("is", "it")
    told = f"{' and '.join(old)} there {are} from an older version, which puts {them} into no prompt now. `9` imports {them}.\n\n"
    return f"# {session.layout.title}\n\n{listed}\n\n{home}\n{told if old else ''}`l` unfolds it, `h` folds it.\n"


def to_look_at(session: Session, found: int, entries: Iterable[FileEntry]) -> str:
    """What the page of a tree row says of the sign on that row: at what to look, and which key leads there."""
    unread = [visible_line(title_of(each.ref, session)) for each in entries if each.problem and not each.is_out]
    parts = [f"{counted(found, 'finding')} of the doctor (`8`)"] * bool(found)
    parts += [f"{', '.join(unread[:_MOST_UNREAD])} cannot be read (`enter` on it says why)"] * bool(unread)
    return f"\n`{signs.LOOK}` {'; '.join(parts)}.\n" if parts else ""


def about_group(store: OpenStore, slug: str, beside: Sequence[FileEntry]) -> str:
    """The page for a group; `beside` are instruction files that the tree lists with its own."""
    project = store.catalog.project(slug) if store.catalog else None
    files = project.files if project is not None else ()
    page = _of_group(store, slug, project, beside)
    page += to_look_at(store.session, sum(store.checkup.counts.get(each.ref.path, 0) for each in files), files)
    unread, home = (each.path for each in store.checkup.faults if each.kind == UNPLACED), f"{store.session.layout.home_of(slug)}/"
    own = [visible_line(printable_path(path.removeprefix(home))) for path in unread if path.startswith(home)]
    return page + (f"\n{counted(len(own), 'file')} here that {store.title} does not read: {', '.join(own)}.\n" if own else "")


def _of_group(store: OpenStore, slug: str, project: ProjectEntry | None, beside: Sequence[FileEntry]) -> str:
    session, layout = store.session, store.session.layout
    name = store.group_name(slug) if slug.strip(" ") else repr(slug)
    word = "folder" if is_named_after_folder(layout, slug) else group_word(layout)
    opened = f"This is the {word} you work in.\n\n" if slug == session.project else ""
    mark = store.names[slug].mark if slug in store.names else ""
    if mark in AWAY.values():
        opened += f"Its folder {'is gone' if mark == GONE else 'seems to be elsewhere now'}: `0` shows what can be done.\n\n"
    place = wording.folder_name(f"{session.root}/{layout.home_of(slug)}")
    home = f"```\n{place}\n```\n"
    if project is not None and project.problem:
        return f"# {name}\n\n{opened}It cannot be looked into: permission denied.\n\n{home}"
    if project is None or not project.files:
        adds = "`a` adds a note, a log entry or a scratchpad.\n" if layout.has_profiles else "`a` adds to it.\n"
        hint = store.hint if slug == session.project else ""
        belongs = f"\n\n**{visible_line(hint)}** `0` to look.\n\n" if hint else ""
        none = (visible_line(store.catalog.problem) if store.catalog else "") or "It has no memory yet."
        none = "Its memory is gone: `W` brings it back." if any(each.gone in ("", slug) for each in store.wipes) else none
        return f"# {name}\n\n{opened}{none}{belongs} The agent would keep it in\n\n{home}\n{adds}"
    held = [(len(project.of(target)), noun) for target, noun in ((Role.LOG, "daily log"), (Role.NOTE, "note"))]
    rows = [f"- {count} {plural(noun, count)}" for count, noun in held if count or layout.has_profiles]
    if project.open_items is not None and (project.open_items or layout.ref(Role.CHECKLIST, slug) is not None):
        rows.append(f"- {project.open_items} open {plural('item', project.open_items)}")
    rows.append(f"- {wording.size(project.size)} in {len(project.files)} {plural('file', len(project.files))}")
    if beside:
        rows.append(f"- {wording.size(sum(each.size for each in beside))} in {counted(len(beside), 'instruction file')}")
    listed = "\n".join(rows)
    return f"# {name}\n\n{opened}{listed}\n\n{home}\n`l` unfolds it, `h` folds it, `a` adds to it.\n"
