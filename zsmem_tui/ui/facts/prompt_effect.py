"""What the prompt would gain and lose by each act that one key does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from textual import work
from textual.content import Content
from textual.widgets import Static

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fact_prompt import Effect
from zsmem_tui.core.layout import has_main_file, only_instructions
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import new_note, proposed_note
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.session import Session
from zsmem_tui.ui.deciding import Make
from zsmem_tui.ui.facts import rows as fact_rows
from zsmem_tui.ui.facts.verbs import goes_down
from zsmem_tui.ui.wording import refusal

QUIET_SECONDS: Final = 0.15
"""Seconds that the cursor rests on a fact before what would become of the prompt is worked out."""

LONG_SECONDS: Final = 0.3
"""Seconds after which it says that this is being worked out."""

WEIGHING: Final = "Working out what each key would do …"

NOTHING: Final = "What each key would do to it."

_COLOURS: Final = {"added": "$success", "removed": "$error", "quiet": "$text-muted"}


class Weighed(NamedTuple):
    """An act, and what it does to the prompt, or why it cannot be done."""

    name: str
    effect: Effect | None
    problem: str = ""


class PromptEffect(Static):
    """The acts that are weighed for the chosen facts, each with the lines that come into the prompt and go."""

    @work(exclusive=True, group="effect")
    async def weigh(self, session: Session, rows: Sequence[FactRow], project: str) -> None:
        """Show it for these facts, once the cursor rests; an older question is not answered any more."""
        if not rows or not self.display:
            self.update(NOTHING if not rows else "", layout=False)
            return
        await asyncio.sleep(QUIET_SECONDS)
        weighing = asyncio.ensure_future(asyncio.to_thread(weighed, session, rows, project))
        if not (await asyncio.wait({weighing}, timeout=LONG_SECONDS))[0]:
            self.update(WEIGHING, layout=False)  # what stands there is about another fact
        found = await weighing
        most = max((self.size.height - len(found)) // (2 * len(found)), 0)
        parts: list[Content] = []
        for each in found:
            words = each.problem if each.effect is None else each.effect.words
            parts.append(Content.assemble((each.name, "bold"), f": {words}"))
            for text, style in fact_rows.effect_lines(each.effect, most) if each.effect is not None else ():
                parts.append(Content.styled(text, _COLOURS[style]))
        self.update(Content("\n").join(parts), layout=False)  # its size is given


def considered(session: Session, rows: Sequence[FactRow], project: str) -> list[tuple[str, Make]]:
    """The acts that are weighed before a key is pressed: its key with what it does, and how it is made."""
    top = ("+ to the top", lambda: acts.to_top(session, rows))
    delete = ("d delete", lambda: acts.delete(session, rows))
    if only_instructions(session.layout):
        return [delete]
    if not has_main_file(session.layout, project):
        return [top, delete]
    if goes_down(session, rows, project):
        note = new_note(session, project, proposed_note(rows[0]))
        return [top, delete, ("p demote, into a note", lambda: acts.move(session, rows, note))]
    return [top, delete, ("p promote", lambda: acts.promote(session, rows))]


def weighed(session: Session, rows: Sequence[FactRow], project: str) -> list[Weighed]:
    """What each act that is considered would do to the prompt of a project; nothing is written."""
    out = []
    for name, make in considered(session, rows, project):
        try:
            out.append(Weighed(name, acts.effect(session, make(), project)))
        except MemError as error:
            out.append(Weighed(name, None, visible_line(refusal(error))))
    return out
