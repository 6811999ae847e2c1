"""What is done about findings of the doctor; and looking for them, at rest, after the store was read and after each change."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from zsmem_tui.core.checks.checkup import NOT_LOOKED, Checkup
from zsmem_tui.core.checks.excerpt import shown, without
from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.core.checks.whole import BROKEN
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, one_line
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import checkups, doctor_fixes, history, joint
from zsmem_tui.service.checkups import Rounds
from zsmem_tui.ui.dialogs.ask import choose, confirm_plan
from zsmem_tui.ui.dialogs.plan_rows import APPLY, change_rows
from zsmem_tui.ui.doctor import rows as format_doctor
from zsmem_tui.ui.host import Place
from zsmem_tui.ui.memory.reading import mark_lines
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.places import place_name

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore

AT_REST_BYTES: Final = 4 * 1024 * 1024
"""What is looked into unasked after a change, of files that never were: six seconds of a core and 200 MB of memory, at most."""

BREATH_SECONDS: Final = 0.002
"""Seconds that a look at rest leaves to others after each file."""

_QUOTED: Final = 60
"""Characters of a line that a question quotes."""


class Findings(Place, Protocol):
    """The screen of findings, as far as its verbs know it."""

    found: Checkup | None

    def chosen(self) -> list[Finding]:
        """The marked findings, else the one under the cursor."""

    @property
    def store(self) -> OpenStore:
        """The store that they are of."""

    async def read(self) -> None:
        """Look for findings again, and show them."""


async def look(main: MainScreen, store: OpenStore, *, at_rest: bool = False) -> Checkup | None:
    """What the doctor finds in a store now, shown wherever it is counted; None where it was refused.

    `at_rest`, when nobody asked for it, large stores are looked into in part only. What is cancelled stops.
    """
    rounds = store.rounds = store.rounds or Rounds(store.session)
    over = threading.Event()
    cancelled = partial(over.wait, BREATH_SECONDS) if at_rest else over.is_set
    try:
        most = AT_REST_BYTES if at_rest else None
        work = asyncio.to_thread(rounds.look, main.folders, catalog=store.catalog, most=most, cancelled=cancelled)
        found = await attempt(work, lambda _: None)
    finally:
        over.set()
    if found is not None and main.is_mounted and store in main.stores:
        is_news = _shown_of(found) != _shown_of(store.checkup)
        store.checkup = found
        if is_news:
            main.tree_pane.show(main.stores, main.folders)
            main.tell_right()
            for tool in main.host.tools:
                if tool.is_mounted:
                    tool.widget_of().refresh()  # rows that are about lines that something was found in
            if main.viewer.store == store.key:
                await mark_lines(main)
    return found


def _shown_of(found: Checkup) -> object:
    """What of it is on the main screen."""
    return found.counts, found.lines, bool(found.left)


async def act(screen: Findings, verb: str) -> None:
    """Do one thing with the chosen findings."""
    faults = screen.chosen()
    if not faults:
        screen.say("Nothing selected: there is no finding.", warning=True)
        return
    first, session = faults[0], screen.session
    match verb:
        case "fix":
            await _fix(screen, faults)
        case "ignore":
            await _ignore(screen, faults)
        case "open":
            screen.host.openers.read(session.ref_at(first.path), first.line - 1, store=screen.store.key)
        case "edit":
            screen.host.openers.edit(session.ref_at(first.path), first.line - 1)
        case "history":
            screen.host.openers.open_history(session.ref_at(first.path))
        case _:
            screen.app.copy_to_clipboard(format_doctor.copied(faults, screen.found or NOT_LOOKED))
            screen.say(f"Sent {counted(len(faults), 'finding')} to the terminal's clipboard.")


async def _ignore(screen: Findings, faults: Sequence[Finding]) -> None:
    known = screen.found.ignored if screen.found is not None else frozenset()
    wanted = any(fault.id not in known for fault in faults)

    async def refresh(_: VerbResult) -> None:
        await screen.read()

    await perform(screen.host, partial(checkups.ignore, screen.session, faults, ignore=wanted), screen, refresh=refresh)


async def _fix(screen: Findings, faults: list[Finding]) -> None:
    """Mend what can be mended without a person; of one that needs a choice, ask. More than one line is shown first."""
    if len(faults) == 1 and faults[0].fix is not None and any(each.is_ready for each in faults[0].fix.choices):
        picked = await _pick(screen, faults[0])
        if picked is None:
            return
        faults = [picked]
    plan = await attempt(
        asyncio.to_thread(doctor_fixes.plan, screen.session, faults), lambda reason: screen.say(reason, warning=True)
    )
    if plan is None:
        return
    if not plan.changes:
        await screen.read()
        screen.say(" ".join(plan.left[:2]) or "It is mended already.", warning=True)
        return
    if len(faults) > 1 or plan.lines > 1:
        first_fix = faults[0].fix
        title = f"Fix {counted(plan.count, 'finding')}" if len(faults) > 1 or first_fix is None else first_fix.sentence
        if await confirm_plan(screen, title.rstrip("."), await asyncio.to_thread(change_rows, plan)) != APPLY:
            return

    async def refresh(_: VerbResult) -> None:
        await screen.host.main.look_now(screen.store)
        await screen.read()

    secrets = await asyncio.to_thread(doctor_fixes.masked, faults)
    done = await perform(screen.host, partial(joint.apply, plan), screen, refresh=refresh)
    if done is None:
        await screen.read()
    elif done.changed and secrets:
        await _forget(screen, secrets)


async def _pick(screen: Findings, fault: Finding) -> Finding | None:
    """Which of two facts goes, or which side of a conflict stays."""
    assert fault.fix is not None
    answers = []
    secrets = (screen.found or NOT_LOOKED).secrets_of(fault)
    keeps = fault.rule == BROKEN  # the sides of a conflict
    for number, each in enumerate(fault.fix.choices):
        for edit in each.edits[:1]:
            said = without(one_line("\n".join(edit.after if keeps else edit.before)), secrets)
            text = visible_line(shown([said])[:_QUOTED])
            place = each.name if keeps else f"{place_name(edit.path, screen.session)}:{edit.line}"
            answers.append((str(number), f"{visible_line(place)}  {text}"))
    question = f"{without(fault.message, secrets)} {'Keep' if keeps else 'Delete'} which?"
    answer = await choose(screen, "One of them stays" if keeps else "One of them goes", question, answers)
    return None if answer is None else doctor_fixes.picked(fault, int(answer))


async def _forget(screen: Findings, secrets: Sequence[str]) -> None:
    """What was masked stands in earlier versions still: offer to take it out there, too."""
    what = "it" if len(secrets) == 1 else "them"
    answer = await choose(
        screen,
        "Forget",
        f"Masked here, but versions in the history still hold {what}, and u brings {what} back. Forgetting cannot be undone.",
        [("keep", f"Keep {what} in the history"), ("forget", f"Forget {what}: in every version and every file of this memory")],
    )
    if answer != "forget":
        return
    done = await attempt(asyncio.to_thread(_forget_all, screen, secrets), lambda reason: screen.say(reason, warning=True))
    if done is not None:
        await screen.host.main.look_now(screen.store)
        await screen.read()
        screen.say(done)


def _forget_all(screen: Findings, secrets: Sequence[str]) -> str:
    """Take credentials out of all that is kept; how the last of them ended. Raises `MemError`."""
    said = [history.forget(screen.session, secret, in_files=True) for secret in secrets]
    return said[0] if len(said) == 1 else f"Forgot {len(said)} of them. {said[-1]}"
