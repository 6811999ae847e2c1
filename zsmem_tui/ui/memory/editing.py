"""Editing a file: open, save, resolve conflicts, leave, drafts, and the person's own editor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.app import SuspendNotSupported

from zsmem_tui.core.conflict import conflicts
from zsmem_tui.core.errors import BadTarget, HistoryError, MemError
from zsmem_tui.core.layout import needs_utf8
from zsmem_tui.core.merge import line_hunks, split
from zsmem_tui.core.outcomes import Conflicted, Saved, SaveOutcome, Unchanged, VerbResult
from zsmem_tui.core.recode import recoded
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, is_utf8, trim
from zsmem_tui.core.version import line_counts
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import editing, external, losses, review_lines
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.editing import why_read_only
from zsmem_tui.ui import wording
from zsmem_tui.ui.dialogs.ask import UNSEEN_SECONDS, ChoiceDialog, ask, ask_until, choose, resolve
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.perform import UNDO, attempt, perform, with_others

if TYPE_CHECKING:
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


_DISCARD = ("discard", "Discard it: H on the file still shows this text")

_MERGED = "A save merged others' lines: ctrl+z ends there. esc, then u takes it back."
_TOOK = "Theirs was taken: ctrl+z ends there."
_FOLLOWED = "Others wrote the file anew: ctrl+z ends there. esc, then H shows what was."
"""Why `ctrl+z` does nothing."""

_METER_AT_ONCE = 128 * 1024
"""In characters. A longer text is not measured after each key, as that would delay drawing."""

_METER_QUIET = 0.15
"""Seconds without a key press after which a longer text is measured."""


_MOST_DIGITS: Final = 1_000
"""Characters of a line and a column that are read as numbers: of more than 4,300 digits Python makes none."""


class _Resolved(NamedTuple):
    """How a save ended: `words` if theirs was taken, the text `before` it, and whether the history `kept` what was given up."""

    outcome: Saved | Unchanged
    words: str
    before: bytes | None
    kept: bool


async def edit(
    main: MainScreen,
    ref: MemRef,
    *,
    line: int | None = None,
    row: int | None = None,
    at_end: bool = False,
    back: Callable[[], object] | None = None,
) -> None:
    """Open the editor on a file at the line shown in the viewer and with the same scroll position, or on its draft at its change.

    `line` and `row` override that line and its screen row; `at_end` puts the cursor at the end, for a new file. `back` is called
    when the editor is left or cannot be opened; by default that returns to the current pane. What becomes of unsaved text of
    another file is asked first.
    """
    if main.editor.unsaved and main.editor.ref == ref:
        main.after_editor = back or main.after_editor
        main.focus_pane("editor")
        if line is not None:
            main.editor.area.move_cursor((min(line, main.editor.area.document.line_count - 1), 0), center=True)
        return
    way = back or main.way_to(main.current)
    is_free = main.editor.ref is None or await _close(main, main.editor.ref)
    why_not = await _open(main, ref, line, row) if is_free else ""
    if why_not is None:
        main.after_editor = way
        if at_end:
            main.editor.to_end()
    elif back is not None:
        back()
    if why_not:
        main.host.warn(why_not)


async def _open(main: MainScreen, ref: MemRef, line: int | None, row: int | None) -> str | None:
    """Open the editor and return None, or return why that is not possible; empty if the person declined."""
    from zsmem_tui.ui.widgets.markdown_area import holds_back_characters  # deferred: `TextArea` takes 20 ms

    if problem := await asyncio.to_thread(why_read_only, main.session, ref):
        return problem
    file = await asyncio.to_thread(open_file, main.session, ref)
    draft = await asyncio.to_thread(editing.take_draft, main.session, ref)
    converted = file.undecodable and draft is not None
    problem = "" if converted else editing.why_not(file)
    if file.undecodable and not converted and not problem:
        return None if await _convert(main, ref, file.raw) else ""
    if not problem and holds_back_characters(file.text):
        problem = "It holds characters that this editor needs for itself: o opens it in your own editor."
    if problem:
        return problem
    base = None if file.missing else file.raw
    is_draft = draft is not None and draft.text != base
    if line is None and not is_draft:
        line = main.line_meant(ref)
        row = main.viewer.view.screen_row(line) if main.is_shown(ref) else None
    if draft is not None and is_draft:
        changed = next((hunk.start + max(len(hunk.lines) - 1, 0) for hunk in line_hunks(split(base or b""), split(draft.text))), 0)
        line = changed if line is None else line
        await main.open_editor(ref, draft.base, text=draft.text, line=line, row=row)
        await warn(main, ref)
        main.say("This is unsaved text from before.")
    else:
        await main.open_editor(ref, base, line=line or 0, row=row)
    return None


async def warn(main: MainScreen, ref: MemRef, back: int = 0) -> None:
    """Follow the file on disk if nothing is typed; else show above the editor that it differs from what was loaded or saved.

    `back` lines in it were just put back.
    """
    from zsmem_tui.ui.widgets.markdown_area import holds_back_characters  # deferred: `TextArea` takes 20 ms

    file = await asyncio.to_thread(open_file, main.session, ref)
    if main.editor.ref != ref:
        return
    mine = f"{counted(back, 'line')} put back" if back else ""
    who = "somebody" if back else await asyncio.to_thread(losses.writer, main.session, ref)
    if file.raw in (main.editor.base or b"", main.editor.on_disk):
        main.editor.banner(mine and f"! Changed on disk by {who}: {mine}")
        return
    if main.status.said.startswith("Saved "):  # it is not what stands there any more; whatever else was said is
        main.status.clear()
    if file.problem and not file.missing:
        main.editor.banner(f"! {file.problem.rstrip('.')}. Your text is still here.")
    elif problem := main.session.store_problem():
        main.editor.banner(f"! {problem} Your text is still here.")
    elif file.missing:
        main.editor.banner(f"! {who.capitalize()} deleted this file · ctrl+s asks whether to save yours as a new one")
    else:
        added, removed = line_counts(main.editor.base, file.raw)
        if not (main.editor.unsaved or editing.why_not(file) or holds_back_characters(file.text)):
            main.editor.saved(file.raw, main.editor.area.value, _FOLLOWED)
            main.say(f"Reloaded {wording.title_of(ref, main.session)}, +{added} -{removed}: the editor follows.", news=True)
            return
        how = f"lines +{added} -{removed}{mine and f', {mine}'}"
        main.editor.banner(f"! Changed on disk by {who}: {how} · ctrl+s merges or asks")


async def measure(main: MainScreen) -> None:
    """Compute and show how full the prompt would be if the editor's text were saved."""
    from zsmem_tui.service import previewing  # deferred: 9 ms, with the preview
    from zsmem_tui.ui.prompt.wording import meter  # deferred: needed only for editing

    editor = main.editor
    ref = editor.ref
    if ref is None:
        return
    if len(editor.area.text) > _METER_AT_ONCE:
        await asyncio.sleep(_METER_QUIET)  # the next key cancels this worker
    try:
        text = editor.content().decode("utf-8", "replace")
    except MemError:
        return
    about = previewing.subject(main.session, ref.project)
    seen = await asyncio.to_thread(lambda: previewing.preview(main.session, about, unsaved={ref.path: text}))
    if editor.ref == ref:
        editor.show_meter(meter(seen, ref), warning=bool(seen.lost))


async def _convert(main: MainScreen, ref: MemRef, raw: bytes) -> bool:
    """Ask whether to convert a file that is not UTF-8, and open the editor if so; False if declined."""
    answers = [("no", "Leave it as it is"), ("yes", "Convert it to UTF-8 and edit (written when you save)")]
    found = await asyncio.to_thread(recoded, raw)
    shown = visible_line(trim(found.line)[:200])
    reads = "so agents cannot read it" if needs_utf8(main.session.layout, ref.role) else "and agents may not be able to read it"
    question = f"This file is not valid UTF-8, {reads}.\nWith {found.how}, a line of it is:\n\n{shown}"
    if await choose(main, wording.title_of(ref, main.session), question, answers) != "yes":
        return False
    await main.open_editor(ref, raw, text=found.text.encode())
    main.say("Converted in the editor; the file is as it was until you save.")
    return True


async def save(main: MainScreen, *, leaves: bool = False, anew: bool = False) -> bool:
    """Save the editor's text; False if the person chose not to. `leaves`: whether the editor is closed afterwards.

    `anew`: as a new file, since the one that was edited is gone.
    """
    editor = main.editor
    ref = editor.ref
    if ref is None:
        return True
    submitted, before = editor.area.value, None if anew else editor.base
    try:
        mine = editor.content()
        outcome = await asyncio.to_thread(editing.save, main.session, ref, mine, before)
        done = await _resolve_until_saved(main, ref, mine, before, outcome)
    except MemError as error:
        return _not_saved(main, wording.refusal(error))
    if done is None:
        return False
    outcome, words, before, kept = done
    if isinstance(outcome, Saved) and not outcome.confirmed:
        return _not_saved(main, "It did not last: others keep writing over it.")
    typed = not leaves
    how = _MERGED if isinstance(outcome, Saved) else _TOOK
    editor.saved(outcome.text, submitted, f"{how} {_kept_words(typed=True)}" if kept else how)
    await _drop_draft(main, ref)
    if main.here.has_problem(main.session.undo_problem):
        main.tell_right()
    if any(wipe.ref == ref for wipe in main.here.wipes):  # what it lost may stand there again
        await main.look_after(main.here)
    key = wording.pressed(UNDO, typed)
    words, warning = with_others(*((words, False) if words else describe(outcome, ref, main.session, before, key)))
    words = f"{words.rstrip('.')}. {_kept_words(typed=typed)}" if kept else words
    main.say(words, warning=warning)
    main.session.texts.expire()
    return True


def _not_saved(main: MainScreen, words: str) -> bool:
    main.editor.banner(f"! {words} Your text is still here.", until_saved=True)
    main.say("Not saved.", warning=True)
    return False


async def _resolve_until_saved(
    main: MainScreen, ref: MemRef, asked: bytes, base: bytes | None, outcome: SaveOutcome, outside: MemError | None = None
) -> _Resolved | None:
    """Ask the person as long as the save conflicts; None if the person wants nothing written.

    What was typed and is decided against goes to the history before it is given up. `outside` is raised if a text from the
    person's own editor cannot be shown in a dialog. Raises `MemError`.
    """
    mine = asked
    shown: list[bytes] = []
    kept = False
    while isinstance(outcome, Conflicted):
        if outside is not None and not (is_utf8(mine) and is_utf8(outcome.theirs or b"")):
            raise outside
        own = "Mine, as decided" if shown else "Mine"
        chosen = await _ask_which_text(main, ref, mine, base, outcome, own, typing=outside is None)
        if chosen is None:
            return None
        theirs = chosen[1]
        if theirs is not None:
            shown += [line for region in conflicts(base, mine, theirs).regions for line in region.theirs]
        if editing.is_given_up(base, mine, chosen[0]):
            await asyncio.to_thread(editing.put_beside, main.session, ref, mine)
            kept = True
        mine, base = chosen
        try:
            outcome = await asyncio.to_thread(partial(editing.save, main.session, ref, mine, base, shown=shown))
        except MemError:
            with suppress(MemError):  # what was typed to decide is nowhere else
                await asyncio.to_thread(editing.put_beside, main.session, ref, mine)
            raise
    if shown:
        if isinstance(outcome, Unchanged):
            with suppress(HistoryError):  # if it fails, they stay to be reviewed
                await asyncio.to_thread(review_lines.saw, main.session, ref, shown)
        outcome = outcome._replace(kept_lines=line_counts(asked, outcome.text)[0]) if isinstance(outcome, Saved) else outcome
    took_theirs = isinstance(outcome, Unchanged) and mine != asked
    words = f"Took theirs: {wording.title_of(ref, main.session)} is as it stands on disk." if took_theirs else ""
    return _Resolved(outcome, words, base, kept)


def _kept_words(*, typed: bool) -> str:
    return f"What you typed is in its history: {wording.pressed('H shows it', typed)}."


async def _ask_which_text(
    main: MainScreen, ref: MemRef, mine: bytes, base: bytes | None, conflict: Conflicted, own: str, *, typing: bool = True
) -> tuple[bytes, bytes | None] | None:
    """Ask for the text to save if both sides changed the same lines, and theirs that it replaces; None: write nothing."""
    who = await asyncio.to_thread(losses.writer, main.session, ref)
    if conflict.theirs is None:
        answers = [("no", "Go on editing" if typing else "Leave it deleted"), ("yes", "Save it as a new file")]
        text = f"{who.capitalize()} deleted this file while you edited it. Nothing is written yet."
        is_wanted = await choose(main, wording.title_of(ref, main.session), text, answers) == "yes"
        return (mine, None) if is_wanted else None
    sides = editing.Sides(main.session.path(ref), base, mine, conflict.theirs)
    leaving = "go on editing" if typing else "leave all as it is"
    keep = partial(editing.put_beside, main.session, ref)
    names = (f"Theirs, {'on disk' if who == 'somebody' else f'by {who}'}", own)
    chosen = await resolve(main, wording.title_of(ref, main.session), sides, names=names, leaving=leaving, keep=keep)
    return None if chosen is None else (chosen, sides.theirs)


def describe(done: Saved | Unchanged, ref: MemRef, session: Session, before: bytes | None, key: str = UNDO) -> tuple[str, bool]:
    """A save in words, and whether they warn; `before` is the text it replaced, `key` the key that undoes it."""
    name = wording.title_of(ref, session)
    if isinstance(done, Unchanged):
        return f"Nothing changed in {name}.", False
    if not done.confirmed:
        return f"Saved {name}, but somebody keeps writing over it: look again whether it lasts.", True
    added, removed = line_counts(before, done.text)
    count, lost = done.kept_lines, editing.head_lost(session, ref, before, done.text)
    how = f"keeping {counted(count, 'line')} written meanwhile" if count else f"+{added} -{removed}"
    return wording.undoable(f"Saved {name}, {how}{lost}", session.undo_problem, key), bool(lost)


async def leave(main: MainScreen, *, ends: str = "") -> bool:
    """Close the editor and go back to where it was opened, asking first if there is unsaved text; False if it stays open.

    `ends` says what else ends with it.
    """
    ref = main.editor.ref
    if ref is None:
        return True
    line, row = main.editor.area.cursor_location[0], main.editor.area.cursor_row
    if not await _close(main, ref, ends):
        return False
    back, main.after_editor = main.after_editor, None
    event = FileChosen(ref, enter=back is None, line=line, row=row, store=main.here.key)
    if back is not None:
        main.post_message(event)
        back()
    else:
        main.open_file(event)  # so that `esc` returns to where it did before
    return True


async def _close(main: MainScreen, ref: MemRef, ends: str = "") -> bool:
    """Close the editor, asking first if there is unsaved text; False if it stays open."""
    editor = main.editor
    if editor.unsaved:
        said, file = f"There is unsaved text.{ends}", await asyncio.to_thread(open_file, main.session, ref)
        if anew := file.missing and editor.base is not None and not main.session.store_problem():
            who = await asyncio.to_thread(losses.writer, main.session, ref)
            said = f"{who.capitalize()} deleted this file. {said}"
        save_it = "Save it as a new file" if anew else "Save it"
        keep_it = f"Keep it as a draft{'; the file stays deleted' if anew else ', and leave the file as it is'}"
        answers = [("save", save_it), ("draft", keep_it), _DISCARD]
        answer = await choose(main, wording.title_of(ref, main.session), said, answers)
        if answer is None or (answer == "save" and not await save(main, leaves=True, anew=anew)):
            return False
        if answer == "draft":
            if not await keep_draft(main):
                return False
            main.say("Kept as a draft: it is offered at the next start.")
        if answer == "discard":
            async with main.here.drafting:
                if await perform(main.host, lambda: editing.throw_away(main.session, ref, editor.content())) is None:
                    return False
    else:
        await _drop_draft(main, ref)
    main.status.said = main.status.said.replace("esc, then ", "")  # the person has left the text
    editor.close()
    main.remove_class("-editing")
    if main.current == "editor":
        main.focus_pane("viewer")
    return True


async def keep_draft(main: MainScreen) -> bool:
    """Save the unsaved text as a draft, outside the store; whether that succeeded."""
    editor, ref = main.editor, main.editor.ref

    async def kept() -> bool:
        async with main.here.drafting:
            if ref is None or editor.ref != ref:
                return True
            editor.end_wait()
            if editor.unsaved:
                await asyncio.to_thread(editing.keep_draft, main.session, ref, editor.content(), editor.base)
        return True

    return bool(await attempt(kept(), lambda words: main.say(words, warning=True)))


async def _drop_draft(main: MainScreen, ref: MemRef) -> None:
    async with main.here.drafting:
        await asyncio.to_thread(editing.drop_draft, main.session, ref)


async def offer_drafts(main: MainScreen, store: OpenStore) -> None:
    """At the start, ask once about a draft for the current folder; after the first key, which a question could take, only tell."""
    found = await asyncio.to_thread(editing.drafted, store.session)
    draft = await asyncio.to_thread(editing.draft_of, store.session, found[0]) if found else None
    if draft is not None:
        about = await asyncio.to_thread(editing.about_draft, store.session, found[0], draft)
        more = f"\n({len(found) - 1} more will be offered when you edit their files.)" if len(found) > 1 else ""
        discard = partial(editing.throw_away, store.session, found[0], draft.text, draft)
        main.host.conversations.start(_offer_draft(main, store, found[0], f"{about}{more}", discard), lambda: True)


async def _offer_draft(main: MainScreen, store: OpenStore, ref: MemRef, about: str, discard: Callable[[], VerbResult]) -> None:
    text = f"There is unsaved text from before, of {wording.title_of(ref, store.session)}"
    if main.asked_about_draft or main.host.has_keys:
        main.told_draft = True
        main.host.say(f"{text}{', too' * main.asked_about_draft}: e on that file brings it back.", warning=True)
        return
    if not main.use(store):
        return
    main.asked_about_draft = True
    answers = [("open", "Open it in the editor"), ("later", "Later: it stays"), _DISCARD]
    answer = await ask(main, ChoiceDialog("A draft", f"{text}.\n{about}", answers, deaf=UNSEEN_SECONDS))
    if answer == "open":
        await edit(main, ref)
    elif answer == "discard":
        await perform(main.host, discard)
    if answer != "open" and main.follows:
        await main.show_what_waits()  # the question had kept it from opening


async def edit_outside(main: MainScreen, ref: MemRef) -> None:
    """Run the person's own editor on a copy, at the current line, and save the result."""
    if problem := await asyncio.to_thread(why_read_only, main.session, ref, outside=True):
        main.warn(problem)
        return
    await attempt(_edit_outside(main, ref), lambda words: main.say(words, warning=True))


async def _edit_outside(main: MainScreen, ref: MemRef) -> None:
    try:
        done = _run_suspended(main, lambda: external.edit_in_editor(main.session, ref, main.line_meant(ref)))
    except SuspendNotSupported:
        main.warn("This terminal cannot be left for another program.")
        return
    except external.EditConflict as conflict:
        await _save_conflicting(main, ref, conflict)
        return
    except external.EditorFailed as error:
        await _say_where_kept(main, wording.refusal(error), error.kept)
        return
    words, warning = describe(done.outcome, ref, main.session, done.before)
    main.say(words, warning=warning)
    main.post_message(FileChosen(ref))


def _run_suspended(main: MainScreen, act: Callable[[], external.EditorResult]) -> external.EditorResult:
    """Call `act` while the terminal is suspended. The terminal is always restored afterwards."""
    away = main.app.suspend()
    away.__enter__()
    try:
        return act()
    finally:
        away.__exit__(None, None, None)  # if an error were passed in, the terminal would not be restored
        main.app.screen.refresh(layout=True)


async def _save_conflicting(main: MainScreen, ref: MemRef, conflict: external.EditConflict) -> None:
    """Ask the person to resolve a conflict between the text from their editor and the file; the copy is kept until then."""
    problems: list[str] = []
    resolving = _resolve_until_saved(main, ref, conflict.mine, conflict.base, conflict.found, conflict)
    if (done := await attempt(resolving, problems.append)) is None:
        why = problems[0] if problems else f"{wording.title_of(ref, main.session)} is as it stands on disk."
        await _say_where_kept(main, why, conflict.kept)
        return
    words = done.words or describe(done.outcome, ref, main.session, done.before)[0]
    words = f"{words.rstrip('.')}. {_kept_words(typed=False)}" if done.kept else words
    await asyncio.to_thread(external.forget_copy, conflict.kept)
    main.session.texts.expire()
    await main.look_now()
    main.say(words)
    main.post_message(FileChosen(ref))


async def _say_where_kept(main: MainScreen, text: str, kept: str) -> None:
    """Say what went wrong; if the text was kept in a file outside the store, in a dialog with its path."""
    if not kept:
        main.say(text, warning=True)
        return
    words = text.partition(" What you wrote is in ")[0].partition(" Your text is in ")[0]
    words = f"{words}\n\nWhat you wrote is kept in\n{kept}"
    await choose(main, "Your own editor", words, [("ok", "Close")])
    main.say(f"What you wrote is in {kept}.", warning=True)


async def go_to_line(main: MainScreen) -> None:
    """Ask for a line, or line:column, and move the editor's cursor there; does nothing if the editor was closed meanwhile."""
    if main.editor.ref is None:
        return
    area = main.editor.area
    what = f"A line of {area.document.line_count}, or line:column:"

    async def go(answer: str) -> None:
        row, _, column = trim(answer).partition(":")
        if not row.isdecimal() or (column and not column.isdecimal()) or len(answer) > _MOST_DIGITS:
            raise BadTarget("A number, or two with a colon between them.")
        place = min(max(int(row), 1), area.document.line_count) - 1
        area.move_cursor((place, min(max(int(column or 1), 1) - 1, len(area.document.get_line(place)))), center=True)

    await ask_until(main, "Go to line", what, go)
