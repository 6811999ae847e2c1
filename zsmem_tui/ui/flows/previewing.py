"""Whose prompt is shown, of which day, for which agent; and how two agents' prompts differ."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Protocol

from zsmem_tui.core.preview import Preview
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import previewing
from zsmem_tui.service.previewing import Subject
from zsmem_tui.ui.flows.asking import choose
from zsmem_tui.ui.format import prompt as format_prompt
from zsmem_tui.ui.format.common import size
from zsmem_tui.ui.host import Place


class Prompt(Place, Protocol):
    """The screen of what the agent sees."""

    about: Subject
    closed: bool

    def show(self, about: Subject) -> None:
        """Show another prompt."""

    def show_difference(self, title: str, here: str | None, there: str | None) -> None:
        """Show two blocks side by side."""


async def choose_project(screen: Prompt) -> None:
    """The prompt of another project."""
    catalog = screen.host.main.here.catalog
    answers = [(project.slug, printable_path(project.slug)) for project in catalog.projects] if catalog else []
    answer = await choose(screen, "Project", "Whose prompt?", answers, names=True) if answers else None
    if answer:
        screen.show(screen.about._replace(project=answer))


def turn_to_day(screen: Prompt, step: int) -> None:
    """The prompt of the day before or after; 0: today."""
    today = screen.session.clock().date()
    day = date.fromisoformat(screen.about.day) if screen.about.day else today
    wanted = today if step == 0 else day + timedelta(days=step)
    screen.show(screen.about._replace(day="" if wanted == today else wanted.isoformat()))


async def compare(screen: Prompt, *, side_by_side: bool) -> None:
    """How the prompt of the other profile differs, side by side or in a sentence."""
    about = screen.about
    other = about._replace(profile=other_profile(about.profile))
    here = await asyncio.to_thread(previewing.preview, screen.session, about)
    there = await asyncio.to_thread(previewing.preview, screen.session, other)
    if screen.closed or screen.about != about:
        return
    if side_by_side:
        screen.show_difference(f"- {about.profile}   + {other.profile}", here.text, there.text)
    else:
        screen.say(format_prompt.difference(about.profile, here, there))


def copy_block(screen: Prompt, seen: Preview | None) -> None:
    """The block, byte for byte, to the clipboard."""
    text = seen.text if seen else None
    if text:
        screen.app.copy_to_clipboard(text)
        screen.say(f"Sent the block, {size(len(text.encode()))}, to the terminal's clipboard.")
    else:
        screen.say("Nothing goes into the prompt.", warning=True)


def other_profile(profile: Profile) -> Profile:
    """The profile that this one is compared with."""
    return Profile.DOCUMENTED if profile is Profile.ZEROSTACK_1_7 else Profile.ZEROSTACK_1_7
