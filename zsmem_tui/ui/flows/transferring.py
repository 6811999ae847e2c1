"""The conversations of import and export: which folder, other words, another file, and doing it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import Conflict, MemError
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.refs import WriteTarget
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import bundles, exporting, formats, importing
from zsmem_tui.service.tasks import every_project
from zsmem_tui.ui.dialogs.choice import ChoiceDialog, PromptDialog
from zsmem_tui.ui.format.common import undoable

if TYPE_CHECKING:
    from zsmem_tui.ui.screens.transfer import Source, TransferScreen


async def begin(screen: TransferScreen, source: Source) -> None:
    """Ask for the folder where it is not known, then plan, or write."""
    path = source.path
    if not path:
        format = formats.called(source.format)
        what = "The .tar.gz file:" if format.one_file else "The folder:"
        knows = source.out and format.finds_its_place
        if knows:
            what = f"The folder (empty: where {format.name} keeps this project's memory):"
        answer: str | None = await screen.app.push_screen_wait(PromptDialog(source.words, what))
        if answer is None or (not trim(answer) and not knows):
            return
        path = trim(answer)
    if source.out:
        await _write(screen, source.format, path)
        return
    screen.source = source._replace(path=path)
    await screen.make_plan()


async def edit(screen: TransferScreen) -> None:
    """Other words for an item."""
    item = screen.item()
    if item is None:
        screen.say("Nothing selected.", warning=True)
        return
    if "\n" in item.incoming.text.strip("\n"):
        screen.say("It has several lines: take it, then edit the file.", warning=True)
        return
    answer: str | None = await screen.app.push_screen_wait(
        PromptDialog("Edit", "The words to take:", item.incoming.text.strip("\n"))
    )
    if answer and trim(answer):
        screen.edits[item.key] = answer + ("\n" if item.incoming.text.endswith("\n") else "")
        screen.load()


async def retarget(screen: TransferScreen) -> None:
    """Another file for an item."""
    item = screen.item()
    if item is None:
        screen.say("Nothing selected.", warning=True)
        return
    mem = screen.session.mem(screen.into or screen.session.project)
    targets = [mem.ref(WriteTarget.LONG_TERM), mem.ref(WriteTarget.SCRATCHPAD), mem.ref(WriteTarget.DAILY)]
    answers = [(ref.path, visible_line(printable_path(ref.path))) for ref in targets]
    answers.append(("note", "A note, under a name that you give"))
    answer = await screen.app.push_screen_wait(ChoiceDialog("To another file", "Take it into:", answers))
    if answer == "note":
        name: str | None = await screen.app.push_screen_wait(PromptDialog("Note", "The name of the note:", item.ref.name))
        if not name or not trim(name):
            return
        answer = screen.session.place_of(WriteTarget.NOTE, mem.project, trim(name).replace("/", "-").replace(".", "-")).path
    if answer and find_ref(screen.session.layout, answer):
        screen.targets[item.key] = answer
        screen.load()


async def project(screen: TransferScreen) -> None:
    """The project that everything goes into."""
    slugs = await asyncio.to_thread(every_project, screen.session)
    answers = [(slug, visible_line(printable_path(slug))) for slug in dict.fromkeys([screen.session.project, *slugs])]
    answer = await screen.app.push_screen_wait(ChoiceDialog("Into", "Everything goes into:", answers))
    if answer:
        screen.into = answer
        screen.load()


async def apply(screen: TransferScreen) -> None:
    """Write what is ticked."""
    plan, bundle, main = screen.plan, screen.bundle, screen.zsmem.main
    if screen.source is None:
        screen.say("Choose what to bring in first, with enter. Nothing was written.", warning=True)
        return
    if not any(file.ticked for file in bundle.files) if bundle is not None else plan is None or not plan.changes:
        screen.say("Nothing is ticked that would change a file. Nothing was written.", warning=True)
        return
    screen.say("Writing …")
    try:
        async with main.looking:  # what is written here is no news from others
            if bundle is not None:
                words, problem = await asyncio.to_thread(bundles.apply, screen.session, bundle), ""
            elif plan is not None:
                done = await asyncio.to_thread(importing.apply, screen.session, plan)
                words, problem = done.message, done.problem
    except Conflict as error:
        await screen.make_plan()
        screen.say(f"{error.message} This is the plan as it is now.", warning=True)
        return
    except MemError as error:
        screen.say(f"{error.message} {error.hint}", warning=True)
        return
    await main.look_now()
    screen.leave_plan()
    off = screen.session.undo_problem
    for place in (main, screen):
        place.say(undoable(words, off), warning=bool(problem or off))


async def _write(screen: TransferScreen, format: str, path: str) -> None:
    """Export."""
    try:
        if format == formats.BUNDLE:
            words = await asyncio.to_thread(bundles.export_to, screen.session, path)
            screen.say(f"{words} · u to undo")
            return
        wanted = formats.of_agent(format)
        first = await asyncio.to_thread(lambda: exporting.export(screen.session, wanted, path, dry_run=True))
        if not first.written:
            screen.say("Everything is there already. Nothing was written.")
            return
        names = "\n".join(f"{size:>8}  {visible_line(printable_path(place))}" for place, size in first.written[:12])
        more = f"\n… and {len(first.written) - 12} more" if len(first.written) > 12 else ""
        answers = [("no", "Write nothing"), ("yes", "Write them")]
        text = f"{first.message}\n{names}{more}\n\n{first.losses}"
        if await screen.app.push_screen_wait(ChoiceDialog("Export", text, answers)) == "yes":
            done = await asyncio.to_thread(lambda: exporting.export(screen.session, wanted, path))
            screen.say(f"{done.message} · u to undo")
        else:
            screen.say("Nothing was written.")
    except MemError as error:
        screen.say(f"{error.message} {error.hint}", warning=True)
