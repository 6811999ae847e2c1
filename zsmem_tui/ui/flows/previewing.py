"""Whose prompt is shown."""

from __future__ import annotations

from typing import Protocol

from zsmem_tui.core.text import printable_path
from zsmem_tui.service.previewing import Subject
from zsmem_tui.ui.flows.asking import choose
from zsmem_tui.ui.host import Place


class Prompt(Place, Protocol):
    """The screen of what the agent sees."""

    about: Subject

    def show(self, about: Subject) -> None:
        """Show another prompt."""


async def choose_project(screen: Prompt) -> None:
    """The prompt of another project."""
    catalog = screen.host.main.catalog
    answers = [(project.slug, printable_path(project.slug)) for project in catalog.projects] if catalog else []
    answer = await choose(screen, "Project", "Whose prompt?", answers, names=True) if answers else None
    if answer:
        screen.show(screen.about._replace(project=answer))
