"""What is said where there is nothing to show yet, and about a project as a whole."""

from __future__ import annotations

from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.refs import WriteTarget
from zsmem_tui.core.render import plural
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.ui import format


def welcome(session: Session, problem: str) -> str:
    """The text for a store that is missing, empty or unreadable."""
    root = visible_line(printable_path(session.root))
    if problem:
        return (
            f"The memory cannot be read.\n\n{visible_line(problem)}\n\nNothing was changed. "
            "Start zsmem with --root DIR to name another folder; F5 looks again. D opens a sample store."
        )
    return (
        f"There is no memory yet.\n\nAn agent with memory writes it here as soon as it learns something:\n\n  {root}\n\n"
        "What it writes shows up by itself. You can also begin:\n\n"
        "  zsmem write long_term '- prefers tabs'       a fact for every project\n"
        "  zsmem write scratchpad '- [ ] try zsmem'     a to-do for this project\n"
        '  cp -r OLD/agent/memory/. "…/memory"          memory of another machine: it is plain files\n\n'
        "D opens a rich sample store in a temporary folder, to look around.\n"
        "Another folder: zsmem --root DIR.   Keys: ?"
    )


def about_project(session: Session, project: ProjectEntry | None, slug: str) -> str:
    """What a project holds, in a few lines."""
    name = visible_line(printable_path(slug))
    here = slug == session.project
    if project is None or not project.files:
        where = "the folder you started zsmem in" if here else "a project"
        return f"{name}\n\nNo memory yet for {where}.\n\nThe agent keeps it in\n  {_home(session, slug)}"
    counted = [(len(project.of(target)), noun) for target, noun in ((WriteTarget.DAILY, "daily log"), (WriteTarget.NOTE, "note"))]
    items = project.open_items
    lines = [
        name,
        "",
        *(["The project of the folder you started zsmem in.", ""] if here else []),
        *(f"{count:>6} {plural(noun, count)}" for count, noun in counted),
        *([f"{items:>6} open {plural('item', items)}"] if items is not None else []),
        f"{format.size(project.size):>6} in {len(project.files)} {plural('file', len(project.files))}",
        "",
        _home(session, slug),
        "",
        "enter or l unfolds it.",
    ]
    return "\n".join(lines)


def _home(session: Session, slug: str) -> str:
    return visible_line(printable_path(f"{session.root}/{session.layout.projects_folder}/{slug}"))
