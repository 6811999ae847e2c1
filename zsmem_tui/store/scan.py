"""Scan a store for its files."""

from __future__ import annotations

import os
from collections.abc import Iterable

from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.layout import Folder, Layout, kept_folders
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, listing


def scan(root: str, layout: Layout) -> Catalog:
    """Scan the store at `root` by names and stat only; no file is opened.

    A missing root gives an empty catalog; one that cannot be read gives an empty catalog with a `problem`.
    """
    problem = files.root_problem(root)
    if problem or not os.path.isdir(root):
        return Catalog(problem=problem)
    shared = tuple(entry for folder in layout.global_folders() for entry in entries(root, folder))
    projects = []
    kept: list[FileEntry] = []
    for slug in project_slugs(root, layout):
        found = tuple(entry for folder in layout.project_folders(slug) for entry in entries(root, folder))
        kept += (entry for folder in kept_folders(layout, slug) for entry in entries(root, folder))
        projects.append(ProjectEntry(slug, found, problem="".join(unreadable(root, layout.project_folders(slug))[:1])))
    hidden = (*unreadable(root, layout.global_folders()), *filter(None, (project.problem for project in projects)))
    return Catalog(shared, tuple(projects), kept=tuple(kept), hidden=hidden)


def project_slugs(root: str, layout: Layout) -> list[str]:
    """The names of the groups, sorted."""
    return layout.groups(listing.DiskHeads(root))


def project_problem(root: str, layout: Layout, slug: str) -> str:
    """Why the folder of a project cannot be listed; empty if it can, or if it was deleted meanwhile."""
    return hidden_because(os.path.join(root, layout.home_of(slug)))


def unreadable(root: str, folders: Iterable[Folder]) -> list[str]:
    """Sentences about those of these folders that are there and cannot be listed."""
    places = dict.fromkeys(os.path.join(root, each.path) for each in listing.expanded(root, folders))
    return [*filter(None, map(hidden_because, places))]


def hidden_because(place: str) -> str:
    """Why what is in a folder cannot be known; empty if it can be listed and searched, or is not there."""
    if os.access(place, os.R_OK | os.X_OK) or files.is_gone(place):
        return ""
    return f"{printable_path(place)}: Permission denied"


def entries(root: str, folder: Folder) -> list[FileEntry]:
    """The memory files of one folder, sorted by name; with `deep`, folder by folder."""
    return [
        files.entry(root, each.ref(name))
        for each in listing.expanded(root, (folder,))
        for name in sorted(listing.names(root, each))
    ]
