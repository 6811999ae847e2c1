"""What each file looked like when it was last recorded, so that a start need not read them all again. Derived; may be lost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zsmem_tui.core.catalog import Catalog, FileEntry, Fingerprint
from zsmem_tui.core.errors import StoreError
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.replace import replacing


class IndexEntry(NamedTuple):
    """A file's fingerprint and the id of its text."""

    fingerprint: Fingerprint
    text: str


Present = Mapping[str, Fingerprint | None]
"""What lies in a store: every file's fingerprint by its path; None where it could not be looked at."""


def entries_of(catalog: Catalog) -> Iterator[FileEntry]:
    """Every file of a catalogue, also those that are only kept."""
    yield from catalog.shared
    for project in catalog.projects:
        yield from project.files
    yield from catalog.kept


def present(catalog: Catalog) -> Present:
    """What lies in the store that a catalogue was made of."""
    return {entry.ref.path: entry.fingerprint for entry in entries_of(catalog)}


def load(place: str) -> tuple[dict[str, IndexEntry], str, str]:
    """What is known of each path, a mark that tells one root folder from another at the same place, and the commit it is of."""
    try:
        head, *lines = files.read(place)[0].split(b"\n")
    except StoreError:
        return {}, "", ""
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
    """Keep it; nothing happens when that fails."""
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
    """Tells the root folder that is there from another one that may be put there later."""
    try:
        found = os.stat(root)
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"
