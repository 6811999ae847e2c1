"""What a file says to the doctor by itself, whatever lies around it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.checks.examine import Reading, read
from zsmem_tui.core.checks.finding import Finding, Fix, Level
from zsmem_tui.core.checks.whole import OVER_BUDGET, broken_at
from zsmem_tui.core.listed import Lists
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import never
from zsmem_tui.store.disk import files

LARGEST: Final = 32 * 1024 * 1024
"""Bytes of a file that is looked into: no agent and no person reads a larger one."""


class Kept(NamedTuple):
    """What is kept of a file: as which it was read, and what was found."""

    evidence: object
    reading: Reading | None
    faults: tuple[Finding, ...]
    names: tuple[str, ...] = ()
    """What links may call it beside its file's name."""


class TextRules(NamedTuple):
    """What has to be known of a store to tell what one of its files says.

    `limits` are the bytes above which an agent leaves out a file of a role, `project` the one that a tail is moved to.
    """

    root: str
    block_end: str
    limits: Mapping[Role, int]
    lists: Lists
    project: str

    def look(self, entry: FileEntry, cancelled: Callable[[], bool] = never) -> Kept:
        """What a file says. Raises `StoreError`, which is `Missing` for one that is gone, and `Cancelled`."""
        ref = entry.ref
        if entry.size > LARGEST:
            return Kept(entry.fingerprint, None, (*self._too_large(ref, entry.size), _unread(ref, entry.size)))
        raw, fingerprint = files.read(os.path.join(self.root, ref.path))
        large = tuple(self._too_large(ref, len(raw)))
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            quoted = raw[:200].decode("utf-8", "replace")
            says = "The file is not valid UTF-8: agents cannot read it, and leave it out."
            fix = Fix("Convert the file to UTF-8.", recodes="" if b"\0" in raw else ref.path)
            fault = broken_at(ref.path, 1, "not-utf8", says, "", quoted, fix)
            return Kept(fingerprint, None, (fault, *large))
        reading = read(ref, text, self.block_end, cancelled=cancelled)
        return Kept(fingerprint, reading, (*reading.faults, *large), self.lists.names(ref.path, raw))

    def _too_large(self, ref: MemRef, size: int) -> Iterable[Finding]:
        limit = self.limits.get(ref.role) if ref.role else None
        if limit is not None and size > limit:
            yield Finding(
                OVER_BUDGET,
                ref.path,
                says="The file has {size} bytes: agents leave it out when it is over {limit}.",
                level=Level.ERROR,
                kind="file",
                size=size,
                limit=limit,
                fix=out_of_prompt(self.project),
            )


def out_of_prompt(project: str) -> Fix:
    """What does not fit into the prompt of a project goes out of it."""
    return Fix("Move what does not fit out of the prompt: into notes and the archive of {group}.", fits=project)


def readings(own: Iterable[Kept | None]) -> list[Reading]:
    """What of these files can be compared."""
    return [kept.reading for kept in own if kept is not None and kept.reading is not None and kept.reading.told]


def _unread(ref: MemRef, size: int) -> Finding:
    """That a file is not looked into."""
    says = "The file has {size} bytes, more than the {limit} that are looked into: whatever else is wrong in it is not told."
    return Finding(OVER_BUDGET, ref.path, says=says, kind="unread", size=size, limit=LARGEST)
