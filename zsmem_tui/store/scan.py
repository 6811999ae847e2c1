"""One walk over a store."""

from __future__ import annotations

import os
from collections.abc import Callable

from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.layout import Folder, Layout
from zsmem_tui.core.search import never
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files


def scan(root: str, layout: Layout, *, cancelled: Callable[[], bool] = never) -> Catalog:
    """What the store at `root` holds, from names and fingerprints alone; no file is opened.

    A root that is missing gives an empty catalogue, one that cannot be read also a `problem`. Once `cancelled()` says
    yes, what has been found so far is returned.
    """
    problem = files.root_problem(root)
    if problem or not os.path.isdir(root):
        return Catalog(problem=problem)
    shared = tuple(entry for folder in layout.global_folders() for entry in entries(root, folder))
    projects = []
    for slug in project_slugs(root, layout):
        if cancelled():
            break
        found = tuple(entry for folder in layout.project_folders(slug) for entry in entries(root, folder))
        projects.append(ProjectEntry(slug, found, problem=project_problem(root, layout, slug)))
    return Catalog(shared, tuple(projects))


def project_slugs(root: str, layout: Layout) -> list[str]:
    """The names of the project folders, by name."""
    if not layout.projects_folder:
        return []
    home = os.path.join(root, layout.projects_folder)
    try:
        with os.scandir(home) as found:
            return sorted(entry.name for entry in found if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return []


def project_problem(root: str, layout: Layout, slug: str) -> str:
    """Why the folder of a project cannot be looked into; empty when it can, or is gone since it was listed."""
    home = os.path.join(root, layout.projects_folder, slug)
    return "" if os.access(home, os.R_OK | os.X_OK) or not os.path.lexists(home) else f"{printable_path(home)}: Permission denied"


def entries(root: str, folder: Folder) -> list[FileEntry]:
    """The memory files of one folder, by name."""
    home = os.path.join(root, folder.path) if folder.path else root
    names = sorted(files.list_names(home))
    return [files.entry(root, folder.ref(name)) for name in names if not folder.only or name in folder.only]
