"""Scan a store for its files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import Final

from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.layout import Folder, Layout, find_ref, is_unread, kept_folders
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, listing
from zsmem_tui.store.disk.places import leads_out


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


MOST_FOLDERS: Final = 2_000
"""The most folders of a group that are looked through for files without a place."""


def unplaced(root: str, layout: Layout, group: str = "") -> list[str]:
    """The Markdown files in a group's folder, or in none, that are at no place where the agent looks; links are not followed.

    None if other files than memory belong there too, or some that the agent makes itself: then it knows more places.
    """
    home = layout.home_of(group) if group else ""
    if layout.has_others or bool(group) != bool(home):
        return []
    tops = [Folder(home, deep=True)]
    own = layout.project_folders(group) if group else layout.global_folders()
    whole = {each.path for each in (*own, *kept_folders(layout, group)) if not (each.place or each.only or each.main)}
    if not group:
        of_groups = {layout.projects_folder, *(layout.home_of(slug).split("/")[0] for slug in project_slugs(root, layout))}
        others = [Folder(name, deep=True) for name in listing.folder_names(root, "") if name not in of_groups]
        tops = [Folder(path) for path in dict.fromkeys(("", layout.projects_folder))] + others
    found: list[str] = []
    for folder in islice(listing.expanded(root, tops), MOST_FOLDERS):
        for name in sorted(files.list_names(os.path.join(root, folder.path))) if folder.path not in whole else ():
            path = f"{folder.path}/{name}" if folder.path else name
            ref = find_ref(layout, path)
            if ref is not None and ref.role is Role.DERIVED:
                return []
            if (ref is None or is_unread(layout, ref)) and not os.path.islink(os.path.join(root, path)):
                found.append(path)
    return found


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
    why = "it is not a folder" if os.path.lexists(place) and not os.path.isdir(place) else "Permission denied"
    return f"{printable_path(place)}: {why}"


def entries(root: str, folder: Folder) -> list[FileEntry]:
    """The memory files of one folder, sorted by name; with `deep`, folder by folder."""
    return [
        files.entry(root, each.ref(name), is_out=is_out)
        for each in listing.expanded(root, (folder,))
        for is_out in (leads_out(root, each.path),)
        for name in sorted(listing.names(root, each))
    ]
