"""A cache of the stat values of each file when it was last recorded, so that a start need not read all files. May be lost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zsmem_tui.core.catalog import Catalog, FileEntry, Fingerprint
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import stat_of
from zsmem_tui.store.disk.replace import replacing


class IndexEntry(NamedTuple):
    """A file's fingerprint and the id of its text."""

    fingerprint: Fingerprint
    text: str


Present = Mapping[str, Fingerprint | None]
"""The files in a store: fingerprints by path; None if stat failed."""


def entries_of(catalog: Catalog) -> Iterator[FileEntry]:
    """All files of a catalog, including archived ones."""
    yield from catalog.shared
    for project in catalog.projects:
        yield from project.files
    yield from catalog.kept


def present(catalog: Catalog) -> Present:
    """The fingerprints of all files of a catalog."""
    return {entry.ref.path: entry.fingerprint for entry in entries_of(catalog)}


def load(place: str) -> tuple[dict[str, IndexEntry], str, str]:
    """Read the cache: (entries by path, identity of the root folder, commit it belongs to); empty values if there is none."""
    head, *lines = files.read_or_empty(place).split(b"\n")
    found: dict[str, IndexEntry] = {}
    for line in lines:
        parts = line.split(b"\t", 4)
        if len(parts) == 5:
            try:
                inode, _, ctime = parts[2].partition(b":")
                fingerprint = Fingerprint(int(parts[0]), int(parts[1]), int(inode), int(ctime))
            except ValueError:
                continue
            found[os.fsdecode(parts[4])] = IndexEntry(fingerprint, parts[3].decode("ascii", "replace"))
    identity, _, commit = head.decode("ascii", "replace").partition(" ")
    return found, identity, commit


def save(place: str, found: dict[str, IndexEntry], identity: str, commit: str) -> None:
    """Write the cache; errors are ignored."""
    lines = [f"{identity} {commit}".encode("ascii", "replace")]
    lines += [
        b"%d\t%d\t%d:%d\t%b\t%b" % (*each.fingerprint, each.text.encode(), os.fsencode(path))
        for path, each in found.items()
        if "\n" not in path
    ]
    try:
        with replacing(place, durable=False) as stream:
            stream.write(b"\n".join(lines))
    except OSError:
        return


def root_identity(root: str) -> str:
    """A string that distinguishes the root folder from another one put there later; empty if there is none."""
    found = stat_of(root)
    return f"{found.st_dev}:{found.st_ino}" if found else ""
