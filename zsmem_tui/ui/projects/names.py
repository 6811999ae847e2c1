"""What projects are called where there is room for a word. Apart from their screen, which loads more than a start can do with."""

from __future__ import annotations

import os

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.projects.known import KnownProject, KnownProjects
from zsmem_tui.ui.open_store import FAMILY, GONE, ProjectName


def names(known: KnownProjects, own: str, folder: str) -> dict[str, ProjectName]:
    """What each project is called in the tree. Two of one name are told apart by where they are; `own` is that of `folder`."""
    found = {each.slug: each for each in known.projects}
    labels = {slug: each.label for slug, each in found.items()}
    if folder and own not in labels:
        labels[own] = visible_line(printable_path(os.path.basename(folder))) or own
    taken: dict[str, int] = {}
    for label in labels.values():
        taken[label] = taken.get(label, 0) + 1
    out: dict[str, ProjectName] = {}
    for slug, label in labels.items():
        each = found.get(slug)
        verdict = each.verdict if each is not None else None
        where = verdict.folder if verdict is not None else folder
        if taken[label] > 1 and label != slug:
            label = f"{label} ({place(os.path.dirname(where)) if where else visible_line(printable_path(slug))})"
        is_gone = verdict is not None and verdict.state in (State.MOVED, State.MAYBE, State.GONE)
        family = verdict.family if verdict is not None else ""
        out[slug] = ProjectName(label, GONE if is_gone else FAMILY if family else "", family)
    return out


def found_name(slug: str, folder: str) -> ProjectName:
    """What a project is called whose folder has just been found, before it is known what became of that."""
    return ProjectName(visible_line(printable_path(os.path.basename(folder))) or visible_line(printable_path(slug)))


def hint(found: KnownProject | None) -> str:
    """That the memory of another folder seems to belong to the one worked in; empty where none does."""
    return f"The memory of {place(found.verdict.folder)} seems to belong here." if found is not None else ""


def place(folder: str) -> str:
    """A folder as people write it."""
    return visible_line(printable_path(shortened(folder)))
