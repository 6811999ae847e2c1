"""Making, renaming, copying, moving, deleting files, asking for names in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, lines, printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import editing as editing_verbs
from zsmem_tui.service import file_ops
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.editing import why_read_only
from zsmem_tui.service.file_ops import FileOpResult
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui import wording
from zsmem_tui.ui.dialogs.ask import ask_line, choose
from zsmem_tui.ui.memory import editing
from zsmem_tui.ui.perform import perform

if TYPE_CHECKING:
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.memory.screen import MainScreen

_ALONE: Final = "alone"
"""The answer for a note that no index shall list."""


async def add(main: MainScreen, project: str) -> None:
    """A note, an entry in today's log, or a scratchpad."""
    session = main.session
    if project == EVERYBODY and not session.layout.global_folders():
        chosen = await _group_of_new(main)
        if chosen is None:
            return
        project = chosen
    kinds = {
        "note": (Role.NOTE, "A note"),
        "entry": (Role.LOG, "An entry in today's log"),
        "scratchpad": (Role.CHECKLIST, "A scratchpad, when there is none"),
    }
    without = {kind: await asyncio.to_thread(file_ops.why_none, session, role, project) for kind, (role, _) in kinds.items()}
    none = f" · {session.layout.title} has none"
    answers = [(kind, f"{words}{none if without[kind] else ''}") for kind, (_, words) in kinds.items()]
    if index := await asyncio.to_thread(_index_of_new_notes, session, project):
        answers[:1] = [("note", f"A note, with its line in {index}"), (_ALONE, f"A note, {index} left as it is")]
    where = main.here.group_name(project)
    kind = await choose(main, "Add", f"Add to {where}:", answers)
    if kind is None:
        return
    if without.get(kind):
        main.say(without[kind], warning=True)
    elif kind in ("note", _ALONE):
        question = ("New note", "Its name: anything but slashes and dots.", "")
        made = await named(main, question, lambda name: file_ops.new_note(session, name, project, alone=kind == _ALONE))
        if made:
            await editing.edit(main, made.ref, at_end=True)
    elif kind == "entry":
        question = ("Entry in today's log", "What is it about?", "")
        await named(main, question, lambda heading: file_ops.new_entry(session, heading, project))
    elif kind == "scratchpad":
        made = await performed(main, lambda: file_ops.new_scratchpad(session, project))
        if made:
            await editing.edit(main, made.ref, at_end=True)


async def _group_of_new(main: MainScreen) -> str | None:
    """Whose something new shall be, where nothing is everybody's; None: nobody's, which was said or is what the person wants."""
    here = main.here
    groups = [project.slug for project in here.catalog.projects] if here.catalog else []
    if not groups:
        main.say(f"{here.title} has nobody yet whose memory it could be. Nothing was added.", warning=True)
        return None
    return await choose(main, "Add", "Whose memory?", [(group, here.group_name(group)) for group in groups], names=True)


def _index_of_new_notes(session: Session, project: str) -> str:
    """The name of the file that lists new notes of a project; empty: none does, or it cannot be told."""
    try:
        follow = file_ops.companions(session, None, session.place_of(Role.NOTE, project, "new"))
    except MemError:
        return ""
    return printable_path(follow[0].ref.path.rpartition("/")[2]) if follow else ""


async def rename(main: MainScreen, ref: MemRef) -> None:
    """Another name for a note."""
    if problem := file_ops.why_not(ref, "renamed") or await asyncio.to_thread(why_read_only, main.session, ref):
        main.say(problem, warning=True)
        return
    question = ("Rename", f"A new name for {wording.title_of(ref, main.session)}:", ref.name)
    await named(main, question, lambda name: file_ops.rename(main.session, ref, name), ref)


async def add_aliases(main: MainScreen, ref: MemRef) -> None:
    """Words by which somebody else would look for a note; what is refused is asked again, with what was typed."""
    from zsmem_tui.service import recall  # with the log of searches, which most files are never asked for

    session = main.session
    if ref.role is not Role.NOTE:
        main.say(recall.why_no_aliases(ref), warning=True)
        return
    own = await asyncio.to_thread(recall.aliases, session, ref)
    known = f"It is also found as {visible_line(', '.join(own))}. " if own else ""
    value, problems = "", [""]
    while True:
        question = f"{known}By which words would somebody else look for {wording.title_of(ref, session)}? Commas between them:"
        value = trim(await ask_line(main, "Alias", question, value, problem=problems[-1]) or "")
        words = [word for each in value.split(",") if (word := trim(each))]
        if not words:
            return
        if await perform(main.host, partial(recall.write_aliases, session, ref, words), main, refused=problems.append):
            return


async def delete(main: MainScreen, ref: MemRef) -> None:
    """Without asking: one key undoes it."""
    await performed(main, lambda: file_ops.delete(main.session, ref))


async def delete_read(main: MainScreen, ref: MemRef) -> None:
    """The lines that are selected in the text that is read; where none are, the whole file, once the person has said so."""
    viewer = main.viewer
    file, selecting = viewer.file, viewer.view.selecting
    if main.current == "viewer" and file is not None and file.ref == ref:
        if numbers := selecting.numbers:
            raw = file.raw
            await perform(main.host, lambda: editing_verbs.delete_lines(main.session, ref, raw, numbers), main)
            viewer.stop_selecting()
            return
        if selecting.is_on or viewer.view.text_selection is not None:
            main.say("Only whole lines are deleted here: V selects them. Nothing was deleted.", warning=True)
            return
    if problem := await asyncio.to_thread(why_read_only, main.session, ref):
        main.say(problem, warning=True)
        return
    whole = await asyncio.to_thread(open_file, main.session, ref)
    much = f"{counted(len(lines(whole.text)), 'line')}, {wording.size(len(whole.raw))}"
    text = f"This deletes the whole file: {much}.\nTo delete some lines only, select them with V first, or edit the file with e."
    answers = [("no", "Leave it"), ("yes", "Delete the file")]
    if await choose(main, wording.title_of(ref, main.session), text, answers) == "yes":
        await delete(main, ref)


async def copy_text(main: MainScreen, ref: MemRef) -> None:
    """The text of a file to the terminal's clipboard; of a hit's line under the cursor, just that."""
    row = main.search.row_at_cursor() if main.current == "search" else None
    if row is not None and row.line is not None:
        line = row.line.text
        main.app.copy_to_clipboard(line)
        main.say(f"Sent the line to the terminal's clipboard ({wording.size(len(line.encode()))}).")
        return
    file = await asyncio.to_thread(open_file, main.session, ref)
    if not file.text:
        main.say(
            f"Nothing to copy: {wording.title_of(ref, main.session)} {'cannot be read' if file.problem else 'is empty'}.",
            warning=True,
        )
        return
    main.app.copy_to_clipboard(file.text.encode("utf-8", "replace").decode())
    main.say(f"Sent {wording.title_of(ref, main.session)} to the terminal's clipboard ({wording.size(len(file.raw))}).")


async def named(
    main: MainScreen, question: tuple[str, str, str], verb: Callable[[str], FileOpResult], old: MemRef | None = None
) -> FileOpResult | None:
    """Ask for a line and do something with it; what is refused is asked again, with what was typed.

    A `question` is the dialog's title, the question itself, and what stands in the line at first.
    """
    title, text, value = question
    problems: list[str] = [""]
    while True:
        value = trim(await ask_line(main, title, text, value, problem=problems[-1]) or "")
        if not value:
            return None
        done = await performed(main, partial(verb, value), old, problems.append)
        if done is not None:
            return done


async def performed(
    main: MainScreen, verb: Callable[[], FileOpResult], old: MemRef | None = None, refused: Callable[[str], object] | None = None
) -> FileOpResult | None:
    """Do it and put the cursor on the file; one that has another name or place now, and was on the screen, is shown there."""

    async def refresh(done: FileOpResult) -> None:
        if old is not None:
            main.show_instead(old, done.ref)
        await main.look_now()

    done = await perform(main.host, verb, main, refresh=refresh, refused=refused)
    if done is not None:
        main.tree_pane.reveal(main.here.key, done.ref)
    return done
