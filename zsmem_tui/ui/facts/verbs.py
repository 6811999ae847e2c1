"""The verbs of facts, asking in between for words, places and names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from zsmem_tui.core.block_edits import split_words
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fact_prompt import effect
from zsmem_tui.core.layout import has_main_file, main_file, only_instructions
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, trim
from zsmem_tui.service import applying, previewing, wanted
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import new_note, proposed_note, targets
from zsmem_tui.service.facts.provenance import story as story_of
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.ui.background import begin
from zsmem_tui.ui.dialogs.ask import ask_line, choose, show_page
from zsmem_tui.ui.facts import promoting
from zsmem_tui.ui.facts import rows as format_facts
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.prompt import fit as fitting
from zsmem_tui.ui.wording import size

if TYPE_CHECKING:
    from zsmem_tui.ui.tool import Facts

LONGEST_LINE: Final = 2_000
"""Characters of a fact that are edited in a line; a longer one is edited in the editor."""

_AT_CURSOR: Final = frozenset({"open", "edit", "edit_in_file", "add", "story", "history"})
"""What is about the fact under the cursor, whatever is marked."""

_LIFTS: Final = frozenset({"top", "promote"})
"""What is done so that the agent sees a fact."""

_NEW_NOTE: Final = "\0note"
"""The answer for a note that is not there yet."""


Make = Callable[[], Plan]
"""What makes the plan of a verb: it reads files, so it runs in a thread."""


@dataclass
class Asked:
    """What the person typed for a verb, why that was refused the time before, and why it is refused now."""

    text: str = ""
    problem: str = ""
    refused: str = ""


async def act(screen: Facts, verb: str) -> None:
    """Do one thing with the chosen facts; in a run, go on to the next."""
    if verb == "fit":
        await fitting.fit(screen, screen.about.project)
        return
    await screen.ready.wait()
    if screen.closed:
        return
    here = screen.rows.at_cursor()
    rows = screen.rows.chosen() if verb not in _AT_CURSOR else [here] if here is not None else []
    if not rows:
        screen.say("Nothing selected: put the cursor on a fact first.", warning=True)
        return
    if verb == "edit" and (rows[0].fact.lines > 1 or len(rows[0].fact.text) > LONGEST_LINE):
        verb = "edit_in_file"
    other = _OTHERS.get(verb)
    if other is not None:
        await other(screen, rows)
        return
    if verb == "promote":
        within = _as_ever(screen, rows) if has_main_file(screen.session.layout, screen.about.project) else ""
        if await promoting.promote(screen, rows, above=within):
            return
    asked = Asked()
    while True:
        asked.problem, asked.refused = asked.refused, ""
        made = await attempt(_how(screen, verb, rows, asked), lambda reason: _refuse(screen, asked, reason))
        if made is not None:
            asked.refused = await _do(screen, rows, made, verb, ask_again=bool(asked.text))
        if not asked.refused:
            return


def _refuse(screen: Facts, asked: Asked, reason: str) -> None:
    """Ask again where something was typed; else say why not."""
    if asked.text:
        asked.refused = reason
    else:
        screen.say(reason, warning=True)


def _as_ever(screen: Facts, rows: Sequence[FactRow]) -> str:
    """What `p` does within the store, in words."""
    if goes_down(screen.session, rows, screen.about.project):
        return "A note of this store …"
    ref = screen.session.layout.ref(Role.FACTS, screen.about.project)
    return "Long-term memory" if ref is not None else "The index, MEMORY.md"


async def _story(screen: Facts, rows: list[FactRow]) -> None:
    """Every version in which a fact changed."""
    row = rows[0]
    chapters = await attempt(asyncio.to_thread(story_of, screen.session, row), lambda reason: screen.say(reason, warning=True))
    if chapters is not None and not screen.closed:
        show_page(
            screen.app, f"How {_what([row])} changed", format_facts.story(row, chapters, screen.host.now_ns(), screen.session)
        )


async def _open(screen: Facts, rows: list[FactRow]) -> None:
    """Read the file at the fact."""
    screen.host.read_file(rows[0].ref, rows[0].fact.line)


async def _edit_in_file(screen: Facts, rows: list[FactRow]) -> None:
    """Edit the file at the fact; leaving the editor comes back to it."""
    screen.host.edit_file(rows[0].ref, rows[0].fact.line, row=screen.rows.screen_row)


async def _history(screen: Facts, rows: list[FactRow]) -> None:
    """All versions of the file."""
    screen.host.open_history(rows[0].ref)


async def _copy_text(screen: Facts, rows: list[FactRow]) -> None:
    """The text of the facts to the terminal's clipboard."""
    text = "".join(row.fact.text if row.fact.text.endswith("\n") else f"{row.fact.text}\n" for row in rows)
    screen.app.copy_to_clipboard(text.encode("utf-8", "replace").decode())
    screen.say(f"Sent {counted(len(rows), 'fact')} to the terminal's clipboard ({size(len(text.encode('utf-8', 'replace')))}).")


def considered(session: Session, rows: Sequence[FactRow], project: str) -> list[tuple[str, Make]]:
    """The acts that are weighed before a key is pressed: its key with what it does, and how it is made."""
    if only_instructions(session.layout):
        return [("d delete", lambda: acts.delete(session, rows))]
    if not has_main_file(session.layout, project):
        return [("+ to the top", lambda: acts.to_top(session, rows)), ("d delete", lambda: acts.delete(session, rows))]
    if goes_down(session, rows, project):
        other = ("p demote, into a note", lambda: acts.move(session, rows, new_note(session, project, proposed_note(rows[0]))))
    else:
        other = ("p promote", lambda: acts.promote(session, rows))
    return [("+ to the top", lambda: acts.to_top(session, rows)), ("d delete", lambda: acts.delete(session, rows)), other]


async def _how(screen: Facts, verb: str, rows: list[FactRow], asked: Asked) -> Make | None:
    """What to do, once everything is asked; None: nothing."""
    session = screen.session
    match verb:
        case "delete":
            return lambda: acts.delete(session, rows)
        case "top":
            return lambda: acts.to_top(session, rows)
        case "up" | "down":
            return lambda: acts.shift(session, rows[0], 1 if verb == "down" else -1)
        case "edit":
            words = split_words(rows[0].fact)[1]
            text = await _ask(screen, asked, "Edit", "The words of this fact:", words, mend=True)
            return (lambda: acts.reword(session, rows[0], text)) if text and text != words else None
        case "add":
            question = f"A fact below {format_facts.chosen_name(rows[:1])}:"
            asked.text = await ask_line(screen, "Add", question, asked.text, lines=True, problem=asked.problem) or ""
            return (lambda: acts.add_below(session, rows[0], asked.text)) if trim(asked.text) else None
        case "promote":
            if not goes_down(session, rows, screen.about.project):
                return lambda: acts.promote(session, rows)
            name = await _ask(screen, asked, "Demote", f"The note that {_what(rows)} goes to:", proposed_note(rows[0]))
            return (lambda: acts.move(session, rows, new_note(session, screen.about.project, name))) if name else None
        case _:
            return await _carry(screen, rows, asked, acts.copy if verb == "copy" else acts.move, verb)


async def _carry(screen: Facts, rows: list[FactRow], asked: Asked, make: Callable[..., Plan], verb: str) -> Make | None:
    """To a file, a heading or a project; where the last ones went comes first."""
    session = screen.session
    found = await asyncio.to_thread(targets, session, rows, screen.about.project)
    last = screen.last_target
    if last is not None:
        found = [last, *(target for target in found if target != last)]
    places = {format_facts.target_id(target): target for target in found}
    answers = [(id, format_facts.target_label(target, screen.about.project, session)) for id, target in places.items()]
    others = [target.ref.project not in ("", screen.about.project) and target != last for target in found]
    answers.insert(others.index(True) if True in others else len(answers), (_NEW_NOTE, "a new note …"))
    title = verb.capitalize()
    answer = await choose(screen, title, f"{title} {_what(rows)} to:", answers, names=True)
    if answer == _NEW_NOTE:
        name = await _ask(screen, asked, "Note", "The name of the note:", proposed_note(rows[0]))
        if not name:
            return None
        target = new_note(session, screen.about.project, name)
    elif answer:
        target = places[answer]
    else:
        return None
    screen.last_target = target
    return lambda: make(session, rows, target)


async def _want(screen: Facts, rows: list[FactRow]) -> None:
    """Mark them as wanted in the prompt, or when all are, not any more."""

    def mark() -> VerbResult:
        is_new = not all(wanted.is_wanted(screen.session, rows))
        return wanted.mark(screen.session, rows, wanted=is_new)

    await perform(screen.host, mark, screen, refresh=lambda _: _read_again(screen))


async def _do(screen: Facts, rows: list[FactRow], made: Make, verb: str, *, ask_again: bool) -> str:
    """Do it and show what came of it; why it was refused, when the person shall be asked again."""
    problems: list[str] = [""]
    done = await perform(
        screen.host,
        lambda: applied(screen.session, made, rows[0].ref.project or screen.about.project, lifts=verb in _LIFTS),
        screen,
        refresh=lambda _: _read_again(screen),
        refused=problems.append if ask_again else None,
    )
    if done is None and not screen.closed and not ask_again:
        await screen.read()
    if done is not None and not screen.closed:
        screen.next_after(rows, edited=verb == "edit")
    return problems[-1]


def applied(session: Session, made: Make, project: str, *, lifts: bool) -> VerbResult:
    """Do it, and say what the prompt gained and lost by it; of what `lifts` facts, also that it did not.

    Raises `MemError` when it was not done.
    """
    before = _block(session, project)
    done = applying.apply(made())
    after = _block(session, project) if done.changed else None
    said = format_facts.effect_said(effect(before, after), lifts=lifts) if before is not None and after is not None else ""
    return replace(done, message=f"{done.message}{said}")


def _block(session: Session, project: str) -> Preview | None:
    """The prompt of a project; None where it has none, or a file of it cannot be read: that is no reason not to write."""
    try:
        return previewing.preview(session, Subject(project, "", session.profile))
    except MemError:
        return None


async def _read_again(screen: Facts) -> None:
    if not screen.closed:
        screen.rows.marked.clear()
        await screen.read()
        main = screen.host.main
        begin(main, main.look_now, group="own step")  # what the doctor finds is other lines now


async def _ask(screen: Facts, asked: Asked, title: str, text: str, value: str, *, mend: bool = False) -> str:
    asked.text = await ask_line(screen, title, text, asked.text or value, mend=mend, problem=asked.problem) or ""
    return trim(asked.text)


def goes_down(session: Session, rows: Sequence[FactRow], project: str) -> bool:
    """Whether all of them stand in the file that goes into every prompt, so that they can only go down."""
    if not rows or not has_main_file(session.layout, project):
        return False
    main = main_file(session.layout, project).path
    return all(row.ref.path == main for row in rows)


def _what(rows: list[FactRow]) -> str:
    return format_facts.chosen_name(rows)


_OTHERS: Final[dict[str, Callable[[Facts, list[FactRow]], Coroutine[Any, Any, None]]]] = {
    "open": _open,
    "edit_in_file": _edit_in_file,
    "story": _story,
    "history": _history,
    "copy_text": _copy_text,
    "wanted": _want,
}
"""What changes no memory file here."""
