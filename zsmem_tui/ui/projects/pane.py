"""What is known of the projects that are chosen, and what would move."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.visible import visible
from zsmem_tui.service.projects import moving
from zsmem_tui.service.session import Session
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.projects import rows as format_projects
from zsmem_tui.ui.projects.rows import ProjectRow
from zsmem_tui.ui.wording import refusal

QUIET_SECONDS: Final = 0.1
"""Seconds that the cursor rests on a project before what would move is worked out."""


class ProjectPane(VerticalScroll):
    """Why, what would move, what is held."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("project")]

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(
            "Where the memory of the chosen project belongs, and why that is thought, shows up here.",
            id="project-detail",
            markup=False,
        )

    @work(exclusive=True, group="plan")
    async def tell(self, session: Session, rows: Sequence[ProjectRow], every: Mapping[str, ProjectRow], now_ns: int) -> None:
        """Tell of these projects at once, and what would move once the cursor rests; an older question is answered no more."""
        text = self.query_one("#project-detail", Static)
        self.scroll_home(animate=False)
        if not rows:
            return
        text.update(Content.assemble(*format_projects.about(rows, every, now_ns)))
        ways = moving.ways_of(session, [row.known for row in rows])
        if not ways:
            return
        await asyncio.sleep(QUIET_SECONDS)
        try:
            planned = await asyncio.to_thread(moving.plan, session, ways)
            would = format_projects.would_move(planned.rows, [way.folder for way in ways], planned.notes)
        except MemError as error:
            would = [(f"\n{visible(refusal(error))}\n", "$warning")]
        text.update(Content.assemble(*format_projects.about(rows, every, now_ns, would)))
